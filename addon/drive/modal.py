"""The live drive as a mode of a 3D view: what keys, mouse and timer do, and how it ends."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import FootfallError
from ..scene.active import active_armature
from ..scene.drive_task import read_live
from .hud import BRIGHT, HOT, View, nearest, on_stick, scale_of
from .session import Live

Array = NDArray[np.float64]
Report = Callable[[set[str], str], None]
Answer = set[str]

PER_FRAME = 2         # looks at the clock a frame, so that frames come when they are due
LOOKING = ("MIDDLEMOUSE", "WHEEL", "TRACKPAD", "NDOF", "NUMPAD_", "TIMER")      # how events begin that turn the view, or are others
CONFIRM, CANCEL = ("RET", "NUMPAD_ENTER"), ("ESC", "RIGHTMOUSE")

_now: list[DriveMode] = []


def end_drives() -> None:
    """End whatever is driven, and leave all as it was: the add-on is being taken away."""
    for mode in list(_now):
        mode.end(bpy.context)


def driving_now() -> bool:
    """Whether a character is being driven."""
    return bool(_now)


class DriveMode:
    """One drive in one 3D view.

    Raises:
        FootfallError: the character cannot be driven; nothing was changed.
    """

    def __init__(self, context: bpy.types.Context, report: Report) -> None:
        self._report = report
        to_drive = read_live(context)
        self.live = Live(active_armature(context), to_drive)
        self._area = context.area.as_pointer()
        _, region, seen = self._seen(context)
        self._before = seen.view_location.copy()
        self._follow = context.scene.footfall_live.follow
        self._at: Array | None = None
        self._view = View(context.area, region)
        self._timer: bpy.types.Timer | None = context.window_manager.event_timer_add(
            1 / (PER_FRAME * to_drive.asked.task.fps), window=context.window)
        self._pull: tuple[str, tuple[int, int]] | None = None        # where on the body a push was begun, and at which pixel
        self._mouse, self._stick, self._told = (0, 0), False, False
        _now.append(self)
        self._tell(context)

    def handle(self, context: bpy.types.Context, event: Any) -> Answer:
        """Take an event."""
        found = self._find(context)
        if found is None or self not in _now:
            return self._cancel(context, "The 3D view in which it was driven is gone; nothing was changed.")
        if event.type == "TIMER":
            return self._tick(context)
        area, region, _ = found
        self._mouse = event.mouse_x - region.x, event.mouse_y - region.y
        self.live.hands.shift = bool(event.shift)
        if event.type in CONFIRM and event.value == "PRESS":
            return self._keep(context)
        if event.type in CANCEL and event.value == "PRESS":
            return self._cancel(context, "The drive was left. Nothing was changed.")
        if event.type == "WINDOW_DEACTIVATE":
            self.live.hands.let_go()
            self._stick, self._pull = False, None
        elif event.type in ("LEFTMOUSE", "MOUSEMOVE"):
            self._point(context, event)
            area.tag_redraw()
        elif not self.live.hands.take(event.type, event.value) and event.type.startswith(LOOKING):
            return {"PASS_THROUGH"}
        return {"RUNNING_MODAL"}

    def end(self, context: bpy.types.Context) -> None:
        """Leave all as it was; harmless when it was done before."""
        if self in _now:
            _now.remove(self)
        self._view.close()
        self.live.end()
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        _redraw(context)

    def _tick(self, context: bpy.types.Context) -> Answer:
        found = self._find(context)
        assert found is not None
        area, _, seen = found
        armature = context.scene.objects.get(self.live.asked.armature)
        if armature is None or armature.type != "ARMATURE":
            return self._cancel(context, f"The armature {self.live.asked.armature!r} is gone, so the drive ended.")
        try:
            moved = self.live.tick(time.perf_counter(), np.array(seen.view_rotation.to_matrix()))
        except FootfallError as error:
            self.end(context)
            self._report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if self.live.failed and not self._told:
            self._told = True
            self._report({"WARNING"}, f"{self.live.failed} Enter keeps what was driven until then, Esc leaves all as it was.")
        self._tell(context)
        self._draw(context, seen)
        if moved or self.live.reel.waiting:
            area.tag_redraw()
        # other timers are not ours to stop
        return {"PASS_THROUGH"}

    def _point(self, context: bpy.types.Context, event: Any) -> None:
        """The mouse holds the stick, or pulls the character."""
        scale, (_, region, seen) = scale_of(context), self._seen(context)
        hands = self.live.hands
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            hands.stick = on_stick(self._mouse, scale)
            self._stick = hands.stick is not None
            if not self._stick:
                place = nearest(region, seen, self._mouse, self.live.places(context.scene), scale)
                self._pull = (place, self._mouse) if place else None
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            if self._pull is not None:
                drag = np.subtract(self._mouse, self._pull[1]) / scale
                self.live.push(self._pull[0], drag, np.array(seen.view_rotation.to_matrix()))
            hands.stick, self._stick, self._pull = None, False, None
        elif self._stick:
            hands.stick = on_stick(self._mouse, scale, held=True)

    def _draw(self, context: bpy.types.Context, seen: bpy.types.RegionView3D) -> None:
        """Have the view draw what there is now, and go along if it is to."""
        live, drawn = self.live, self._view.drawn
        keys = live.hands.meant(np.eye(3), None)
        drawn.stick = live.hands.stick or ((0.6 * float(np.cos(keys.direction)), 0.6 * float(np.sin(keys.direction)))
                                           if keys is not None else (0.0, 0.0))
        drawn.colour = HOT if live.hands.shift else BRIGHT
        drawn.figure = live.figure(context.scene)
        drawn.push = None
        if self._pull is not None:
            start = self._pull[1]
            drawn.push = start, self._mouse
            drag = np.subtract(self._mouse, start) / scale_of(context)
            drawn.told = f"{live.force_of(drag):.0f} N at the {self._pull[0].replace('.L', ', left').replace('.R', ', right')}"
        at = live.position(context.scene)
        if self._follow and at is not None:
            if self._at is not None:
                seen.view_location = (np.array(seen.view_location) + (at - self._at)).tolist()
            self._at = at

    def _keep(self, context: bpy.types.Context) -> Answer:
        """Enter: bake what was driven."""
        if not self.live.reel.parts:
            return self._cancel(context, "Nothing was driven yet, so there was nothing to keep.")
        reel = self.live.reel
        try:
            baked, motion = self.live.record(context.scene)
        except FootfallError as error:
            self.end(context)
            self._report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.end(context)
        notes = [*baked.warnings, *(e.text() for e in motion.report.eased[:2])]
        if (off := self.live.off_ground(motion)) > 0:
            notes.append(f"for {off:.1f} s it stands where there is no ground, as if that went on level")
        last = self.live.asked.first_frame + motion.frames - 1
        if last > context.scene.frame_end:
            notes.append(f"its last key is at frame {last}, after the scene's end at {context.scene.frame_end}")
        text = f"{baked.action.name}: {baked.frames} frames on {baked.bones} bones, driven {motion.report.clip_seconds:.1f} s"
        if reel.waited > 0.05:
            text += f", {reel.waited:.1f} s of waiting left out"
        self._report({"WARNING" if notes else "INFO"}, "; ".join([text, *baked.asides, *notes]))
        return {"FINISHED"}

    def _cancel(self, context: bpy.types.Context, message: str) -> Answer:
        found = self._find(context)
        if found is not None and self._follow:
            found[2].view_location = self._before
        self.end(context)
        self._report({"INFO"}, message)
        return {"CANCELLED"}

    def _tell(self, context: bpy.types.Context) -> None:
        if context.workspace is not None:
            context.workspace.status_text_set(self.status())

    def status(self) -> str:
        """What the status bar says."""
        live, reel = self.live, self.live.reel
        if live.failed:
            return f"Footfall: stopped. {live.failed}    Enter: keep    Esc: leave"
        if not live.ready:
            return "Footfall: starting the planner…    Esc: leave"
        if live.meant is None:
            return "Footfall: arrow keys, W A S D or the circle to set off    Esc: leave"
        waits = "    waiting for the planner" if reel.waiting else f"    waited {reel.waited:.1f} s" if reel.waited > 0.05 else ""
        seconds = (reel.frame + 1) / live.asked.task.fps
        return (f"Footfall: {live.meant.speed:.1f} m/s, {seconds:.1f} s{waits}    Shift: faster    Drag the character: push    "
                "Enter: keep    Esc: leave")

    def _find(self, context: bpy.types.Context) -> tuple[bpy.types.Area, bpy.types.Region, bpy.types.RegionView3D] | None:
        """The 3D view, which layouts and other files may have taken away."""
        for window in context.window_manager.windows:
            for area in window.screen.areas:
                if area.as_pointer() == self._area and area.type == "VIEW_3D":
                    region = next(r for r in area.regions if r.type == "WINDOW")
                    return area, region, area.spaces.active.region_3d
        return None

    def _seen(self, context: bpy.types.Context) -> tuple[bpy.types.Area, bpy.types.Region, bpy.types.RegionView3D]:
        found = self._find(context)
        assert found is not None
        return found


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()

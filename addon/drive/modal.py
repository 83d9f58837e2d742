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
from ..scene.drive_task import read_drive_request
from .hud import BRIGHT_COLOR, HOT_COLOR, DriveHud, find_nearest, get_ui_scale, read_stick
from .session import DriveSession

Array = NDArray[np.float64]
Report = Callable[[set[str], str], None]
ModalResult = set[str]

TICKS_PER_FRAME = 2  # looks at the clock a frame, so that frames come when they are due
# how events begin that turn the view, or are others
NAVIGATION_EVENTS = ("MIDDLEMOUSE", "WHEEL", "TRACKPAD", "NDOF", "NUMPAD_", "TIMER")
CONFIRM_KEYS = ("RET", "NUMPAD_ENTER")
CANCEL_KEYS = ("ESC", "RIGHTMOUSE")

_active_modes: list[DriveMode] = []


def end_drives() -> None:
    """End whatever is driven, and leave all as it was: the add-on is being taken away."""
    for mode in list(_active_modes):
        mode.end(bpy.context)


def is_driving() -> bool:
    """Whether a character is being driven."""
    return bool(_active_modes)


class DriveMode:
    """One drive in one 3D view.

    Raises:
        FootfallError: the character cannot be driven; nothing was changed.
    """

    def __init__(self, context: bpy.types.Context, report: Report) -> None:
        self._report = report
        request = read_drive_request(context)
        self.session = DriveSession(active_armature(context), request)
        self._area = context.area.as_pointer()
        _, region, region_3d = self._require_view(context)
        self._initial_location = region_3d.view_location.copy()
        self._follows_body = context.scene.footfall_live.follow
        self._last_position: Array | None = None
        self._hud = DriveHud(context.area, region)
        self._timer: bpy.types.Timer | None = context.window_manager.event_timer_add(
            1 / (TICKS_PER_FRAME * request.request.task.fps), window=context.window
        )
        # where on the body a push was begun, and at which pixel
        self._push_drag: tuple[str, tuple[int, int]] | None = None
        self._mouse = (0, 0)
        self._holds_stick = False
        self._failure_reported = False
        _active_modes.append(self)
        self._show_status(context)

    def handle(self, context: bpy.types.Context, event: Any) -> ModalResult:
        """Take an event."""
        view = self._find_view(context)
        if view is None or self not in _active_modes:
            return self._cancel(
                context, "The 3D view in which it was driven is gone; nothing was changed."
            )
        if event.type == "TIMER":
            return self._tick(context)
        area, region, _ = view
        self._mouse = event.mouse_x - region.x, event.mouse_y - region.y
        self.session.drive_input.shift_pressed = bool(event.shift)
        if event.type in CONFIRM_KEYS and event.value == "PRESS":
            return self._bake(context)
        if event.type in CANCEL_KEYS and event.value == "PRESS":
            return self._cancel(context, "The drive was left. Nothing was changed.")
        if event.type == "WINDOW_DEACTIVATE":
            self.session.drive_input.release_all()
            self._holds_stick = False
            self._push_drag = None
        elif event.type in ("LEFTMOUSE", "MOUSEMOVE"):
            self._handle_pointer(context, event)
            area.tag_redraw()
        elif not self.session.drive_input.handle_key(
            event.type, event.value
        ) and event.type.startswith(NAVIGATION_EVENTS):
            return {"PASS_THROUGH"}
        return {"RUNNING_MODAL"}

    def end(self, context: bpy.types.Context) -> None:
        """Leave all as it was; harmless when it was done before."""
        if self in _active_modes:
            _active_modes.remove(self)
        self._hud.close()
        self.session.end()
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        _redraw(context)

    def _tick(self, context: bpy.types.Context) -> ModalResult:
        view = self._find_view(context)
        assert view is not None
        area, _, region_3d = view
        armature = context.scene.objects.get(self.session.request.armature)
        if armature is None or armature.type != "ARMATURE":
            return self._cancel(
                context,
                f"The armature {self.session.request.armature!r} is gone, so the drive ended.",
            )
        try:
            is_frame_new = self.session.tick(
                time.perf_counter(), np.array(region_3d.view_rotation.to_matrix())
            )
        except FootfallError as error:
            self.end(context)
            self._report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if self.session.failure and not self._failure_reported:
            self._failure_reported = True
            self._report(
                {"WARNING"},
                (
                    f"{self.session.failure} Enter keeps what was driven until then, Esc leaves "
                    "all as it was."
                ),
            )
        self._show_status(context)
        self._update_hud(context, region_3d)
        if is_frame_new or self.session.playback.is_waiting:
            area.tag_redraw()
        # other timers are not ours to stop
        return {"PASS_THROUGH"}

    def _handle_pointer(self, context: bpy.types.Context, event: Any) -> None:
        """The mouse holds the stick, or pulls the character."""
        scale = get_ui_scale(context)
        _, region, region_3d = self._require_view(context)
        drive_input = self.session.drive_input
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            drive_input.stick = read_stick(self._mouse, scale)
            self._holds_stick = drive_input.stick is not None
            if not self._holds_stick:
                body_part = find_nearest(
                    region,
                    region_3d,
                    self._mouse,
                    positions=self.session.find_body_parts(context.scene),
                    scale=scale,
                )
                self._push_drag = (body_part, self._mouse) if body_part else None
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            if self._push_drag is not None:
                drag = np.subtract(self._mouse, self._push_drag[1]) / scale
                self.session.push(
                    self._push_drag[0], drag, np.array(region_3d.view_rotation.to_matrix())
                )
            drive_input.stick = None
            self._holds_stick = False
            self._push_drag = None
        elif self._holds_stick:
            drive_input.stick = read_stick(self._mouse, scale, is_held=True)

    def _update_hud(self, context: bpy.types.Context, region_3d: bpy.types.RegionView3D) -> None:
        """Have the view draw what there is now, and go along if it is to."""
        session = self.session
        hud_state = self._hud.state
        command = session.drive_input.read_command(np.eye(3), None)
        hud_state.stick = session.drive_input.stick or (
            (0.6 * float(np.cos(command.direction)), 0.6 * float(np.sin(command.direction)))
            if command is not None
            else (0.0, 0.0)
        )
        hud_state.color = HOT_COLOR if session.drive_input.shift_pressed else BRIGHT_COLOR
        hud_state.figure_lines = session.compute_skeleton_lines(context.scene)
        hud_state.push = None
        if self._push_drag is not None:
            start = self._push_drag[1]
            hud_state.push = start, self._mouse
            drag = np.subtract(self._mouse, start) / get_ui_scale(context)
            hud_state.push_label = (
                f"{session.compute_push_force(drag):.0f} N at the "
                f"{self._push_drag[0].replace('.L', ', left').replace('.R', ', right')}"
            )
        position = session.find_position(context.scene)
        if self._follows_body and position is not None:
            if self._last_position is not None:
                region_3d.view_location = (
                    np.array(region_3d.view_location) + (position - self._last_position)
                ).tolist()
            self._last_position = position

    def _bake(self, context: bpy.types.Context) -> ModalResult:
        """Enter: bake what was driven."""
        if not self.session.playback.parts:
            return self._cancel(context, "Nothing was driven yet, so there was nothing to keep.")
        playback = self.session.playback
        try:
            result, motion = self.session.end_and_bake(context.scene)
        except FootfallError as error:
            self.end(context)
            self._report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.end(context)
        notes = [*result.warnings, *(e.describe() for e in motion.report.violations[:2])]
        if (off_ground_time := self.session.measure_off_ground_time(motion)) > 0:
            notes.append(
                f"for {off_ground_time:.1f} s it stands where there is no ground, as if that went "
                "on level"
            )
        last_frame = self.session.request.first_frame + motion.frames - 1
        if last_frame > context.scene.frame_end:
            notes.append(
                f"its last key is at frame {last_frame}, after the scene's end at "
                f"{context.scene.frame_end}"
            )
        text = (
            f"{result.action.name}: {result.frame_count} frames on {result.bone_count} bones, "
            f"driven {motion.report.clip_seconds:.1f} s"
        )
        if playback.waiting_time > 0.05:
            text += f", {playback.waiting_time:.1f} s of waiting left out"
        self._report({"WARNING" if notes else "INFO"}, "; ".join([text, *result.remarks, *notes]))
        return {"FINISHED"}

    def _cancel(self, context: bpy.types.Context, message: str) -> ModalResult:
        view = self._find_view(context)
        if view is not None and self._follows_body:
            view[2].view_location = self._initial_location
        self.end(context)
        self._report({"INFO"}, message)
        return {"CANCELLED"}

    def _show_status(self, context: bpy.types.Context) -> None:
        if context.workspace is not None:
            context.workspace.status_text_set(self.describe_status())

    def describe_status(self) -> str:
        """What the status bar says."""
        session = self.session
        playback = self.session.playback
        if session.failure:
            return f"Footfall: stopped. {session.failure}    Enter: keep    Esc: leave"
        if not session.is_ready:
            return "Footfall: starting the planner…    Esc: leave"
        if session.command is None:
            return "Footfall: arrow keys, W A S D or the circle to set off    Esc: leave"
        waiting_text = (
            "    waiting for the planner"
            if playback.is_waiting
            else f"    waited {playback.waiting_time:.1f} s"
            if playback.waiting_time > 0.05
            else ""
        )
        seconds = (playback.frame + 1) / session.request.task.fps
        return (
            f"Footfall: {session.command.speed:.1f} m/s, {seconds:.1f} s{waiting_text}    Shift: "
            "faster    Drag the character: push    Enter: keep    Esc: leave"
        )

    def _find_view(
        self, context: bpy.types.Context
    ) -> tuple[bpy.types.Area, bpy.types.Region, bpy.types.RegionView3D] | None:
        """The 3D view, which layouts and other files may have taken away."""
        for window in context.window_manager.windows:
            for area in window.screen.areas:
                if area.as_pointer() == self._area and area.type == "VIEW_3D":
                    region = next(r for r in area.regions if r.type == "WINDOW")
                    return area, region, area.spaces.active.region_3d
        return None

    def _require_view(
        self, context: bpy.types.Context
    ) -> tuple[bpy.types.Area, bpy.types.Region, bpy.types.RegionView3D]:
        view = self._find_view(context)
        assert view is not None
        return view


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()

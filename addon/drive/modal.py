"""The live drive as a modal operation in a 3D view: events, status and end."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import FootfallError
from ..bake.character_report import (
    CharacterReport,
    FrameRange,
    ReportFunction,
    make_lines,
    show_report,
    store_report,
)
from ..scene.active import active_armature
from ..scene.drive_task import read_drive_request
from .hud import (
    BRIGHT_COLOR,
    HOT_COLOR,
    DriveHud,
    PushLine,
    find_nearest,
    get_ui_scale,
    read_stick,
)
from .input import NATURAL_SPEED_DEFLECTION, StickDeflection
from .session import BakedDrive, DriveSession

Array = NDArray[np.float64]
ModalResult = set[str]

TICKS_PER_FRAME = 2  # timer events per frame, so that a frame is at most half a frame late
MIN_REPORTED_WAIT = 0.05  # waiting time above which it is reported [s]
# Prefixes of events that Blender handles: view navigation and timers.
NAVIGATION_EVENTS = ("MIDDLEMOUSE", "WHEEL", "TRACKPAD", "NDOF", "NUMPAD_", "TIMER")
CONFIRM_KEYS = ("RET", "NUMPAD_ENTER")
CANCEL_KEYS = ("ESC", "RIGHTMOUSE")


@dataclass(frozen=True)
class ViewHandle:
    """A 3D view; the references are valid during one event."""

    area: bpy.types.Area
    region: bpy.types.Region
    region_3d: bpy.types.RegionView3D


@dataclass(frozen=True)
class _PushDrag:
    """A drag on the character that becomes a push when the mouse button is released."""

    body_part: str
    start: tuple[int, int]  # [pixels of the region]


_active_modes: list[DriveMode] = []


def end_drives() -> None:
    """End all drives and restore the rigs."""
    for mode in list(_active_modes):
        mode.end(bpy.context)


def is_driving() -> bool:
    """Return whether a character is being driven."""
    return bool(_active_modes)


class DriveMode:
    """A drive in one 3D view.

    Args:
        context: context of a 3D view with the character active.
        report: function that shows a message, such as an operator's `report`.

    Raises:
        FootfallError: the character cannot be driven; nothing was changed.
    """

    def __init__(self, context: bpy.types.Context, report: ReportFunction) -> None:
        self._report = report
        request = read_drive_request(context)
        self.session = DriveSession(active_armature(context), request)
        self._area = context.area.as_pointer()
        view = self._require_view(context)
        self._initial_location = view.region_3d.view_location.copy()
        self._follows_body = context.scene.footfall_live.follow
        self._last_position: Array | None = None
        self._hud = DriveHud(context.area, view.region)
        self._timer: bpy.types.Timer | None = context.window_manager.event_timer_add(
            1 / (TICKS_PER_FRAME * request.request.task.fps), window=context.window
        )
        self._push_drag: _PushDrag | None = None
        self._mouse = (0, 0)
        self._holds_stick = False
        self._failure_reported = False
        _active_modes.append(self)
        self._show_status(context)

    def handle(self, context: bpy.types.Context, event: Any) -> ModalResult:
        """Process an event.

        Args:
            context: current context.
            event: Blender event.

        Returns:
            The result for Blender's modal loop.
        """
        view = self._find_view(context)
        if view is None or self not in _active_modes:
            return self._cancel(
                context, "The 3D view of the drive was closed. Nothing was changed."
            )
        if event.type == "TIMER":
            return self._tick(context)
        self._mouse = event.mouse_x - view.region.x, event.mouse_y - view.region.y
        self.session.drive_input.shift_pressed = bool(event.shift)
        if event.type in CONFIRM_KEYS and event.value == "PRESS":
            return self._bake(context)
        if event.type in CANCEL_KEYS and event.value == "PRESS":
            return self._cancel(context, "The drive was canceled. Nothing was changed.")
        if event.type == "WINDOW_DEACTIVATE":
            self.session.drive_input.release_all()
            self._holds_stick = False
            self._push_drag = None
        elif event.type in ("LEFTMOUSE", "MOUSEMOVE"):
            self._handle_pointer(context, event)
            view.area.tag_redraw()
        elif not self.session.drive_input.handle_key(
            event.type, event.value
        ) and event.type.startswith(NAVIGATION_EVENTS):
            return {"PASS_THROUGH"}
        return {"RUNNING_MODAL"}

    def end(self, context: bpy.types.Context) -> None:
        """End the drive and restore the rig; does nothing if it was ended before."""
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
        armature = context.scene.objects.get(self.session.request.armature)
        if armature is None or armature.type != "ARMATURE":
            return self._cancel(
                context,
                f"The armature {self.session.request.armature!r} was deleted, so the drive ended.",
            )
        try:
            is_frame_new = self.session.tick(
                time.perf_counter(), np.array(view.region_3d.view_rotation.to_matrix())
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
                    f"{self.session.failure} Enter keeps the drive up to this point, Esc discards "
                    "it."
                ),
            )
        self._show_status(context)
        self._update_hud(context, view.region_3d)
        if is_frame_new or self.session.playback.is_waiting:
            view.area.tag_redraw()
        # The event may come from a timer of another add-on.
        return {"PASS_THROUGH"}

    def _handle_pointer(self, context: bpy.types.Context, event: Any) -> None:
        """Move the stick or drag the character with the mouse."""
        scale = get_ui_scale(context)
        view = self._require_view(context)
        drive_input = self.session.drive_input
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            drive_input.stick = read_stick(self._mouse, scale)
            self._holds_stick = drive_input.stick is not None
            if not self._holds_stick:
                body_part = find_nearest(
                    view.region,
                    view.region_3d,
                    self._mouse,
                    positions=self.session.find_body_parts(context.scene),
                    scale=scale,
                )
                self._push_drag = _PushDrag(body_part, self._mouse) if body_part else None
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            if self._push_drag is not None:
                drag = np.subtract(self._mouse, self._push_drag.start) / scale
                rotation = np.array(view.region_3d.view_rotation.to_matrix())
                self.session.push(self._push_drag.body_part, drag, rotation)
            drive_input.stick = None
            self._holds_stick = False
            self._push_drag = None
        elif self._holds_stick:
            drive_input.stick = read_stick(self._mouse, scale, is_held=True)

    def _update_hud(self, context: bpy.types.Context, region_3d: bpy.types.RegionView3D) -> None:
        """Update the overlay, and move the view if it follows the body."""
        session = self.session
        hud_state = self._hud.state
        hud_state.stick = self._find_shown_deflection()
        hud_state.color = HOT_COLOR if session.drive_input.shift_pressed else BRIGHT_COLOR
        hud_state.figure_lines = session.compute_skeleton_lines(context.scene)
        hud_state.push = self._make_push_line(get_ui_scale(context))
        position = session.find_position(context.scene)
        if self._follows_body and position is not None:
            if self._last_position is not None:
                region_3d.view_location = (
                    np.array(region_3d.view_location) + (position - self._last_position)
                ).tolist()
            self._last_position = position

    def _find_shown_deflection(self) -> StickDeflection:
        """Return the deflection of the drawn stick, which keys move too."""
        drive_input = self.session.drive_input
        if drive_input.stick is not None:
            return drive_input.stick
        command = drive_input.read_command(np.eye(3), None)
        if command is None:
            return StickDeflection(0.0, 0.0)
        return StickDeflection(
            NATURAL_SPEED_DEFLECTION * float(np.cos(command.direction)),
            NATURAL_SPEED_DEFLECTION * float(np.sin(command.direction)),
        )

    def _make_push_line(self, scale: float) -> PushLine | None:
        if self._push_drag is None:
            return None
        drag = np.subtract(self._mouse, self._push_drag.start) / scale
        part = self._push_drag.body_part.replace(".L", ", left").replace(".R", ", right")
        label = f"{self.session.compute_push_force(drag):.0f} N at the {part}"
        return PushLine(self._push_drag.start, self._mouse, label)

    def _bake(self, context: bpy.types.Context) -> ModalResult:
        """Bake the drive and end it."""
        if not self.session.playback.parts:
            return self._cancel(context, "The drive ended before its first step. Nothing was kept.")
        try:
            baked = self.session.end_and_bake(context.scene)
        except FootfallError as error:
            self.end(context)
            self._report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.end(context)
        frames = FrameRange(self.session.request.first_frame, baked.motion.fps)
        report = CharacterReport(
            self._describe_result(baked),
            (
                *make_lines(self._list_notes(baked, context.scene), "WARNING", frames),
                *make_lines(baked.result.remarks, "INFO"),
            ),
        )
        store_report(context.scene.objects[self.session.request.armature], report)
        show_report(self._report, report)
        return {"FINISHED"}

    def _list_notes(self, baked: BakedDrive, scene: bpy.types.Scene) -> list[str]:
        """Return the warnings about a baked drive."""
        motion = baked.motion
        violations = motion.report.violations
        notes = [*baked.result.warnings, *(violation.describe() for violation in violations)]
        if (off_ground_time := self.session.measure_off_ground_time(motion)) > 0:
            notes.append(
                f"for {off_ground_time:.1f} s the body stands where there is no ground, as if the "
                "ground continued there"
            )
        last_frame = self.session.request.first_frame + motion.frames - 1
        if last_frame > scene.frame_end:
            notes.append(
                f"its last key is at frame {last_frame}, after the end of the scene at "
                f"{scene.frame_end}"
            )
        return notes

    def _describe_result(self, baked: BakedDrive) -> str:
        result = baked.result
        text = (
            f"{result.action.name}: {result.frame_count} frames on {result.bone_count} bones, "
            f"driven {baked.motion.report.clip_seconds:.1f} s"
        )
        waiting_time = self.session.playback.waiting_time
        if waiting_time > MIN_REPORTED_WAIT:
            text += f", {waiting_time:.1f} s of waiting left out"
        return text

    def _cancel(self, context: bpy.types.Context, message: str) -> ModalResult:
        view = self._find_view(context)
        if view is not None and self._follows_body:
            view.region_3d.view_location = self._initial_location
        self.end(context)
        self._report({"INFO"}, message)
        return {"CANCELLED"}

    def _show_status(self, context: bpy.types.Context) -> None:
        if context.workspace is not None:
            context.workspace.status_text_set(self.describe_status())

    def describe_status(self) -> str:
        """Return the text of the status bar."""
        session = self.session
        playback = self.session.playback
        if session.failure:
            return f"Footfall: stopped. {session.failure}    Enter: keep    Esc: cancel"
        if not session.is_ready:
            return "Footfall: starting the planner…    Esc: cancel"
        if session.command is None:
            return "Footfall: press an arrow key, W A S D or the stick to start    Esc: cancel"
        waiting_text = (
            "    waiting for the planner"
            if playback.is_waiting
            else f"    waited {playback.waiting_time:.1f} s"
            if playback.waiting_time > MIN_REPORTED_WAIT
            else ""
        )
        seconds = (playback.frame + 1) / session.request.task.fps
        return (
            f"Footfall: {session.command.speed:.1f} m/s, {seconds:.1f} s{waiting_text}    Shift: "
            "faster    Drag the character: push    Enter: keep    Esc: cancel"
        )

    def _find_view(self, context: bpy.types.Context) -> ViewHandle | None:
        """Return the 3D view of the drive; None if it was closed or replaced."""
        for window in context.window_manager.windows:
            for area in window.screen.areas:
                if area.as_pointer() == self._area and area.type == "VIEW_3D":
                    region = next(r for r in area.regions if r.type == "WINDOW")
                    return ViewHandle(area, region, area.spaces.active.region_3d)
        return None

    def _require_view(self, context: bpy.types.Context) -> ViewHandle:
        view = self._find_view(context)
        assert view is not None
        return view


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()

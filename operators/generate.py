"""Plan the motion of the active character, or of all that have settings of
their own, and bake it.
"""

# No `from __future__ import annotations` here: Blender reads the annotations
# of operators as they are.
import time
from pathlib import Path

import bpy
from bpy.props import StringProperty

from ..addon.bake.report import bake_request
from ..addon.scene.active import (
    active_armature,
    find_active_settings,
    find_armature,
    find_character_settings,
)
from ..addon.scene.path import has_path
from ..addon.scene.task import TaskRequest, read_task, read_task_of
from ..addon.worker.batch import STAGE_LABELS, JobBatch, JobResult
from ..addon.worker.failures import clear_last_failure, get_last_failure
from ..core.errors import CharacterError, FootfallError
from ..core.motion import save_motion
from .common import PollWithReason, explain_blocking_mode, get_busy_reason

POLL_INTERVAL = 0.1  # s between two looks at the workers


class GenerateMotion:
    """What both operators do: work until all is done, and bake each character as it is ready."""

    bl_options = {"REGISTER", "UNDO"}

    _batch: JobBatch | None = None
    _timer: bpy.types.Timer | None = None
    _baked_count = 0

    def read_requests(self, context: bpy.types.Context) -> list[TaskRequest]:
        """What is to be planned."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Work until it is done; what scripts call."""
        if not self._begin(context):
            return {"CANCELLED"}
        assert self._batch is not None
        try:
            while not self._batch.is_finished:
                for result in self._batch.poll():
                    self._bake_result(context, result)
                time.sleep(POLL_INTERVAL)
            return self._operator_result()
        finally:
            self._end(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin, and go on beside the user's own work."""
        if get_busy_reason(context):
            self.report({"WARNING"}, f"{get_busy_reason(context)}.")
            return {"CANCELLED"}
        if not self._begin(context):
            return {"CANCELLED"}
        manager = context.window_manager
        self._timer = manager.event_timer_add(POLL_INTERVAL, window=context.window)
        manager.footfall.working = True
        manager.footfall.stop = False
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look at the workers at every tick; Esc ends them at once."""
        if (event.type == "ESC" and event.value == "PRESS") or context.window_manager.footfall.stop:
            self._end(context)
            self.report(
                {"INFO"},
                f"Stopped. {self._baked_count} characters were done before."
                if self._baked_count
                else "Stopped. Nothing was changed.",
            )
            return self._operator_result()
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        assert self._batch is not None
        for result in self._batch.poll():
            self._bake_result(context, result)
        self._show_progress(context)
        if not self._batch.is_finished:
            return {"PASS_THROUGH"}
        self._end(context)
        return self._operator_result()

    def cancel(self, context: bpy.types.Context) -> None:
        """What Blender calls when a file is opened or a window closed meanwhile."""
        self._end(context)

    def _begin(self, context: bpy.types.Context) -> bool:
        clear_last_failure()
        context.window_manager.footfall.failed = False
        try:
            self._batch = JobBatch(self.read_requests(context))
            self._baked_count = 0
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return False
        return True

    def _bake_result(self, context: bpy.types.Context, result: JobResult) -> None:
        """Bake one character, or tell what was wrong with it."""
        prefix = (
            f"{result.request.armature}: "
            if self._batch is not None and len(self._batch.requests) > 1
            else ""
        )
        try:
            if result.motion is None:
                raise FootfallError(result.error)
            self.save_files(result)
            bake_report = bake_request(context.scene, result.request, result.motion)
        except FootfallError as error:
            context.window_manager.footfall.failed = get_last_failure() is not None
            self.report({"ERROR"}, prefix + str(error))
            return
        self._baked_count += 1
        self.report({"WARNING" if bake_report.has_warnings else "INFO"}, bake_report.text)

    def save_files(self, result: JobResult) -> None:
        """Keep files of the motion where some were asked for."""

    def _operator_result(self) -> set[str]:
        """Whether anything was changed; if so it can be undone in one step."""
        return {"FINISHED"} if self._baked_count else {"CANCELLED"}

    def _show_progress(self, context: bpy.types.Context) -> None:
        assert self._batch is not None
        status = context.window_manager.footfall
        progress = self._batch.progress
        status.stage, status.share, status.left = (
            progress.stage,
            progress.share,
            self._batch.remaining_time,
        )
        if context.workspace is not None:
            remaining_text = f", {status.left:.0f} s left" if status.left >= 1 else ""
            stage = STAGE_LABELS.get(progress.stage, progress.stage)
            context.workspace.status_text_set(
                f"Footfall: {stage} {100 * progress.share:.0f} %{remaining_text}    Esc: stop"
            )
        _redraw_views(context)

    def _end(self, context: bpy.types.Context) -> None:
        """Stop the workers and clear the progress; harmless when it was done before."""
        if self._batch is not None:
            self._batch.stop()
        manager = context.window_manager
        if self._timer is not None:
            manager.event_timer_remove(self._timer)
            self._timer = None
        if manager.footfall.working:
            manager.footfall.working = False
            if context.workspace is not None:
                context.workspace.status_text_set(None)
            _redraw_views(context)


class FOOTFALL_OT_generate(PollWithReason, GenerateMotion, bpy.types.Operator):
    """Plan the motion of the active character along the path and bake it into a new
    action. Esc stops the work"""

    bl_idname = "footfall.generate"
    bl_label = "Generate"

    keep: StringProperty(
        name="Keep Motion In",
        subtype="DIR_PATH",
        options={"SKIP_SAVE", "HIDDEN"},
        description="Folder to keep the motion file and its report in; none are kept unless told",
    )

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Only with a character and a way to go; scripts are told what else is
        missing when they call.
        """
        if bpy.app.background:
            return ""
        if find_armature(context.object) is None:
            return "Select a character's armature first"
        if (
            not has_path(find_active_settings(context), context.scene)
            and find_active_settings(context).bars is None
        ):
            return "Pick a curve to follow under Path & Terrain first, or add markers"
        return explain_blocking_mode(context)

    def read_requests(self, context: bpy.types.Context) -> list[TaskRequest]:
        """The active character."""
        return [read_task(context)]

    def save_files(self, result: JobResult) -> None:
        """The motion file and its report."""
        if self.keep and result.motion is not None:
            save_motion(result.motion, Path(bpy.path.abspath(self.keep)))


class FOOTFALL_OT_generate_all(PollWithReason, GenerateMotion, bpy.types.Operator):
    """Plan all characters that have settings of their own, and the active one,
    side by side. Esc stops the work"""

    bl_idname = "footfall.generate_all"
    bl_label = "Generate All"

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Only where there are some."""
        if not len(context.scene.footfall_own):
            return "Give characters settings of their own first, in the panel Character"
        return explain_blocking_mode(context)

    def read_requests(self, context: bpy.types.Context) -> list[TaskRequest]:
        """Every character of the scene with settings of its own;
        the active one too, if it has a path.
        """
        scene = context.scene
        requests = []
        present_settings = [
            settings
            for settings in scene.footfall_own
            if settings.armature is not None and settings.armature.name in scene.objects
        ]
        for settings in present_settings:
            try:
                requests.append(read_task_of(settings.armature, settings, scene))
            except FootfallError as error:
                raise CharacterError(f"{settings.armature.name}: {error}") from error
        active = find_armature(context.object)
        if (
            active is not None
            and find_character_settings(scene, active) is None
            and has_path(scene.footfall, scene)
        ):
            requests.append(read_task_of(active_armature(context), scene.footfall, scene))
        if not requests:
            raise CharacterError(
                "None of the characters with settings of their own is in this scene."
            )
        return requests


def _redraw_views(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()

"""Planning and baking of motions for one or several characters."""

# No `from __future__ import annotations` here: Blender reads the annotations
# of operators as they are.
import time
from pathlib import Path

import bpy
from bpy.props import StringProperty

from ..addon.bake.character_report import show_report
from ..addon.bake.report import bake_request, store_failure
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

POLL_INTERVAL = 0.1  # time between two polls of the workers [s]


class GenerateMotion:
    """Base of operators that plan motions and bake each one when it is ready."""

    bl_options = {"REGISTER", "UNDO"}

    _batch: JobBatch | None = None
    _timer: bpy.types.Timer | None = None
    _baked_count = 0

    def read_requests(self, context: bpy.types.Context) -> list[TaskRequest]:
        """Return the requests to plan."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Plan and bake; return when done. Scripts use this method."""
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
        """Start planning in the background."""
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
        """Poll the workers at every timer event; Esc stops them."""
        if (event.type == "ESC" and event.value == "PRESS") or context.window_manager.footfall.stop:
            self._end(context)
            self.report(
                {"INFO"},
                f"Stopped after {self._baked_count} finished characters."
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
        """Stop the workers; called by Blender when a file is opened or a window is closed."""
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
        """Bake one character, or report its error."""
        try:
            if result.motion is None:
                raise FootfallError(result.error)
            self.save_files(result)
            bake_report = bake_request(context.scene, result.request, result.motion)
        except FootfallError as error:
            context.window_manager.footfall.failed = get_last_failure() is not None
            store_failure(context.scene, result.request, str(error))
            is_one_of_many = self._batch is not None and len(self._batch.requests) > 1
            prefix = f"{result.request.armature}: " if is_one_of_many else ""
            self.report({"ERROR"}, prefix + str(error))
            return
        self._baked_count += 1
        show_report(self.report, bake_report)

    def save_files(self, result: JobResult) -> None:
        """Save files of the motion if requested."""

    def _operator_result(self) -> set[str]:
        """Return "FINISHED" if anything was baked, so that one undo step covers all changes."""
        return {"FINISHED"} if self._baked_count else {"CANCELLED"}

    def _show_progress(self, context: bpy.types.Context) -> None:
        assert self._batch is not None
        status = context.window_manager.footfall
        progress = self._batch.progress
        status.stage = progress.stage
        status.share = progress.share
        status.left = self._batch.remaining_time
        if context.workspace is not None:
            remaining_text = f", {status.left:.0f} s left" if status.left >= 1 else ""
            stage = STAGE_LABELS.get(progress.stage, progress.stage)
            context.workspace.status_text_set(
                f"Footfall: {stage} {100 * progress.share:.0f} %{remaining_text}    Esc: stop"
            )
        _redraw_views(context)

    def _end(self, context: bpy.types.Context) -> None:
        """Stop the workers and clear the progress; does nothing if that was done before."""
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
    """Plan the motion of the active character along the path and bake it into a new action. Esc
    stops the planning"""

    bl_idname = "footfall.generate"
    bl_label = "Generate"

    keep: StringProperty(
        name="Keep Motion In",
        subtype="DIR_PATH",
        options={"SKIP_SAVE", "HIDDEN"},
        description="Folder for the motion file and its report; without it they are not saved",
    )

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a character and a path; in the background, calls report what is missing."""
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
        """Return the request of the active character."""
        return [read_task(context)]

    def save_files(self, result: JobResult) -> None:
        """Save the motion file and its report."""
        if self.keep and result.motion is not None:
            save_motion(result.motion, Path(bpy.path.abspath(self.keep)))


class FOOTFALL_OT_generate_all(PollWithReason, GenerateMotion, bpy.types.Operator):
    """Plan the motions of the active character and of all characters with separate settings in
    parallel. Esc stops the planning"""

    bl_idname = "footfall.generate_all"
    bl_label = "Generate All"

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a character with separate settings."""
        if not len(context.scene.footfall_own):
            return "Give characters separate settings first, in the panel Character"
        return explain_blocking_mode(context)

    def read_requests(self, context: bpy.types.Context) -> list[TaskRequest]:
        """Return the requests of all characters with separate settings in the scene.

        The active character is included if it has a path.
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
            raise CharacterError("None of the characters with separate settings is in this scene.")
        return requests


def _redraw_views(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()

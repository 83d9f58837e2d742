"""Planning and baking of motions for one or several characters."""

# No `from __future__ import annotations` here: Blender reads the annotations
# of operators as they are.
import time
from contextlib import suppress
from pathlib import Path

import bpy
from bpy.props import BoolProperty, StringProperty

from ..addon.bake.character_report import CharacterReport, show_report
from ..addon.bake.report import bake_request, store_failure
from ..addon.bake.slices import SLICE_TIME, SlicedWork
from ..addon.references import SceneReference, in_scene
from ..addon.rigs.questions import check_answers
from ..addon.scene.active import (
    active_armature,
    find_active_settings,
    find_armature,
    find_character_settings,
)
from ..addon.scene.path import has_path
from ..addon.scene.task import TaskRequest, read_task, read_task_of
from ..addon.worker.batch import CharacterJobResult, JobBatch
from ..addon.worker.failures import clear_last_failure, get_last_failure
from ..addon.worker.fast_engine import prefer_fast_engine
from ..core.errors import CharacterError, FootfallError, OpenQuestionError
from ..core.motion import save_motion
from .common import PollWithReason, explain_blocking_mode, get_busy_reason
from .progress import (
    BAKE_INTERVAL,
    ModalTimer,
    begin_progress,
    end_progress,
    is_stop_event,
    show_progress,
)
from .questions import show_question

# Time between two polls of the workers [s], at which progress moves evenly
POLL_INTERVAL = 0.1
SCRIPT_POLL_INTERVAL = 0.02  # the same in a script's call, which draws nothing meanwhile [s]
# Longest slice [s]. In a crowd, Blender takes seconds to evaluate the scene between two slices; as
# much time of work keeps the bake of a crowd from taking as many evaluations as it has characters.
MAX_SLICE_TIME = 1.0
PLANNING_SHARE = 0.6  # share of the progress that is shown for the planning


class GenerateMotion:
    """Base of operators that plan motions and bake each one when it is ready."""

    bl_options = {"REGISTER", "UNDO"}

    # Whether it moves one character only, so that each doubt about it becomes a question
    is_single = True

    _batch: JobBatch | None = None
    _timer: ModalTimer | None = None
    _scene: SceneReference | None = None  # scene of the requests, which the window may leave
    _results: list[CharacterJobResult]  # planned motions that wait for their bake
    _work: SlicedWork[CharacterReport] | None = None  # bake of the first of them
    _baked_count = 0
    _ended_count = 0  # baked or failed
    _slice_end = 0.0  # time of the last slice's end [s]

    def read_requests(self, context: bpy.types.Context) -> list[TaskRequest]:
        """Return the requests to plan."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Plan and bake; return when done. Scripts use this method."""
        if not self._begin(context):
            return {"CANCELLED"}
        assert self._batch is not None
        try:
            while not self._is_finished():
                if not self._results:
                    time.sleep(SCRIPT_POLL_INTERVAL)
                self._advance(context)
            context.view_layer.update()
            return self._operator_result()
        finally:
            self._end(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start planning in the background."""
        if get_busy_reason(context):
            self.report({"WARNING"}, f"{get_busy_reason(context)}.")
            return {"CANCELLED"}
        if not self._begin(context, is_interactive=self.is_single):
            return {"CANCELLED"}
        self._timer = ModalTimer(context, POLL_INTERVAL)
        begin_progress(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Poll the workers, or bake a slice, at every timer event; Esc stops both."""
        if is_stop_event(context, event):
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
        between = time.monotonic() - self._slice_end - POLL_INTERVAL
        self._advance(context, min(max(between, SLICE_TIME), MAX_SLICE_TIME))
        self._slice_end = time.monotonic()
        if not self._is_finished():
            self._show_progress(context)
            if self._timer is not None:
                interval = BAKE_INTERVAL if self._results else POLL_INTERVAL
                self._timer.set_interval(context, interval)
            return {"PASS_THROUGH"}
        self._end(context)
        return self._operator_result()

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop the work; called by Blender when a file is opened or a window is closed."""
        self._end(context)
        self.report({"WARNING"}, "The planning was stopped, because its window or file was closed.")

    def _is_finished(self) -> bool:
        """Whether all characters were baked, or failed."""
        return self._batch is not None and self._ended_count == len(self._batch.requests)

    def _begin(self, context: bpy.types.Context, is_interactive: bool = False) -> bool:
        """Start the planning; return False after an error or a question to the user."""
        clear_last_failure()
        context.window_manager.footfall.failed = False
        try:
            requests = self.read_requests(context)
            for request in requests:
                check_answers(request.armature, request.rig.anatomy, is_interactive)
            self._batch = JobBatch(requests)
        except OpenQuestionError as error:
            self.report({"ERROR"}, str(error))
            if is_interactive and not bpy.app.background:
                show_question(context)
            return False
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return False
        self._scene = SceneReference(context.scene)
        self._results = []
        self._work = None
        self._baked_count = self._ended_count = 0
        self._slice_end = time.monotonic()
        return True

    def _advance(self, context: bpy.types.Context, seconds: float = SLICE_TIME) -> None:
        """Poll the workers, and bake characters whose motions are planned for about so long."""
        assert self._batch is not None
        self._results += self._batch.poll()
        end = time.monotonic() + seconds
        while self._results and time.monotonic() < end:
            self._advance_bake(context, self._results[0])

    def _advance_bake(self, context: bpy.types.Context, result: CharacterJobResult) -> None:
        """Bake a slice of the first character whose motion is planned."""
        try:
            bake_report = self._bake_slice(result)
            if bake_report is None:
                return
        except FootfallError as error:
            context.window_manager.footfall.failed = get_last_failure() is not None
            self._report_failure(result.request, str(error))
        else:
            self._baked_count += 1
            show_report(self.report, bake_report)
        self._work = None
        self._ended_count += 1
        del self._results[0]

    def _report_failure(self, request: TaskRequest, message: str) -> None:
        """Report why a character was not baked; its armature keeps the report."""
        assert self._batch is not None
        assert self._scene is not None
        with suppress(FootfallError):  # its scene was deleted
            store_failure(self._scene.find(), request, message)
        prefix = f"{request.armature}: " if len(self._batch.requests) > 1 else ""
        self.report({"ERROR"}, prefix + message)

    def _bake_slice(self, result: CharacterJobResult) -> CharacterReport | None:
        """Bake a slice of one character; return the report once it is baked.

        Raises:
            FootfallError: the character was not planned or cannot be baked.
        """
        assert self._scene is not None
        if result.motion is None:
            raise FootfallError(result.error)
        scene = self._scene.find()
        with in_scene(scene):
            if self._work is None:
                self.save_files(result)
                self._work = SlicedWork(bake_request(scene, result.request, result.motion))
            return self._work.result if self._work.advance() else None

    def save_files(self, result: CharacterJobResult) -> None:
        """Save files of the motion if requested."""

    def _operator_result(self) -> set[str]:
        """Return "FINISHED" if anything was baked, so that one undo step covers all changes."""
        return {"FINISHED"} if self._baked_count else {"CANCELLED"}

    def _show_progress(self, context: bpy.types.Context) -> None:
        assert self._batch is not None
        planned = self._batch.progress
        baked_share = (self._ended_count + (self._work.share if self._work else 0.0)) / len(
            self._batch.requests
        )
        share = PLANNING_SHARE * planned.share + (1 - PLANNING_SHARE) * baked_share
        if self._results:
            show_progress(context, "bake", share)
        else:
            show_progress(context, planned.stage, share, self._batch.remaining_time)

    def _end(self, context: bpy.types.Context) -> None:
        """Stop the work and clear the progress; does nothing if that was done before."""
        if self._work is not None:
            self._work.cancel()
            self._work = None
        if self._batch is not None:
            self._batch.stop()
        if self._timer is not None:
            self._timer.remove(context)
            self._timer = None
        end_progress(context)


class FOOTFALL_OT_generate(PollWithReason, GenerateMotion, bpy.types.Operator):
    """Plan the motion of the active character along the path and bake it into a new action. Esc
    stops it"""

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

    def save_files(self, result: CharacterJobResult) -> None:
        """Save the motion file and its report."""
        if self.keep and result.motion is not None:
            save_motion(result.motion, Path(bpy.path.abspath(self.keep)))


class FOOTFALL_OT_generate_all(PollWithReason, GenerateMotion, bpy.types.Operator):
    """Plan the motions of the active character and of all characters with separate settings in
    parallel. Esc stops it"""

    bl_idname = "footfall.generate_all"
    bl_label = "Generate All"

    is_single = False

    fast: BoolProperty(
        name="Fast",
        default=True,
        description="Use the engine Fast for planned characters that it has a network for",
    )

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
        return [prefer_fast_engine(r) for r in requests] if self.fast else requests

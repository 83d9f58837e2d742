"""Training of the engines Fast and Adaptive for a character."""

# No `from __future__ import annotations` here: Blender reads the annotations
# of operators as they are.
import time

import bpy
from bpy.props import FloatProperty, IntProperty

from ..addon.scene.active import find_active_settings, find_armature
from ..addon.scene.body_task import read_body_task
from ..addon.user_files.trained import controllers_folder, networks_folder
from ..addon.worker.train_job import ControllerGoal, NetworkGoal, TrainingGoal, TrainJob
from ..core.engine.learned.train_body import TrainingPlan
from ..core.engine.learned.training import MIN_SAMPLES
from ..core.errors import FootfallError
from .common import PollWithReason, get_busy_reason
from .progress import ModalTimer, begin_progress, end_progress, is_stop_event, show_progress

POLL_INTERVAL = 0.25  # time between two polls of the worker, which trains for minutes [s]
DEFAULTS = TrainingPlan()


class FOOTFALL_OT_train(PollWithReason, bpy.types.Operator):
    """Train the engine for the active character in the background, within minutes: Fast in its
    style, Adaptive to walk. Esc stops it"""

    bl_idname = "footfall.train"
    bl_label = "Train for This Character"
    bl_options = {"REGISTER"}

    segments: IntProperty(
        name="Segments",
        default=DEFAULTS.samples,
        min=MIN_SAMPLES,
        max=100_000,
        description=(
            "For Fast: number of segments of motion to learn from; more take longer and come closer"
        ),
    )
    epochs: IntProperty(
        name="Epochs",
        default=DEFAULTS.epochs,
        min=1,
        max=10_000,
        description="For Fast: number of times that all segments are used",
    )
    minutes: FloatProperty(
        name="Minutes",
        default=15.0,
        min=0.1,
        max=24 * 60.0,
        description="For Adaptive: time after which the training ends",
    )
    seed: IntProperty(name="Seed", default=0, min=0, description="Seed of all random choices")

    _job: TrainJob | None = None
    _timer: ModalTimer | None = None

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a character."""
        if find_armature(context.object) is None:
            return "Select a character's armature first"
        return get_busy_reason(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Train; return when done. Scripts use this method."""
        if not self._begin(context):
            return {"CANCELLED"}
        assert self._job is not None
        try:
            while True:
                result = self._poll()
                if result is not None:
                    return result
                time.sleep(POLL_INTERVAL)
        finally:
            self._end(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start the training in the background."""
        if not self._begin(context):
            return {"CANCELLED"}
        self._timer = ModalTimer(context, POLL_INTERVAL)
        begin_progress(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Poll the worker at every timer event; Esc stops it."""
        assert self._job is not None
        if is_stop_event(context, event):
            self._end(context)
            self.report({"INFO"}, f"Stopped. {self._job.goal.unchanged}")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        result = self._poll()
        if result is not None:
            self._end(context)
            return result
        progress = self._job.progress
        show_progress(context, progress.stage, progress.share, self._job.remaining_time)
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop the training; called by Blender when a file is opened or a window is closed."""
        self._end(context)
        self.report({"WARNING"}, "The training was stopped, because its window or file was closed.")

    def _begin(self, context: bpy.types.Context) -> bool:
        """Start the job; report an error and return False where that is not possible."""
        try:
            self._job = TrainJob(self._read_goal(context))
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return False
        return True

    def _read_goal(self, context: bpy.types.Context) -> TrainingGoal:
        """Return what to train: the walk with the engine Adaptive, else a network.

        Raises:
            FootfallError: the character cannot be read, or a number is out of range.
        """
        request = read_body_task(context)
        if find_active_settings(context).engine == "adaptive":
            return ControllerGoal(
                request.task,
                request.style,
                60.0 * self.minutes,
                seed=self.seed,
                folder=controllers_folder(),
            )
        plan = TrainingPlan(self.segments, self.epochs, self.seed)
        return NetworkGoal(request.task, request.style, plan, networks_folder())

    def _poll(self) -> set[str] | None:
        """Return the result of the operator; None while the job runs."""
        assert self._job is not None
        try:
            self._job.poll()
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if self._job.answer is None:
            return None
        self.report({"INFO"}, f"{self._job.answer.result} {self._job.goal.use}")
        return {"FINISHED"}

    def _end(self, context: bpy.types.Context) -> None:
        """Stop the job and clear the progress; does nothing if that was done before."""
        if self._job is not None:
            self._job.stop()
        if self._timer is not None:
            self._timer.remove(context)
            self._timer = None
        end_progress(context)

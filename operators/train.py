"""Training of the engine Fast for a character and its style."""

# No `from __future__ import annotations` here: Blender reads the annotations
# of operators as they are.
import time

import bpy
from bpy.props import IntProperty

from ..addon.scene.active import find_armature
from ..addon.scene.body_task import read_body_task
from ..addon.user_files.networks import networks_folder
from ..addon.worker.train_job import TrainingGoal, TrainJob
from ..core.engine.learned.train_body import TrainingPlan
from ..core.engine.learned.training import MIN_SAMPLES
from ..core.errors import FootfallError
from .common import PollWithReason, get_busy_reason
from .progress import ModalTimer, begin_progress, end_progress, is_stop_event, show_progress

POLL_INTERVAL = 0.25  # time between two polls of the worker, which trains for minutes [s]
DEFAULTS = TrainingPlan()


class FOOTFALL_OT_train(PollWithReason, bpy.types.Operator):
    """Train the engine Fast for the active character and its style, in the background, within
    minutes. Esc stops it"""

    bl_idname = "footfall.train"
    bl_label = "Train for This Character"
    bl_options = {"REGISTER"}

    segments: IntProperty(
        name="Segments",
        default=DEFAULTS.samples,
        min=MIN_SAMPLES,
        max=100_000,
        description="Number of segments of motion to learn from; more take longer and come closer",
    )
    epochs: IntProperty(
        name="Epochs",
        default=DEFAULTS.epochs,
        min=1,
        max=10_000,
        description="Number of times that all segments are used",
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
            self.report({"INFO"}, "Stopped. All networks are as they were.")
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
            request = read_body_task(context)
            plan = TrainingPlan(self.segments, self.epochs, self.seed)
            self._job = TrainJob(TrainingGoal(request.task, request.style, plan, networks_folder()))
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return False
        return True

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
        self.report({"INFO"}, f"{self._job.answer.result} Choose the engine Fast to use it.")
        return {"FINISHED"}

    def _end(self, context: bpy.types.Context) -> None:
        """Stop the job and clear the progress; does nothing if that was done before."""
        if self._job is not None:
            self._job.stop()
        if self._timer is not None:
            self._timer.remove(context)
            self._timer = None
        end_progress(context)

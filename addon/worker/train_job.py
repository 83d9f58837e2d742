"""Jobs that train the network of a body in a style, or the controller of its walk."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ...core.clip import QuadrupedStyle, Style
from ...core.engine.learned.train_body import TrainingPlan
from ...core.task import Task
from ...core.worker.messages import (
    Answer,
    ErrorAnswer,
    FaultAnswer,
    Request,
    TrainControllerRequest,
    TrainedAnswer,
    TrainRequest,
)
from .client import FailureTexts
from .job import Job, JobProgress

# Completed share from which on the remaining time is estimated
MIN_SHARE_FOR_ESTIMATE = 0.03


@dataclass(frozen=True)
class NetworkGoal:
    """A network of the engine Fast to train, and where to keep it.

    Args:
        task: body and style.
        style: style that replaces the task's style; None to keep that.
        plan: how much to train.
        folder: for the network.
    """

    unchanged: ClassVar[str] = "All networks are as they were."
    use: ClassVar[str] = "Choose the engine Fast to use it."

    task: Task
    style: Style | QuadrupedStyle | None
    plan: TrainingPlan
    folder: Path

    def make_request(self, task_file: Path) -> Request:
        """Return the request to the planning process."""
        plan = self.plan
        return TrainRequest(
            task_file, self.folder, segments=plan.samples, epochs=plan.epochs, seed=plan.seed
        )


@dataclass(frozen=True)
class ControllerGoal:
    """A controller of the engine Adaptive to train, and where to keep it.

    Args:
        task: body.
        style: style that replaces the task's style; None to keep that.
        seconds: time after which the training ends [s].
        seed: of all random choices.
        folder: for the controller.
    """

    unchanged: ClassVar[str] = "All controllers are as they were."
    use: ClassVar[str] = "The engine Adaptive uses it for this character."

    task: Task
    style: Style | QuadrupedStyle | None
    seconds: float
    seed: int
    folder: Path

    def make_request(self, task_file: Path) -> Request:
        """Return the request to the planning process."""
        return TrainControllerRequest(task_file, self.folder, seconds=self.seconds, seed=self.seed)


TrainingGoal = NetworkGoal | ControllerGoal


class TrainJob(Job):
    """A training in a planning process, which uses all cores.

    Args:
        goal: what to train.

    Attributes:
        goal: the same.
        answer: file of the network or controller and what it reached; None while the job runs.

    Raises:
        FootfallError: no process can be started.
    """

    final_answers = (TrainedAnswer, ErrorAnswer, FaultAnswer)
    texts = FailureTexts(
        subject="The training",
        end_time="before the training was done",
        scene_state="The scene and all that was trained before are as they were.",
        advice="The scene and all that was trained before are as they were; try again.",
    )

    def __init__(self, goal: TrainingGoal) -> None:
        self.goal = goal
        self._start_time = time.monotonic()
        self.answer: TrainedAnswer | None = None
        super().__init__(goal.task, goal.style)

    def _make_request(self, task_file: Path) -> Request:
        return self.goal.make_request(task_file)

    def _take_answer(self, answer: Answer) -> None:
        if isinstance(answer, TrainedAnswer):
            self.answer = answer
            self._progress = JobProgress("done", 1.0)
        else:
            super()._take_answer(answer)

    @property
    def remaining_time(self) -> float:
        """Estimated remaining time [s]; 0 until it can be estimated."""
        share = self._progress.share
        if share < MIN_SHARE_FOR_ESTIMATE:
            return 0.0
        return (time.monotonic() - self._start_time) * (1 - share) / share

"""A job that trains the network of a body in a style."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from ...core.clip import QuadrupedStyle, Style
from ...core.engine.learned.train_body import TrainingPlan
from ...core.task import Task
from ...core.worker.messages import (
    Answer,
    ErrorAnswer,
    FaultAnswer,
    NetworkAnswer,
    Request,
    TrainRequest,
)
from .client import FailureTexts
from .job import Job, JobProgress

# Completed share from which on the remaining time is estimated
MIN_SHARE_FOR_ESTIMATE = 0.03


@dataclass(frozen=True)
class TrainingGoal:
    """What to train and where to keep it.

    Args:
        task: body and style.
        style: style that replaces the task's style; None to keep that.
        plan: how much to train.
        networks_folder: folder for the network.
    """

    task: Task
    style: Style | QuadrupedStyle | None
    plan: TrainingPlan
    networks_folder: Path


class TrainJob(Job):
    """A training in a planning process, which uses all cores.

    Args:
        goal: what to train.

    Attributes:
        answer: file of the network and what it reached; None while the job runs.

    Raises:
        FootfallError: no process can be started.
    """

    final_answers = (NetworkAnswer, ErrorAnswer, FaultAnswer)
    texts = FailureTexts(
        subject="The training",
        end_time="before the training was done",
        scene_state="The scene and all networks are as they were.",
        advice="The scene and all networks are as they were; try again.",
    )

    def __init__(self, goal: TrainingGoal) -> None:
        self._goal = goal
        self._start_time = time.monotonic()
        self.answer: NetworkAnswer | None = None
        super().__init__(goal.task, goal.style)

    def _make_request(self, task_file: Path) -> Request:
        plan = self._goal.plan
        return TrainRequest(
            task_file,
            self._goal.networks_folder,
            segments=plan.samples,
            epochs=plan.epochs,
            seed=plan.seed,
        )

    def _take_answer(self, answer: Answer) -> None:
        if isinstance(answer, NetworkAnswer):
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

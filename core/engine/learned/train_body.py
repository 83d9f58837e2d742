"""Train the network of a body in a style: random drives, samples, training."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from ...character.humanoid import is_humanoid
from ...errors import TaskError
from ...task import Task
from ..shared.character import load_task_character
from .identity import NetworkIdentity
from .random_driving import SpeedLimits
from .samples import SampleJob, collect_samples
from .training import MIN_SAMPLES, TRAINING, train_network
from .weights_file import LearnedNetwork, NetworkAbout

# Called with "samples" or "training" and the share done of that stage
TrainingProgress = Callable[[str, float], None]
# Largest number of drives that are submitted at once, and typical number of samples of a drive
MAX_BATCH = 8
DRIVE_SAMPLES = 30
# Slowest and fastest speed of random drives, at human scale [m/s]; bodies on four legs trot at
# speeds at which humans run, and canter beyond.
WALK_SPEEDS = SpeedLimits(0.3, 4.0)
STRIDE_SPEEDS = SpeedLimits(0.3, 6.0)


@dataclass(frozen=True)
class TrainingPlan:
    """How much a network is trained.

    Args:
        samples: number of windows of random drives.
        epochs: number of times that all of them are used.
        seed: of all random choices.
        speeds: range of the speeds at human scale; None for that of the kind of body.

    Raises:
        TaskError: a number is too small.
    """

    samples: int = 6000
    epochs: int = 400
    seed: int = 0
    speeds: SpeedLimits | None = None

    def __post_init__(self) -> None:
        if self.samples < MIN_SAMPLES:
            raise TaskError(
                f"The number of segments is {self.samples}; it must be at least {MIN_SAMPLES}."
            )
        if self.epochs < 1:
            raise TaskError(f"The number of epochs is {self.epochs}; it must be at least 1.")
        if self.seed < 0:
            raise TaskError(f"The seed is {self.seed}; it must be a whole number of 0 or more.")


def train_body(
    task: Task,
    plan: TrainingPlan,
    executor: Executor,
    progress: TrainingProgress = lambda stage, share: None,
) -> LearnedNetwork:
    """Return the network of a task's body in its style.

    Args:
        task: body and style; path and speed do not count.
        plan: how much to train.
        executor: runs the random drives.
        progress: called with the stage and its share done; may raise an exception to stop.

    Raises:
        TaskError: the style does not exist or does not fit the body.
        PlanningError: most random drives of the body cannot be planned.
    """
    character = load_task_character(task)
    identity = NetworkIdentity.from_task(task, character)
    speeds = plan.speeds or (WALK_SPEEDS if is_humanoid(character) else STRIDE_SPEEDS)
    collection = collect_samples(
        SampleJob(task, speeds, plan.seed),
        plan.samples,
        executor,
        batch=min(MAX_BATCH, int(np.ceil(plan.samples / DRIVE_SAMPLES))),
        progress=lambda share: progress("samples", share),
    )
    samples = collection.samples
    result = train_network(
        samples.inputs,
        samples.outputs,
        np.random.default_rng(plan.seed),
        replace(TRAINING, epochs=plan.epochs),
        lambda share: progress("training", share),
    )
    about = NetworkAbout(
        body=character.name,
        style=Path(task.style).stem,
        identity=identity,
        slowest=speeds.slowest,
        fastest=speeds.fastest,
        clips=collection.clips,
        samples=len(samples),
        epochs=plan.epochs,
        seed=plan.seed,
        training_error=float(result.training_errors[-1]),
        held_out_error=float(result.held_out_errors[-1]),
        footfall=_find_version(),
    )
    return LearnedNetwork(result.trained, about)


def _find_version() -> str:
    """Return the version of Footfall, "unknown" where it is not installed as a package."""
    try:
        return version("footfall")
    except PackageNotFoundError:
        return "unknown"

"""Train the network of a body in a style: random drives, samples, training."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character, is_humanoid
from ...errors import TaskError
from ...task import Task
from ..shared.character import load_task_character
from ..shared.scaling import REFERENCE_LEG_LENGTH
from .identity import NetworkIdentity, resolve_style
from .random_driving import DrivingSpeedLimits
from .samples import SampleJob, collect_samples
from .states import CENTROIDAL_COUNT
from .training import MIN_SAMPLES, TRAINING, train_network
from .weights_file import LearnedNetwork, NetworkAbout
from .windows import WINDOWS

Array = NDArray[np.float64]

# Called with "samples" or "training" and the share done of that stage
TrainingProgress = Callable[[str, float], None]
# Entries of a pose before those of the joints: place and rotation of the root
ROOT_COUNT = 6
# Largest number of drives that are submitted at once, and typical number of samples of a drive
MAX_BATCH = 8
DRIVE_SAMPLES = 30
# Slowest and fastest speed of random drives, at human scale [m/s]; bodies on four legs trot at
# speeds at which humans run, and canter beyond.
WALK_SPEEDS = DrivingSpeedLimits(0.3, 4.0)
STRIDE_SPEEDS = DrivingSpeedLimits(0.3, 6.0)


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
    epochs: int = TRAINING.epochs
    seed: int = 0
    speeds: DrivingSpeedLimits | None = None

    def __post_init__(self) -> None:
        if self.samples < MIN_SAMPLES:
            raise TaskError(
                f"The number of segments is {self.samples}; it must be at least {MIN_SAMPLES}."
            )
        if self.epochs < 1:
            raise TaskError(f"The number of epochs is {self.epochs}; it must be at least 1.")
        if self.seed < 0:
            raise TaskError(f"The seed is {self.seed}; it must be a whole number of 0 or more.")


@dataclass(frozen=True)
class TrainedBody:
    """A network and how close it comes to the planned engine in segments that it has not seen.

    Args:
        learned: the network.
        com_error: root mean square distance of the center of mass [m].
        joint_error: root mean square angle of the joints' axes [rad].
    """

    learned: LearnedNetwork
    com_error: float
    joint_error: float

    def describe(self) -> str:
        """Return what was reached, as a sentence."""
        about = self.learned.about
        return (
            f"Trained on {about.samples} segments of {about.clips} random drives. In segments that "
            f"were held out the center of mass is within {100 * self.com_error:.1f} cm and the "
            f"joints are within {np.degrees(self.joint_error):.1f}° of the planned engine."
        )


def train_body(
    task: Task,
    plan: TrainingPlan,
    executor: Executor,
    progress: TrainingProgress = lambda stage, share: None,
    folder: Path | None = None,
) -> TrainedBody:
    """Return the network of a task's body in its style.

    Args:
        task: body and style; path and speed do not count.
        plan: how much to train.
        executor: runs the random drives.
        progress: called with the stage and its share done; may raise an exception to stop.
        folder: for samples while they are collected, see `collect_samples`.

    Raises:
        TaskError: the style does not exist or does not fit the body.
        PlanningError: most random drives of the body cannot be planned.
        BatchError: the executor cannot do the drives, see `run_batch`, or one ends in an error.
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
        folder=folder,
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
        style=resolve_style(task, character).name,
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
    learned = LearnedNetwork(result.trained, about)
    held_out = result.held_out
    errors = result.trained.predict(samples.inputs[held_out]) - samples.outputs[held_out]
    return _measure_errors(learned, errors, character)


def _measure_errors(learned: LearnedNetwork, errors: Array, character: Character) -> TrainedBody:
    """Return a network with its errors in n segments, shape (n, outputs), at human scale."""
    states = errors.reshape(len(errors), WINDOWS.state_count, -1)
    joints = states[..., CENTROIDAL_COUNT + 3 * len(character.legs) + ROOT_COUNT :]
    distance = np.sqrt((states[..., :3] ** 2).sum(-1).mean())
    scale = character.leg_length / REFERENCE_LEG_LENGTH
    return TrainedBody(learned, float(scale * distance), float(np.sqrt((joints**2).mean())))


def _find_version() -> str:
    """Return the version of Footfall, "unknown" where it is not installed as a package."""
    try:
        return version("footfall")
    except PackageNotFoundError:
        return "unknown"

"""Training of the forward walk for a character of a user, from the controller that it has."""

from __future__ import annotations

import time as clock_time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from ...task import Path, SpeedProfile, Task
from ..base import Progress
from ..shared.character import load_task_character
from .biped import ScaledBiped, scale_to_reference
from .body_identity import UserBody
from .controller_file import TrainedController, ValidationRow, save_controller
from .evaluation import FORWARD, MOVING_UPPER_BODY, evaluate
from .generate import simulate_body
from .height_field import GroundKind
from .ladder import RUNGS, LadderState
from .parameters import GaitParameters, normalize_gait
from .speeds import REFERENCE_LENGTH, compute_natural_speed
from .trained_body import measure_size
from .training import Training, TrainingOptions
from .user_controllers import BodyControllers, find_controllers, name_controller_file
from .validation import ValidationCase, WalkResult, summarize_walks, try_walk

Array = NDArray[np.float64]

# Rung that is climbed last: without helper forces and without pushes
LAST_RUNG = max(k for k, rung in enumerate(RUNGS) if rung.push == 0)
# Number of walks by which the first rung is chosen
PROBES = 4
# Largest height of the uneven ground of the validation, for legs of the reference length [m]
FIELD_HEIGHT = 0.1
# Least number of walks of each kind in a validation
MIN_WALKS = 2
# Number of clips in which the body begins to walk and stops
CHANGES = 3
# Share of the time that is kept for the validation
VALIDATION_SHARE = 0.1
# Share of the height of the center of mass below which a body lies
LYING_SHARE = 0.6


@dataclass(frozen=True)
class CharacterTrainingPlan:
    """How much a walk is trained.

    Args:
        seconds: time after which the training ends, with its validations [s].
        generations: number after which the search ends, if the time allows; None for as many as
            the time allows. With a number and time enough, a seed determines the result.
        seed: of all random choices.
        population: samples of a generation.
        walks: of each kind in the validations.

    Raises:
        TaskError: a number is out of range.
    """

    seconds: float = 900.0
    generations: int | None = None
    seed: int = 0
    population: int = 24
    walks: int = 10

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise TaskError(f"The time is {self.seconds:g} s; it must be above 0.")
        if self.generations is not None and self.generations < 1:
            raise TaskError(
                f"The number of generations is {self.generations}; it must be at least 1."
            )
        if self.walks < 1:
            raise TaskError(f"The number of walks is {self.walks}; it must be at least 1.")

    @staticmethod
    def from_time(seconds: float, seed: int) -> CharacterTrainingPlan:
        """Return a plan whose validations are short where the time is, one walk a minute."""
        most = CharacterTrainingPlan.walks
        return CharacterTrainingPlan(
            seconds, seed=seed, walks=int(np.clip(seconds // 60.0, MIN_WALKS, most))
        )

    @property
    def options(self) -> TrainingOptions:
        """Options of the search, without body and rung.

        Its step size is that of the rungs without helper forces, since the search begins with a
        controller that walks on similar bodies.
        """
        sigma = RUNGS[LAST_RUNG].max_sigma
        return TrainingOptions("", self.seed, self.population, sigma=sigma)


@dataclass(frozen=True)
class CharacterTraining:
    """A trained controller beside the one that the body had before.

    Args:
        controller: at the end of the search, with its validation.
        before: validation of the controller that the search began with.
    """

    controller: TrainedController
    before: tuple[ValidationRow, ...]

    @property
    def is_better(self) -> bool:
        """Whether the body gets further than before, on average over the kinds of walks."""
        return _compute_score(self.controller.validation) > _compute_score(self.before)

    def describe(self) -> str:
        """Return what was reached, as sentences."""
        record = self.controller.training
        rows = "; ".join(
            f"{row.case}: {row.survived} of {row.walks} without a fall (before: {old.survived})"
            for row, old in zip(self.controller.validation, self.before, strict=True)
        )
        help_text = (
            ""
            if record.helper_limit == 0
            else f" The search came as far as walks with a helping force of {record.helper_limit:g}"
            " N, so give it more time."
        )
        return (
            f"Searched {record.generations} generations of {record.options['population']} "
            f"controllers. {rows}.{help_text}"
        )

    def save(self, folder: FilePath) -> FilePath:
        """Write the file of the controller into a folder, which is created, and return its path."""
        controller = self.controller
        assert controller.identity is not None
        folder.mkdir(parents=True, exist_ok=True)
        name = name_controller_file(controller.name, controller.body, controller.identity)
        save_controller(controller, folder / name)
        return folder / name

    def check(self) -> None:
        """Refuse a controller that is no better than the one before.

        Raises:
            TaskError: it is not.
        """
        if not self.is_better:
            raise TaskError(
                "No controller of the search is better than the one of "
                f"{self.controller.body}, which stays as it is. {self.describe()}"
            )


def _compute_score(rows: Sequence[ValidationRow]) -> float:
    """Return the mean share of the half-cycles that bodies completed."""
    return float(np.mean([row.mean_half_cycles / row.half_cycles for row in rows]))


def train_character(
    task: Task,
    plan: CharacterTrainingPlan,
    executor: Executor,
    progress: Progress = lambda stage, share: None,
) -> CharacterTraining:
    """Train the forward walk of a task's body, from the controller that it has.

    Args:
        task: its body and gravity; path and speed do not count.
        plan: how much to train.
        executor: simulates the walks.
        progress: called with the stage and the share done of the whole; may raise an exception to
            stop.

    Raises:
        TaskError: a number of the plan is out of range.
        CharacterError: the body does not walk on two legs.
    """
    begin = clock_time.monotonic()
    search_time = (1.0 - VALIDATION_SHARE) * plan.seconds
    character = load_task_character(task)
    body = UserBody.from_character(character)
    start = find_controllers(scale_to_reference(character)).gaits["forward"]
    validation = _Validation(task, body, plan.walks)
    progress("validation", 0.0)
    before = validation.run(start, executor)
    rung = find_first_rung(start, body, plan.seed, executor)
    # Rigs are called by their armature's name, which is that of the task
    name = character.name if isinstance(task.character, str) else task.name
    options = replace(plan.options, body=name, rung=rung)
    training = Training.begin("forward", options, start, body)
    while training.generation != plan.generations and training.ladder.rung <= LAST_RUNG:
        elapsed = clock_time.monotonic() - begin
        if elapsed > search_time:
            break
        share = elapsed / plan.seconds
        if plan.generations is not None:
            share = max(share, (1.0 - VALIDATION_SHARE) * training.generation / plan.generations)
        progress("search", share)
        training.advance(executor)
    progress("validation", 1.0 - VALIDATION_SHARE)
    controller = training.make_controller()
    rows = validation.run(controller.gait, executor)
    return CharacterTraining(replace(controller, validation=rows), before)


def find_first_rung(start: GaitParameters, body: UserBody, seed: int, executor: Executor) -> int:
    """Return the highest rung on which a controller survives half of some walks, or the first."""
    coordinates = normalize_gait(start)
    for rung in range(LAST_RUNG, 0, -1):
        stages = [LadderState(rung).make_stage(k, FORWARD.grounds) for k in range(PROBES)]
        call = partial(evaluate, coordinates, body=body)
        seeds = [(seed, 2, k) for k in range(PROBES)]
        results = list(executor.map(call, seeds, stages))
        if 2 * sum(result.survived for result in results) >= PROBES:
            return rung
    return 0


@dataclass(frozen=True)
class _Validation:
    """Walks that show how well a controller moves a body.

    Args:
        task: its body.
        body: the same body.
        walks: of each kind.
    """

    task: Task
    body: UserBody
    walks: int

    def run(self, gait: GaitParameters, executor: Executor) -> tuple[ValidationRow, ...]:
        """Return the walks of a controller without helper forces."""
        rows = []
        for case in self._list_cases():
            call = partial(try_walk, gait=gait, body=self.body, case=case, movement=FORWARD)
            results = list(executor.map(call, range(self.walks)))
            rows.append(summarize_walks(case.label, results, case.half_cycles))
        changes = list(
            executor.map(partial(try_changes, task=self.task, gait=gait), range(CHANGES))
        )
        return (*rows, summarize_walks("starts and stops", changes, 1))

    def _list_cases(self) -> tuple[ValidationCase, ...]:
        legs = scale_to_reference(self.body.character).biped.leg_length
        height = round(FIELD_HEIGHT * legs / REFERENCE_LENGTH, 3)
        change = MOVING_UPPER_BODY
        return (
            ValidationCase("level ground", change=change),
            ValidationCase(f"fields 0-{height:g} m", GroundKind(height), change=change),
        )


def try_changes(number: int, task: Task, gait: GaitParameters) -> WalkResult:
    """Return whether a body begins to walk from standing, walks and stops without a fall.

    Args:
        number: of the walk, by which its length differs.
        task: its body and gravity.
        gait: parameters of the forward walk.
    """
    size = measure_size(load_task_character(task))
    speed = compute_natural_speed(size, task.gravity)
    length = (4.0 + 0.3 * number) * size
    clip = Task(
        Path([(0.0, 0.0), (length, 0.0)]),
        SpeedProfile(speed),
        character=task.character,
        mass=task.mass,
        gravity=task.gravity,
        start="standing",
        stop_at_end=True,
        seconds=length / speed + 4.0 * float(np.sqrt(size / task.gravity)) + 3.0,
    )

    def choose(scaled: ScaledBiped) -> BodyControllers:
        return BodyControllers({**find_controllers(scaled).gaits, "forward": gait})

    motion = simulate_body(clip, choose)
    lies = motion.com[-1, 2] < LYING_SHARE * motion.com[0, 2]
    return WalkResult(0 if lies else 1, not lies)

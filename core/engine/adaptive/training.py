"""Offline optimization of a controller with CMA-ES (Wu and Popović 2010, section 8)."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cma
import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from ...errors import TaskError
from ..batch.versions import find_versions
from .body_identity import SearchBody, UserBody
from .controller_file import TrainedController, TrainingRecord, parameter_table, second_table
from .evaluation import Evaluation, evaluate
from .height_field import FIELDS, GroundKind
from .ladder import RULES, LadderState
from .movements import find_movement
from .parameters import (
    GaitParameters,
    denormalize_gait,
    list_parameter_fields,
    mark_coordinates,
    normalize_gait,
)
from .transition_walks import evaluate_transition
from .transitions import TRANSITIONS

Array = NDArray[np.float64]

CHECKPOINT_FORMAT = 2  # version of the files


@dataclass(frozen=True)
class TrainingOptions:
    """How a controller is trained.

    Args:
        body: name of the body.
        seed: of all random choices.
        population: samples of a generation.
        sigma: standard deviation of the first generation, in ranges of the parameters. The paper
            has 0.3 (section 8.3) about their middles; trainings here begin with a controller of
            another movement or body, whose walk so much leaves alone.
        rung: of the ladder on which the training begins.
        searched: names of the parameters that the search changes; () for those of the movement,
            which are all of them, or of the transition.

    Raises:
        TaskError: a number is out of range.
    """

    body: str = "humanoid"
    seed: int = 0
    population: int = 24
    sigma: float = 0.08
    rung: int = 0
    searched: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.population < 4:
            raise TaskError(f"The population is {self.population}; it must be at least 4.")
        if self.seed < 0:
            raise TaskError(f"The seed is {self.seed}; it must be a whole number of 0 or more.")
        names = [one.name for one in list_parameter_fields()]
        for name in self.searched:
            if name not in names:
                raise TaskError(
                    f"There is no parameter {name!r} to search; there are: {', '.join(names)}."
                )


class GaussianSource:
    """Normal numbers of one generation, so that a resumed training draws the same."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.begin_generation(0)

    def begin_generation(self, generation: int) -> None:
        """Start the sequence of a generation."""
        self._rng = np.random.default_rng((self._seed, 0, generation))

    def __call__(self, *shape: int) -> Any:
        """Return numbers of a shape, as `numpy.random.randn`."""
        return self._rng.standard_normal(shape) if shape else float(self._rng.standard_normal())


def find_evaluation(name: str) -> Callable[..., Evaluation]:
    """Return the evaluation of a movement or of a transition."""
    if name in TRANSITIONS:
        return partial(evaluate_transition, transition=TRANSITIONS[name])
    return partial(evaluate, movement=find_movement(name))


def find_grounds(name: str) -> tuple[GroundKind, ...]:
    """Return the grounds on which a movement or a transition is trained."""
    return FIELDS if name in TRANSITIONS else find_movement(name).grounds


def _mark_searched(name: str, start: GaitParameters, options: TrainingOptions) -> NDArray[np.bool_]:
    """Return which coordinates the search of a movement or of a transition changes.

    Args:
        start: parameters that it begins with.
        options: how it is trained.
    """
    searched = options.searched
    if not searched and name in TRANSITIONS:
        searched = TRANSITIONS[name].searched
    return mark_coordinates(start, searched)


def rank_samples(costs: Array) -> list[float]:
    """Return how good samples are, by the mean of their ranks on each walk.

    The cost of a fall is a hundred times that of a walk. By the mean of the costs a search chose by
    the latest falls on the hardest walks alone: within 40 generations its mean fell more often on
    other grounds than its start, and an earlier one walked 15 % slower than planned.

    Args:
        costs: (samples, walks).
    """
    return [float(rank) for rank in rankdata(costs, axis=0).mean(1)]


@dataclass(frozen=True)
class Generation:
    """Summary of one generation.

    Args:
        number: from 0.
        ladder: place on the ladder after it.
        survival: share of the walks without a fall.
        median_cost: of the samples.
        best_cost: of the samples.
        sigma: step size of the search after it.
    """

    number: int
    ladder: LadderState
    survival: float
    median_cost: float
    best_cost: float
    sigma: float


@dataclass
class Training:
    """State of an optimization, which a checkpoint holds.

    Args:
        name: of the movement or of the transition.
        options: how it began.
        start: parameters that it began with.
        search: of the package cma.
        generation: number of generations done.
        evaluations: number of samples evaluated.
        ladder: place on the ladder of difficulty.
        user_body: a user's body that it trains; None for that of the options.
    """

    name: str
    options: TrainingOptions
    start: GaitParameters
    search: Any
    generation: int = 0
    evaluations: int = 0
    ladder: LadderState = field(default_factory=LadderState)
    user_body: UserBody | None = None

    @staticmethod
    def begin(
        name: str,
        options: TrainingOptions,
        start: GaitParameters,
        user_body: UserBody | None = None,
    ) -> Training:
        """Return a training before its first generation.

        Args:
            name: of the movement or of the transition.
            options: how it is trained.
            start: parameters that it begins with.
            user_body: a user's body; None for that of the options.
        """
        search = cma.CMAEvolutionStrategy(
            np.clip(normalize_gait(start)[_mark_searched(name, start, options)], 0.01, 0.99),
            options.sigma,
            {
                "bounds": [0, 1],
                "popsize": options.population,
                "verbose": -9,
                "randn": GaussianSource(options.seed),
                "maxiter": np.inf,
                "tolflatfitness": 10**6,
            },
        )
        ladder = LadderState(options.rung)
        return Training(name, options, start, search, ladder=ladder, user_body=user_body)

    @property
    def body(self) -> SearchBody:
        """The body that it trains."""
        return self.options.body if self.user_body is None else self.user_body

    @property
    def mean(self) -> GaitParameters:
        """Parameters at the mean of the distribution; before the first generation, the start."""
        if self.generation == 0:
            return self.start
        coordinates = self.complete(np.asarray(self.search.result.xfavorite, float))
        return denormalize_gait(np.clip(coordinates, 0.0, 1.0))

    def complete(self, searched: Array) -> Array:
        """Return all coordinates of a controller, of which the search changes some."""
        coordinates = normalize_gait(self.start)
        coordinates[_mark_searched(self.name, self.start, self.options)] = searched
        return coordinates

    def advance(self, executor: Executor) -> Generation:
        """Evaluate one generation of samples and update the distribution."""
        self.search.opts["randn"].begin_generation(self.generation)
        samples = self.search.ask()
        stage = self.ladder.make_stage(self.generation, find_grounds(self.name))
        call = partial(
            find_evaluation(self.name),
            seed=(self.options.seed, 1, self.generation),
            stage=stage,
            body=self.body,
        )
        completed = [self.complete(sample) for sample in samples]
        results: list[Evaluation] = list(executor.map(call, completed))
        costs = [result.cost for result in results]
        self.search.tell(samples, rank_samples(np.array([result.costs for result in results])))
        survival = 1.0 - float(np.mean([result.falls for result in results]))
        before = self.ladder.rung
        self.ladder = self.ladder.count(survival)
        if self.ladder.rung > before:
            self.search.sigma *= RULES.sigma_factor
        self.search.sigma = min(self.search.sigma, self.ladder.current.max_sigma)
        number = self.generation
        self.generation += 1
        self.evaluations += len(samples)
        return Generation(
            number,
            self.ladder,
            survival,
            float(np.median(costs)),
            best_cost=float(min(costs)),
            sigma=float(self.search.sigma),
        )

    def save(self, path: Path) -> None:
        """Write a checkpoint with the whole state of the search."""
        scratch = path.with_name(path.name + ".part")
        scratch.write_bytes(pickle.dumps({"format": CHECKPOINT_FORMAT, "training": self}))
        scratch.replace(path)

    @staticmethod
    def resume(path: Path) -> Training:
        """Return the training of a checkpoint.

        A checkpoint is a pickle: load only files that you have written.

        Raises:
            TaskError: there is none, or it is damaged.
        """
        try:
            table = pickle.loads(path.read_bytes())
            training = table["training"]
        except OSError as error:
            raise TaskError(
                f"There is no checkpoint {path}: {error.strerror or error}. Train without "
                "--resume first."
            ) from error
        except Exception as error:
            raise TaskError(f"The checkpoint {path} is damaged ({error}).") from error
        if table["format"] != CHECKPOINT_FORMAT or not isinstance(training, Training):
            raise TaskError(f"The checkpoint {path} is of another version of Footfall.")
        return training

    def make_controller(self) -> TrainedController:
        """Return the controller at the mean of the distribution, without a validation."""
        record = TrainingRecord(
            self.generation,
            self.evaluations,
            self.ladder.rung,
            self.ladder.current.helper_limit,
            options={**asdict(self.options), "searched": list(self.options.searched)},
            start=parameter_table(self.start.first),
            versions=find_versions() | {"cma": version("cma")},
            start_second=second_table(self.start),
            start_steps=self.start.steps,
        )
        identity = None if self.user_body is None else self.user_body.identity
        return TrainedController(self.name, self.options.body, self.mean, record, identity=identity)


@dataclass(frozen=True)
class TrainingSchedule:
    """When a training ends and writes its files.

    Args:
        generations: number of generations after which it ends.
        checkpoint_every: generations between two checkpoints, so that little is lost.
    """

    generations: int
    checkpoint_every: int = 5


def run_training(
    training: Training,
    schedule: TrainingSchedule,
    executor: Executor,
    save: Callable[[Training], None],
    report: Callable[[Generation], None] = lambda generation: None,
) -> TrainedController:
    """Train until the end of a schedule and return the controller.

    Args:
        training: begun or resumed; changed.
        schedule: when to end, and when to save.
        executor: evaluates the samples of a generation.
        save: writes a checkpoint.
        report: called after each generation.
    """
    while training.generation < schedule.generations:
        report(training.advance(executor))
        if training.generation % schedule.checkpoint_every == 0:
            save(training)
    save(training)
    return training.make_controller()

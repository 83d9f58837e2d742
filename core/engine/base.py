"""What engines have in common: drivers, commands, clocks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol, cast

import numpy as np

from ..errors import TaskError
from ..motion import Motion
from ..sketch.sketch import MAX_SPEED
from ..task import PinnedStep, Push, SpeedProfile, Task

Progress = Callable[[str, float], None]

LIVE_ENGINE_NAME = "live"  # in a report stands for the engine: no task makes such a motion again
MIN_SPEED_RATIO = 0.075  # v / sqrt(g l): slower than that a session's steps are no steps
MAX_HALF_CYCLE_TURN = np.radians(32)  # by which the direction turns in half a cycle, at most
MAX_LATERAL_FORCE_RATIO = 0.27  # of the weight, that steps push aside in a turn, at most

# v / sqrt(g l) by which the speed changes in half a cycle, at most
MAX_SPEED_GAIN_RATIO = 0.35
MAX_SPEED_LOSS_RATIO = 0.2


@dataclass
class StageClock:
    """Computing time by stage, s."""

    seconds: dict[str, float] = field(
        default_factory=lambda: {"sketch": 0.0, "plan": 0.0, "fullbody": 0.0, "simulate": 0.0}
    )

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what is done within to a stage."""
        start_time = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - start_time


class Engine(Protocol):
    """The function `generate` of an engine's module of that name."""

    def __call__(self, task: Task, progress: Progress) -> Motion:
        """Return a task's motion.

        Args:
            progress: called with a stage and the share done, which rises to 1; may raise to stop.
        """
        ...


@dataclass(frozen=True)
class EngineInfo:
    """What an engine is and which parts of a task it honours.

    The engine's package has a module `generate` with a function `generate(task, progress)`, and
    a module `driver` if bodies can be driven.

    Args:
        name: in tasks and files.
        label: in Blender's list.
        about: the label's tooltip.
        features: names of `features.FEATURES` that it honours.
        package: of its modules, which are imported when they are needed.
        driver: name of the class in the module `driver`; None where bodies cannot be driven.
        can_edit_footsteps: whether footsteps of its motions can be moved and solved again.
        jumps_while_moving: whether jumps are taken out of a walk or run.
        compute_drive_speeds: function of leg length [m] and gravity [m/s^2] that returns the speeds
            of a driven body; None if they depend on the style.
    """

    name: str
    label: str
    about: str
    features: frozenset[str]
    package: str
    driver: str | None = None
    can_edit_footsteps: bool = False
    jumps_while_moving: bool = False
    compute_drive_speeds: Callable[[float, float], DriveSpeeds] | None = None

    def load(self) -> Engine:
        """Import the engine."""
        return cast(Engine, import_module(f"{self.package}.generate").generate)

    def load_driver(self) -> Callable[[Task], EngineDriver]:
        """Import the engine's driver.

        Raises:
            TaskError: it has none.
        """
        if self.driver is None:
            raise TaskError(
                f"Bodies of the engine {self.name!r} cannot be driven; choose another engine, or "
                "generate a motion along a path."
            )
        module = import_module(f"{self.package}.driver")
        return cast(Callable[[Task], EngineDriver], getattr(module, self.driver))


class EngineDriver(Protocol):
    """A body that goes on as hands mean it to, part after part."""

    speed_range: SpeedRange

    def advance(self, command: DriveCommand) -> Motion:
        """The next part towards what is meant."""
        ...

    def undo_last(self) -> None:
        """Be where it was before the last part."""
        ...


@dataclass(frozen=True)
class SpeedRange:
    """Speeds in m/s that a body can be driven at."""

    slowest: float
    fastest: float

    @staticmethod
    def from_leg_length(leg_length: float, gravity: float) -> SpeedRange:
        """The range of legs of a length in m under a gravity in m/s^2."""
        speed_unit = float(np.sqrt(gravity * leg_length))
        return SpeedRange(MIN_SPEED_RATIO * speed_unit, MAX_SPEED * speed_unit)


@dataclass(frozen=True)
class DriveSpeeds:
    """Speeds that a driven body is steered at [m/s]: at least, by itself and when it is to run."""

    slow: float
    natural: float
    fast: float


@dataclass(frozen=True)
class DriveCommand:
    """What is wished for from now on. Pushes begin now, whatever their time; footsteps that are
    kept have the session's.
    """

    speed: float  # m/s
    direction: float = 0.0  # rad, of the way in the world
    pushes: tuple[Push, ...] = ()
    pinned: tuple[PinnedStep, ...] = ()

    def __post_init__(self) -> None:
        SpeedProfile(self.speed)  # says what is wrong with it
        if not np.isfinite(self.direction):
            raise TaskError("The direction is not a finite number; give it in radians.")

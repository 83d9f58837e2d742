"""Descriptions, protocols, commands and clocks that all engines share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol, cast

import numpy as np

from ..character.body_size import BodySize
from ..errors import TaskError
from ..motion import Motion
from ..sketch.sketch import MAX_SPEED
from ..task import PinnedStep, Push, SpeedProfile, Task

Progress = Callable[[str, float], None]

# Engine name in the report of a driven motion, which no task generates again.
LIVE_ENGINE_NAME = "live"
# Minimum speed of a driven body, v / sqrt(g l); slower steps are too short to be planned.
MIN_SPEED_RATIO = 0.075
# Maximum change of direction in half a gait cycle [rad].
MAX_HALF_CYCLE_TURN = np.radians(32)
# Maximum lateral force of the steps in a turn, as a share of the weight.
MAX_LATERAL_FORCE_RATIO = 0.27
# Maximum increase and decrease of the speed in half a gait cycle, v / sqrt(g l).
MAX_SPEED_GAIN_RATIO = 0.35
MAX_SPEED_LOSS_RATIO = 0.2


@dataclass
class StageClock:
    """Computing time by stage [s]."""

    seconds: dict[str, float] = field(
        default_factory=lambda: {"sketch": 0.0, "plan": 0.0, "fullbody": 0.0, "simulate": 0.0}
    )

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the `with` block to a stage."""
        start_time = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - start_time


class Engine(Protocol):
    """The function `generate` of an engine's module `generate`."""

    def __call__(self, task: Task, progress: Progress) -> Motion:
        """Return the motion of a task.

        Args:
            progress: called with a stage and the share of it that is done, up to 1; may raise an
                exception to stop.
        """
        ...


@dataclass(frozen=True)
class EngineInfo:
    """Description of an engine, and the parts of a task that it honors.

    The engine's package has a module `generate` with a function `generate(task, progress)`, and
    a module `driver` if bodies can be driven.

    Args:
        name: in tasks and files.
        label: in Blender's list.
        about: tooltip of the label.
        features: names of the `features.FEATURES` that it honors.
        package: name of its package, whose modules are imported when they are needed.
        driver: name of the class in the module `driver`; None where bodies cannot be driven.
        can_edit_footsteps: whether footsteps of its motions can be moved and solved again.
        jumps_while_moving: whether a body jumps out of a walk or run; otherwise it stands between
            jumps and does nothing else.
        is_simulated: whether a physics engine moves the body, so that contacts slide a little and
            a push throws it down by itself.
        drives_straight: whether a driven body keeps its direction, so that only its speed is
            steered.
        friction_share: share of the friction of the ground that contact forces use at most. On a
            steeper slope a body slides down.
        is_planar: whether the body moves in the plane of a straight path, so that it feels pushes
            along the path and up or down only.
        compute_drive_speeds: function of a body and gravity [m/s^2] that returns the speeds of a
            driven body; None if they depend on the style.
        compute_natural_speed: function of the same that returns the speed of a body for which
            none is chosen [m/s]; None if it depends on the style.
        find_speed_range: function that returns the speeds that the engine can hold in a task, to
            which the task's speed is fitted, or None if all speeds may be tried.
        find_drive_problem: function that returns why bodies cannot be driven at present, as a
            sentence without its period, or "".
    """

    name: str
    label: str
    about: str
    features: frozenset[str]
    package: str
    driver: str | None = None
    can_edit_footsteps: bool = False
    jumps_while_moving: bool = False
    is_simulated: bool = False
    drives_straight: bool = False
    friction_share: float = 1.0
    is_planar: bool = False
    compute_drive_speeds: Callable[[BodySize, float], DriveSpeeds] | None = None
    compute_natural_speed: Callable[[BodySize, float], float] | None = None
    find_speed_range: Callable[[Task], SpeedRange | None] = lambda task: None
    find_drive_problem: Callable[[], str] = lambda: ""

    def load(self) -> Engine:
        """Import and return the engine."""
        return cast(Engine, import_module(f"{self.package}.generate").generate)

    def load_driver(self) -> Callable[[Task], EngineDriver]:
        """Import and return the class of the engine's driver.

        Raises:
            TaskError: the engine has none.
        """
        if self.driver is None:
            raise TaskError(
                f"Bodies of the engine {self.name!r} cannot be driven; choose another engine, or "
                "generate a motion along a path."
            )
        module = import_module(f"{self.package}.driver")
        return cast(Callable[[Task], EngineDriver], getattr(module, self.driver))


class EngineDriver(Protocol):
    """A body that is driven interactively, one part of the motion after another."""

    @property
    def speed_range(self) -> SpeedRange:
        """Speeds at which the body can be driven."""
        ...

    def advance(self, command: DriveCommand) -> Motion:
        """Return the next part of the motion, which follows a command."""
        ...

    def undo_last(self) -> None:
        """Restore the state before the last part."""
        ...


@dataclass(frozen=True)
class SpeedRange:
    """Speeds at which a body can be driven [m/s]."""

    slowest: float
    fastest: float

    @staticmethod
    def from_leg_length(leg_length: float, gravity: float) -> SpeedRange:
        """Return the range for a leg length [m] and a gravity [m/s^2]."""
        speed_unit = float(np.sqrt(gravity * leg_length))
        return SpeedRange(MIN_SPEED_RATIO * speed_unit, MAX_SPEED * speed_unit)


# Time for which a body that has fallen is shown before its drive ends [s], so that the user sees it
# come to rest.
FALLEN_DISPLAY_TIME = 1.5


@dataclass(frozen=True)
class DriveSpeeds:
    """Speeds that a driven body is steered at [m/s]: at least, by itself and when it is to run."""

    slow: float
    natural: float
    fast: float


@dataclass(frozen=True)
class DriveCommand:
    """The desired motion from now on.

    Args:
        speed: [m/s].
        direction: world heading of the motion [rad].
        pushes: they begin now, whatever their time.
        pinned: pinned footsteps, with times of the session.

    Raises:
        TaskError: the speed is negative, or a number is not finite.
    """

    speed: float
    direction: float = 0.0
    pushes: tuple[Push, ...] = ()
    pinned: tuple[PinnedStep, ...] = ()

    def __post_init__(self) -> None:
        SpeedProfile(self.speed)  # Raises the error of an invalid speed.
        if not np.isfinite(self.direction):
            raise TaskError("The direction is not a finite number; give it in radians.")

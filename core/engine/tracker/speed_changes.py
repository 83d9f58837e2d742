"""Speeds that change along a path: the walk that is followed changes at landings."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...task import SpeedProfile, Task
from .contact_ground import ContactGround
from .followed_walk import FollowedWalk, TrackedBody, WalkSeries
from .input_cycle import InputCycle
from .walker import PlanarWalker
from .walker_state import WalkerState


@dataclass(frozen=True)
class SpeedChangeParameters:
    """How the walk changes.

    Args:
        interval: largest difference of the speeds of neighboring walks [m/s]. Each walk takes the
            planned engine a second, so that finer ones would take long.
        changes: largest number of walks by which a step differs from the one before, guarded by
            test_generate.test_speed_follows_its_profile.
        lead: time after a landing whose speed the step has [s], measured: the walk takes about as
            long to gain or lose speed.
    """

    interval: float = 0.1
    changes: int = 2
    lead: float = 0.9


SPEED_CHANGES = SpeedChangeParameters()


def list_speeds(profile: SpeedProfile) -> tuple[float, ...]:
    """Return the increasing speeds of the walks of a task [m/s]."""
    low = float(profile.values.min())
    high = float(profile.values.max())
    count = int(np.ceil((high - low) / SPEED_CHANGES.interval)) + 1
    return tuple(float(v) for v in np.linspace(low, high, count))


@dataclass
class SpeedStepper:
    """Choice of the walk of each step by the speed of a task at human scale, for `record_walk`.

    Args:
        task: at human scale.
        body: its body.
        ground: along the path.
        series: walks at its speeds.
        number: of the walk that is followed.
        changes: number of the step from which on each cycle is followed.
    """

    task: Task
    body: TrackedBody
    ground: ContactGround
    series: WalkSeries
    number: int = field(init=False)
    changes: list[tuple[int, InputCycle]] = field(init=False)

    def __post_init__(self) -> None:
        first = float(self.task.speed.value_at(0.0))
        speeds = np.array(self.series.speeds)
        self.number = int(np.argmin(np.abs(speeds - first)))
        self.changes = [(0, self.find_walk().cycle)]

    def find_walk(self) -> FollowedWalk:
        """Return the walk that is followed.

        Raises:
            FootfallError: the style has none at this speed.
        """
        return self.series.find(self.number)

    def __call__(self, walker: PlanarWalker, state: WalkerState) -> PlanarWalker:
        """Return the walker of the step that begins."""
        speed = float(self.task.speed.value_at(state.time + SPEED_CHANGES.lead))
        number = self.series.find_next(self.number, speed, SPEED_CHANGES.changes)
        if number == self.number:
            return walker
        self.number = number
        walk = self.find_walk()
        self.changes.append((state.steps, walk.cycle))
        return walk.make_walker(self.body, self.ground)

"""Maneuvers as tables of stages.

A maneuver replaces the steps of a body for some time. Its course is a table of `Stage`: what the
body does in each stage, and on which condition the next one begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ....simulate import BodyState, ControlReference, PhysicsState

Array = NDArray[np.float64]
M = TypeVar("M")

# Duration of a stage after which the maneuver is given up [s].
MAX_STAGE_TIME = 2.5


class Maneuver(Protocol):
    """What a body does in place of steps, until it stands on both feet."""

    def compute_reference(self, state: PhysicsState, now: BodyState) -> ControlReference | None:
        """Return the reference of the torque controller; None once the maneuver has ended."""
        ...


@dataclass(frozen=True)
class StageStart:
    """The body when a stage began.

    Attributes:
        time: time of the simulation [s].
        com: (3,) center of mass [m].
        com_velocity: (3,) its velocity [m/s].
        feet: (2, 3) positions of the left and the right foot [m].
    """

    time: float
    com: Array
    com_velocity: Array
    feet: Array


@dataclass(frozen=True)
class StageView:
    """Read-only view of the body within a stage.

    Attributes:
        state: state of the physics.
        body: state of the body.
        start: the body when the stage began.
    """

    state: PhysicsState
    body: BodyState
    start: StageStart

    @property
    def age(self) -> float:
        """Time since the stage began [s]."""
        return self.state.time - self.start.time


def never(maneuver: object, view: StageView) -> bool:
    """Return False: the condition of a stage that is not given up before its time."""
    return False


@dataclass(frozen=True)
class Stage(Generic[M]):
    """A row of the table of a maneuver.

    Attributes:
        name: name of the stage.
        compute_reference: what the body does in it.
        has_ended: whether the next stage begins; that of the last stage ends the maneuver.
        has_failed: whether the maneuver is given up, so that the body steps again.
    """

    name: str
    compute_reference: Callable[[M, StageView], ControlReference]
    has_ended: Callable[[M, StageView], bool]
    has_failed: Callable[[M, StageView], bool] = never


@dataclass
class StagedManeuver:
    """State machine that runs through the stages of a maneuver.

    At each control step the condition of the current stage is tried once; a stage whose condition
    holds is followed by the next one in the same control step.

    Attributes:
        stages: the course of the maneuver, in order.
        maneuver_start: the body when the maneuver began.
        stage_start: the body when the current stage began.
    """

    stages: ClassVar[tuple[Stage[Any], ...]]
    maneuver_start: StageStart | None = field(default=None, init=False)
    stage_start: StageStart | None = field(default=None, init=False)
    _stage_index: int = field(default=0, init=False)

    def compute_reference(self, state: PhysicsState, now: BodyState) -> ControlReference | None:
        """Return the reference of the torque controller; None once the maneuver has ended."""
        if self.stage_start is None:
            return self._begin_stage(0, state, now)
        stage = self.stages[self._stage_index]
        view = StageView(state, now, self.stage_start)
        if stage.has_ended(self, view):
            is_last = self._stage_index == len(self.stages) - 1
            return None if is_last else self._begin_stage(self._stage_index + 1, state, now)
        if stage.has_failed(self, view) or view.age > MAX_STAGE_TIME:
            return None
        return stage.compute_reference(self, view)

    def enter_stage(self, name: str, state: PhysicsState, now: BodyState) -> StageView:
        """Begin the stage of a name, and return the view of the body within it."""
        self._stage_index = [stage.name for stage in self.stages].index(name)
        start = StageStart(
            state.time, now.com.copy(), now.com_velocity.copy(), now.foot_frames.place.copy()
        )
        self.stage_start = start
        if self.maneuver_start is None:
            self.maneuver_start = start
        return StageView(state, now, start)

    def _begin_stage(self, index: int, state: PhysicsState, now: BodyState) -> ControlReference:
        stage = self.stages[index]
        return stage.compute_reference(self, self.enter_stage(stage.name, state, now))

"""Walks of the planned engine that begin or end in a stand, as steps to follow once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ....errors import TaskError
from ....task import Task
from ..followed_walk import InputCourse, TrackedBody, generate_input
from ..input_walk import SagittalWalk
from ..walker import PlanarWalker
from ..walker_state import WalkerState
from .constraints import StandFit
from .poses import StepPoses
from .steps import read_stand_steps


@dataclass(frozen=True)
class StandWalkParameters:
    """Lengths of such walks.

    Args:
        start_time: time of a start [s], in which a person takes about five steps.
        stop_time: time beyond that at the speed of the walk for slowing down and standing [s]. The
            last steps of a walk take about a second more, and the body stands after two.
    """

    start_time: float = 4.0
    stop_time: float = 5.0


STAND_WALKS = StandWalkParameters()


@dataclass(frozen=True)
class StandWalk:
    """A walk to follow once.

    Args:
        fit: constraints of its steps.
        poses: of the whole body.
        length: distance of the stand at its end from the begin of its path [m]; None if it does
            not end in one.
    """

    fit: StandFit
    poses: StepPoses
    length: float | None

    @property
    def count(self) -> int:
        """Number of its steps."""
        return len(self.fit.steps)

    def locate_step(self, number: int) -> float:
        """Return the distance of ankle 1 in a step along the path [m]."""
        return float(self.fit.steps[number].samples.origin.real)

    def measure_left(self, number: int) -> float:
        """Return the distance of ankle 1 in a step from the stand at the end [m]."""
        assert self.length is not None, "a walk that does not end in a stand"
        return self.length - self.locate_step(number)

    def find_leg(self, number: int) -> int:
        """Return the index in the character of the leg that stands in a step."""
        return self.fit.steps[number].samples.leg


def stand(walker: PlanarWalker, walk: StandWalk) -> WalkerState:
    """Return the state at rest of a walker of the first step of a walk from a stand."""
    state = walker.start(walk.find_leg(0), walk.locate_step(0))
    return replace(state, v=np.zeros_like(state.v))


def plan_start(task: Task, body: TrackedBody, speed: float) -> StandWalk:
    """Return a walk from a stand at a speed at human scale [m/s]."""
    course = InputCourse(STAND_WALKS.start_time, begins_standing=True)
    return _plan(task, body, speed, course)


def plan_stop(
    task: Task, body: TrackedBody, speed: float, length: float, begins_standing: bool = False
) -> StandWalk:
    """Return a walk to a stand.

    Args:
        task: with the style.
        body: its body.
        speed: at human scale [m/s].
        length: of its path [m].
        begins_standing: whether it begins in a stand as well.
    """
    seconds = length / speed + STAND_WALKS.stop_time
    return _plan(task, body, speed, InputCourse(seconds, begins_standing, length))


def _plan(task: Task, body: TrackedBody, speed: float, course: InputCourse) -> StandWalk:
    motion = generate_input(task, body.scaled, speed, course)
    walk = SagittalWalk.from_motion(motion, body.scaled.character)
    steps = read_stand_steps(
        walk, body.biped.side_view, course.begins_standing, course.length is not None
    )
    if len(steps) < 2:
        raise TaskError(
            "The path is too short for two steps. Extend it, or choose the engine 'centroidal'."
        )
    poses = StepPoses.from_motion(motion, body.model, body.biped, steps)
    return StandWalk(StandFit(body.biped, steps), poses, course.length)

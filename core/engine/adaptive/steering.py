"""Goals of half-cycles along the path of a task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from ...geometry import so3
from ...task import Task
from .planner import Goal, Timing
from .walker import Walker

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SteeringParameters:
    """How a body keeps to its path, for one of the reference size.

    Args:
        min_step, max_step: range of the step length that the controller holds, see the
            validation in its file [m].
        max_turn: largest change of heading in half a cycle that it holds [rad].
        lookahead: distance ahead at which the body aims at the path [m].
        search_range: distance along the path within which its nearest point is searched [m].
        max_deviation: from the path at which it counts as too curved [m].
    """

    min_step: float = 0.56
    max_step: float = 0.7
    max_turn: float = float(np.radians(4.0))
    lookahead: float = 1.5
    search_range: float = 1.0
    max_deviation: float = 0.4


STEERING = SteeringParameters()


class PathFollower:
    """Source of goals that lead a walker along the path of a task.

    Args:
        task: in the units of the controllers.
        half_cycle_time: [s].

    Raises:
        TaskError: the speed is out of range, or the path is too curved.
    """

    def __init__(self, task: Task, half_cycle_time: float) -> None:
        self._task = task
        self._half_cycle_time = half_cycle_time
        self.distance = 0.0  # of the body along the path [m]
        self._heading = float(task.path.heading_at(0.0))
        self._check_speed()

    def find_goal(self, walker: Walker) -> Goal:
        """Return the goal of the half-cycle that begins now."""
        return self.aim(walker.com[:2], walker.time)

    def aim(self, place: Array, time: float) -> Goal:
        """Return the goal of a body at a place (2,) [m] and a time [s]."""
        path = self._task.path
        candidates = self.distance + np.linspace(0.0, STEERING.search_range, 41)
        offsets = path.position_at(candidates) - place
        self.distance = float(candidates[int(np.argmin((offsets**2).sum(1)))])
        aim = path.position_at(self.distance + STEERING.lookahead) - place
        wanted = float(np.arctan2(aim[1], aim[0]))
        turn = float(so3.wrap_angle(wanted - self._heading))
        self._heading += float(np.clip(turn, -STEERING.max_turn, STEERING.max_turn))
        speed = float(self._task.speed.value_at(time + 0.5 * self._half_cycle_time))
        return Goal(self._heading, self._heading, speed * self._half_cycle_time)

    def _check_speed(self) -> None:
        task = self._task
        times = np.linspace(0.0, task.seconds, 200)
        steps = task.speed.value_at(times) * self._half_cycle_time
        tolerance = 1.005
        if steps.min() * tolerance < STEERING.min_step or steps.max() > (
            tolerance * STEERING.max_step
        ):
            units = task.units
            slowest, fastest = (
                units.to_user_speed(step / self._half_cycle_time)
                for step in (STEERING.min_step, STEERING.max_step)
            )
            requested = [units.to_user_speed(step / self._half_cycle_time) for step in steps]
            raise TaskError(
                f"The speed is {min(requested):.2f} to {max(requested):.2f} m/s; the engine "
                f"'adaptive' walks at {slowest:.2f} to {fastest:.2f} m/s. Change it, or choose "
                "another engine."
            )


def check_path(task: Task, timing: Timing) -> None:
    """Refuse a path that the body cannot follow with the turns that it can do.

    Args:
        task: in the units of the controllers.

    Raises:
        TaskError: it would leave the path; the message says where.
    """
    half_cycle = timing.half_cycle_time
    follower = PathFollower(task, half_cycle)
    place = task.path.position_at(0.0)
    for k in range(int(np.ceil(task.seconds / half_cycle))):
        goal = follower.aim(place, k * half_cycle)
        place = place + goal.step_length * np.array([np.cos(goal.facing), np.sin(goal.facing)])
        nearest = task.path.position_at(
            follower.distance + np.linspace(-0.5, STEERING.search_range, 61)
        )
        if np.sqrt(((nearest - place) ** 2).sum(1).min()) > STEERING.max_deviation:
            length = task.units.to_user_length(1.0)
            raise TaskError(
                f"The path is too curved near ({place[0] * length:.2f}, {place[1] * length:.2f}); "
                f"the engine 'adaptive' turns by {np.degrees(STEERING.max_turn):.0f} degrees in "
                "each step at most. Draw wider bends, or choose another engine."
            )

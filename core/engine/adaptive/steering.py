"""Requests along the path of a task, and the tasks that the controllers cannot follow."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from ...geometry import so3
from ...task import Task
from .gait_choice import CHOICE, GaitChooser, MotionRequest
from .movement_choice import (
    can_change,
    find_facing_offset,
    find_gait_name,
    find_moving_gait,
)
from .movements import GAIT_RANGES
from .parameters import GaitParameters
from .planner import Goal, HalfCycleTiming
from .walker import TorqueWalker

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GoalSteeringParameters:
    """How a body keeps to its path, for one of the reference size.

    Args:
        lookahead: distance ahead at which the body aims at the path [m].
        search_range: distance along the path within which its nearest point is searched [m].
        max_deviation: from the path at which it counts as too curved [m].
        max_turn_between: largest change of the facing between two movements [deg].
        speed_tolerance: factor by which a speed may lie beyond the range of a controller, since a
            half-cycle of whole control steps is up to 1.5 % shorter or longer than trained.
        max_ramp: longest time for which the speed may lie between standing and walking [s].
    """

    lookahead: float = 1.5
    search_range: float = 1.0
    max_deviation: float = 0.4
    max_turn_between: float = 30.0
    speed_tolerance: float = 1.02
    max_ramp: float = 1.7


STEERING = GoalSteeringParameters()


class PathFollower:
    """Source of goals that lead a walker along the path of a task.

    Args:
        task: in the units of the controllers.
        gaits: parameters of movements and transitions by their names.
        half_cycle_time: [s].
        standing_until: time up to which the body stands [s].
    """

    def __init__(
        self,
        task: Task,
        gaits: Mapping[str, GaitParameters],
        half_cycle_time: float,
        standing_until: float = 0.0,
    ) -> None:
        self._task = task
        self._half_cycle_time = half_cycle_time
        self._standing_until = standing_until
        self._is_over = False
        self.distance = 0.0  # of the body along the path [m]
        offset = find_facing_offset(task, 0.0, 0.0)
        self.facing = float(task.path.heading_at(0.0)) + offset
        is_standing = standing_until > 0 or float(task.speed.value_at(0.0)) <= 0
        movement = "stand" if is_standing else find_moving_gait(offset)
        self._chooser = GaitChooser(gaits, half_cycle_time, movement, self.facing)

    @property
    def movement(self) -> str:
        """Name of what the body does."""
        return self._chooser.movement

    def find_goal(self, walker: TorqueWalker) -> Goal:
        """Return the goal of the half-cycle that begins now."""
        request = self.aim(walker.com[:2], walker.time, self._chooser.find_stop_distance())
        return self._chooser.choose(walker, request)

    def aim(self, place: Array, time: float, stop_distance: float) -> MotionRequest:
        """Return what a body at a place (2,) [m] shall do at a time [s].

        Args:
            stop_distance: that it covers until it stands [m].
        """
        task = self._task
        path = task.path
        candidates = self.distance + np.linspace(0.0, STEERING.search_range, 41)
        offsets = path.position_at(candidates) - place
        self.distance = float(candidates[int(np.argmin((offsets**2).sum(1)))])
        aim = path.position_at(self.distance + STEERING.lookahead) - place
        direction = float(np.arctan2(aim[1], aim[0]))
        speed = float(task.speed.value_at(time + 0.5 * self._half_cycle_time))
        half_step = 0.5 * speed * self._half_cycle_time
        if task.stop_at_end and self.distance + stop_distance + half_step > path.length:
            self._is_over = True
        if self._is_over or time < self._standing_until:
            return MotionRequest(0.0, direction, self.facing)
        self.facing = direction + find_facing_offset(task, self.distance, time)
        return MotionRequest(speed, direction, self.facing)


@dataclass(frozen=True)
class _Course:
    """What a task requests over time, in the units of the controllers.

    Args:
        times: (n,) [s].
        speeds: (n,) [m/s].
        movements: (n,) names; "stand" where the body stands.
        errors: (n,) angles between the requested facing and that of the movement [rad].
        facings: (n,) requested facing in the world [rad].
    """

    times: Array
    speeds: Array
    movements: list[str]
    errors: Array
    facings: Array


def _list_requests(task: Task) -> _Course:
    times = np.linspace(0.0, task.seconds, 400)
    speeds = np.asarray(task.speed.value_at(times))
    distances = np.concatenate([[0.0], np.cumsum(0.5 * (speeds[1:] + speeds[:-1]))])
    distances *= times[1]
    if task.stop_at_end:
        speeds = np.where(distances > task.path.length, 0.0, speeds)
    offsets = [find_facing_offset(task, d, t) for d, t in zip(distances, times, strict=True)]
    quarter = 0.5 * np.pi
    errors = np.array([offset - quarter * round(offset / quarter) for offset in offsets])
    movements = [
        "stand" if speed <= 0 else find_moving_gait(offset)
        for speed, offset in zip(speeds, offsets, strict=True)
    ]
    return _Course(times, speeds, movements, errors, task.path.heading_at(distances) + offsets)


def _order_movements(course: _Course, *, stands: bool) -> list[str]:
    """Return the movements of a course in their order, without repetitions.

    Args:
        stands: whether the body stands at first.
    """
    order = ["stand"] if stands else []
    for name in course.movements:
        if not order or name != order[-1]:
            order.append(name)
    return order


def check_requests(
    task: Task, gaits: Mapping[str, GaitParameters], half_cycle_time: float, *, stands: bool
) -> None:
    """Refuse what there is no controller for.

    Args:
        task: in the units of the controllers.
        gaits: parameters of movements and transitions by their names.
        half_cycle_time: [s].
        stands: whether the body stands at first.

    Raises:
        TaskError: there is no controller for a movement or for a change between two of them, or
            its speed is out of range.
    """
    course = _list_requests(task)
    order = _order_movements(course, stands=stands)
    for name in order:
        if find_gait_name(name) not in gaits:
            raise TaskError(
                f"The engine 'adaptive' has no controller for {_describe(name)}. Change the "
                "task, or choose another engine."
            )
    for before, after in itertools.pairwise(order):
        if not can_change(gaits, before, after):
            raise TaskError(
                f"The engine 'adaptive' has no controllers for the change from {_describe(before)} "
                f"to {_describe(after)}. Change the task, or choose another engine."
            )
    moving = np.array([name != "stand" for name in course.movements])
    if (np.abs(course.errors[moving]) > CHOICE.max_facing_error).any():
        raise TaskError(
            "The engine 'adaptive' faces along its path, backward or sideways, and at most "
            f"{np.degrees(CHOICE.max_facing_error):.0f} degrees beside that. Change the facing, or "
            "choose another engine."
        )
    _check_turns(course)
    for name in dict.fromkeys(course.movements):
        if name != "stand":
            _check_speed(task, course, name, half_cycle_time)


def _check_turns(course: _Course) -> None:
    """Refuse changes of the movement for which the body would turn on the spot."""
    moving = [k for k, name in enumerate(course.movements) if name != "stand"]
    for before, after in itertools.pairwise(moving):
        names = course.movements[before], course.movements[after]
        turn = np.degrees(np.abs(so3.wrap_angle(course.facings[after] - course.facings[before])))
        if names[0] != names[1] and turn > STEERING.max_turn_between:
            raise TaskError(
                f"The engine 'adaptive' has no controller to turn by {turn:.0f} degrees between "
                f"{_describe(names[0])} and {_describe(names[1])}. Keep the angle between facing "
                "and path all along, or choose another engine."
            )


def _describe(name: str) -> str:
    return {
        "forward": "walking forward",
        "backward": "walking backward",
        "left": "steps to the left",
        "right": "steps to the right",
        "stand": "standing",
    }[name]


def _check_speed(task: Task, course: _Course, name: str, half_cycle_time: float) -> None:
    """Refuse speeds that a movement does not reach, except for short ramps."""
    tolerance = STEERING.speed_tolerance
    limits = GAIT_RANGES[name]
    slowest = limits.min_step / half_cycle_time
    fastest = limits.max_step / half_cycle_time
    chosen = np.array([one == name for one in course.movements])
    speeds = course.speeds[chosen]
    is_slow = chosen & (course.speeds * tolerance < slowest)
    if speeds.max() <= tolerance * fastest and (
        _find_longest(is_slow) * course.times[1] <= STEERING.max_ramp
    ):
        return
    units = task.units
    low, high, least, largest = (
        units.to_user_speed(float(speed))
        for speed in (slowest, fastest, speeds.min(), speeds.max())
    )
    raise TaskError(
        f"The speed is {least:.2f} to {largest:.2f} m/s for {_describe(name)}; the engine "
        f"'adaptive' can do {low:.2f} to {high:.2f} m/s. Change it, or choose another engine."
    )


def _find_longest(flags: NDArray[np.bool_]) -> int:
    """Return the length of the longest run of true flags."""
    longest = count = 0
    for flag in flags:
        count = count + 1 if flag else 0
        longest = max(longest, count)
    return longest


def check_path(task: Task, timing: HalfCycleTiming) -> None:
    """Refuse a path that the body cannot follow with the turns that it can do.

    Args:
        task: in the units of the controllers.

    Raises:
        TaskError: it would leave the path; the message says where.
    """
    half_cycle = timing.half_cycle_time
    follower = PathFollower(task, {}, half_cycle)
    place = task.path.position_at(0.0)
    heading = float(task.path.heading_at(0.0))
    turn = GAIT_RANGES["forward"].max_turn
    for k in range(int(np.ceil(task.seconds / half_cycle))):
        request = follower.aim(place, k * half_cycle, 0.0)
        wanted = float(so3.wrap_angle(request.direction - heading))
        heading += float(np.clip(wanted, -turn, turn))
        step = request.speed * half_cycle
        place = place + step * np.array([np.cos(heading), np.sin(heading)])
        nearest = task.path.position_at(
            follower.distance + np.linspace(-0.5, STEERING.search_range, 61)
        )
        if np.sqrt(((nearest - place) ** 2).sum(1).min()) > STEERING.max_deviation:
            length = task.units.to_user_length(1.0)
            raise TaskError(
                f"The path is too curved near ({place[0] * length:.2f}, {place[1] * length:.2f}); "
                f"the engine 'adaptive' turns by {np.degrees(turn):.0f} degrees in "
                "each step at most. Draw wider bends, or choose another engine."
            )

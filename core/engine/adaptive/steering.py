"""Tasks that the controllers cannot follow."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from ...geometry import so3
from ...task import Task
from .gait_choice import CHOICE
from .movement_choice import TURN_NAME, can_change, find_gait_name, find_moving_gait
from .movements import GAIT_RANGES
from .parameters import GaitParameters
from .path_follower import STEERING, PathFollower, find_settled_offset
from .planner import HalfCycleTiming

Array = NDArray[np.float64]


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
    offsets = [find_settled_offset(task, d, t) for d, t in zip(distances, times, strict=True)]
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
    if TURN_NAME not in gaits:
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


def check_path(task: Task, gaits: Mapping[str, GaitParameters], timing: HalfCycleTiming) -> None:
    """Refuse a path that the body cannot follow with the turns that it can do.

    Args:
        task: in the units of the controllers.
        gaits: parameters of movements and transitions by their names.

    Raises:
        TaskError: it would leave the path; the message says where.
    """
    half_cycle = timing.half_cycle_time
    follower = PathFollower(task, gaits, half_cycle)
    _check_corners(task, follower)
    place = task.path.position_at(0.0)
    heading = float(task.path.heading_at(0.0))
    turn = GAIT_RANGES["forward"].max_turn
    for k in range(int(np.ceil(task.seconds / half_cycle))):
        request = follower.aim(place, k * half_cycle, 0.0)
        if follower.is_at_corner:
            follower.pass_corner()
            request = follower.aim(place, k * half_cycle, 0.0)
            heading = request.direction
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
                "each step at most, except at corners. Draw wider bends, or choose another engine."
            )


def _check_corners(task: Task, follower: PathFollower) -> None:
    """Refuse corners that are too near to the begin or to each other.

    A body needs room to come to its place before a turn, or to stop, turn and begin to walk.

    Raises:
        TaskError: there are such corners; the message says where.
    """
    last = 0.0
    for corner in follower.corners:
        if corner.distance - last < STEERING.min_leg:
            units = task.units
            x, y = units.to_user_length(1.0) * task.path.position_at(corner.distance)
            raise TaskError(
                f"The path has a corner near ({x:.2f}, {y:.2f}), less than "
                f"{units.to_user_length(STEERING.min_leg):.2f} m after its begin or another "
                "corner; the engine 'adaptive' needs this room to turn. Draw corners farther "
                "apart, or choose another engine."
            )
        last = corner.distance

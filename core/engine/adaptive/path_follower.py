"""Goals along the path of a task."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ...task import Path, Task
from .gait_choice import CHOICE, GaitChooser, MotionRequest
from .movement_choice import can_turn, find_facing_offset, find_moving_gait
from .parameters import GaitParameters
from .planner import Goal
from .walker import TorqueWalker

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GoalSteeringParameters:
    """How a body keeps to its path, for one of the reference size.

    Args:
        lookahead: distance ahead at which the body aims at the path [m], two to three steps.
        search_range: distance along the path within which its nearest point is searched [m], more
            than the longest step, 0.7 m.
        max_deviation: from the path at which it counts as too curved [m].
        max_turn_between: largest change of the facing between two movements [deg]; movements of
            which the same heading is 90 degrees apart need a turn on the spot.
        speed_tolerance: factor by which a speed may lie beyond the range of a controller, since a
            half-cycle of whole control steps is up to 1.5 % shorter or longer than trained.
        max_ramp: longest time for which the speed may lie between standing and walking [s], three
            half-cycles, as many as a transition has.
        corner_length: length of path over which a turn counts as a corner [m], that of a step.
        approach_steps: before a corner by which the body comes to its place: from there four are
            fitted, so that the outer foot begins the turn where it shall.
        min_corner: smallest turn there, for which the body needs a transition [rad], above
            `CHOICE.max_moving_turn`.
        min_leg: least distance between two corners [m]: the four steps of 0.4 m of a turn and
            `CHOICE.turn_overrun`.
        turn_rate: rate of the facing against the path above which the body faces at once as it
            shall at the end of the turn [deg/s]; slower, its movement can turn along, by up to
            4 degrees in 0.56 s backward and sideways, 8 forward (`GAIT_RANGES`).
    """

    lookahead: float = 1.5
    search_range: float = 1.0
    max_deviation: float = 0.4
    max_turn_between: float = 30.0
    speed_tolerance: float = 1.02
    max_ramp: float = 1.7
    corner_length: float = 0.5
    approach_steps: float = 4.5
    min_corner: float = float(np.radians(30.0))
    min_leg: float = 2.4
    turn_rate: float = 20.0


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
        offset = find_settled_offset(task, 0.0, 0.0)
        name = find_moving_gait(offset)
        self._corners = find_corners(task.path) if can_turn(gaits, name) else []
        # Heading to which the body shall turn without standing [rad]
        self._turn_heading: float | None = None
        self.facing = float(task.path.heading_at(0.0)) + offset
        is_standing = standing_until > 0 or float(task.speed.value_at(0.0)) <= 0
        movement = "stand" if is_standing else name
        self._chooser = GaitChooser(gaits, half_cycle_time, movement, self.facing)

    @property
    def movement(self) -> str:
        """Name of what the body does."""
        return self._chooser.movement

    def branch(self) -> PathFollower:
        """Return an independent copy."""
        other = copy.copy(self)
        other._corners = list(self._corners)
        other._chooser = copy.copy(self._chooser)
        return other

    def find_goal(self, walker: TorqueWalker, *, waits: bool = False) -> Goal:
        """Return the goal of the half-cycle that begins now.

        Args:
            walker: to steer.
            waits: whether no transition begins now.
        """
        if self.is_at_corner and self.movement == "stand":
            self.pass_corner()
        if not self._corners or not self._chooser.can_turn_moving(self._corners[0].turn):
            request = self.aim(walker.com[:2], walker.time, self._chooser.find_stop_distance())
        else:
            request = self._approach_turn(walker)
        return self._chooser.choose(walker, self._turn_toward_heading(request), waits=waits)

    def _approach_turn(self, walker: TorqueWalker) -> MotionRequest:
        """Return a request by whose steps the right foot is at its place before a corner."""
        corner = self._corners[0]
        request = self.aim(walker.com[:2], walker.time, 0.0)
        step = request.speed * self._half_cycle_time
        missing = corner.distance - self._chooser.find_corner_distance(corner.turn) - self.distance
        if step <= 0 or missing > STEERING.approach_steps * step:
            return request
        waits = int(not self._chooser.is_first_foot(walker, corner.turn))
        count = waits + 2 * max(round(0.5 * (missing / step - waits)), 0)
        if count:
            return replace(request, speed=max(missing, 0.0) / (count * self._half_cycle_time))
        self.pass_corner()
        self._turn_heading = corner.heading
        return request

    def _turn_toward_heading(self, request: MotionRequest) -> MotionRequest:
        """Return a request along the path after a corner, until the body has turned there."""
        if self._turn_heading is None:
            return request
        offset = request.facing - request.direction
        error = so3.wrap_angle(self._turn_heading + offset - self._chooser.facing)
        if abs(float(error)) <= CHOICE.max_moving_turn:
            self._turn_heading = None
            return request
        return MotionRequest(request.speed, self._turn_heading, self._turn_heading + offset)

    @property
    def corners(self) -> tuple[PathCorner, ...]:
        """Sharp turns of the path that are still to come."""
        return tuple(self._corners)

    @property
    def is_at_corner(self) -> bool:
        """Whether the body stops, or stands, before a turn of the path."""
        return self._is_over and bool(self._corners)

    def pass_corner(self) -> None:
        """Follow the path beyond the next corner."""
        self.distance = self._corners.pop(0).distance
        self._is_over = False

    def aim(self, place: Array, time: float, stop_distance: float) -> MotionRequest:
        """Return what a body at a place (2,) [m] shall do at a time [s].

        Args:
            stop_distance: that it covers until it stands [m].
        """
        task = self._task
        candidates = self.distance + np.linspace(0.0, STEERING.search_range, 41)
        if self._corners:
            candidates = np.minimum(candidates, self._corners[0].distance)
        offsets = task.path.position_at(candidates) - place
        self.distance = float(candidates[int(np.argmin((offsets**2).sum(1)))])
        aim = self._find_place(self.distance + STEERING.lookahead) - place
        direction = float(np.arctan2(aim[1], aim[0]))
        speed = float(task.speed.value_at(time + 0.5 * self._half_cycle_time))
        half_step = 0.5 * speed * self._half_cycle_time
        end = self._corners[0].distance if self._corners else task.path.length
        if (self._corners or task.stop_at_end) and self.distance + stop_distance + half_step > end:
            self._is_over = True
        if self._is_over or time < self._standing_until:
            return MotionRequest(0.0, direction, self.facing)
        self.facing = direction + find_settled_offset(task, self.distance, time)
        return MotionRequest(speed, direction, self.facing)

    def _find_place(self, distance: float) -> Array:
        """Return a place on the path, or straight ahead of the next corner [m]."""
        path = self._task.path
        corner = self._corners[0] if self._corners else None
        if corner is None or distance <= corner.distance:
            return path.position_at(distance)
        heading = corner.heading - corner.turn
        beyond = (distance - corner.distance) * np.array([np.cos(heading), np.sin(heading)])
        return np.asarray(path.position_at(corner.distance) + beyond)


@dataclass(frozen=True)
class PathCorner:
    """A sharp turn of a path.

    Args:
        distance: along the path [m].
        heading: of the path after it [rad].
        turn: change of the heading, to the left [rad].
    """

    distance: float
    heading: float
    turn: float


def find_corners(path: Path) -> list[PathCorner]:
    """Return the sharp turns of a path in their order.

    Args:
        path: in the units of the controllers.
    """
    half = 0.5 * STEERING.corner_length
    distances = np.arange(half, max(path.length - half, half), 0.1 * half)
    turns = path.heading_at(distances + half) - path.heading_at(distances - half)
    is_sharp = np.concatenate([[False], np.abs(turns) > STEERING.min_corner, [False]])
    begins = np.flatnonzero(is_sharp[1:] & ~is_sharp[:-1])
    ends = np.flatnonzero(is_sharp[:-1] & ~is_sharp[1:]) - 1
    corners = []
    for begin, end in zip(begins, ends, strict=True):
        before, after = path.heading_at([distances[begin] - half, distances[end] + half])
        place = 0.5 * (distances[begin] + distances[end])
        corners.append(PathCorner(float(place), float(after), float(after - before)))
    return corners


def find_settled_offset(task: Task, distance: float, time: float) -> float:
    """Return the angle of the body to the left of its path after the turn that it does [rad].

    A body faces along its path, sideways or backward, and does not move while it turns between
    these, so that it faces at once as it shall at the end of a fast turn.

    Args:
        task: in the units of the controllers.
        distance: along the path [m].
        time: [s].
    """
    if task.facing is None:
        times = task.facing_offset.times
        rates = np.abs(np.diff(task.facing_offset.values) / np.diff(times))
        k = int(np.searchsorted(times, time, side="right")) - 1
        while 0 <= k < len(rates) and rates[k] > STEERING.turn_rate:
            k += 1
            time = float(times[k])
    return find_facing_offset(task, distance, time)

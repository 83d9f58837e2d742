"""From a task to the wish for the next two steps, instant by instant."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import wrap_angle
from ...slip.command import FootholdDistance, Gait, StepGoal
from ...task import HOP_GAITS, Path, Task
from ...terrain import FlatGround
from .ground.gaps import GapCache, Gaps
from .ground.local_terrain import LocalTerrain, LocalTerrainCache
from .ground.stopping import find_stop_station, make_stop_notes

Array = NDArray[np.float64]

MIN_LOOKAHEAD_DISTANCE = 0.9  # m ahead on the path that the body makes for at least
LOOKAHEAD_TIME = 0.7  # s that it takes to there
# m of path, before and behind where it was last, among which it is looked for
PATH_SEARCH_DISTANCE = 1.5
# rad that a step's direction may differ from the body's heading against its wish
MAX_DIRECTION_OFFSET = 0.5
# rad that a heading is asked to change by the end of two steps: more and feet cross
MAX_HEADING_CHANGE = 0.4
STANDING_SPEED = 0.15  # m/s, below which a body stands

# m/s from which it runs, and below which it walks again
RUN_ONSET_SPEED = 2.1
WALK_ONSET_SPEED = 1.9


# m of a step at that speed in m/s (table 1)
REFERENCE_STEP_LENGTH = 0.75
REFERENCE_WALK_SPEED = 1.25

# power of the speed that a step's length grows with; what is left is its rate
STEP_LENGTH_EXPONENT = 0.55
# of a walk's step length that is wished for: in the optimum the other objectives take about that
WALK_LENGTH_FACTOR = 1.08
MAX_STEP_TIME = 0.8  # s of a step
START_SPEED = 0.75  # m/s that a body is asked for that stands, and

# by which one may be asked to go faster than it does: else a run that stumbled stays slow
MAX_WALK_SPEED_LEAD = 0.4
MAX_RUN_SPEED_LEAD = 0.8

BRAKING_DECELERATION = 0.8  # m/s^2 with which a run becomes a walk before the path's end
# m of path whose heights tell how steep the ground is, and
SLOPE_STATIONS = np.linspace(-0.1, 1.1, 25)
# m of it about the body: stairs end with the last foot on them
LOCAL_SLOPE_STATIONS = np.linspace(-0.3, 0.3, 13)

# m that a step climbs or falls by on such ground, and its least length
MAX_STEP_RISE = 0.17
MIN_SLOPE_STEP_LENGTH = 0.3

# m of a drop past which the other foot goes at once from one that stands near before it
MIN_DROP_HEIGHT = 0.06

# m of a rise or drop that is taken in one step, whose length and duration in m and s
HIGH_STEP_HEIGHT = 0.22
CAREFUL_STEP = (0.5, 0.75)

EDGE_SEARCH_STATIONS = np.linspace(-0.4, 0.8, 61)  # m of path along which those are looked for
NEAR_EDGE_DISTANCES = (0.5, 0.32)  # m before a rise or a drop, where a foot stands near
LANDING_MARGIN = 0.14  # past it, where the next is well
# m before a drop, from where on a step may go down past it that does not begin near it
MAX_APPROACH_DISTANCE = 0.5
MIN_DESCENT_HEIGHT = 0.07  # m that the ground ahead falls by where feet are left over their balls
# of its length, a first step out of standing there: a straight leg far ahead turns
# the body by half a radian
FIRST_STEP_RATIO = 0.7
SLOPE_TIME_EXPONENT = 0.3  # power of its length that the duration of a step shrinks with there

# m before a wide gap in which it does not stop any more, and past it
NO_STOP_DISTANCE = 1.2
GAP_PASSED_DISTANCE = 0.3

RUN_STEP_LENGTH = 1.05
RUN_SPEED = 2.625
RUN_LENGTH_EXPONENT = 0.85
# what a run's steps are asked for, of what is wished: they come out shorter
RUN_COMMAND_FACTORS = (1.25, 0.97)

# s of a hop, and what it is asked for, of what is wished
HOP_TIME = 0.42
HOP_COMMAND_FACTORS = (1.22, 1.05)


@dataclass(frozen=True)
class LocomotionGoal:
    """What is wished for now, and the velocity (3,) that this means."""

    step_goal: StepGoal
    velocity: Array


class GoalSource:
    """The way of a task: where the body is on it, and what comes next.

    Args:
        foothold_distance: as `StepGoal` has it.

    Raises:
        TaskError: the task asks for something that no preview knows.
    """

    def __init__(self, task: Task, foothold_distance: FootholdDistance | None = None) -> None:
        self.task = task
        self.foothold_distance = foothold_distance
        self.ground_height = (
            None if isinstance(task.ground, FlatGround) else task.ground.sample_heights
        )
        self.hop_leg = HOP_GAITS.index(task.gait) if task.gait in HOP_GAITS else None  # leg
        self.station = 0.0  # m along the path; below 0 before its start
        self.is_running = False
        # s of the clip, when it first ran faster than asked for the sake of a gap
        self.run_up_time: float | None = None
        self._terrain_cache = LocalTerrainCache()
        self._gap_cache = GapCache()
        self._stop_cache: tuple[Path, float] | None = None  # where it comes to stand on that path
        self._has_stopped = False  # whether it has begun to
        self._is_running_up = False  # whether it runs up to a gap, or on past one

    def compute_goal(
        self,
        time: float,
        com: Array,
        heading: float,
        current_speed: float = np.inf,
        stance_place: Array | None = None,
        is_setting_off: bool = False,
    ) -> LocomotionGoal:
        """The goal at a time of the clip.

        Args:
            com: (3,) of the body.
            heading: rad, with any number of whole turns.
            current_speed: m/s that the body goes by now; it is asked for little more.
            stance_place: (3,) on which it stands, so that the other one takes a high step
                at once where it is near.
            is_setting_off: whether its next step is the first one out of standing.
        """
        task = self.task
        path = self.task.path
        self._update_station(com)
        path_heading = float(path.heading_at(self.station))
        terrain = LocalTerrain()
        if self.ground_height is not None:
            terrain = self._terrain_cache.find_terrain(
                com[:2], path_heading, self.ground_height, self.foothold_distance
            )
        is_rough = not terrain.is_plain
        desired_speed = self._choose_speed(max(time, 0.0), is_rough)
        if self.run_up_time is None and desired_speed > float(task.speed.value_at(max(time, 0.0))):
            self.run_up_time = max(time, 0.0)
        speed = min(
            desired_speed,
            max(
                START_SPEED,
                current_speed + (MAX_RUN_SPEED_LEAD if self.is_running else MAX_WALK_SPEED_LEAD),
            ),
        )
        to_target = (
            path.position_at(self.station + max(MIN_LOOKAHEAD_DISTANCE, LOOKAHEAD_TIME * speed))
            - com[:2]
        )
        direction = float(np.arctan2(to_target[1], to_target[0]))
        facing = float(path.heading_at(self.station + 0.5 * MIN_LOOKAHEAD_DISTANCE)) + np.radians(
            float(task.facing_offset.value_at(max(time, 0.0)))
        )
        turn = float(np.clip(wrap_angle(facing - heading), -MAX_HEADING_CHANGE, MAX_HEADING_CHANGE))
        # a body that goes ahead turns first and goes there then; one that is turned against its
        # path goes where it does
        travel_direction = (
            direction
            if task.facing_offset.values.any()
            else heading
            + float(
                np.clip(
                    wrap_angle(direction - heading), -MAX_DIRECTION_OFFSET, MAX_DIRECTION_OFFSET
                )
            )
        )
        # no walk is as fast
        self.is_running = speed > RUN_ONSET_SPEED or (
            self.is_running
            and (desired_speed > WALK_ONSET_SPEED or RUN_ONSET_SPEED < current_speed < np.inf)
        )
        gait: Gait = (
            "stand"
            if speed < STANDING_SPEED
            else "hop"
            if self.hop_leg is not None
            else "run"
            if self.is_running
            else "walk"
        )
        step_length, step_time = self.compute_step(speed, max(time, 0.0))
        descends = False
        if is_rough and step_length > 0:
            step_length, step_time, descends = self._adapt_to_slope(step_length, step_time)
            step_length *= FIRST_STEP_RATIO if is_setting_off else 1.0
        ground_height = self.ground_height if is_rough else None
        foothold_distance = (
            self.foothold_distance
            if self.ground_height is None
            else None
            if terrain.is_edge_free
            else self._restrict_footholds(stance_place)
        )
        step_goal = StepGoal(
            gait,
            step_length,
            step_time,
            direction=travel_direction,
            heading=heading + turn,
            hop_height=None,
            ground_height=ground_height,
            foothold_distance=foothold_distance,
            allows_heel_rise=descends,
            hop_leg=self.hop_leg or 0,
        )
        return LocomotionGoal(
            step_goal, desired_speed * np.array([np.cos(path_heading), np.sin(path_heading), 0.0])
        )

    def _update_station(self, com: Array) -> None:
        """Nearest place of the path to the body, near where it was."""
        stations = self.station + np.linspace(-0.2, PATH_SEARCH_DISTANCE, 35)
        distances = np.linalg.norm(self.task.path.position_at(stations) - com[:2], axis=1)
        self.station = float(stations[np.argmin(distances)])

    def make_notes(self, length_unit: float, time_unit: float) -> tuple[str, ...]:
        """Notes where it ran though it was to walk, and where it stopped elsewhere
        than at its path's end.

        Args:
            length_unit, time_unit: of the clip, for one of the simulation's.
        """
        notes = []
        if self.run_up_time is not None:
            notes.append(
                f"from {self.run_up_time * time_unit:.2f} s on it runs up to gaps that no walking "
                "step takes. Lead the path around them, or make them narrower, if it is to walk"
            )
        if self._has_stopped:
            notes += make_stop_notes(
                (self._find_stop_station() - self.task.path.length) * length_unit
            )
        return tuple(notes)

    @property
    def initial_speed(self) -> float:
        """With which the path begins, m/s."""
        return self._adjust_run_up_speed(
            float(self.task.speed.value_at(0.0)), self._find_gaps(), False
        )

    def _choose_speed(self, time: float, is_rough: bool) -> float:
        gaps = self._find_gaps()
        speed = self._adjust_run_up_speed(float(self.task.speed.value_at(time)), gaps, is_rough)
        is_leaping = (
            gaps.wide_gap is not None
            and gaps.wide_gap.begin - NO_STOP_DISTANCE
            < self.station
            < gaps.wide_gap.end + GAP_PASSED_DISTANCE
        )
        if not self.task.stop_at_end or is_leaping:
            return speed
        distance_left = self._find_stop_station() - self.station
        if gaps.wide_gap is None or self.station > gaps.wide_gap.end:
            speed = min(
                speed,
                max(
                    float(np.sqrt(2 * BRAKING_DECELERATION * max(distance_left, 0.0))),
                    REFERENCE_WALK_SPEED,
                ),
            )
        if distance_left < 0.4 * speed + 0.1:
            self._has_stopped = True
            return 0.0
        return speed

    def _find_stop_station(self) -> float:
        """m along the path, where the body comes to stand."""
        path = self.task.path
        if self._stop_cache is None or self._stop_cache[0] is not path:
            self._stop_cache = path, find_stop_station(path, self.foothold_distance)
        return self._stop_cache[1]

    def _find_gaps(self) -> Gaps:
        """Where steps may be of any length and lead ahead."""
        task = self.task
        if (
            self.foothold_distance is None
            or self.hop_leg is not None
            or task.stride_length is not None
            or task.facing_offset.values.any()
        ):
            return Gaps()
        return self._gap_cache.find_gaps(
            task.path,
            self.station,
            self.foothold_distance,
            self._find_stop_station() if task.stop_at_end else np.inf,
        )

    def _adjust_run_up_speed(self, speed: float, gaps: Gaps, is_rough: bool) -> float:
        """That speed, or that of a run where a gap takes one: begun on good ground, and left off
        where none is near ahead.
        """
        if not STANDING_SPEED < speed < RUN_SPEED:
            return speed
        needs_run = gaps.wide_gap is not None and self.station > gaps.wide_gap.run_start
        self._is_running_up = (needs_run and not is_rough) or (
            self._is_running_up and (needs_run or not gaps.is_clear)
        )
        return RUN_SPEED if self._is_running_up else speed

    def compute_step(self, speed: float, time: float) -> tuple[float, float]:
        """Length and duration of a step at a speed, m and s."""
        if speed < STANDING_SPEED:
            return 0.0, 0.6
        if self.task.stride_length is not None:
            step_length = 0.5 * float(self.task.stride_length.value_at(time))
            return step_length, float(np.clip(step_length / speed, 0.25, 1.0))
        if self.hop_leg is not None:
            return HOP_COMMAND_FACTORS[0] * speed * HOP_TIME, HOP_COMMAND_FACTORS[1] * HOP_TIME
        if self.is_running:
            step_time = RUN_STEP_LENGTH * (speed / RUN_SPEED) ** RUN_LENGTH_EXPONENT / speed
            return RUN_COMMAND_FACTORS[0] * speed * step_time, RUN_COMMAND_FACTORS[1] * step_time
        step_time = min(
            REFERENCE_STEP_LENGTH * (speed / REFERENCE_WALK_SPEED) ** STEP_LENGTH_EXPONENT / speed,
            MAX_STEP_TIME,
        )
        return WALK_LENGTH_FACTOR * speed * step_time, step_time

    def _restrict_footholds(self, stance_place: Array | None) -> FootholdDistance | None:
        """Where the next foot stands well: past a high step or any drop that the other
        one stands near before.

        Before a drop that the other one stands somewhat farther from it stands too: down and so far
        at once, the body would be left behind.
        """
        foothold_distance = self.foothold_distance
        path = self.task.path
        if self.ground_height is None or foothold_distance is None or stance_place is None:
            return foothold_distance
        stations = self.station + EDGE_SEARCH_STATIONS
        places = path.position_at(stations)
        height_changes = np.diff(np.nan_to_num(self.ground_height(places), nan=-1e3))
        heading = float(path.heading_at(self.station))
        ahead = np.array([np.cos(heading), np.sin(heading)])
        edge_places = 0.5 * (places[1:] + places[:-1])
        distances = (edge_places - stance_place[:2]) @ ahead  # how far the foot stands before each
        is_edge = (
            (np.abs(height_changes) > HIGH_STEP_HEIGHT)
            | ((height_changes < -MIN_DROP_HEIGHT) & (distances > 0))
        ) & (np.abs(height_changes) < 500)
        k = int(np.argmax(is_edge))
        if not is_edge[k]:
            return foothold_distance
        edge_place = edge_places[k]
        edge_distance = float(distances[k])
        is_drop = bool(height_changes[k] < 0)

        def compute_error_past_edge(places: Array, headings: Array) -> Array:
            shortfall = LANDING_MARGIN - (places - edge_place) @ ahead
            return np.where(shortfall > 0, shortfall, foothold_distance(places, headings))

        def compute_error_before_edge(places: Array, headings: Array) -> Array:
            return np.maximum((places - edge_place) @ ahead, foothold_distance(places, headings))

        if edge_distance <= NEAR_EDGE_DISTANCES[int(is_drop)]:
            return compute_error_past_edge
        return (
            compute_error_before_edge
            if is_drop
            and height_changes[k] > -HIGH_STEP_HEIGHT
            and edge_distance <= MAX_APPROACH_DISTANCE
            else foothold_distance
        )

    def _adapt_to_slope(self, step_length: float, step_time: float) -> tuple[float, float, bool]:
        """The same where the ground ahead climbs or falls, no higher than a body likes to step at
        once; and whether it falls.
        """
        assert self.ground_height is not None
        heights = self.ground_height(self.task.path.position_at(self.station + SLOPE_STATIONS))
        heights = heights[np.isfinite(heights)]
        if not len(heights):
            return step_length, step_time, False
        height_changes = np.abs(np.diff(heights))
        descends = bool(heights[0] - heights.min() > MIN_DESCENT_HEIGHT)
        slope = float(np.ptp(heights)) / (SLOPE_STATIONS[-1] - SLOPE_STATIONS[0])
        if height_changes.max(initial=0.0) > HIGH_STEP_HEIGHT:
            return min(step_length, CAREFUL_STEP[0]), max(step_time, CAREFUL_STEP[1]), descends
        local_heights = self.ground_height(
            self.task.path.position_at(self.station + LOCAL_SLOPE_STATIONS)
        )
        if (
            np.isfinite(local_heights).all()
            and np.abs(np.diff(local_heights)).max() < HIGH_STEP_HEIGHT
        ):
            slope = max(
                slope,
                float(np.ptp(local_heights)) / (LOCAL_SLOPE_STATIONS[-1] - LOCAL_SLOPE_STATIONS[0]),
            )
        max_length = max(MAX_STEP_RISE / max(slope, 1e-6), MIN_SLOPE_STEP_LENGTH)
        if step_length <= max_length:
            return step_length, step_time, descends
        return max_length, step_time * (max_length / step_length) ** SLOPE_TIME_EXPONENT, descends


def with_walk_gait(step_goal: StepGoal) -> StepGoal:
    """A wish to stand, of a body that cannot as yet."""
    return replace(step_goal, gait="walk", step_length=0.0)

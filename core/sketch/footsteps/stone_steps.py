"""A sketch the other way round: the stones first, then the pendulum along the line
through them (appendix C.6).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...motion.footstep import Footstep
from ...task import Path, SteppingStones, Task
from ..course.course import Course
from ..course.offset_path import OffsetPath, fit_offset_path
from ..course.pendulum import CartPendulum
from ..gait.gait import Gait, StyleGaitLaw
from ..placement.sole import is_forbidden_ground, place_foot
from .cost import FootstepProblem, PastContact
from .genetic import IntArray
from .middle_line import LinePoints
from .stones import (
    MAX_PATH_DISTANCE,
    MAX_WALK_REACH,
    MIN_ADVANCE_SHARE,
    PathPlaces,
    StoneProblem,
    choose_next_stones,
    compute_middle_line,
)
from .timing import PlannedStep

Array = NDArray[np.float64]

LOOKAHEAD_STEPS = 3.6  # usual steps ahead, up to which stones are looked at
RUN_REACH_RATIO = 2.2  # times as far as in a walk, that feet of a run may be apart

# of the gait's contact time, that a contact may last where steps are out of time
MAX_CONTACT_RATIO = 1.35
MIN_CONTACT_RATIO = 0.75

FREE_PLACES_PER_STEP = 4  # places to choose from for each usual step where the ground is free
MIN_SELECTION_SPEED = 0.25  # v / sqrt(g l), below which stones are chosen as at this speed


@dataclass(frozen=True)
class StoneContact:
    """One foot on a stone."""

    leg: int
    xy: Array  # (2,)
    heading: float  # of the body there
    middle_line: Array  # (2,) of the middle line
    time: float  # at a constant speed


@dataclass
class _StoneChooser:
    """Chooses stones until there are none ahead; before the first one
    steps are as on free ground.
    """

    task: Task
    stones: SteppingStones
    character: Character
    law: StyleGaitLaw
    stone_contacts: list[StoneContact] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._sides = np.array([leg.side for leg in self.character.legs])
        self._rng = np.random.default_rng(self.task.seed)
        stone_places = PathPlaces.from_positions(
            self.stones.places, self.task.path, np.zeros(len(self.stones.places))
        )
        # a foot's own place is between heel and ball; the whole sole with its tip is to lie
        # in the middle of a stone
        foot = self.character.feet[0]
        sole_offset = 0.5 * float(foot.heel[0] + foot.tip[0]) - float(foot.sole_center[0])
        is_near = (
            np.abs(stone_places.lateral_offset) < MAX_PATH_DISTANCE * self.law.leg_length
        ) & (stone_places.station > 0)
        xy = (
            stone_places.xy
            - sole_offset
            * np.stack([np.cos(stone_places.heading), np.sin(stone_places.heading)], -1)
        )[is_near]
        first, last = (
            (stone_places.station[is_near].min(), stone_places.station[is_near].max())
            if is_near.any()
            else (0.0, -1.0)
        )
        self._last_station = last
        places = np.concatenate(
            [
                self._sample_free_places(0.0, first),
                xy,
                self._sample_free_places(last, last + 4 * self._step_length(self._gait_at(0.0))),
            ]
        )
        height = self.task.ground.sample_heights(places) if len(places) else np.empty(0)
        self._places = PathPlaces.from_positions(places, self.task.path, height)[
            np.flatnonzero(np.isfinite(height))
        ]

    def _gait_at(self, time: float) -> Gait:
        return self.law.gait_at(
            max(float(self.task.speed.value_at(time)), MIN_SELECTION_SPEED * self.law.unit_speed)
        )

    def _step_length(self, gait: Gait) -> float:
        return 0.5 * gait.stride_length

    def _sample_free_places(self, begin: float, end: float) -> Array:
        """Where either foot could tread on free ground between two places of the path. (n, 2)."""
        gait = self._gait_at(0.0)
        station = np.repeat(
            np.arange(
                begin + 0.5 * self._step_length(gait),
                end,
                self._step_length(gait) / FREE_PLACES_PER_STEP,
            ),
            len(self._sides),
        )
        side = np.resize(self._sides, len(station))
        heading = self.task.path.heading_at(station)
        left = np.stack([-np.sin(heading), np.cos(heading)], -1)
        xy = self.task.path.position_at(station) + (side * gait.half_width)[:, None] * left
        return (
            xy[~is_forbidden_ground(self.task.allowed_ground, self.character.feet[0], xy, heading)]
            if len(xy)
            else xy
        )

    def choose_all(self) -> list[StoneContact]:
        """All treads; the first two are those before the clip."""
        gait = self._gait_at(0.0)
        heading = float(self.task.path.heading_at(0.0))
        for leg, time, start_distance in (
            (1, -0.5 * gait.stride_time, self._step_length(gait)),
            (0, 0.0, 0.0),
        ):
            middle_line = self.task.path.position_at(-start_distance)
            foot_offset = compute_middle_line(
                np.zeros(2), np.array(heading), float(self._sides[leg]), gait
            )
            self.stone_contacts.append(
                StoneContact(
                    leg, middle_line - foot_offset, heading, middle_line=middle_line, time=time
                )
            )
        self._last_height = float(self.task.ground.sample_heights(self.stone_contacts[-1].xy))
        previous_choice: NDArray[np.int64] | None = None
        while (chosen := self._choose_next(previous_choice)) is not None:
            k = int(chosen[0])
            if self._places.station[k] > self._last_station:
                break
            previous_choice = chosen[1:]
        return self.stone_contacts

    def _choose_next(self, previous_choice: IntArray | None) -> IntArray | None:
        """Tread on the best next stone. Returns the stones chosen,
        numbers of all places; None at the end.
        """
        last = self.stone_contacts[-1]
        gait = self._gait_at(self.stone_contacts[-1].time)
        station = float(
            PathPlaces.from_positions(last.middle_line[None], self.task.path, np.zeros(1)).station[
                0
            ]
        )
        step_length = self._step_length(gait)
        is_walk = gait.is_walk
        is_used = np.array(
            [
                np.abs(self._places.xy - stone_contact.xy).max(1) < 1e-9
                for stone_contact in self.stone_contacts[2:]
            ]
        )
        is_unused = ~is_used.any(0) if len(is_used) else np.ones(len(self._places.xy), bool)
        distances_ahead = self._places.station - station
        nearby = np.flatnonzero(
            is_unused
            & (distances_ahead > MIN_ADVANCE_SHARE * step_length)
            & (distances_ahead < LOOKAHEAD_STEPS * step_length + 0.5 * self.law.leg_length)
        )
        if not len(nearby):
            nearby = np.flatnonzero(
                is_unused & (distances_ahead > MIN_ADVANCE_SHARE * step_length)
            )[:1]
        if not len(nearby):
            return None
        speed = max(
            float(self.task.speed.value_at(last.time)), MIN_SELECTION_SPEED * self.law.unit_speed
        )
        contacts = tuple(
            PastContact(stone_contact.leg, stone_contact.time, stone_contact.xy)
            for stone_contact in self.stone_contacts[-2:]
        )
        step_problem = FootstepProblem(
            last_contacts=(contacts[0], contacts[1]),
            sample_line=lambda times: LinePoints(
                np.zeros((*np.shape(times), 2)), np.zeros(np.shape(times))
            ),
            cumulative_effort=np.zeros_like,
            stride_time=gait.stride_time,
            stride_length=gait.stride_length,
            lateral_offsets=self._sides * gait.half_width,
            backward_offset=gait.backward_offset,
            step_count=3,
        )
        max_reach = MAX_WALK_REACH * self.law.leg_length * (1.0 if is_walk else RUN_REACH_RATIO)
        problem = StoneProblem(
            step_problem,
            self._places[nearby],
            last.middle_line,
            last_displacement=last.middle_line - self.stone_contacts[-2].middle_line,
            last_height=self._last_height,
            sides=self._sides,
            gait=gait,
            speed=speed,
            max_reach=max_reach,
        )
        chosen = choose_next_stones(
            problem, self._rng, self._initial_choices(previous_choice, nearby, min(3, len(nearby)))
        )
        k = int(nearby[chosen[0]])
        leg = contacts[0].leg
        if self._places.station[k] <= self._last_station:
            self.stone_contacts.append(
                StoneContact(
                    leg,
                    self._places.xy[k],
                    float(self._places.heading[k]),
                    middle_line=problem.compute_middles(chosen[None])[0, 0],
                    time=float(problem.compute_times(chosen[None])[0, 0]),
                )
            )
            self._last_height = float(self._places.height[k])
        return nearby[chosen]

    def _initial_choices(
        self, previous_choice: IntArray | None, nearby: IntArray, gene_count: int
    ) -> IntArray | None:
        """What was planned a step ago, with every stone that could follow."""
        if (
            previous_choice is None
            or gene_count != len(previous_choice) + 1
            or not np.isin(previous_choice, nearby).all()
        ):
            return None
        retained = np.searchsorted(nearby, previous_choice)
        others = np.setdiff1d(np.arange(len(nearby)), retained)
        return np.concatenate([np.tile(retained, (len(others), 1)), others[:, None]], 1)


def choose_stones(
    task: Task, stones: SteppingStones, character: Character, law: StyleGaitLaw
) -> list[StoneContact]:
    """The stones that a body steps on, in order; the first two treads are those before the clip."""
    return _StoneChooser(task, stones, character, law).choose_all()


def fit_path_through_stones(
    path: Path, stone_contacts: list[StoneContact], pendulum: CartPendulum, gravity: float
) -> OffsetPath:
    """The line that leads a body over treads, and on along the path behind them."""
    places = np.array([stone_contact.middle_line for stone_contact in stone_contacts[1:]])
    times = np.array([stone_contact.time for stone_contact in stone_contacts[1:]])
    end_station = float(PathPlaces.from_positions(places[-1:], path, np.zeros(1)).station[0])
    return fit_offset_path(
        path,
        places,
        times,
        end_station=end_station,
        pendulum_rate=float(np.sqrt(gravity / pendulum.height)),
    )


def build_stone_steps(
    task: Task,
    stone_contacts: list[StoneContact],
    offset_path: OffsetPath,
    course: Course,
    character: Character,
    law: StyleGaitLaw,
) -> list[PlannedStep]:
    """Steps at the moments when the body comes to their places along the line through them.

    Args:
        course: along the line.
    """
    time = np.interp(offset_path.stations, course.distance, course.time)
    time = np.maximum.accumulate(
        np.concatenate([[stone_contacts[0].time], time[offset_path.stations < course.distance[-1]]])
    )
    steps: list[PlannedStep] = []
    for k, (stone_contact, step_time) in enumerate(zip(stone_contacts, time, strict=False)):
        gait = law.gait_at(
            float(np.interp(step_time, course.time, course.forward_speed)),
            slope=float(np.interp(step_time, course.time, course.slope)),
        )
        nearby_times = time[max(k - 1, 0) : k + 2]
        stride_time = (
            2 * float(np.mean(np.diff(nearby_times))) if len(nearby_times) > 1 else gait.stride_time
        )
        contact_time = gait.contact_time * float(
            np.clip(stride_time / gait.stride_time, MIN_CONTACT_RATIO, MAX_CONTACT_RATIO)
        )
        gait = replace(gait, contact_time=contact_time)
        side = float(character.legs[stone_contact.leg].side)
        heading = float(np.interp(step_time, course.time, course.facing))
        # a small stone ends under the foot: what is missing goes on level
        stone_height = float(task.ground.sample_heights(stone_contact.xy))
        previous_height = (
            float(steps[-1].footstep.position[2])
            if steps
            else float(task.ground.sample_heights(task.path.points[0]))
        )
        fallback_height = stone_height if np.isfinite(stone_height) else previous_height
        pose = place_foot(
            task.ground,
            character.feet[stone_contact.leg],
            stone_contact.xy,
            yaw=heading + side * gait.toe_out,
            level=fallback_height,
        )
        strike = float(step_time) - 0.5 * contact_time
        cycle = gait.cycle
        footstep = Footstep(
            stone_contact.leg,
            strike,
            strike + cycle.flat * contact_time,
            heel_off=strike + cycle.heel_off * contact_time,
            lift=strike + contact_time,
            position=pose.position,
            rotation=pose.rotation,
            pinned=True,
        )
        steps.append(PlannedStep(footstep, float(step_time), gait))
    return steps

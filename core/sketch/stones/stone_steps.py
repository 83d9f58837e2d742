"""Footsteps on stepping stones: the stones are chosen first, and the pendulum follows the line
through them.

Source: Kwon et al. 2020, appendix C.6.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...task import Path, SteppingStones, Task
from ..course.course import Course
from ..course.offset_path import OffsetPath, fit_offset_path
from ..course.pendulum import CartPendulum
from ..footsteps.cost import FootstepProblem, PastContact
from ..footsteps.foot_targets import LinePoints
from ..footsteps.standing import find_departure
from ..footsteps.timing import PlannedStep, extend_stand
from ..gait.gait import Gait, StyleGaitLaw
from ..placement.sole import is_forbidden_ground
from .clear_place import place_soles_on_stones
from .genetic import IntArray
from .stone_contact import StoneContact, make_stone_footstep, place_on_stone
from .stones import STONES, PathPlaces, StoneProblem, choose_next_stones, compute_middle_line

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StoneStepParameters:
    """Steps onto stones.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Distance ahead within which stones are considered [usual lengths of a step]. tuned: halved,
    # forces are off by 0.024 body weights instead of 0.011
    lookahead: float = 3.6
    # Largest distance between the feet of a run, as a multiple of that of a walk.
    run_reach_ratio: float = 2.2
    # Longest contact where steps are irregular, as a multiple of that of the gait. tuned: halved,
    # forces are off by 0.021 body weights instead of 0.011
    max_contact_ratio: float = 1.35
    # Shortest contact where steps are irregular, as a share of that of the gait. tuned: doubled,
    # feet need a friction of 0.59 instead of 0.44
    min_contact_ratio: float = 0.75
    # Places to choose from per usual length of a step on free ground.
    free_places_per_step: int = 4
    min_selection_speed: float = 0.25  # Least speed for which stones are chosen, v / sqrt(g l).


STONE_STEPS = StoneStepParameters()


@dataclass
class _StoneChooser:
    """Chooses stones until there are none ahead.

    Before the first stone, steps are as on free ground.
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
        is_near = (
            np.abs(stone_places.lateral_offset) < STONES.max_path_distance * self.law.leg_length
        ) & (stone_places.station > 0)
        near = stone_places[np.flatnonzero(is_near)]
        foot = self.character.feet[0]
        xy = place_soles_on_stones(self.task.ground, foot, near.xy, near.heading)
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
            max(
                float(self.task.speed.value_at(time)),
                STONE_STEPS.min_selection_speed * self.law.unit_speed,
            )
        )

    def _step_length(self, gait: Gait) -> float:
        return 0.5 * gait.stride_length

    def _sample_free_places(self, begin: float, end: float) -> Array:
        """Return possible places of either foot on free ground. (n, 2).

        Args:
            begin: first station along the path [m].
            end: last station along the path [m].
        """
        gait = self._gait_at(0.0)
        station = np.repeat(
            np.arange(
                begin + 0.5 * self._step_length(gait),
                end,
                self._step_length(gait) / STONE_STEPS.free_places_per_step,
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
        """Return all contacts; the first two are those before the clip.

        They are a step apart, or beside each other where the body stands.
        """
        stands = self.task.begins_at_rest
        gait = self.law.gait_at(0.0) if stands else self._gait_at(0.0)
        heading = float(self.task.path.heading_at(0.0))
        for leg, time, start_distance in (
            (1, -0.5 * gait.stride_time, 0.0 if stands else self._step_length(gait)),
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
        """Step onto the best next stone.

        Returns:
            Indices of the chosen stones among all places; None if there are no more stones.
        """
        gait = self._gait_at(self.stone_contacts[-1].time)
        nearby = self._find_nearby_stones(gait)
        if not len(nearby):
            return None
        problem = self._make_problem(gait, nearby)
        gene_count = min(STONES.lookahead, len(nearby))
        chosen = choose_next_stones(
            problem, self._rng, self._initial_choices(previous_choice, nearby, gene_count)
        )
        k = int(nearby[chosen[0]])
        if self._places.station[k] <= self._last_station:
            self.stone_contacts.append(
                StoneContact(
                    problem.step_problem.last_contacts[0].leg,
                    self._places.xy[k],
                    float(self._places.heading[k]),
                    middle_line=problem.compute_middles(chosen[None])[0, 0],
                    time=float(problem.compute_times(chosen[None])[0, 0]),
                )
            )
            self._last_height = float(self._places.height[k])
        return nearby[chosen]

    def _find_nearby_stones(self, gait: Gait) -> IntArray:
        """Return the unused stones within a few steps ahead, or else the next one, if any. (n,)."""
        middle_line = self.stone_contacts[-1].middle_line
        station = float(
            PathPlaces.from_positions(middle_line[None], self.task.path, np.zeros(1)).station[0]
        )
        step_length = self._step_length(gait)
        is_used = np.array(
            [np.abs(self._places.xy - c.xy).max(1) < 1e-9 for c in self.stone_contacts[2:]]
        )
        is_unused = ~is_used.any(0) if len(is_used) else np.ones(len(self._places.xy), bool)
        distances_ahead = self._places.station - station
        is_candidate = is_unused & (distances_ahead > STONES.min_advance * step_length)
        max_distance = STONE_STEPS.lookahead * step_length + 0.5 * self.law.leg_length
        nearby = np.flatnonzero(is_candidate & (distances_ahead < max_distance))
        return nearby if len(nearby) else np.flatnonzero(is_candidate)[:1]

    def _make_problem(self, gait: Gait, nearby: IntArray) -> StoneProblem:
        """Return the problem of choosing among nearby stones."""
        last = self.stone_contacts[-1]
        speed = max(
            float(self.task.speed.value_at(last.time)),
            STONE_STEPS.min_selection_speed * self.law.unit_speed,
        )
        contacts = tuple(PastContact(c.leg, c.time, c.xy) for c in self.stone_contacts[-2:])
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
            step_count=STONES.lookahead,
        )
        reach_ratio = 1.0 if gait.is_walk else STONE_STEPS.run_reach_ratio
        return StoneProblem(
            step_problem,
            self._places[nearby],
            last.middle_line,
            last_displacement=last.middle_line - self.stone_contacts[-2].middle_line,
            last_height=self._last_height,
            sides=self._sides,
            gait=gait,
            speed=speed,
            max_reach=STONES.max_walk_reach * self.law.leg_length * reach_ratio,
        )

    def _initial_choices(
        self, previous_choice: IntArray | None, nearby: IntArray, gene_count: int
    ) -> IntArray | None:
        """Return the stones planned at the previous step, continued by each possible stone."""
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
    """Return the stones that a body steps on, in order.

    The first two contacts are those before the clip.
    """
    return _StoneChooser(task, stones, character, law).choose_all()


def fit_path_through_stones(
    path: Path, stone_contacts: list[StoneContact], pendulum: CartPendulum, gravity: float
) -> OffsetPath:
    """Return the path of a body over its contacts, which then continues along another path."""
    places = np.array([c.middle_line for c in stone_contacts[1:]])
    times = np.array([c.time for c in stone_contacts[1:]])
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
    """Return the steps at the times when the body passes their places.

    Args:
        course: course of the body along `offset_path`.
    """
    time = np.interp(offset_path.stations, course.distance, course.time)
    is_reached = offset_path.stations < course.distance[-1]
    is_reached[0] = True  # also by a body that does not move
    time = np.maximum.accumulate(np.concatenate([[stone_contacts[0].time], time[is_reached]]))
    stands = task.begins_at_rest
    if stands:
        time[1] = stone_contacts[1].time
    # The first step begins when a standing body has left its place
    wait = find_departure(course, time[1], law.leg_length) - time[1] if stands else 0.0
    support_time = time + wait * (np.arange(len(time)) < 2)
    steps: list[PlannedStep] = []
    for k, (stone_contact, step_time) in enumerate(zip(stone_contacts, time, strict=False)):
        gait = (
            law.gait_at(0.0)
            if stands and k < 2
            else _choose_gait(law, course, step_time, support_time[max(k - 1, 0) : k + 2])
        )
        heading = float(np.interp(step_time, course.time, course.facing))
        previous_height = (
            float(steps[-1].footstep.position[2])
            if steps
            else float(task.ground.sample_heights(task.path.points[0]))
        )
        pose = place_on_stone(task, character, stone_contact, heading, gait, previous_height)
        footstep = make_stone_footstep(stone_contact.leg, float(step_time), pose, gait)
        steps.append(PlannedStep(footstep, float(step_time), gait))
    if not stands:
        return steps
    standing = steps[:2]
    extend_stand(standing, wait)
    return [*standing, *steps[2:]]


def _choose_gait(law: StyleGaitLaw, course: Course, time: float, nearby_times: Array) -> Gait:
    """Return the gait of a step at a time [s] among the times of the steps around it [s]."""
    gait = law.gait_at(
        float(np.interp(time, course.time, course.forward_speed)),
        slope=float(np.interp(time, course.time, course.slope)),
    )
    return _fit_contact_time(gait, nearby_times)


def _fit_contact_time(gait: Gait, nearby_times: Array) -> Gait:
    """Return the gait with a contact time that suits the times of the steps around it [s]."""
    stride_time = (
        2 * float(np.mean(np.diff(nearby_times))) if len(nearby_times) > 1 else gait.stride_time
    )
    contact_time = gait.contact_time * float(
        np.clip(
            stride_time / gait.stride_time,
            STONE_STEPS.min_contact_ratio,
            STONE_STEPS.max_contact_ratio,
        )
    )
    return replace(gait, contact_time=contact_time)

"""Footsteps along a course, planned one after another."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...motion.footstep import Footstep
from ...task import PinnedStep, Task
from ..course.course import Course
from ..course.pendulum import CartPendulum
from ..course.push_response import DisplacedStep, redirect_after_step
from ..gait.gait import Gait, StyleGaitLaw
from ..placement.footholds import build_footholds
from ..placement.forbidden import find_allowed_place
from ..placement.leg_crossing import avoid_other_foot
from ..placement.sole import FootTarget
from .both_feet import HopProblem
from .cost import FootstepProblem, PastContact
from .foot_targets import (
    LinePoints,
    MiddleLine,
    make_nominal_target,
    make_pinned_target,
    move_to_capture_point,
)
from .pinned import find_pinned_landing, find_reachable_pin, needs_pinned_step, plan_step_to_pinned
from .placed_step import locate_support, make_footstep, place_on_ground
from .search import search_step_times
from .standing import find_departure, is_near_target
from .step_gait import choose_step_gait
from .timing import (
    PlannedStep,
    adjust_step_times,
    advance_last_steps,
    delay_first_heel_off,
    extend_stand,
    raise_heel_over_ball,
)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StepParameters:
    """How footsteps are placed and timed."""

    # Displacement of a foot up to which the body does not follow it [m]. Half or twice moves a
    # sharp turn by 1 or 2 cm (docs/dev/parameters.csv)
    displacement_tolerance: float = 0.03
    # Time after a push or another event before which no foot can come down at another place [s].
    # tuned: halved, forces after a push are off by 0.027 body weights instead of 0.021
    min_reaction_time: float = 0.16
    # Largest height difference of the ground between consecutive footsteps [leg lengths]. Guarded
    # by the tests that scripts/mutations.py names
    max_height_change: float = 0.5
    # Footsteps that the search plans ahead on free ground. tuned: halved, poses of a sharp turn are
    # a degree farther from the style; doubled, pops are 6.7 degrees instead of 3.7
    lookahead: int = 4
    # The same among forbidden ground. Tuned: with 4, hurdles were not met in step.
    obstacle_lookahead: int = 7


STEPS = StepParameters()


@dataclass
class Stepper:
    """Plans the footsteps along a course one after another.

    Args:
        steps: footsteps that are already planned.
        past_until: time before which everything has happened and stays [s].
        pendulum: pendulum of a body that was pushed, whose course follows the places of its feet;
            None without a push.
    """

    task: Task
    character: Character
    gait_law: StyleGaitLaw
    course: Course
    steps: list[PlannedStep] = field(default_factory=list)
    past_until: float = -np.inf
    pendulum: CartPendulum | None = None

    def __post_init__(self) -> None:
        if self.past_until > -np.inf:
            gait = self._gait_at(self.past_until)
            advance_last_steps(self.steps, gait, self.past_until, is_pushed=self._is_pushed)
        self._set_course(self.course)
        self._sides = np.array([leg.side for leg in self.character.legs])
        self._start_height = float(self.task.ground.sample_heights(self.task.path.points[0]))
        self._footholds = build_footholds(
            self.task,
            self.course,
            self.character.feet[0],
            leg_length=self.gait_law.leg_length,
            max_height_change=STEPS.max_height_change * self.gait_law.leg_length,
        )

    @property
    def _is_pushed(self) -> bool:
        """Whether a push has made the course deviate from the desired one."""
        return self.course.velocity_deviation is not None

    def _set_course(self, course: Course) -> None:
        self.course = course
        self._line = MiddleLine(course, self.task.path, self.gait_law.unit_speed)

    def _gait_at(self, time: float) -> Gait:
        return choose_step_gait(self.task, self.gait_law, self.course, time)

    def plan_steps(self, until: float) -> tuple[PlannedStep, ...]:
        """Return all steps up to a time [s]."""
        if not self.steps:
            self._add_first_steps()
        while self.steps[-1].time < until:
            wait = self._compute_wait()
            if wait == np.inf and needs_pinned_step(self.task.pinned_steps, self.steps[-1].time):
                wait = 0.0  # pinned footsteps remain
            if wait:
                extend_stand(self.steps, wait)
            if wait == np.inf:
                break
            self._add_next_step()
        steps = adjust_step_times(
            self.steps,
            len(self._sides),
            self.gait_law.leg_length,
            until=until,
            past_until=self.past_until,
        )
        balls = [float((foot.ball - foot.sole_center)[0]) for foot in self.character.feet]

        def sample_com(times: Array) -> Array:
            return self.course.pendulum.sample(times, "com")

        steps = tuple(
            raise_heel_over_ball(s, sample_com, balls[s.footstep.leg], self.past_until)
            for s in steps
        )
        return (
            tuple(delay_first_heel_off(s, 0.0) for s in steps)
            if self.task.start == "standing"
            else steps
        )

    def _add_first_steps(self) -> None:
        """Add the two steps before the clip.

        The left foot is under the body at time 0, or both feet are where the body stands.
        """
        starts_standing = self.task.start == "standing"
        gait = self.gait_law.standing_gait if starts_standing else self._gait_at(0.0)
        right_time = 0.0 if gait.cycle.is_hop else -gait.step_time_shares[0] * gait.stride_time
        for leg, time in ((1, right_time), (0, 0.0)):
            past_steps = [k for k in self.task.pinned_steps if k.time <= 0]
            self._add_step(
                leg,
                time,
                self._line.sample_at(0.0 if starts_standing else time),
                gait,
                pinned_step=self._find_step_of_leg(past_steps, leg),
            )

    def _find_step_of_leg(self, pinned_steps: list[PinnedStep], leg: int) -> PinnedStep | None:
        """Return the first of some pinned footsteps that is one of a leg."""
        return next((k for k in pinned_steps if k.side_sign == self._sides[leg]), None)

    def _add_next_step(self) -> None:
        gait = self._gait_at(self.steps[-1].time)
        if gait.cycle.is_hop:
            self._add_hop(gait)
            return
        problem = self._make_problem(gait)
        leg = int(problem.legs[0])
        last_time = problem.last_contacts[1].time
        pinned_timing = plan_step_to_pinned(
            self.task.pinned_steps,
            last_time,
            int(self._sides[leg]),
            step_time=0.5 * gait.stride_time,
            after_pinned=self.steps[-1].footstep.pinned,
        )
        if pinned_timing is not None:
            time = pinned_timing.time
        else:
            time = float(search_step_times(problem)[0])
            if self._is_pushed and gait.step_time_ratio < 1:
                # A recovery step is not delayed for the sake of a better foothold
                time = min(time, last_time + 0.5 * gait.stride_time)
        pinned_step = find_reachable_pin(pinned_timing, self._earliest_strike, gait.contact_time)
        if pinned_step is None:
            time = max(time, self._earliest_strike + 0.5 * gait.contact_time)
        self._add_step(leg, time, self._line.sample_at(time), gait, pinned_step)

    def _make_problem(self, gait: Gait) -> FootstepProblem:
        """Return the problem whose solution is the times of the next footsteps."""
        last_contacts = tuple(
            PastContact(s.footstep.leg, s.time, locate_support(self.character, s.footstep))
            for s in self.steps[-2:]
        )
        return FootstepProblem(
            last_contacts=(last_contacts[0], last_contacts[1]),
            sample_line=self._line.sample,
            cumulative_effort=self._line.effort_until,
            stride_time=gait.stride_time,
            stride_length=gait.stride_length,
            lateral_offsets=self._sides * gait.half_width,
            backward_offset=gait.backward_offset,
            footholds=self._footholds,
            step_count=STEPS.lookahead if self._footholds is None else STEPS.obstacle_lookahead,
            step_time_shares=gait.step_time_shares,
            facing_offset=self.course.facing_offset_at if self.course.facing_offset.any() else None,
        )

    @property
    def _earliest_strike(self) -> float:
        """Earliest time at which a foot strikes after the last event [s]."""
        return self.past_until + STEPS.min_reaction_time

    def _add_hop(self, gait: Gait) -> None:
        """Add a landing of both feet at once, to both sides of the middle line."""
        last = self.steps[-1]
        feet_middle = 0.5 * (
            locate_support(self.character, last.footstep)
            + locate_support(self.character, self.steps[-2].footstep)
        )
        problem = HopProblem(
            last.time,
            feet_middle,
            self._line.sample,
            cumulative_effort=self._line.effort_until,
            gait=gait,
            footholds=self._footholds,
        )
        pinned_timing = plan_step_to_pinned(
            self.task.pinned_steps,
            last.time,
            None,
            step_time=gait.stride_time,
            after_pinned=last.footstep.pinned,
        )
        pinned_step = find_reachable_pin(pinned_timing, self._earliest_strike, gait.contact_time)
        time = problem.compute_time() if pinned_timing is None else pinned_timing.time
        if pinned_step is None:
            time = max(time, self._earliest_strike + 0.5 * gait.contact_time)
        line_point = self._line.sample_at(time)
        pinned_steps = find_pinned_landing(
            self.task.pinned_steps, pinned_step, 0.5 * gait.contact_time
        )
        for leg in (self.steps[-2].footstep.leg, last.footstep.leg):
            self._add_step(leg, time, line_point, gait, self._find_step_of_leg(pinned_steps, leg))

    def _add_step(
        self,
        leg: int,
        time: float,
        line_point: LinePoints,
        gait: Gait,
        pinned_step: PinnedStep | None = None,
    ) -> None:
        """Add the step of a leg.

        Args:
            time: middle of its contact [s].
            line_point: place and heading of the middle line for it.
        """
        gait = gait.for_side(int(self._sides[leg]))
        nominal = make_nominal_target(line_point, int(self._sides[leg]), gait)
        target = (
            self._choose_free_target(leg, time, nominal, gait)
            if pinned_step is None
            else make_pinned_target(pinned_step, nominal)
        )
        placement = place_on_ground(
            self.task,
            self.character.feet[leg],
            target,
            self.steps[-1].footstep.position[2] if self.steps else self._start_height,
            pinned_step is not None,
        )
        facing_cosine = float(np.cos(self.course.facing_offset_at(time)))
        pinned_offset = self._compute_pinned_offset(target.xy - nominal.xy)
        self.steps.append(
            PlannedStep(
                make_footstep(leg, time, placement, gait, facing_cosine, pinned_step),
                time,
                gait,
                pinned_offset=(float(pinned_offset[0]), float(pinned_offset[1])),
                has_fixed_times=pinned_step is not None and pinned_step.contact_times is not None,
                is_recovery=time > self.past_until and self._is_pushed,
            )
        )

    def _choose_free_target(
        self, leg: int, time: float, nominal: FootTarget, gait: Gait
    ) -> FootTarget:
        """Return the target of a foot that is not pinned.

        The foot keeps clear of the other foot, catches a body that was pushed, and avoids forbidden
        areas.
        """
        other_step = self._find_other_step(leg)
        target = nominal
        if other_step is not None:
            target = replace(
                target,
                xy=avoid_other_foot(self.character, leg, target, other_step, self._footholds),
            )
            if self.pendulum is not None:
                strike = time - 0.5 * gait.contact_time
                target = move_to_capture_point(
                    target, self.course.pendulum, self.pendulum.divergence_rate, strike, other_step
                )
                self._redirect_course(self.pendulum, time, target, nominal, gait)
        place = find_allowed_place(
            self.task, self.character.feet[leg], target, other_step, self.gait_law.leg_length
        )
        return replace(target, xy=place)

    def _find_other_step(self, leg: int) -> Footstep | None:
        """Return the last footstep if it is one of the other leg."""
        if not self.steps or self.steps[-1].footstep.leg == leg:
            return None
        return self.steps[-1].footstep

    def _redirect_course(
        self,
        pendulum: CartPendulum,
        mid_contact_time: float,
        target: FootTarget,
        nominal: FootTarget,
        gait: Gait,
    ) -> None:
        """Continue with the course of a body whose foot is beside its nominal place."""
        foot_offset = target.xy - nominal.xy
        if np.linalg.norm(foot_offset) <= STEPS.displacement_tolerance:
            return
        self._set_course(
            redirect_after_step(
                self.course,
                self.task,
                pendulum,
                DisplacedStep(
                    mid_contact_time - 0.5 * gait.contact_time,
                    mid_contact_time,
                    foot_offset,
                    nominal.heading,
                ),
            )
        )

    def _compute_pinned_offset(self, offset: Array) -> Array:
        """Return the part of a displacement of a foot that the body follows. (2,) -> (2,) [m].

        After a push, the course itself follows the feet, and nothing is left to do.
        """
        if self.pendulum is not None:
            return np.zeros(2)
        distance = max(float(np.linalg.norm(offset)), 1e-9)
        return offset * max(1 - STEPS.displacement_tolerance / distance, 0.0)

    def _compute_wait(self) -> float:
        """Return how long to stand before the next step [s]: 0 for not at all, or infinity.

        The body stands when both feet are near their standing places and when the place to stand
        over does not move for more than the duration of a step.
        """
        last = self.steps[-1]
        # Both feet carry a body that starts standing
        is_starting = self.task.start == "standing" and len(self.steps) == 2
        landing_time = last.gait.landing_time
        next_time = last.time + landing_time
        if not is_starting and not self._stands_at(self._line.sample_at(next_time)):
            return 0.0
        departure = find_departure(
            self.course, last.time if is_starting else next_time, self.gait_law.leg_length
        )
        wait = departure - last.time
        return wait if is_starting or wait > 1.5 * landing_time else 0.0

    def _stands_at(self, line_point: LinePoints) -> bool:
        """Return whether the last two footsteps, unless pinned, are near their standing places."""
        standing_gait = self.gait_law.standing_gait
        return all(
            is_near_target(
                make_nominal_target(line_point, int(self._sides[f.leg]), standing_gait),
                locate_support(self.character, f),
                f.yaw,
                self.gait_law.leg_length,
            )
            for f in (s.footstep for s in self.steps[-2:])
            if not f.pinned
        )

"""When feet come down and leave: times set right once all steps are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...motion.footstep import Footstep
from ..gait.gait import Gait

Array = NDArray[np.float64]

MIN_HEEL_REST_TIME = 0.1  # s that a heel which was stood on stays down at least
# s that a body stands on its heels first: sooner, forces cannot go over and it jerks up by 2 cm
MIN_HEEL_STAND_TIME = 0.3
MIN_ROLL_OFF_TIME = 0.15  # s from then on that a foot has to roll off at least
MIN_DOUBLE_SUPPORT_TIME = 0.05  # s that both feet of a walk are down at least
MAX_CONTACT_CUT = 0.15  # of a contact, that may be taken from either end for the sake of a swing
MIN_SWING_SHARE = 0.85  # of the gait's own swing time, that a foot is given in any case
# body weights, the mean over a contact between two flights, above which it is made longer
MAX_MEAN_FORCE = 2.2
MIN_FLAT_TIME = 0.1  # s that a foot rests flat and rolls off, in a step that follows a push
MIN_REMAINING_CONTACT = 0.03  # s that a contact under way lasts on
# leg lengths that the body travels over a foot at most, where a contact is made longer
MAX_CONTACT_TRAVEL = 1.0
MAX_FORCE_RATIO = 1.1  # times what the gait itself has, the same
SIMULTANEOUS_LANDING_SHARE = 0.1  # share of a stride's time within which two feet land together


@dataclass(frozen=True)
class PlannedStep:
    """A footstep with what its gait says of it.

    `time` is the moment at which the cart was sampled, put off by as long as the body
    stood still afterwards.
    """

    footstep: Footstep
    time: float
    gait: Gait
    is_standing: bool = False  # the body waits on this foot before the next step
    has_fixed_times: bool = False  # its times were asked for
    is_recovery: bool = False  # it comes after a push
    # from where the foot would have been to where it is kept, m
    pinned_offset: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class StepGroup:
    """What carries the body between two flights or shifts of its weight:
    a footstep, or two that land together.
    """

    steps: tuple[PlannedStep, ...]

    @property
    def strike(self) -> float:
        """When it begins, s."""
        return min(s.footstep.strike for s in self.steps)

    @property
    def lift(self) -> float:
        """When it ends, s."""
        return max(s.footstep.lift for s in self.steps)

    @property
    def height(self) -> float:
        """Height of the ground, m."""
        return sum(float(s.footstep.position[2]) for s in self.steps) / len(self.steps)


def group_steps(steps: Sequence[PlannedStep]) -> list[StepGroup]:
    """The steps in order, those that land together as one."""
    groups: list[StepGroup] = []
    for step in steps:
        last = groups[-1].steps if groups else ()
        if (
            len(last) == 1
            and step.gait.cycle.is_hop
            and step.time <= last[0].time + SIMULTANEOUS_LANDING_SHARE * step.gait.stride_time
        ):
            groups[-1] = StepGroup((*last, step))
        else:
            groups.append(StepGroup((step,)))
    return groups


def adjust_step_times(
    steps: list[PlannedStep],
    legs: int,
    leg_length: float,
    until: float,
    past_until: float = -np.inf,
) -> tuple[PlannedStep, ...]:
    """Steps with times that bodies can keep.

    Feet that were stood on are lifted in time for their next strike, every swing is long enough,
    and a contact between long flights lasts until it can have stopped one and begun the next.

    Args:
        past_until: what lies before this time has happened and stays.
    """
    original_steps = steps
    steps = list(steps)
    for leg in range(legs):
        leg_steps = [k for k, s in enumerate(steps) if s.footstep.leg == leg]
        for k, next_index in zip(leg_steps, [*leg_steps[1:], None], strict=True):
            if next_index is not None:
                _ensure_swing_time(steps, k, next_index)
            elif steps[k].is_standing:
                steps[k] = _move_lift(steps[k], until + 10.0)
    for k in range(len(steps) - 1):
        if steps[k].gait.is_walk and steps[k + 1].gait.is_walk:  # a walk never leaves the ground
            steps[k] = _move_lift(
                steps[k],
                max(steps[k].footstep.lift, steps[k + 1].footstep.strike + MIN_DOUBLE_SUPPORT_TIME),
            )
    return tuple(
        _preserve_past(a, b, past_until)
        for a, b in zip(original_steps, _lengthen_run_contacts(steps, leg_length), strict=True)
    )


def _preserve_past(before: PlannedStep, after: PlannedStep, past_until: float) -> PlannedStep:
    """The later version of a step with the times of the earlier one that were over."""
    old = before.footstep
    new = after.footstep
    if before.has_fixed_times:
        return before
    if old.strike > past_until:
        return after
    if old.lift <= past_until:
        return before
    flat = old.flat if old.flat <= past_until else new.flat
    heel_off = old.heel_off if old.heel_off <= past_until else max(new.heel_off, past_until)
    return replace(
        after,
        footstep=replace(
            new,
            strike=old.strike,
            flat=flat,
            heel_off=heel_off,
            lift=max(new.lift, past_until + MIN_REMAINING_CONTACT),
        ),
    )


def _ensure_swing_time(steps: list[PlannedStep], k: int, next_index: int) -> None:
    """Give the swing between two steps of one foot its time."""
    gait = steps[next_index].gait
    swing = MIN_SWING_SHARE * (gait.stride_time - gait.contact_time)
    if steps[k].is_standing:
        steps[k] = _move_lift(
            steps[k], max(steps[next_index].footstep.strike - swing, steps[k].footstep.lift)
        )
    missing_time = swing - (steps[next_index].footstep.strike - steps[k].footstep.lift)
    if missing_time > 0:
        cut_here, cut_next = (
            min(0.5 * missing_time, MAX_CONTACT_CUT * steps[j].gait.contact_time)
            for j in (k, next_index)
        )
        if steps[next_index].is_recovery:
            cut_here = min(
                missing_time, steps[k].footstep.lift - steps[k].footstep.flat - MIN_FLAT_TIME
            )
            cut_next = 0.0
        steps[k] = _move_lift(steps[k], steps[k].footstep.lift - cut_here)
        steps[next_index] = _move_strike(
            steps[next_index], steps[next_index].footstep.strike + cut_next
        )


def _lengthen_run_contacts(steps: list[PlannedStep], leg_length: float) -> list[PlannedStep]:
    """Contacts made longer where they would have to push too hard for the
    flights before and after them.
    """
    adjusted = list(steps)
    groups = group_steps(steps)
    flights = [0.0, *(max(b.strike - a.lift, 0.0) for a, b in pairwise(groups)), 0.0]
    adjacent_flights = [
        before + after
        for group, before, after in zip(groups, flights[:-1], flights[1:], strict=True)
        for _ in group.steps
    ]
    for k, (s, flight) in enumerate(zip(steps, adjacent_flights, strict=True)):
        if s.gait.is_walk:
            continue
        contact = s.footstep.lift - s.footstep.strike
        max_force = (
            max(
                MAX_MEAN_FORCE, MAX_FORCE_RATIO * s.gait.cycle.flight_limit_duty / s.gait.cycle.duty
            )
            - 1
        )
        extension = (0.5 * flight - max_force * contact) / (max_force + 0.5)
        speed = max(s.gait.stride_length / s.gait.stride_time, 1e-3)
        extension = min(extension, MAX_CONTACT_TRAVEL * leg_length / speed - contact)
        if extension > 0:
            adjusted[k] = _move_lift(
                _move_strike(s, s.footstep.strike - 0.5 * extension),
                s.footstep.lift + 0.5 * extension,
            )
    return adjusted


def delay_first_heel_off(step: PlannedStep, clip_start: float) -> PlannedStep:
    """Return a step whose heel, if the body stands on it as a clip begins [s],
    stays down until the weight is handed over.
    """
    footstep = step.footstep
    if (
        not step.is_standing
        or footstep.strike >= clip_start
        or footstep.toes_first
        or footstep.heel_raise is not None
    ):
        return step
    return replace(
        step,
        footstep=replace(
            footstep,
            heel_off=max(
                footstep.heel_off,
                min(clip_start + MIN_HEEL_STAND_TIME, footstep.lift - MIN_ROLL_OFF_TIME),
            ),
        ),
    )


def raise_heel_over_ball(
    step: PlannedStep,
    com_at: Callable[[Array], Array],
    ball_offset: float,
    past_until: float = -np.inf,
) -> PlannedStep:
    """Return a step whose heel, if it was stood on, rises as the body comes over its ball: a body
    sets off slower than it walks.

    Args:
        com_at: gives the place of the centre of mass (n, 2) at times (n,).
        ball_offset: how far it is ahead of the sole's middle, m.
        past_until: what lies before this time has happened and stays.
    """
    footstep = step.footstep
    times = np.arange(max(footstep.flat + MIN_HEEL_REST_TIME, past_until), footstep.heel_off, 0.01)
    if (
        not (step.is_standing and step.gait.is_walk and times.size)
        or footstep.toes_first
        or footstep.heel_raise is not None
    ):
        return step
    indices_before = np.flatnonzero(
        (com_at(times) - footstep.position[:2]) @ footstep.rotation[:2, 0] <= ball_offset
    )
    first_index = int(indices_before[-1]) + 1 if indices_before.size else 0
    return (
        step
        if first_index == len(times)
        else replace(step, footstep=replace(footstep, heel_off=float(times[first_index])))
    )


def _move_lift(step: PlannedStep, lift: float) -> PlannedStep:
    """The step with its foot leaving at another time; the heel leaves as much earlier or later."""
    footstep = step.footstep
    heel_off = max(footstep.heel_off + lift - footstep.lift, footstep.flat + 0.02)
    return replace(step, footstep=replace(footstep, lift=lift, heel_off=heel_off))


def _move_strike(step: PlannedStep, strike: float) -> PlannedStep:
    """The step with its foot landing at another time."""
    footstep = step.footstep
    flat = min(strike + (footstep.flat - footstep.strike), footstep.heel_off - 0.02)
    return replace(step, footstep=replace(footstep, strike=strike, flat=flat))

"""Adjustment of the times of contacts once all steps are planned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...motion.footstep import Footstep
from ..gait.gait import Gait

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StepTimingParameters:
    """Limits on the times of contacts.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Time past the end of the plan for which a body stands on its last feet [s].
    stand_extension: float = 10.0
    min_heel_rest: float = 0.1  # Least time for which a heel that was stood on stays down [s].
    # Time for which a body first stands on its heels [s]. Tuned: with less, the forces cannot shift
    # and the body jerks up by 2 cm.
    min_heel_stand: float = 0.3
    min_roll_off: float = 0.15  # Least time from then on for the foot to roll off [s].
    # Least time for which both feet of a walk are down [s]. tuned: doubled, pops of a pushed body
    # are 18 degrees instead of 11
    min_double_support: float = 0.05
    # Largest share of a contact that is removed at either end for a longer swing. tuned: halved,
    # pops of a sharp turn are 6.7 degrees instead of 3.7
    max_contact_cut: float = 0.15
    # Least duration of a swing, as a share of that of the gait. tuned: halved, pops of a pushed
    # body are 52 degrees instead of 11; doubled, forces of a walk are off by 0.0097 body weights
    # instead of 0.0044
    min_swing_share: float = 0.85
    # Mean force over a contact between two flights above which the contact is lengthened [body
    # weights]. tuned: doubled, forces at hurdles are off by 0.071 body weights instead of 0.057
    max_mean_force: float = 2.2
    # Least time for which a foot rests flat and rolls off before a recovery step [s].
    min_flat_time: float = 0.1
    # Least time between the moments when a sole is flat and when its heel leaves [s].
    min_roll_separation: float = 0.02
    min_remaining_contact: float = 0.03  # Least remaining duration of a current contact [s].
    # Largest travel of the body over a foot whose contact is lengthened [leg lengths]. tuned:
    # halved, forces at hurdles are off by 0.071 body weights instead of 0.057; doubled, feet enter
    # the ground there by 4.7 mm
    max_contact_travel: float = 1.0
    # Mean force above which a contact is lengthened, as a multiple of that of the gait. tuned:
    # doubled, forces at hurdles are off by 0.071 body weights instead of 0.057
    max_force_ratio: float = 1.1
    # Time within which two feet count as landing together, as a share of the stride time.
    simultaneous_share: float = 0.1


TIMING = StepTimingParameters()


@dataclass(frozen=True)
class PlannedStep:
    """A footstep and its gait.

    Args:
        footstep: the footstep.
        time: time at which the cart was sampled, plus any stand since [s].
        gait: gait of the step.
        is_standing: whether the body stands on this foot before the next step.
        has_fixed_times: whether the task prescribes the times of the footstep.
        is_recovery: whether the step follows a push.
        pinned_offset: horizontal vector from the place that the foot would have to its pinned
            place, beyond what the body ignores [m].
    """

    footstep: Footstep
    time: float
    gait: Gait
    is_standing: bool = False
    has_fixed_times: bool = False
    is_recovery: bool = False
    pinned_offset: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class StepGroup:
    """Support between two flights or weight shifts: one footstep, or two that land together."""

    steps: tuple[PlannedStep, ...]

    @property
    def strike(self) -> float:
        """Begin of the support [s]."""
        return min(s.footstep.strike for s in self.steps)

    @property
    def lift(self) -> float:
        """End of the support [s]."""
        return max(s.footstep.lift for s in self.steps)

    @property
    def height(self) -> float:
        """Mean height of the ground [m]."""
        return sum(float(s.footstep.position[2]) for s in self.steps) / len(self.steps)


def group_steps(steps: Sequence[PlannedStep]) -> list[StepGroup]:
    """Return the steps in order, with those that land together in one group."""
    groups: list[StepGroup] = []
    for step in steps:
        last = groups[-1].steps if groups else ()
        if (
            len(last) == 1
            and step.gait.cycle.is_hop
            and step.time <= last[0].time + TIMING.simultaneous_share * step.gait.stride_time
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
    """Return the steps with feasible times.

    Feet that were stood on lift in time for their next strike, every swing is long enough, and a
    contact between long flights continues until the leg can have absorbed one and launched the
    next.

    Args:
        legs: number of legs.
        leg_length: leg length [m].
        until: end of the plan [s].
        past_until: time before which everything has happened and stays [s].
    """
    original_steps = steps
    steps = list(steps)
    for leg in range(legs):
        leg_steps = [k for k, s in enumerate(steps) if s.footstep.leg == leg]
        for k, next_index in zip(leg_steps, [*leg_steps[1:], None], strict=True):
            if next_index is not None:
                _ensure_swing_time(steps, k, next_index)
            elif steps[k].is_standing:
                steps[k] = _move_lift(steps[k], until + TIMING.stand_extension)
    for k in range(len(steps) - 1):
        if steps[k].gait.is_walk and steps[k + 1].gait.is_walk:  # one foot is always on the ground
            steps[k] = _move_lift(
                steps[k],
                max(
                    steps[k].footstep.lift, steps[k + 1].footstep.strike + TIMING.min_double_support
                ),
            )
    return tuple(
        _preserve_past(a, b, past_until)
        for a, b in zip(original_steps, _lengthen_run_contacts(steps, leg_length), strict=True)
    )


def extend_stand(steps: list[PlannedStep], wait: float) -> None:
    """Let the body stand on the last two of some steps for a time [s] longer.

    Args:
        steps: all steps. Changed.
    """
    for k in (-1, -2):
        steps[k] = replace(steps[k], time=steps[k].time + wait, is_standing=True)


def advance_last_steps(
    steps: list[PlannedStep], gait: Gait, past_until: float, *, is_pushed: bool
) -> None:
    """Let the next steps follow without delay a push, or what ends a stand without an end.

    The last steps then count as sampled in the middle of a contact of the gait.

    Args:
        steps: all steps. Changed.
        past_until: time of the push, before which everything has happened [s].
    """
    for k in range(-min(2, len(steps)), 0):
        step = steps[k]
        is_cut = step.time == np.inf or (k == -1 and is_pushed)
        if is_cut and step.time > past_until:
            middle = step.footstep.strike + 0.5 * gait.contact_time
            steps[k] = replace(step, time=float(np.clip(middle, past_until, step.time)))


def _preserve_past(before: PlannedStep, after: PlannedStep, past_until: float) -> PlannedStep:
    """Return the adjusted step with those original times that had passed."""
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
            lift=max(new.lift, past_until + TIMING.min_remaining_contact),
        ),
    )


def _ensure_swing_time(steps: list[PlannedStep], k: int, next_index: int) -> None:
    """Lengthen the swing between two steps of one foot, in place, if it is too short."""
    gait = steps[next_index].gait
    swing = TIMING.min_swing_share * (gait.stride_time - gait.contact_time)
    if steps[k].is_standing:
        steps[k] = _move_lift(
            steps[k], max(steps[next_index].footstep.strike - swing, steps[k].footstep.lift)
        )
    missing_time = swing - (steps[next_index].footstep.strike - steps[k].footstep.lift)
    if missing_time > 0:
        cut_here, cut_next = (
            min(0.5 * missing_time, TIMING.max_contact_cut * steps[j].gait.contact_time)
            for j in (k, next_index)
        )
        if steps[next_index].is_recovery:
            cut_here = min(
                missing_time, steps[k].footstep.lift - steps[k].footstep.flat - TIMING.min_flat_time
            )
            cut_next = 0.0
        steps[k] = _move_lift(steps[k], steps[k].footstep.lift - cut_here)
        steps[next_index] = _move_strike(
            steps[next_index], steps[next_index].footstep.strike + cut_next
        )


def _lengthen_run_contacts(steps: list[PlannedStep], leg_length: float) -> list[PlannedStep]:
    """Return the steps with longer contacts where flights would require too much force."""
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
                TIMING.max_mean_force,
                TIMING.max_force_ratio * s.gait.cycle.flight_limit_duty / s.gait.cycle.duty,
            )
            - 1
        )
        extension = (0.5 * flight - max_force * contact) / (max_force + 0.5)
        speed = max(s.gait.stride_length / s.gait.stride_time, 1e-3)
        extension = min(extension, TIMING.max_contact_travel * leg_length / speed - contact)
        if extension > 0:
            adjusted[k] = _move_lift(
                _move_strike(s, s.footstep.strike - 0.5 * extension),
                s.footstep.lift + 0.5 * extension,
            )
    return adjusted


def delay_first_heel_off(step: PlannedStep, clip_start: float) -> PlannedStep:
    """Return the step with a later heel-off if the body stands on it when the clip begins.

    The heel then stays down until the weight has shifted to the other foot.

    Args:
        clip_start: begin of the clip [s].
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
                min(clip_start + TIMING.min_heel_stand, footstep.lift - TIMING.min_roll_off),
            ),
        ),
    )


def raise_heel_over_ball(
    step: PlannedStep,
    com_at: Callable[[Array], Array],
    ball_offset: float,
    past_until: float = -np.inf,
) -> PlannedStep:
    """Return the step with an earlier heel-off if the body stood on it.

    The heel rises as soon as the body is over the ball. A body that starts moving is slower than
    its gait, so at the usual share of the contact the heel would leave too late.

    Args:
        com_at: returns the horizontal position of the center of mass (n, 2) at times (n,).
        ball_offset: distance of the ball in front of the middle of the sole [m].
        past_until: time before which everything has happened and stays [s].
    """
    footstep = step.footstep
    times = np.arange(
        max(footstep.flat + TIMING.min_heel_rest, past_until), footstep.heel_off, 0.01
    )
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
    """Return the step with another lift time [s]; the heel-off moves by the same amount."""
    footstep = step.footstep
    heel_off = max(
        footstep.heel_off + lift - footstep.lift, footstep.flat + TIMING.min_roll_separation
    )
    return replace(step, footstep=replace(footstep, lift=lift, heel_off=heel_off))


def _move_strike(step: PlannedStep, strike: float) -> PlannedStep:
    """Return the step with another strike time [s]."""
    footstep = step.footstep
    flat = min(
        strike + (footstep.flat - footstep.strike), footstep.heel_off - TIMING.min_roll_separation
    )
    return replace(step, footstep=replace(footstep, strike=strike, flat=flat))

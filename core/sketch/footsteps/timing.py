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

HEEL_RESTS = 0.1            # s that a heel which was stood on stays down at least
STANDS = 0.3                # s that a body stands on its heels first: sooner, forces cannot go over and it jerks up by 2 cm
ROLLS = 0.15                # s from then on that a foot has to roll off at least
DOUBLE_SUPPORT = 0.05       # s that both feet of a walk are down at least
MOST_CUT = 0.15             # of a contact, that may be taken from either end for the sake of a swing
LEAST_SWING = 0.85          # of the gait's own swing time, that a foot is given in any case
HARDEST = 2.2               # body weights, the mean over a contact between two flights, above which it is made longer
SHORTEST_REST = 0.1         # s that a foot rests flat and rolls off, in a step that follows a push
LEAST_LEFT = 0.03           # s that a contact under way lasts on
TRAVEL = 1.0                # leg lengths that the body travels over a foot at most, where a contact is made longer
HARDER = 1.1                # times what the gait itself has, the same
AT_ONCE = 0.1               # share of a stride's time within which two feet land together


@dataclass(frozen=True)
class Step:
    """A footstep with what its gait says of it.

    `time` is the moment at which the cart was sampled, put off by as long as the body stood still afterwards.
    """

    footstep: Footstep
    time: float
    gait: Gait
    standing: bool = False      # the body waits on this foot before the next step
    fixed: bool = False         # its times were asked for
    catching: bool = False      # it comes after a push
    aside: tuple[float, float] = (0.0, 0.0)      # from where the foot would have been to where it is kept, m


@dataclass(frozen=True)
class Landing:
    """What carries the body between two flights or shifts of its weight: a footstep, or two that land together."""

    steps: tuple[Step, ...]

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


def landings(steps: Sequence[Step]) -> list[Landing]:
    """The steps in order, those that land together as one."""
    out: list[Landing] = []
    for s in steps:
        last = out[-1].steps if out else ()
        if len(last) == 1 and s.gait.cycle.together and s.time <= last[0].time + AT_ONCE * s.gait.stride_time:
            out[-1] = Landing((*last, s))
        else:
            out.append(Landing((s,)))
    return out


def released(steps: list[Step], legs: int, leg_length: float, until: float, past: float = -np.inf) -> tuple[Step, ...]:
    """Steps with times that bodies can keep.

    Feet that were stood on are lifted in time for their next strike, every swing is long enough, and a contact between long
    flights lasts until it can have stopped one and begun the next.

    Args:
        past: what lies before this time has happened and stays.
    """
    given, steps = steps, list(steps)
    for leg in range(legs):
        own = [k for k, s in enumerate(steps) if s.footstep.leg == leg]
        for k, after in zip(own, [*own[1:], None], strict=True):
            if after is not None:
                _part(steps, k, after)
            elif steps[k].standing:
                steps[k] = _lifted(steps[k], until + 10.0)
    for k in range(len(steps) - 1):
        if steps[k].gait.walks and steps[k + 1].gait.walks:      # a walk never leaves the ground
            steps[k] = _lifted(steps[k], max(steps[k].footstep.lift, steps[k + 1].footstep.strike + DOUBLE_SUPPORT))
    return tuple(_happened(a, b, past) for a, b in zip(given, _braced(steps, leg_length), strict=True))


def _happened(before: Step, after: Step, past: float) -> Step:
    """The later version of a step with the times of the earlier one that were over."""
    old, new = before.footstep, after.footstep
    if before.fixed:
        return before
    if old.strike > past:
        return after
    if old.lift <= past:
        return before
    flat = old.flat if old.flat <= past else new.flat
    off = old.heel_off if old.heel_off <= past else max(new.heel_off, past)
    return replace(after, footstep=replace(new, strike=old.strike, flat=flat, heel_off=off, lift=max(new.lift, past + LEAST_LEFT)))


def _part(steps: list[Step], k: int, after: int) -> None:
    """Give the swing between two steps of one foot its time."""
    gait = steps[after].gait
    swing = LEAST_SWING * (gait.stride_time - gait.contact_time)
    if steps[k].standing:
        steps[k] = _lifted(steps[k], max(steps[after].footstep.strike - swing, steps[k].footstep.lift))
    short = swing - (steps[after].footstep.strike - steps[k].footstep.lift)
    if short > 0:
        mine, next_ = (min(0.5 * short, MOST_CUT * steps[j].gait.contact_time) for j in (k, after))
        if steps[after].catching:
            mine, next_ = min(short, steps[k].footstep.lift - steps[k].footstep.flat - SHORTEST_REST), 0.0
        steps[k] = _lifted(steps[k], steps[k].footstep.lift - mine)
        steps[after] = _struck(steps[after], steps[after].footstep.strike + next_)


def _braced(steps: list[Step], leg_length: float) -> list[Step]:
    """Contacts made longer where they would have to push too hard for the flights before and after them."""
    out = list(steps)
    held = landings(steps)
    flights = [0.0, *(max(b.strike - a.lift, 0.0) for a, b in pairwise(held)), 0.0]
    around = [before + after for landing, before, after in zip(held, flights[:-1], flights[1:], strict=True) for _ in landing.steps]
    for k, (s, flight) in enumerate(zip(steps, around, strict=True)):
        if s.gait.walks:
            continue
        contact = s.footstep.lift - s.footstep.strike
        hardest = max(HARDEST, HARDER * s.gait.cycle.grounded / s.gait.cycle.duty) - 1
        longer = (0.5 * flight - hardest * contact) / (hardest + 0.5)
        speed = max(s.gait.stride_length / s.gait.stride_time, 1e-3)
        longer = min(longer, TRAVEL * leg_length / speed - contact)
        if longer > 0:
            out[k] = _lifted(_struck(s, s.footstep.strike - 0.5 * longer), s.footstep.lift + 0.5 * longer)
    return out


def standing_first(step: Step, begin: float) -> Step:
    """Return a step whose heel, if the body stands on it as a clip begins [s], stays down until the weight is handed over."""
    f = step.footstep
    if not step.standing or f.strike >= begin or f.toes_first or f.raised is not None:
        return step
    return replace(step, footstep=replace(f, heel_off=max(f.heel_off, min(begin + STANDS, f.lift - ROLLS))))


def heel_up(step: Step, com: Callable[[Array], Array], ball: float, past: float = -np.inf) -> Step:
    """Return a step whose heel, if it was stood on, rises as the body comes over its ball: a body sets off slower than it walks.

    Args:
        com: gives the place of the centre of mass (n, 2) at times (n,).
        ball: how far it is ahead of the sole's middle, m.
        past: what lies before this time has happened and stays.
    """
    f = step.footstep
    times = np.arange(max(f.flat + HEEL_RESTS, past), f.heel_off, 0.01)
    if not (step.standing and step.gait.walks and times.size) or f.toes_first or f.raised is not None:
        return step
    before = np.flatnonzero((com(times) - f.position[:2]) @ f.rotation[:2, 0] <= ball)
    since = int(before[-1]) + 1 if before.size else 0
    return step if since == len(times) else replace(step, footstep=replace(f, heel_off=float(times[since])))


def _lifted(step: Step, lift: float) -> Step:
    """The step with its foot leaving at another time; the heel leaves as much earlier or later."""
    f = step.footstep
    heel_off = max(f.heel_off + lift - f.lift, f.flat + 0.02)
    return replace(step, footstep=replace(f, lift=lift, heel_off=heel_off))


def _struck(step: Step, strike: float) -> Step:
    """The step with its foot landing at another time."""
    f = step.footstep
    flat = min(strike + (f.flat - f.strike), f.heel_off - 0.02)
    return replace(step, footstep=replace(f, strike=strike, flat=flat))

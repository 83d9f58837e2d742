"""Pinned footsteps, and the timing of the steps before them."""

from __future__ import annotations

from dataclasses import dataclass

from ...task import PinnedStep


@dataclass(frozen=True)
class PinnedStepParameters:
    """How a body leads up to pinned footsteps."""

    max_steps_ahead: int = 4  # Steps before a pinned footstep from which their timing leads to it.
    # Time after the last step within which a pinned footstep is that step [s]: its time may have
    # been shifted by `PinParameters.max_strike_delay` of the editing engine, or rounded to a frame.
    same_step_tolerance: float = 0.05
    # Longest stand before a pinned footstep [s], which the usual steps before it do not reach;
    # longer ones are stops of the course.
    max_wait: float = 2.5
    # Time after the last step before which a pinned footstep comes too soon, as a share of the
    # usual duration of a step. Guarded by the tests that scripts/mutations.py names
    min_step_ratio: float = 0.4


PINNED = PinnedStepParameters()


@dataclass(frozen=True)
class PinnedStepTiming:
    """Timing of the next step before a pinned footstep.

    Args:
        time: middle of the next contact [s].
        pinned_step: the pinned footstep if it is the next one; None otherwise.
    """

    time: float
    pinned_step: PinnedStep | None


def plan_step_to_pinned(
    pinned_steps: tuple[PinnedStep, ...],
    last_time: float,
    side: int | None,
    step_time: float,
    after_pinned: bool = False,
) -> PinnedStepTiming | None:
    """Return the timing of the next step; None if no pinned footstep is near.

    Args:
        last_time: time of the last step [s].
        side: side of the next foot, 1 for left and -1 for right; None if both land together.
        step_time: usual duration of a step [s].
        after_pinned: whether the last step was pinned.
    """
    next_pinned = min(
        (k for k in pinned_steps if k.time > last_time + PINNED.same_step_tolerance),
        key=lambda k: k.time,
        default=None,
    )
    if (
        next_pinned is not None
        and next_pinned.follows_previous
        and after_pinned
        and side in (None, next_pinned.side_sign)
    ):
        return PinnedStepTiming(next_pinned.time, next_pinned)
    candidates = [k for k in pinned_steps if k.time > last_time + PINNED.min_step_ratio * step_time]
    if not candidates:
        return None
    nearest = min(candidates, key=lambda k: k.time)
    gap = nearest.time - last_time
    if gap > (PINNED.max_steps_ahead + 0.5) * step_time:
        return None
    # Feet alternate, so the number of steps depends on which foot is next
    is_same_side = side is None or nearest.side_sign == side
    counts = range(1 if is_same_side else 2, PINNED.max_steps_ahead + 2, 1 if side is None else 2)
    count = min(counts, key=lambda n: abs(gap / n - step_time))
    return PinnedStepTiming(last_time + gap / count, nearest if count == 1 else None)


def needs_pinned_step(pinned_steps: tuple[PinnedStep, ...], last_time: float) -> bool:
    """Return whether a body that could stand forever must step for a pinned footstep.

    Args:
        last_time: time of the last step [s].
    """
    return any(
        last_time + PINNED.same_step_tolerance < k.time < last_time + PINNED.max_wait
        for k in pinned_steps
    )


def find_reachable_pin(
    timing: PinnedStepTiming | None, earliest_strike: float, contact_time: float
) -> PinnedStep | None:
    """Return the pinned footstep that is the next step; None if there is none or it is too early.

    The first step after a push strikes as early as it can. A pin of this very step keeps its time,
    of which rounding must not decide.

    Args:
        timing: timing of the next step; None if no pinned footstep is near.
        earliest_strike: earliest time at which a foot strikes [s].
        contact_time: usual duration of a contact [s].
    """
    if timing is None or timing.pinned_step is None:
        return None
    pinned_step = timing.pinned_step
    times = pinned_step.contact_times
    strike = pinned_step.time - 0.5 * contact_time if times is None else times[0]
    is_reachable = strike > earliest_strike - PINNED.same_step_tolerance
    return pinned_step if is_reachable else None


def find_pinned_landing(
    pinned_steps: tuple[PinnedStep, ...], pinned_step: PinnedStep | None, tolerance: float
) -> list[PinnedStep]:
    """Return the pinned footsteps of a landing on both feet.

    Args:
        pinned_step: one of them; None if the landing is not pinned.
        tolerance: time between pinned footsteps of the same landing [s].
    """
    if pinned_step is None:
        return []
    return [k for k in pinned_steps if abs(k.time - pinned_step.time) < tolerance]

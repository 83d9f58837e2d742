"""Footsteps that are kept, and how the others lead to them."""

from __future__ import annotations

from dataclasses import dataclass

from ...task import PinnedStep

MAX_STEPS_AHEAD = 4  # steps ahead of a kept one from which on they are timed to lead to it
SAME_STEP_TOLERANCE = 0.05  # s after the last step, within which a kept one is that step
MAX_WAIT = 2.5  # s from one step to a kept one, for which a body may stand
# of a step's usual time after the last step, before which a kept one comes too soon to be kept
MIN_STEP_RATIO = 0.4


@dataclass(frozen=True)
class PinnedStepTiming:
    """When to step next for the sake of a kept footstep, and that footstep where it is the next."""

    time: float
    pinned_step: PinnedStep | None


def plan_step_to_pinned(
    pinned_steps: tuple[PinnedStep, ...],
    last_time: float,
    side: int | None,
    step_time: float,
    after_pinned: bool = False,
) -> PinnedStepTiming | None:
    """The next step's time; None where no kept footstep is near.

    Args:
        last_time: time of the last step, s.
        side: of the foot whose turn it is, 1 left or -1 right; None where both land together.
        step_time: time that a step takes, s.
        after_pinned: the last step was a kept one.
    """
    next_pinned = min(
        (k for k in pinned_steps if k.time > last_time + SAME_STEP_TOLERANCE),
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
    candidates = [k for k in pinned_steps if k.time > last_time + MIN_STEP_RATIO * step_time]
    if not candidates:
        return None
    nearest = min(candidates, key=lambda k: k.time)
    gap = nearest.time - last_time
    if gap > (MAX_STEPS_AHEAD + 0.5) * step_time:
        return None
    # feet take turns: as many steps as bring that foot there
    is_same_side = side is None or nearest.side_sign == side
    counts = range(1 if is_same_side else 2, MAX_STEPS_AHEAD + 2, 1 if side is None else 2)
    count = min(counts, key=lambda n: abs(gap / n - step_time))
    return PinnedStepTiming(last_time + gap / count, nearest if count == 1 else None)


def needs_pinned_step(pinned_steps: tuple[PinnedStep, ...], last_time: float) -> bool:
    """Whether a body that could stand on its feet for good is to step on,
    for kept footsteps soon after a time, s.
    """
    return any(
        last_time + SAME_STEP_TOLERANCE < k.time < last_time + MAX_WAIT for k in pinned_steps
    )

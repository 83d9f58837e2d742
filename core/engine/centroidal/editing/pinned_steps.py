"""Pinned footsteps of a task, and footsteps of a motion that correspond to them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....motion import Footstep
from ....task import PinnedStep


@dataclass(frozen=True)
class PinParameters:
    """Tolerances and times of pinned footsteps."""

    # Largest distance of contacts that are the same [m]: footsteps that are pinned closer than that
    # are not seen to differ
    distance_tolerance: float = 0.02
    # Largest time difference of contacts that are the same [s]: swings of the neighbors can delay
    # the strike of a pinned footstep by this time
    max_strike_delay: float = 0.06
    # Shortest contact on which the body stands instead of stepping [s], longer than that of slow
    # human steps, 1 s
    min_standing_time: float = 1.5
    # Time after the strike at which a body that steps to stand is above its foot [s]
    settling_time: float = 0.35


PINS = PinParameters()


def make_pinned_step(step: Footstep) -> PinnedStep:
    """Return a pinned footstep with place and contact times of a footstep of a motion.

    To move it in time, remove its contact times. The middle of a long contact does not state when
    the body steps there: such a footstep has a time shortly after its strike, or 0 if the clip
    begins with it.
    """
    x, y = step.position[:2]
    return PinnedStep(
        "L" if step.leg == 0 else "R",
        _find_pin_time(step),
        (float(x), float(y)),
        heading=step.yaw,
        contact_times=(step.strike, step.flat, step.heel_off, step.lift),
    )


def _find_pin_time(step: Footstep) -> float:
    """Return the time of a footstep as a pinned one [s]."""
    if step.lift - step.strike < PINS.min_standing_time:
        return step.time
    return step.strike + PINS.settling_time if step.strike >= 0 else 0.0


def is_replaced_by_pin(pinned: PinnedStep, footstep: Footstep) -> bool:
    """Return whether a pinned footstep takes the place of a footstep of a motion."""
    return (
        pinned.side == ("L" if footstep.leg == 0 else "R")
        and footstep.strike < pinned.time < footstep.lift
    )


def is_same_step(a: PinnedStep, b: PinnedStep) -> bool:
    """Return whether two pinned footsteps agree within tolerance."""
    return (
        a.side == b.side
        and abs(a.time - b.time) < PINS.max_strike_delay
        and math.dist(a.position, b.position) < PINS.distance_tolerance
    )


def order_pinned_steps(
    pinned: Sequence[PinnedStep],
    free_steps: Sequence[Footstep],
    moved_steps: Sequence[PinnedStep],
) -> tuple[PinnedStep, ...]:
    """Return pinned footsteps in order of time, and mark which follow the previous one directly.

    A footstep follows the previous one if there is no free footstep of the motion between them.

    Args:
        pinned: pinned footsteps.
        free_steps: footsteps of the motion that are not pinned.
        moved_steps: those of the pinned footsteps that take the place of free ones.
    """
    free_times = [
        f.time for f in free_steps if not any(is_replaced_by_pin(k, f) for k in moved_steps)
    ]
    ordered = sorted(pinned, key=lambda k: k.time)
    return tuple(
        replace(
            k,
            follows_previous=previous is not None
            and not any(previous.time < time < k.time for time in free_times),
        )
        for previous, k in zip([None, *ordered], ordered, strict=False)
    )

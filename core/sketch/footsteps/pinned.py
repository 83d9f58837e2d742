"""Footsteps that are kept, and how the others lead to them."""
from __future__ import annotations

from dataclasses import dataclass

from ...task import KeptStep

SOON = 4              # steps ahead of a kept one from which on they are timed to lead to it
SOONER = 0.05         # s after the last step, within which a kept one is that step
WAITED = 2.5          # s from one step to a kept one, for which a body may stand
LEAST = 0.4           # of a step's usual time after the last step, before which a kept one comes too soon to be kept


@dataclass(frozen=True)
class Lead:
    """When to step next for the sake of a kept footstep, and that footstep where it is the next."""

    time: float
    kept: KeptStep | None


def lead_to_kept(kept: tuple[KeptStep, ...], last: float, side: int | None, usual: float, after_kept: bool = False) -> Lead | None:
    """The next step's time; None where no kept footstep is near.

    Args:
        last: time of the last step, s.
        side: of the foot whose turn it is, 1 left or -1 right; None where both land together.
        usual: time that a step takes, s.
        after_kept: the last step was a kept one.
    """
    next_ = min((k for k in kept if k.time > last + SOONER), key=lambda k: k.time, default=None)
    if next_ is not None and next_.follows and after_kept and side in (None, next_.sign):
        return Lead(next_.time, next_)
    ahead = [k for k in kept if k.time > last + LEAST * usual]
    if not ahead:
        return None
    near = min(ahead, key=lambda k: k.time)
    gap = near.time - last
    if gap > (SOON + 0.5) * usual:
        return None
    odd = side is None or near.sign == side        # feet take turns: as many steps as bring that foot there
    counts = range(1 if odd else 2, SOON + 2, 1 if side is None else 2)
    count = min(counts, key=lambda n: abs(gap / n - usual))
    return Lead(last + gap / count, near if count == 1 else None)


def asked_on(kept: tuple[KeptStep, ...], last: float) -> bool:
    """Whether a body that could stand on its feet for good is to step on, for kept footsteps soon after a time, s."""
    return any(last + SOONER < k.time < last + WAITED for k in kept)

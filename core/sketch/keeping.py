"""Footsteps that are kept, and how the others lead to them."""
from __future__ import annotations

from dataclasses import dataclass

from ..task import KeptStep

SOON = 4              # steps ahead of a kept one from which on they are timed to lead to it
LEAST = 0.4           # of a step's usual time after the last step, before which a kept one comes too soon to be kept


@dataclass(frozen=True)
class Lead:
    """When to step next for the sake of a kept footstep, and that footstep where it is the next."""

    time: float
    kept: KeptStep | None


def lead_to_kept(kept: tuple[KeptStep, ...], last: float, side: int | None, usual: float) -> Lead | None:
    """The next step's time; None where no kept footstep is near.

    Args:
        last: time of the last step, s.
        side: of the foot whose turn it is, 1 left or -1 right; None where both land together.
        usual: time that a step takes, s.
    """
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

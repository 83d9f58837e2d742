"""Whether a plan keeps within the length of the legs."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .horizon import Horizon, Rollout
from .weights import PlanLimits

Array = NDArray[np.float64]


def overstepped(h: Horizon, number: int, out: Rollout, position: Array, limits: PlanLimits) -> float:
    """By how much the centre of mass is at most farther from a foot than the leg allows, m.

    That a leg should have landed more bent does not count.

    Args:
        number: of the stance.
        position: (3,) of the foot, shifted as it was.
    """
    stance, times = h.stances[number], h.times[::2]
    on = (times > stance.begin) & (times < stance.end) & (times > h.start + 1e-9)
    share = (times[on] - stance.begin) / (stance.end - stance.begin)
    root = 0.0 if h.roots is None else h.roots[number, on]
    length = np.linalg.norm(out.com[::2][on] + root - position, axis=1)
    return float((length - limits.leg(stance.leg, share)).max(initial=0.0))

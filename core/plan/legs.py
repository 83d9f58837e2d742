"""Whether a plan keeps within the length of the legs."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .horizon import Horizon, Rollout, Stance
from .weights import PlanLimits

Array = NDArray[np.float64]


def overstepped(h: Horizon, stance: Stance, out: Rollout, position: Array, limits: PlanLimits) -> float:
    """By how much the centre of mass is at most farther from a foot than the leg allows, m.

    That a leg should have landed more bent does not count.

    Args:
        position: (3,) of the foot, shifted as it was.
    """
    times = h.times[::2]
    on = (times > stance.begin) & (times < stance.end) & (times > h.start + 1e-9)
    share = (times[on] - stance.begin) / (stance.end - stance.begin)
    length = np.linalg.norm(out.com[::2][on] - position, axis=1)
    return float((length - limits.leg(share)).max(initial=0.0))

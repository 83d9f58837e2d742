"""Whether a plan keeps within the length of the legs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .horizon import Horizon, PlanRollout
from .weights import PlanLimits

Array = NDArray[np.float64]


def measure_leg_overreach(
    h: Horizon, stance_index: int, rollout: PlanRollout, position: Array, limits: PlanLimits
) -> float:
    """By how much the centre of mass is at most farther from a foot than the leg allows, m.

    That a leg should have landed more bent does not count.

    Args:
        stance_index: of the stance.
        position: (3,) of the foot, shifted as it was.
    """
    stance = h.stances[stance_index]
    times = h.times[::2]
    in_contact = (times > stance.begin) & (times < stance.end) & (times > h.start + 1e-9)
    share = (times[in_contact] - stance.begin) / (stance.end - stance.begin)
    root = 0.0 if h.limb_roots is None else h.limb_roots[stance_index, in_contact]
    length = np.linalg.norm(rollout.com[::2][in_contact] + root - position, axis=1)
    return float((length - limits.leg_reach_at(stance.leg, share)).max(initial=0.0))

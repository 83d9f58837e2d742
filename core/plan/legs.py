"""Check of a plan against the length of the legs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .horizon import Horizon, PlanRollout
from .weights import PlanLimits

Array = NDArray[np.float64]


def measure_leg_overreach(
    h: Horizon, stance_index: int, rollout: PlanRollout, position: Array, limits: PlanLimits
) -> float:
    """Return the largest excess of a leg's length over its reach during a contact [m].

    The shorter reach of a leg that lands from a fall is not counted: a leg that lands too straight
    is no violation.

    Args:
        h: the horizon.
        stance_index: index of the stance.
        rollout: the motion.
        position: (3,) [m] of the contact, with its displacement.
        limits: limits of the legs.
    """
    stance = h.stances[stance_index]
    times = h.times[::2]
    in_contact = (times > stance.begin) & (times < stance.end) & (times > h.start + 1e-9)
    share = (times[in_contact] - stance.begin) / (stance.end - stance.begin)
    root = 0.0 if h.limb_roots is None else h.limb_roots[stance_index, in_contact]
    length = np.linalg.norm(rollout.com[::2][in_contact] + root - position, axis=1)
    return float((length - limits.leg_reach_at(stance.leg, share)).max(initial=0.0))

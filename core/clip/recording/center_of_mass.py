"""Where the centre of mass of an actor is, from shares of people's segments (de Leva
1996, J Biomech 29:1223).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .actor import Actor

Array = NDArray[np.float64]

# (share of the mass, share of the way to the far joint at which it lies), mean of women and men
THIGH = (0.145, 0.39)
SHANK = (0.046, 0.44)
FOOT = (0.013, 0.5)

# the hand belongs to the forearm
UPPER_ARM = (0.026, 0.58)
FOREARM = (0.021, 0.6)

TRUNK = (0.43, 0.5)
HEAD = (0.068, 1.0)
# of trunk, head and arms: share of the mass, and how high over the hips it lies, leg lengths
UPPER_BODY_MASS_SHARE = 0.59
UPPER_BODY_HEIGHT = 0.33


def compute_lean_shift(actor: Actor) -> float:
    """How much farther ahead the centre of mass would be if the skeleton's shoulders stood
    right over its hips, m.
    """
    return -UPPER_BODY_MASS_SHARE * UPPER_BODY_HEIGHT * actor.leg_length * float(np.sin(actor.lean))


def compute_center_of_mass(actor: Actor) -> Array:
    """(n, 3), m."""
    hip_center = actor.hips.mean(1)
    trunk_top = actor.shoulders.mean(1) if actor.shoulders is not None else actor.neck
    head = actor.head if actor.head is not None else actor.neck
    parts = [(TRUNK, hip_center, trunk_top), (HEAD, actor.neck, head)]
    limbs = [
        (THIGH, actor.hips, actor.knees),
        (SHANK, actor.knees, actor.ankles),
        (FOOT, actor.ankles, actor.balls),
    ]
    if actor.arms is not None:
        shoulders, elbows, wrists = actor.arms
        limbs += [(UPPER_ARM, shoulders, elbows), (FOREARM, elbows, wrists)]
    parts += [(segment, a[:, side], b[:, side]) for segment, a, b in limbs for side in (0, 1)]
    total_share = sum(share for (share, _), _, _ in parts)
    return np.asarray(
        sum(share * (a + center_share * (b - a)) for (share, center_share), a, b in parts)
        / total_share
    )

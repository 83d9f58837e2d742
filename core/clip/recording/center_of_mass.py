"""Center of mass of an actor.

The mass fractions are those of human body segments (de Leva 1996, J Biomech 29:1223).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .actor import Actor

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SegmentMass:
    """Mass of a body segment between two joints.

    Args:
        share: share of the mass of the body.
        position: position of its center of mass on the line from the near joint, 0, to the far
            joint, 1.
    """

    share: float
    position: float


# De Leva 1996, mean of women and men.
THIGH = SegmentMass(0.145, 0.39)
SHANK = SegmentMass(0.046, 0.44)
FOOT = SegmentMass(0.013, 0.5)
UPPER_ARM = SegmentMass(0.026, 0.58)
FOREARM = SegmentMass(0.021, 0.6)  # With the hand
TRUNK = SegmentMass(0.43, 0.5)
HEAD = SegmentMass(0.068, 1.0)

# Trunk, head and both arms, as a share of the mass of the body: the sum of the shares above
UPPER_BODY_MASS_SHARE = 0.59
# Height of their center of mass over the hips [leg lengths], 0.3 m of a human: that of the segments
# above, arms hanging
UPPER_BODY_HEIGHT = 0.33


def compute_lean_shift(actor: Actor) -> float:
    """Return the forward shift of the center of mass if the skeleton were upright [m].

    In an upright skeleton the shoulders are vertically over the hips.
    """
    return -UPPER_BODY_MASS_SHARE * UPPER_BODY_HEIGHT * actor.leg_length * float(np.sin(actor.lean))


def compute_center_of_mass(actor: Actor) -> Array:
    """Return the center of mass over time, (n, 3) [m]."""
    hip_center = actor.hips.mean(1)
    trunk_top = actor.shoulders.mean(1) if actor.shoulders is not None else actor.neck
    head = actor.head if actor.head is not None else actor.neck
    parts = [(TRUNK, hip_center, trunk_top), (HEAD, actor.neck, head)]
    limbs = [
        (THIGH, actor.hips, actor.knees),
        (SHANK, actor.knees, actor.ankles),
        (FOOT, actor.ankles, actor.balls),
    ]
    if (arms := actor.arms) is not None:
        limbs += [(UPPER_ARM, arms.shoulders, arms.elbows), (FOREARM, arms.elbows, arms.wrists)]
    parts += [(segment, a[:, side], b[:, side]) for segment, a, b in limbs for side in (0, 1)]
    total_share = sum(segment.share for segment, _, _ in parts)
    return np.asarray(
        sum(segment.share * (a + segment.position * (b - a)) for segment, a, b in parts)
        / total_share
    )

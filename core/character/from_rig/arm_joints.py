"""The joints of an arm at rest, whose hand may have no bone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..recognition.anatomy import ArmBones

Array = NDArray[np.float64]

# Length of the forearm of an arm without a hand [distance from the elbow to the end of the arm]
HANDLESS_FOREARM_SHARE = 0.7


def locate_arm_joints(
    arm: ArmBones, heads: Array, tails: Array, forearm_skin: list[Array]
) -> Array:
    """Return shoulder, elbow and wrist at rest (3, 3) [m].

    An arm without a hand has its wrist before the end of the forearm's skin, or of its bone.

    Args:
        heads: of all bones (n, 3) [m].
        tails: of all bones (n, 3) [m].
        forearm_skin: points of the skin from the elbow outward (m, 3); may be empty [m].
    """
    joints = heads[[arm.shoulder, arm.elbow, arm.wrist]]
    if arm.has_hand:
        return joints
    elbow = joints[1]
    points = (np.concatenate(forearm_skin) if forearm_skin else tails[[arm.elbow]]) - elbow
    direction = points.mean(0) / max(float(np.linalg.norm(points.mean(0))), 1e-9)
    length = HANDLESS_FOREARM_SHARE * float((points @ direction).max())
    return np.stack([joints[0], elbow, elbow + length * direction])

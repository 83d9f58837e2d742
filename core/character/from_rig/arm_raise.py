"""How far arms hang from the vertical beside a body that is wider than its shoulders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MAX_ARM_REACH = 0.8  # Greatest reach of a hanging arm below the shoulder [shoulder height]
# Angle by which styles hold arms outward [rad]
STYLE_RAISE = np.radians(10)
# Greatest angle [rad]; tuned: cloaks as wide as the arms are long would lift them to a T pose
MAX_RAISE = np.radians(35)
# Share of the skin beside an arm that it clears, without buckles and straps
CLEARED_SHARE = 0.95
# Least number of points beside an arm that show how wide the body is: more than a ring of a coarse
# mesh has there. Half or twice of it changes none of 25 rigs.
MIN_SKIN_POINTS = 8


@dataclass(frozen=True)
class HangingArm:
    """An arm that hangs beside the body.

    Args:
        upper_length: length of the upper arm, beside which the trunk may touch [m].
        reach: length from shoulder to finger tips [m].
        radius: of the forearm [m].
    """

    upper_length: float
    reach: float
    radius: float

    @classmethod
    def measure(cls, joints: Array, hand: Array, forearm_skin: Array) -> HangingArm:
        """Return an arm with the lengths that it has at rest, and the median radius of its skin.

        Args:
            joints: shoulder, elbow and wrist (3, 3) [m].
            hand: (k, 3) bones and skin of the hand [m].
            forearm_skin: (m, 3), may be empty [m].
        """
        upper, fore = np.diff(joints, axis=0)
        length = float(np.linalg.norm(fore))
        offsets = np.cross(forearm_skin - joints[1], fore / max(length, 1e-12))
        radius = float(np.median(np.linalg.norm(offsets, axis=1))) if len(forearm_skin) else 0.0
        upper_length = float(np.linalg.norm(upper))
        reach = upper_length + length + float(np.linalg.norm(hand - joints[2], axis=1).max())
        return cls(upper_length, reach, radius)

    def find_ground_raise(self, shoulder_height: float) -> float:
        """Return the angle from the vertical at which the hand is above the ground [rad].

        Args:
            shoulder_height: above the soles [m].
        """
        return float(np.arccos(min(MAX_ARM_REACH * shoulder_height / max(self.reach, 1e-9), 1.0)))

    def find_skin_raise(self, skin: Array) -> float:
        """Return the angle from the vertical at which the arm is beside the skin of a trunk [rad].

        Args:
            skin: (m, 3) skin of the trunk from the shoulder, with x forward, y outward, z up [m].
        """
        _, outward, depth = (skin * [1, 1, -1]).T
        is_beside = (
            (np.abs(skin[:, 0]) < 2 * self.radius)
            & (outward > -2 * self.radius)
            & (depth > self.upper_length)
            & (depth < self.reach)
        )
        if is_beside.sum() < MIN_SKIN_POINTS:
            return 0.0
        # the arm turns about the shoulder until its inner side is at the skin
        distance = np.hypot(outward, depth)[is_beside]
        angles = np.arctan2(outward, depth)[is_beside] + np.arcsin(
            np.minimum(self.radius / distance, 1.0)
        )
        return float(np.clip(np.quantile(angles, CLEARED_SHARE) - STYLE_RAISE, 0.0, MAX_RAISE))

"""The requested and the resulting pose of one foot on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootTarget:
    """Requested place and heading of a foot.

    Args:
        xy: (2,) place of the middle of the supporting part of the sole [m].
        heading: heading without toe-out [rad].
        toe_out: angle from the heading to the foot, positive to the left [rad].
        side: 1 for a left foot, -1 for a right one.
    """

    xy: Array
    heading: float
    toe_out: float
    side: int

    @property
    def yaw(self) -> float:
        """Heading of the foot, toe-out included [rad]."""
        return self.heading + self.toe_out

    @property
    def forward(self) -> Array:
        """Unit vector along the heading. (2,)."""
        return np.array([np.cos(self.heading), np.sin(self.heading)])

    @property
    def left(self) -> Array:
        """Unit vector to the left of the heading. (2,)."""
        return np.array([-np.sin(self.heading), np.cos(self.heading)])


@dataclass(frozen=True)
class GroundedFootPose:
    """Pose of a sole on the ground.

    Args:
        position: (3,) middle of the sole between heel and ball [m].
        rotation: (3, 3) its forward, left and upward axes as columns.
    """

    position: Array
    rotation: Array

"""State of the body at the start of a preview (equation 1), and the progress of its schedule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Support = Literal["double", "single", "flight"]


@dataclass(frozen=True)
class FootPose:
    """Pose and horizontal velocity of a foot, on the ground or above it."""

    place: Array  # (3,) [m] center of the sole
    heading: float  # [rad]
    velocity: Array = field(default_factory=lambda: np.zeros(2))  # (2,) [m/s]


@dataclass(frozen=True)
class SlipState:
    """State of the model, equation 1, with foot poses in place of support regions.

    Foot A carries the body through the first step; the other foot takes the step and becomes B. In
    double support A is the foot that touched down last, in flight the one that lifted off last.
    """

    com: Array  # (3,) [m]
    velocity: Array  # (3,) [m/s] of the CoM
    heading: float  # [rad] of the pelvis about the vertical
    heading_rate: float  # [rad/s]
    feet: tuple[FootPose, FootPose]  # left and right
    support: Support = "double"
    stance_foot: int = 0  # foot A: 0 left, 1 right
    elapsed: float = 0.0  # [s] since the start of the step
    step_start_com: Array | None = None  # (2,) [m] at the start of the step; None for `com`
    # [m] height of level ground; None for that of the standing foot
    ground_level: float | None = None
    # Whether the foot that lifts off next has its heel raised and is supported by its ball alone
    is_on_ball: bool = False

    @property
    def side(self) -> float:
        """Side of foot A: 1 left, -1 right."""
        return 1.0 - 2.0 * self.stance_foot

    @property
    def standing_foot(self) -> FootPose:
        """Foot A, which carries the first step."""
        return self.feet[self.stance_foot]

    @property
    def stepping_foot(self) -> FootPose:
        """Current pose of the foot that becomes B."""
        return self.feet[1 - self.stance_foot]

    @property
    def step_origin(self) -> Array:
        """Start of the first step's length, c_0 of equation 20 [m]. (2,)."""
        return self.com[:2] if self.step_start_com is None else self.step_start_com

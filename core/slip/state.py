"""Where the body is when a preview begins: equation 1, and what of the schedule lies behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Support = Literal["double", "single", "flight"]


@dataclass(frozen=True)
class FootPose:
    """A foot, on the ground or above it: the middle of its sole, m, its heading, rad, and how fast
    it moves along the ground.
    """

    place: Array  # (3,)
    heading: float
    velocity: Array = field(default_factory=lambda: np.zeros(2))  # (2,) m/s


@dataclass(frozen=True)
class SlipState:
    """Equation 1, with the feet themselves in place of their supports;
    and how far the step is that is being made.

    Args:
        com, velocity: (3,) of the centre of mass, m and m/s.
        heading, heading_rate: of the pelvis about the vertical, rad and rad/s.
        feet: left and right.
        support: of which the body is in.
        stance_foot: number of the foot that carries the body through the first step, 0 left, 1
            right. In double support it has come down last, in flight it has left the ground last.
            The other one steps.
        elapsed: s since that step began.
        step_start_com: (2,) centre of mass when it began.
        ground_level: of the ground where it is level, m; None where it is as
            high as the standing foot.
        is_on_ball: whether the heel is up of the foot that is to leave the ground next, so that it
            carries on its ball alone.
    """

    com: Array
    velocity: Array
    heading: float
    heading_rate: float
    feet: tuple[FootPose, FootPose]
    support: Support = "double"
    stance_foot: int = 0
    elapsed: float = 0.0
    step_start_com: Array | None = None
    ground_level: float | None = None
    is_on_ball: bool = False

    @property
    def side(self) -> float:
        """Of the stance foot: 1 left, -1 right."""
        return 1.0 - 2.0 * self.stance_foot

    @property
    def standing_foot(self) -> FootPose:
        """The foot that carries the first step, A."""
        return self.feet[self.stance_foot]

    @property
    def stepping_foot(self) -> FootPose:
        """The foot that is set down next, B, where it is now."""
        return self.feet[1 - self.stance_foot]

    @property
    def step_origin(self) -> Array:
        """(2,) from where the first step's length counts, c_0 of equation 20."""
        return self.com[:2] if self.step_start_com is None else self.step_start_com

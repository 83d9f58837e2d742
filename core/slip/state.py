"""Where the body is when a preview begins: equation 1, and what of the schedule lies behind it."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Support = Literal["double", "single", "flight"]


@dataclass(frozen=True)
class PlacedFoot:
    """A foot, on the ground or above it: the middle of its sole, m, and its heading, rad."""

    place: Array              # (3,)
    heading: float


@dataclass(frozen=True)
class SlipState:
    """Equation 1, with the feet themselves in place of their supports; and how far the step is that is being made.

    Args:
        com, velocity: (3,) of the centre of mass, m and m/s.
        heading, turning: of the pelvis about the vertical, rad and rad/s.
        feet: left and right.
        support: of which the body is in.
        stance: number of the foot that carries the body through the first step, 0 left, 1 right. In double support it has
            come down last, in flight it has left the ground last. The other one steps.
        elapsed: s since that step began.
        begun_at: (2,) centre of mass when it began.
        on_ball: whether the heel is up of the foot that is to leave the ground next, so that it carries on its ball alone.
    """

    com: Array
    velocity: Array
    heading: float
    turning: float
    feet: tuple[PlacedFoot, PlacedFoot]
    support: Support = "double"
    stance: int = 0
    elapsed: float = 0.0
    begun_at: Array | None = None
    on_ball: bool = False

    @property
    def side(self) -> float:
        """Of the stance foot: 1 left, -1 right."""
        return 1.0 - 2.0 * self.stance

    @property
    def standing(self) -> PlacedFoot:
        """The foot that carries the first step, A."""
        return self.feet[self.stance]

    @property
    def stepping(self) -> PlacedFoot:
        """The foot that is set down next, B, where it is now."""
        return self.feet[1 - self.stance]

    @property
    def origin(self) -> Array:
        """(2,) from where the first step's length counts, c_0 of equation 20."""
        return self.com[:2] if self.begun_at is None else self.begun_at

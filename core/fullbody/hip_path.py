"""Path of a hip joint, from which the foot of its leg must stay within reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Reach up to which positions are left as they are, in leg lengths: a knee of ten degrees
FREE_REACH_RATIO = 0.9965
# Limit that the reach approaches, in leg lengths: four degrees, short of a straight leg, whose knee
# turns infinitely fast
MAX_REACH_RATIO = 0.9995


@dataclass(frozen=True)
class HipPath:
    """Hip joint of one leg at n times."""

    times: Array  # Increasing times [s], (n,)
    position: Array  # Position of the joint, in a pose placed along the plan [m], (n, 3)
    leg_length: float  # Length of the straight leg from the joint to the origin of the foot [m]

    def position_at(self, times: float | Array) -> Array:
        """Return the position of the joint at a time or at k times [s]. (3,) or (k, 3) [m]."""
        return np.stack([np.interp(times, self.times, axis) for axis in self.position.T], -1)

    def limit_reach(self, origin: Array, selected: NDArray[np.bool_]) -> Array:
        """Return origins of a foot, moved toward the hip so that the leg does not get straight.

        Args:
            origin: origins at the selected times [m], shape (k, 3).
            selected: which k of the n times to use, shape (n,).

        Returns:
            Positions [m], shape (k, 3).
        """
        hip = self.position[selected]
        offset = origin - hip
        length = np.linalg.norm(offset, axis=1, keepdims=True)
        begin = FREE_REACH_RATIO * self.leg_length
        end = MAX_REACH_RATIO * self.leg_length
        excess = np.maximum(length - begin, 0.0)
        allowed = np.where(
            excess > 0, begin + (end - begin) * np.tanh(excess / (end - begin)), length
        )
        return hip + offset * (allowed / length)

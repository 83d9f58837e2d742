"""Terms of the full body's cost that weigh each joint by itself:
their second derivative has a small block for each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel

Array = NDArray[np.float64]


@dataclass
class JointTerms:
    """Half the second derivative, half the first and the value of terms of n frames that
    weigh differences of poses.

    Degrees of freedom that stand alone have entries of `diagonal`,
    those of balls and of the root's rotation `blocks`.
    """

    model: KinematicModel
    blocks: Array  # (n, j, 3, 3)
    diagonal: Array  # (n, nv)
    gradient: Array  # (n, nv)
    cost: float = 0.0

    @staticmethod
    def empty(model: KinematicModel, n: int) -> JointTerms:
        """No terms yet."""
        return JointTerms(
            model,
            np.zeros((n, len(model.rotation_dofs), 3, 3)),
            np.zeros((n, model.nv)),
            np.zeros((n, model.nv)),
        )

    def add(
        self, frames: slice, weights: Array, difference: Array, blocks: Array, sign: float = 1.0
    ) -> None:
        """Add the sum of weights (nv,) or (k, nv) times away (k, nv) squared at some frames.

        Args:
            blocks: (k, j, 3, 3) by which balls' differences change with the frame's pose;
                all others do by `sign`.
        """
        turning = self.model.rotation_dofs
        weighted = weights * difference
        self.gradient[frames] += sign * weighted
        turned_gradient = (weighted[:, turning][:, :, None] @ blocks)[:, :, 0]  # (k, j, 3)
        self.gradient[frames, turning] += turned_gradient - sign * weighted[:, turning]
        self.diagonal[frames] += weights
        self.blocks[frames] += self.compute_blocks(weights, blocks, blocks)

    def compute_blocks(self, weights: Array, left: Array, right: Array) -> Array:
        """Blocks of left' W right. (nv,) or (k, nv), (k, j, 3, 3), (k, j, 3, 3) -> (k, j, 3, 3)."""
        return np.swapaxes(left, -1, -2) @ (
            weights[..., self.model.rotation_dofs][..., None] * right
        )

    def add_limits(self, limits: HingeLimits, poses: Array) -> None:
        """Add what lies beyond the limits of hinges."""
        # (n, limits)
        excess = np.maximum(limits.sign * (poses[:, limits.coordinate] - limits.bound), 0.0)
        # a knee has several: their sums by degree of freedom
        self.diagonal += (limits.weight * (excess > 0)) @ limits.dof
        self.gradient += (limits.sign * limits.weight * excess) @ limits.dof
        self.cost += float((limits.weight * excess**2).sum())


@dataclass(frozen=True)
class HingeLimits:
    """Bounds of hinges beyond which weights set in."""

    coordinate: NDArray[np.int64]  # (m,) index into a pose
    dof: Array  # (m, nv) one where the bound's degree of freedom is
    bound: Array  # (m,) rad
    sign: Array  # (m,) 1 above, -1 below
    weight: Array  # (m,)

"""Terms of the cost of the full body that weight single joints.

Their second derivative has a small block for each joint.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel

Array = NDArray[np.float64]


@dataclass
class JointTerms:
    """Expansion of cost terms that weight differences of poses, for n frames.

    Hinges and translations have entries of `diagonal`. Ball joints and the rotation of the root
    have entries of `blocks`.
    """

    model: KinematicModel
    blocks: Array  # Half the second derivatives of the j ball joints and the root, (n, j, 3, 3)
    diagonal: Array  # Half the second derivatives of the other degrees of freedom, (n, nv)
    gradient: Array  # Half the gradient, (n, nv)
    cost: float = 0.0

    @staticmethod
    def empty(model: KinematicModel, n: int) -> JointTerms:
        """Return the expansion of no terms, for n frames."""
        return JointTerms(
            model,
            np.zeros((n, len(model.rotation_dofs), 3, 3)),
            np.zeros((n, model.nv)),
            np.zeros((n, model.nv)),
        )

    def add(
        self, frames: slice, weights: Array, difference: Array, blocks: Array, sign: float = 1.0
    ) -> None:
        """Add weighted squares of differences at k frames.

        Args:
            frames: the k frames.
            weights: weight of each degree of freedom, shape (nv,) or (k, nv).
            difference: differences, shape (k, nv).
            blocks: derivatives of the differences of ball joints with respect to the pose of the
                frame, shape (k, j, 3, 3).
            sign: derivative of all other differences, 1 or -1.
        """
        turning = self.model.rotation_dofs
        weighted = weights * difference
        self.gradient[frames] += sign * weighted
        turned_gradient = (weighted[:, turning][:, :, None] @ blocks)[:, :, 0]  # (k, j, 3)
        self.gradient[frames, turning] += turned_gradient - sign * weighted[:, turning]
        self.diagonal[frames] += weights
        self.blocks[frames] += self.compute_blocks(weights, blocks, blocks)

    def compute_blocks(self, weights: Array, left: Array, right: Array) -> Array:
        """Return left' W right of each ball joint, shape (k, j, 3, 3).

        Args:
            weights: weight of each degree of freedom, shape (nv,) or (k, nv).
            left, right: shape (k, j, 3, 3).
        """
        return np.swapaxes(left, -1, -2) @ (
            weights[..., self.model.rotation_dofs][..., None] * right
        )

    def add_limits(self, limits: HingeLimits, poses: Array) -> None:
        """Add the cost of hinges beyond their limits in poses (n, nq)."""
        # Angles beyond the limits [rad], (n, m)
        excess = np.maximum(limits.sign * (poses[:, limits.coordinate] - limits.bound), 0.0)
        # A knee has several limits, which are summed by degree of freedom.
        self.diagonal += (limits.weight * (excess > 0)) @ limits.dof
        self.gradient += (limits.sign * limits.weight * excess) @ limits.dof
        self.cost += float((limits.weight * excess**2).sum())


@dataclass(frozen=True)
class HingeLimits:
    """Limits of hinges, beyond which angles have a cost. m limits."""

    coordinate: NDArray[np.int64]  # Index of the hinge in a pose, (m,)
    dof: Array  # One-hot rows of the hinge's degree of freedom, (m, nv)
    bound: Array  # Angle of the limit [rad], (m,)
    sign: Array  # 1 for an upper limit, -1 for a lower one, (m,)
    weight: Array  # Weight of the squared angle beyond the limit, (m,)

    def select(self, is_kept: NDArray[np.bool_]) -> HingeLimits:
        """Return some of the limits."""
        return HingeLimits(*(getattr(self, field.name)[is_kept] for field in fields(self)))

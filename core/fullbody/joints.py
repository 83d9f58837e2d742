"""Terms of the full body's cost that weigh each joint by itself: their second derivative has a small block for each."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel

Array = NDArray[np.float64]


@dataclass
class JointTerms:
    """Half the second derivative, half the first and the value of terms of n frames that weigh differences of poses.

    Degrees of freedom that stand alone have entries of `diagonal`, those of balls and of the root's rotation `blocks`.
    """

    model: KinematicModel
    blocks: Array             # (n, j, 3, 3)
    diagonal: Array           # (n, nv)
    gradient: Array           # (n, nv)
    cost: float = 0.0

    @staticmethod
    def none(model: KinematicModel, n: int) -> JointTerms:
        """No terms yet."""
        return JointTerms(model, np.zeros((n, len(model.turning), 3, 3)), np.zeros((n, model.nv)), np.zeros((n, model.nv)))

    def add(self, frames: slice, weights: Array, away: Array, blocks: Array, sign: float = 1.0) -> None:
        """Add the sum of weights (nv,) or (k, nv) times away (k, nv) squared at some frames.

        Args:
            blocks: (k, j, 3, 3) by which balls' differences change with the frame's pose; all others do by `sign`.
        """
        turning, weighted = self.model.turning, weights * away
        self.gradient[frames] += sign * weighted
        turned = (weighted[:, turning][:, :, None] @ blocks)[:, :, 0]                      # (k, j, 3)
        self.gradient[frames, turning] += turned - sign * weighted[:, turning]
        self.diagonal[frames] += weights
        self.blocks[frames] += self.between(weights, blocks, blocks)

    def between(self, weights: Array, left: Array, right: Array) -> Array:
        """Blocks of left' W right. (nv,) or (k, nv), (k, j, 3, 3), (k, j, 3, 3) -> (k, j, 3, 3)."""
        return np.swapaxes(left, -1, -2) @ (weights[..., self.model.turning][..., None] * right)

    def add_limits(self, limits: Limits, poses: Array) -> None:
        """Add what lies beyond the limits of hinges."""
        over = np.maximum(limits.sign * (poses[:, limits.coordinate] - limits.bound), 0.0)         # (n, limits)
        # a knee has several: their sums by degree of freedom
        self.diagonal += (limits.weight * (over > 0)) @ limits.dof
        self.gradient += (limits.sign * limits.weight * over) @ limits.dof
        self.cost += float((limits.weight * over**2).sum())


@dataclass(frozen=True)
class Limits:
    """Bounds of hinges beyond which weights set in."""

    coordinate: NDArray[np.int64]     # (m,) index into a pose
    dof: Array                        # (m, nv) one where the bound's degree of freedom is
    bound: Array                      # (m,) rad
    sign: Array                       # (m,) 1 above, -1 below
    weight: Array                     # (m,)

"""The part of the plan's cost that is quadratic in the forces: the same whatever it is expanded about, so made once a plan."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .force_basis import difference_penalty
from .horizon import Horizon
from .linearization import Goal
from .weights import PlanWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ForceCost:
    """Half the cost's second derivative by the coefficients of each axis, and half its first where there is no force."""

    hessian: Array            # (3, count w, count w)
    slope: Array              # (3, count w)

    @staticmethod
    def of(h: Horizon, goal: Goal, weights: PlanWeights, kept: tuple[Array, Array] | None) -> ForceCost:
        """Tracking of the centre of mass, exact and convex, and calm forces that go on as they were.

        The total force has a weight of its own: by their coefficients alone, forces are cheapest where most points share
        them, and the body would be thrown up by every double support.

        Args:
            kept: rows and values that the forces at the start had before.
        """
        value, once, twice = (b[::2] for b in h.basis)                                      # (n, count w)
        n, w, count = len(value), len(h.windows), h.count
        share = np.full((3, 3, n), 1.0 / n)           # of place, velocity and force; by axis; at the nodes
        share[0] *= np.asarray(weights.com)[:, None]
        share[1] *= np.asarray(weights.velocity)[:, None]
        share[2] *= weights.force
        share[:2, :, -1] += np.array(weights.end[:2])[:, None]
        root = np.sqrt(np.swapaxes(share, 0, 1).reshape(3, 3 * n))                           # by axis
        wanted = np.concatenate([goal.com - h.coasting[0][::2], goal.velocity - h.coasting[1][::2], goal.force])
        rows = root[:, :, None] * np.concatenate([h.gravity * twice, h.gravity * once, value])
        hessian = np.swapaxes(rows, 1, 2) @ rows
        slope = -((root * wanted.T)[:, None] @ rows)[:, 0]
        blocks, each = hessian.reshape(3, w, count, w, count), np.arange(w)
        calm = weights.coefficient * np.eye(count) + weights.difference * difference_penalty(count)
        for axis, factor in enumerate((weights.sideways, weights.sideways, 1.0)):
            blocks[axis, each, :, each] += factor * calm
        hessian[:2] += weights.fight / n * _fight(h, value)
        if kept is not None:
            hessian += weights.continuity * kept[0].T @ kept[0]
            slope -= weights.continuity * (kept[0].T @ kept[1]).T
        return ForceCost(hessian, slope)

    def add(self, hessian: Array, gradient: Array, coefficients: Array) -> None:
        """Add to a program whose first unknowns are changes of coefficients (count w, 3)."""
        count = coefficients.size
        for axis in range(3):
            own = slice(axis, count, 3)
            hessian[own, own] += self.hessian[axis]
            gradient[own] += self.hessian[axis] @ coefficients[:, axis] + self.slope[axis]


def _fight(h: Horizon, value: Array) -> Array:
    """Quadratic form of horizontal forces of heel and ball that do not go the same way. (count w, count w).

    While both points of a foot are down, the load goes over from heel to ball; horizontal forces that are handed over in the
    same way have nothing against each other.

    Args:
        value: (n, count w) of the coefficients' curves at the nodes.
    """
    times, w, count = h.times[::2], len(h.windows), h.count
    together = (h.window_stance[:, None] == h.window_stance) & (h.window_point[:, None] == 0) & (h.window_point == 1)
    pairs = np.argwhere(together)                                                           # (p, 2) heel and ball
    begin, end = h.windows[pairs, 0].max(1)[:, None], h.windows[pairs, 1].min(1)[:, None]
    both = (times > begin) & (times < end)                                                  # (p, n)
    share = (times - begin) / np.maximum(end - begin, 1e-9)
    curves = np.swapaxes(value.reshape(len(times), w, count), 0, 1)[pairs]                  # (p, 2, n, count)
    rows = np.concatenate([(both * share)[..., None] * curves[:, 0], (both * (share - 1))[..., None] * curves[:, 1]], 2)
    at = (count * pairs[..., None] + np.arange(count)).reshape(-1, 2 * count)
    form = np.zeros((w * count, w * count))
    np.add.at(form, (at[:, :, None], at[:, None]), np.swapaxes(rows, 1, 2) @ rows)
    return form

"""The part of the plan's cost that is quadratic in the forces: the same whatever it is expanded
about, so made once a plan.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .force_basis import build_difference_penalty
from .horizon import Horizon
from .linearization import TrackingGoal
from .weights import PlanWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ForceCost:
    """Half the cost's second derivative by the coefficients of each axis,
    and half its first where there is no force.
    """

    hessian: Array  # (3, count w, count w)
    slope: Array  # (3, count w)

    @staticmethod
    def from_horizon(
        h: Horizon, goal: TrackingGoal, weights: PlanWeights, continuity: tuple[Array, Array] | None
    ) -> ForceCost:
        """Tracking of the centre of mass, exact and convex,
        and calm forces that go on as they were.

        The total force has a weight of its own: by their coefficients alone, forces are cheapest
        where most points share them, and the body would be thrown up by every double support.

        Args:
            continuity: rows and values that the forces at the start had before.
        """
        value, integral, double_integral = (b[::2] for b in h.basis)  # (n, count w)
        n = len(value)
        w = len(h.windows)
        count = h.coefficient_count
        # of place, velocity and force; by axis; at the nodes
        row_weights = np.full((3, 3, n), 1.0 / n)
        row_weights[0] *= np.asarray(weights.com)[:, None]
        row_weights[1] *= np.asarray(weights.velocity)[:, None]
        row_weights[2] *= weights.force
        row_weights[:2, :, -1] += np.array(weights.end[:2])[:, None]
        sqrt_weights = np.sqrt(np.swapaxes(row_weights, 0, 1).reshape(3, 3 * n))  # by axis
        targets = np.concatenate(
            [
                goal.com - h.contact_free_motion[0][::2],
                goal.velocity - h.contact_free_motion[1][::2],
                goal.force,
            ]
        )
        rows = sqrt_weights[:, :, None] * np.concatenate(
            [h.gravity * double_integral, h.gravity * integral, value]
        )
        hessian = np.swapaxes(rows, 1, 2) @ rows
        slope = -((sqrt_weights * targets.T)[:, None] @ rows)[:, 0]
        blocks = hessian.reshape(3, w, count, w, count)
        window_indices = np.arange(w)
        regularization = weights.coefficient * np.eye(
            count
        ) + weights.coefficient_difference * build_difference_penalty(count)
        for axis, factor in enumerate((weights.horizontal_factor, weights.horizontal_factor, 1.0)):
            blocks[axis, window_indices, :, window_indices] += factor * regularization
        hessian[:2] += weights.opposing_forces / n * _build_opposition_form(h, value)
        if continuity is not None:
            hessian += weights.continuity * continuity[0].T @ continuity[0]
            slope -= weights.continuity * (continuity[0].T @ continuity[1]).T
        return ForceCost(hessian, slope)

    def add_to(self, hessian: Array, gradient: Array, coefficients: Array) -> None:
        """Add to a program whose first unknowns are changes of coefficients (count w, 3)."""
        count = coefficients.size
        for axis in range(3):
            axis_entries = slice(axis, count, 3)
            hessian[axis_entries, axis_entries] += self.hessian[axis]
            gradient[axis_entries] += self.hessian[axis] @ coefficients[:, axis] + self.slope[axis]


def _build_opposition_form(h: Horizon, value: Array) -> Array:
    """Quadratic form of horizontal forces of heel and ball that do not go the same
    way. (count w, count w).

    While both points of a foot are down, the load goes over from heel to ball; horizontal forces
    that are handed over in the same way have nothing against each other.

    Args:
        value: (n, count w) of the coefficients' curves at the nodes.
    """
    times = h.times[::2]
    w = len(h.windows)
    count = h.coefficient_count
    is_same_foot = (
        (h.window_stance[:, None] == h.window_stance)
        & (h.window_point[:, None] == 0)
        & (h.window_point == 1)
    )
    pairs = np.argwhere(is_same_foot)  # (p, 2) heel and ball
    begin = h.windows[pairs, 0].max(1)[:, None]
    end = h.windows[pairs, 1].min(1)[:, None]
    both_down = (times > begin) & (times < end)  # (p, n)
    share = (times - begin) / np.maximum(end - begin, 1e-9)
    curves = np.swapaxes(value.reshape(len(times), w, count), 0, 1)[pairs]  # (p, 2, n, count)
    rows = np.concatenate(
        [
            (both_down * share)[..., None] * curves[:, 0],
            (both_down * (share - 1))[..., None] * curves[:, 1],
        ],
        2,
    )
    entries = (count * pairs[..., None] + np.arange(count)).reshape(-1, 2 * count)
    form = np.zeros((w * count, w * count))
    np.add.at(form, (entries[:, :, None], entries[:, None]), np.swapaxes(rows, 1, 2) @ rows)
    return form

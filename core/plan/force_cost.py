"""The part of the plan's cost that is quadratic in the force coefficients.

It does not depend on the expansion point, so it is built once per plan.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .forces import build_difference_penalty
from .horizon import Horizon
from .linearization import TrackingGoal
from .weights import PlanWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContinuityTarget:
    """Forces at the start of a horizon as the previous plan had them: rows @ c ~ forces."""

    rows: Array  # (k, w K) basis values at the start of each active window
    forces: Array  # (k, 3) [body weights]


@dataclass(frozen=True)
class _TrackingRows:
    """Least-squares rows A c ~ b of position, velocity and total force, by axis."""

    matrix: Array  # (3, 3 n, w K) A, weighted
    target: Array  # (3, 3 n) b, weighted


@dataclass(frozen=True)
class ForceCost:
    """Cost 1/2 c'H c + g'c of the coefficients c of each axis. The Hessians H are positive."""

    hessian: Array  # (3, w K, w K) H
    slope: Array  # (3, w K) g

    @staticmethod
    def from_horizon(
        h: Horizon, goal: TrackingGoal, weights: PlanWeights, continuity: ContinuityTarget | None
    ) -> ForceCost:
        """Build the cost of tracking the CoM with smooth forces.

        Position and velocity are those of equation 20 (Kwon et al. 2020). The total force is
        weighted separately. With weights on the coefficients only, forces are
        cheapest where most points share them, and every double support would throw the body up.

        Args:
            h: the horizon.
            goal: the reference at the nodes.
            weights: weights of the cost.
            continuity: forces of the windows that are active at the start; None for none.
        """
        w = len(h.windows)
        count = h.coefficient_count
        tracking = _build_tracking_rows(h, goal, weights)
        rows = tracking.matrix
        hessian = np.swapaxes(rows, 1, 2) @ rows
        slope = -(tracking.target[:, None] @ rows)[:, 0]
        blocks = hessian.reshape(3, w, count, w, count)
        window_indices = np.arange(w)
        regularization = weights.coefficient * np.eye(
            count
        ) + weights.coefficient_difference * build_difference_penalty(count)
        for axis, factor in enumerate((weights.horizontal_factor, weights.horizontal_factor, 1.0)):
            blocks[axis, window_indices, :, window_indices] += factor * regularization
        hessian[:2] += weights.opposing_forces / h.node_count * _build_opposition_form(h)
        if continuity is not None:
            hessian += weights.continuity * continuity.rows.T @ continuity.rows
            slope -= weights.continuity * (continuity.rows.T @ continuity.forces).T
        return ForceCost(hessian, slope)

    def add_to(self, hessian: Array, gradient: Array, coefficients: Array) -> None:
        """Add the cost to a quadratic program, in place.

        Args:
            hessian: (size, size) whose first unknowns are changes of the coefficients, (w K, 3).
            gradient: (size,).
            coefficients: (w K, 3) [body weights] at the expansion point.
        """
        count = coefficients.size
        for axis in range(3):
            axis_entries = slice(axis, count, 3)
            hessian[axis_entries, axis_entries] += self.hessian[axis]
            gradient[axis_entries] += self.hessian[axis] @ coefficients[:, axis] + self.slope[axis]


def _build_tracking_rows(h: Horizon, goal: TrackingGoal, weights: PlanWeights) -> _TrackingRows:
    """Build the rows of position, velocity and total force at the nodes, means over the nodes."""
    n = h.node_count
    row_weights = np.full((3, 3, n), 1.0 / n)  # position, velocity, force; axis; node
    row_weights[0] *= np.asarray(weights.com)[:, None]
    row_weights[1] *= np.asarray(weights.velocity)[:, None]
    row_weights[2] *= weights.force
    row_weights[:2, :, -1] += np.array([weights.end.com, weights.end.velocity])[:, None]
    sqrt_weights = np.sqrt(np.swapaxes(row_weights, 0, 1).reshape(3, 3 * n))  # by axis
    targets = np.concatenate(
        [
            goal.com - h.contact_free_motion.com[::2],
            goal.velocity - h.contact_free_motion.velocity[::2],
            goal.force,
        ]
    )
    rows = sqrt_weights[:, :, None] * np.concatenate(
        [
            h.gravity * h.basis.double_integral[::2],
            h.gravity * h.basis.integral[::2],
            h.basis.value[::2],
        ]
    )
    return _TrackingRows(rows, sqrt_weights * targets.T)


def _build_opposition_form(h: Horizon) -> Array:
    """Return the quadratic form of horizontal forces of heel and ball that oppose each other.

    While both points of a foot are down, the load moves from the heel to the ball: with u the
    elapsed share of that time, the penalty is |u f_heel - (1 - u) f_ball|^2. It vanishes if both
    forces are handed over in proportion.

    Returns:
        (w K, w K), summed over the nodes.
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
    value = h.basis.value[::2].reshape(len(times), w, count)
    curves = np.swapaxes(value, 0, 1)[pairs]  # (p, 2, n, K)
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

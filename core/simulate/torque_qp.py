"""The controller's quadratic program over accelerations and contact forces, torques eliminated."""

from __future__ import annotations

import daqp
import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri

Array = NDArray[np.float64]

UNBOUNDED = 1e30
EQUALITY = 5


def solve_torque_program(
    hessian: Array,
    gradient: Array,
    cones: Array,
    mass: Array,
    bias: Array,
    torque_limit: Array,
    min_acceleration: Array,
    max_acceleration: Array,
    force_weight: float,
    max_force: float,
) -> tuple[Array, Array] | None:
    """Accelerations and weights of cone edges of least cost; None where no torques can do it.

    Minimises a'Ha / 2 + g'a + force_weight w'w / 2 subject to the root's six equations of motion,
    the torques' limits, bounds on accelerations, and 0 <= w <= most_force.

    Args:
        hessian, gradient: (nv, nv) positive definite, (nv,).
        cones: (f, nv) generalized force of each edge's unit.
        mass, bias: (nv, nv), (nv,): torques of the joints are `mass @ a + bias - cones.T @ w`,
            which has no such row for the root.
        torque_limit: (nv - 6,).
        min_acceleration, max_acceleration: (nv,) bounds on accelerations,
            infinite where there are none.

    Source: Mordatch et al. 2010, equation 30. The solver is fastest with the identity as cost:
    unknowns are L'a and the weights times the root of their own, where H = L L'.
    """
    edge_count, nv = cones.shape
    lower_factor, failed = dpotrf(hessian, lower=1, clean=1)
    if failed:
        return None
    inverse = dtrtri(lower_factor, lower=1)[0].T  # (nv, nv) from unknowns to accelerations
    force_unit = 1 / np.sqrt(force_weight)
    bounded = np.flatnonzero(np.isfinite(min_acceleration) | np.isfinite(max_acceleration))
    rows = np.zeros((nv + len(bounded), edge_count + nv))
    rows[:nv, :edge_count] = -force_unit * cones.T
    rows[:nv, edge_count:] = mass @ inverse
    rows[nv:, edge_count:] = inverse[bounded]
    upper = np.empty(edge_count + 2 * nv + len(bounded))
    lower = np.zeros(edge_count + 2 * nv + len(bounded))
    upper[:edge_count] = max_force / force_unit
    upper[edge_count : edge_count + nv] = UNBOUNDED
    lower[edge_count : edge_count + nv] = -UNBOUNDED
    torques = slice(edge_count + nv, edge_count + 2 * nv)
    upper[torques] = lower[torques] = -bias
    upper[edge_count + nv + 6 : edge_count + 2 * nv] += torque_limit
    lower[edge_count + nv + 6 : edge_count + 2 * nv] -= torque_limit
    upper[edge_count + 2 * nv :] = max_acceleration[bounded]
    lower[edge_count + 2 * nv :] = min_acceleration[bounded]
    sense = np.zeros(len(upper), np.int32)  # inequalities
    sense[edge_count + nv : edge_count + nv + 6] = EQUALITY
    slope = np.zeros(edge_count + nv)
    slope[edge_count:] = inverse.T @ gradient
    x, _, flag, _ = daqp.solve(np.eye(edge_count + nv), slope, rows, upper, lower, sense)
    if flag < 1:  # a program that failed returns numbers, too
        return None
    return inverse @ x[edge_count:], force_unit * x[:edge_count]

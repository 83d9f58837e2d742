"""The controller's quadratic program over accelerations and contact forces, torques eliminated."""
from __future__ import annotations

import daqp
import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri

Array = NDArray[np.float64]

UNBOUND = 1e30
EQUATION = 5


def solve_program(hessian: Array, gradient: Array, cones: Array, mass: Array, bias: Array, torque_limit: Array,
                  slowest: Array, fastest: Array, force_weight: float, most_force: float) -> tuple[Array, Array] | None:
    """Accelerations and weights of cone edges of least cost; None where no torques can do it.

    Minimises a'Ha / 2 + g'a + force_weight w'w / 2 subject to the root's six equations of motion, the torques' limits, bounds
    on accelerations, and 0 <= w <= most_force.

    Args:
        hessian, gradient: (nv, nv) positive definite, (nv,).
        cones: (f, nv) generalized force of each edge's unit.
        mass, bias: (nv, nv), (nv,): torques of the joints are `mass @ a + bias - cones.T @ w`, which has no such row for the root.
        torque_limit: (nv - 6,).
        slowest, fastest: (nv,) bounds on accelerations, infinite where there are none.

    Source: Mordatch et al. 2010, equation 30. The solver is fastest with the identity as cost: unknowns are L'a and the weights
    times the root of their own, where H = L L'.
    """
    f, nv = cones.shape
    lower_factor, failed = dpotrf(hessian, lower=1, clean=1)
    if failed:
        return None
    inverse = dtrtri(lower_factor, lower=1)[0].T                                 # (nv, nv) from unknowns to accelerations
    unit = 1 / np.sqrt(force_weight)
    bound = np.flatnonzero(np.isfinite(slowest) | np.isfinite(fastest))
    rows = np.zeros((nv + len(bound), f + nv))
    rows[:nv, :f] = -unit * cones.T
    rows[:nv, f:] = mass @ inverse
    rows[nv:, f:] = inverse[bound]
    upper, lower = np.empty(f + 2 * nv + len(bound)), np.zeros(f + 2 * nv + len(bound))
    upper[:f] = most_force / unit
    upper[f:f + nv], lower[f:f + nv] = UNBOUND, -UNBOUND
    torques = slice(f + nv, f + 2 * nv)
    upper[torques] = lower[torques] = -bias
    upper[f + nv + 6:f + 2 * nv] += torque_limit
    lower[f + nv + 6:f + 2 * nv] -= torque_limit
    upper[f + 2 * nv:], lower[f + 2 * nv:] = fastest[bound], slowest[bound]
    sense = np.zeros(len(upper), np.int32)                                       # inequalities
    sense[f + nv:f + nv + 6] = EQUATION
    slope = np.zeros(f + nv)
    slope[f:] = inverse.T @ gradient
    x, _, flag, _ = daqp.solve(np.eye(f + nv), slope, rows, upper, lower, sense)
    if flag < 1:                               # a program that failed returns numbers, too
        return None
    return inverse @ x[f:], unit * x[:f]

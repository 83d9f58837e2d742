"""The controller's quadratic program over accelerations and contact forces.

Torques follow from both and are eliminated.
"""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri

from ..quadratic_programs import UNBOUNDED

Array = NDArray[np.float64]

# The solver's code of an equality constraint
EQUALITY = 5


@dataclass(frozen=True)
class TorqueProgram:
    """Optimization problem of one instant (Mordatch et al. 2010, equation 30).

    min 1/2 a'H a + g'a + force_weight / 2 w'w

    over accelerations a (nv,) and weights w (f,) of the edges of friction cones, subject to

        (M a + b - C'w)[:6] = 0                   equations of motion of the root
        |(M a + b - C'w)[6:]| <= torque_limit     joint torques
        min_acceleration <= a <= max_acceleration
        0 <= w <= max_force.
    """

    hessian: Array  # (nv, nv) H, positive definite
    gradient: Array  # (nv,) g
    cones: Array  # (f, nv) C, generalized force of a unit along each edge
    mass: Array  # (nv, nv) M
    bias: Array  # (nv,) b
    torque_limit: Array  # (nv - 6,) [Nm]
    min_acceleration: Array  # (nv,) [m/s^2, rad/s^2], infinite for none
    max_acceleration: Array  # (nv,) [m/s^2, rad/s^2], infinite for none
    force_weight: float
    max_force: float  # in units of the edges

    def solve(self) -> TorqueSolution | None:
        """Solve the program, or return None if no torques are feasible.

        The solver is fastest with the identity as Hessian. Its unknowns are sqrt(force_weight) w
        and L'a, where H = L L'.
        """
        edge_count, nv = self.cones.shape
        lower_factor, failed = dpotrf(self.hessian, lower=1, clean=1)
        if failed:
            return None
        inverse = dtrtri(lower_factor, lower=1)[0].T  # (nv, nv) a = inverse L'a
        force_unit = 1 / np.sqrt(self.force_weight)
        constraints = self._build_constraints(inverse, force_unit)
        slope = np.zeros(edge_count + nv)
        slope[edge_count:] = inverse.T @ self.gradient
        x, _, flag, _ = daqp.solve(
            np.eye(edge_count + nv),
            slope,
            constraints.rows,
            constraints.upper,
            constraints.lower,
            constraints.sense,
        )
        if flag < 1:  # x is not valid then
            return None
        return TorqueSolution(inverse @ x[edge_count:], force_unit * x[:edge_count])

    def _build_constraints(self, inverse: Array, force_unit: float) -> _Constraints:
        """Write the constraints in the solver's unknowns.

        Args:
            inverse: (nv, nv) from the unknowns to accelerations.
            force_unit: from the unknowns to weights of edges.
        """
        edge_count, nv = self.cones.shape
        bounded = np.flatnonzero(
            np.isfinite(self.min_acceleration) | np.isfinite(self.max_acceleration)
        )
        rows = np.zeros((nv + len(bounded), edge_count + nv))
        rows[:nv, :edge_count] = -force_unit * self.cones.T
        rows[:nv, edge_count:] = self.mass @ inverse
        rows[nv:, edge_count:] = inverse[bounded]
        upper = np.empty(edge_count + 2 * nv + len(bounded))
        lower = np.zeros(edge_count + 2 * nv + len(bounded))
        upper[:edge_count] = self.max_force / force_unit
        upper[edge_count : edge_count + nv] = UNBOUNDED
        lower[edge_count : edge_count + nv] = -UNBOUNDED
        torques = slice(edge_count + nv, edge_count + 2 * nv)
        upper[torques] = lower[torques] = -self.bias
        upper[edge_count + nv + 6 : edge_count + 2 * nv] += self.torque_limit
        lower[edge_count + nv + 6 : edge_count + 2 * nv] -= self.torque_limit
        upper[edge_count + 2 * nv :] = self.max_acceleration[bounded]
        lower[edge_count + 2 * nv :] = self.min_acceleration[bounded]
        sense = np.zeros(len(upper), np.int32)  # 0 for inequalities
        sense[edge_count + nv : edge_count + nv + 6] = EQUALITY
        return _Constraints(rows, lower, upper, sense)


@dataclass(frozen=True)
class TorqueSolution:
    """Solution of one instant."""

    accelerations: Array  # (nv,) [m/s^2, rad/s^2]
    edge_weights: Array  # (f,)


@dataclass(frozen=True)
class _Constraints:
    """Constraints of the solver: bounds of its n unknowns, then rows."""

    rows: Array  # (r, n)
    lower: Array  # (n + r,)
    upper: Array  # (n + r,)
    sense: NDArray[np.int32]  # (n + r,)

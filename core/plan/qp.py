"""A convex quadratic program and its solution."""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri

Array = NDArray[np.float64]

UNBOUNDED = 1e30  # what the solver takes for no bound
MAX_HESSIAN_ENTRY = 1e10  # entries of a Hessian that say that its numbers are worth nothing


@dataclass(frozen=True)
class QuadraticProgram:
    """min 1/2 x'Hx + g'x with lower <= x <= upper, A x <= b and F_k x_k <= f_k for x_k the k-th
    three of the unknowns; `rotation_map` maps changes to the nodes' rotations.
    """

    hessian: Array
    gradient: Array
    faces: Array  # (c, 5, 3) F
    face_bounds: Array  # (c, 5) f
    constraint_rows: Array
    row_bounds: Array
    lower: Array
    upper: Array
    rotation_map: Array  # (n, 3, unknowns + 1), the last column constant
    shiftable: NDArray[np.int64]  # stances that may be shifted

    def solve(self, damping: float) -> Array | None:
        """The best x; None where the numbers are beyond the solver.

        The solver is given the program in the unknowns y = L'x, with L the Hessian's Cholesky
        factor: what it would do first, with LAPACK more than twice as fast in all. The inverse of L
        is at hand then for rows that are mostly zeros.
        """
        if not (np.isfinite(self.hessian).all() and np.abs(self.hessian).max() < MAX_HESSIAN_ENTRY):
            return None
        size = len(self.gradient)
        face_count = len(self.faces)
        factor, failed = dpotrf(
            self.hessian + damping * np.eye(size) if damping else self.hessian, lower=1, clean=1
        )
        if failed:
            return None
        inverse, failed = dtrtri(factor, lower=1)
        if failed:
            return None
        inverse_transpose = inverse.T  # x = back y
        bounded = np.flatnonzero((self.upper < UNBOUNDED) | (self.lower > -UNBOUNDED))
        rows = np.concatenate(
            [
                (
                    self.faces @ inverse_transpose[: 3 * face_count].reshape(face_count, 3, size)
                ).reshape(-1, size),
                self.constraint_rows @ inverse_transpose,
                inverse_transpose[bounded],
            ]
        )
        upper = np.concatenate([self.face_bounds.ravel(), self.row_bounds, self.upper[bounded]])
        lower = np.full(len(upper), -UNBOUNDED)
        lower[len(upper) - len(bounded) :] = self.lower[bounded]
        y, _, flag, _ = daqp.solve(
            np.eye(size), inverse @ self.gradient, rows, upper, lower, iter_limit=1000
        )
        if flag <= 0 or not np.isfinite(y).all():
            return None
        x: Array = inverse_transpose @ y
        return x

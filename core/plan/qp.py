"""Convex quadratic program of a plan, and its solution with DAQP."""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri

from ..quadratic_programs import UNBOUNDED

Array = NDArray[np.float64]

# Largest entry of a Hessian; beyond it the numbers are meaningless
MAX_HESSIAN_ENTRY = 1e10


@dataclass(frozen=True)
class QuadraticProgram:
    """Quadratic program with one small block of half-spaces for each force coefficient.

    min 1/2 x'Hx + g'x  subject to  lower <= x <= upper,  A x <= b,  F_k x_k <= f_k

    with x_k the k-th three unknowns.
    """

    hessian: Array  # (size, size) H
    gradient: Array  # (size,) g
    faces: Array  # (c, m, 3) F
    face_bounds: Array  # (c, m) f
    constraint_rows: Array  # (r, size) A
    row_bounds: Array  # (r,) b
    lower: Array  # (size,)
    upper: Array  # (size,)

    def solve(self, damping: float) -> Array | None:
        """Return the solution x (size,), or None if the solver fails.

        The solver receives the program in y = L'x with L the Cholesky factor of H + damping I. It
        would factorize H itself, but LAPACK makes the whole solution more than twice as fast. The
        inverse of L then also multiplies the rows blockwise, since most of them are sparse.

        Args:
            damping: added to the diagonal of the Hessian.
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
        inverse_transpose = inverse.T  # x = inverse_transpose y
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

"""A convex quadratic program and its solution."""
from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri

Array = NDArray[np.float64]

UNBOUND = 1e30           # what the solver takes for no bound
TOO_LARGE = 1e10         # entries of a Hessian that say that its numbers are worth nothing


@dataclass(frozen=True)
class Quadratic:
    """min 1/2 x'Hx + g'x with lower <= x <= upper, A x <= b and F_k x_k <= f_k for x_k the k-th three of the unknowns;
    `rotation` maps changes to the nodes' rotations.
    """

    hessian: Array
    gradient: Array
    faces: Array              # (c, 5, 3) F
    most: Array               # (c, 5) f
    rows: Array
    bound: Array
    lower: Array
    upper: Array
    rotation: Array           # (n, 3, unknowns + 1), the last column constant
    free: NDArray[np.int64]   # stances that may be shifted

    def solve(self, damping: float) -> Array | None:
        """The best x; None where the numbers are beyond the solver.

        The solver is given the program in the unknowns y = L'x, with L the Hessian's Cholesky factor: what it would do
        first, with LAPACK more than twice as fast in all. The inverse of L is at hand then for rows that are mostly zeros.
        """
        if not (np.isfinite(self.hessian).all() and np.abs(self.hessian).max() < TOO_LARGE):
            return None
        size, c = len(self.gradient), len(self.faces)
        factor, failed = dpotrf(self.hessian + damping * np.eye(size) if damping else self.hessian, lower=1, clean=1)
        if failed:
            return None
        inverse, failed = dtrtri(factor, lower=1)
        if failed:
            return None
        back = inverse.T                                                                   # x = back y
        bounded = np.flatnonzero((self.upper < UNBOUND) | (self.lower > -UNBOUND))
        rows = np.concatenate([(self.faces @ back[:3 * c].reshape(c, 3, size)).reshape(-1, size), self.rows @ back, back[bounded]])
        upper = np.concatenate([self.most.ravel(), self.bound, self.upper[bounded]])
        lower = np.full(len(upper), -UNBOUND)
        lower[len(upper) - len(bounded):] = self.lower[bounded]
        y, _, flag, _ = daqp.solve(np.eye(size), inverse @ self.gradient, rows, upper, lower, iter_limit=1000)
        if flag <= 0 or not np.isfinite(y).all():
            return None
        x: Array = back @ y
        return x

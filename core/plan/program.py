"""A convex quadratic program and its solution."""
from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtrs

Array = NDArray[np.float64]

UNBOUND = 1e30           # what the solver takes for no bound
TOO_LARGE = 1e10         # entries of a Hessian that say that its numbers are worth nothing


@dataclass(frozen=True)
class Quadratic:
    """min 1/2 x'Hx + g'x with lower <= x <= upper and A x <= b; `rotation` maps changes to the nodes' rotations."""

    hessian: Array
    gradient: Array
    rows: Array
    bound: Array
    lower: Array
    upper: Array
    rotation: Array           # (n, 3, unknowns + 1), the last column constant
    free: NDArray[np.int64]   # stances that may be shifted

    def solve(self, damping: float) -> Array | None:
        """The best x; None where the numbers are beyond the solver.

        The solver is given the program in the unknowns y = L'x, with L the Hessian's Cholesky factor: what it would do
        first, with LAPACK more than twice as fast in all.
        """
        if not (np.isfinite(self.hessian).all() and np.abs(self.hessian).max() < TOO_LARGE):
            return None
        size = len(self.gradient)
        factor, failed = dpotrf(self.hessian + damping * np.eye(size) if damping else self.hessian, lower=1, clean=1)
        if failed:
            return None
        bounded = np.flatnonzero((self.upper < UNBOUND) | (self.lower > -UNBOUND))
        rows = np.concatenate([self.rows, np.eye(size)[bounded]])
        turned, _ = dtrtrs(factor, np.column_stack([rows.T, self.gradient]), lower=1)
        upper = np.concatenate([self.bound, self.upper[bounded]])
        lower = np.concatenate([np.full(len(self.bound), -UNBOUND), self.lower[bounded]])
        y, _, flag, _ = daqp.solve(np.eye(size), np.ascontiguousarray(turned[:, -1]), np.ascontiguousarray(turned[:, :-1].T),
                                   upper, lower, iter_limit=1000)
        if flag <= 0 or not np.isfinite(y).all():
            return None
        x: Array = dtrtrs(factor, y, lower=1, trans=1)[0]
        return x

"""Gauss-Newton with bounds on the preview's residuals, all candidates of an iteration in one go."""
from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import NDArray

from .problem import PreviewProblem
from .schedule import SCALE
from .solver import Solution

Array = NDArray[np.float64]

H = 1e-6              # change by which slopes are found, of a change that matters
STEPS = np.array([1.0, 0.6, 0.3, 0.1, 0.03])      # parts of a step that are tried
FARTHEST = 3.0        # changes that matter in one step, at most
SETTLED = 1e-5        # part of the cost that a step must win to be followed by another
DAMPING = (1e-5, 1e-3, 10.0)      # of a step: least, at the beginning, and what a step that fails multiplies it by


@dataclass(frozen=True)
class GaussNewton:
    """Damped steps, each a quadratic program with the bounds as its own."""

    iterations: int = 3

    def solve(self, problem: PreviewProblem, start: Array) -> Solution:
        """Parameters no worse than those given."""
        low, high = problem.bounds
        u, damping, tried, best = problem.inside(start), DAMPING[1], 0, np.inf
        free = np.flatnonzero(high - low > 1e-9)
        for _ in range(self.iterations):
            r, slope = slopes(problem, u, free)
            tried += len(free) + 1
            best = float(r @ r)
            step = _step(slope, r, damping, (low - u)[free] / SCALE[free], (high - u)[free] / SCALE[free])
            if step is None:
                damping *= DAMPING[2]
                continue
            candidates = np.tile(u, (len(STEPS), 1))
            candidates[:, free] += STEPS[:, None] * step * SCALE[free]
            candidates = problem.inside(candidates)
            costs = problem.cost(candidates)
            tried += len(STEPS)
            k = int(np.argmin(costs))
            if not costs[k] < best:
                damping *= DAMPING[2]
                continue
            won, u, damping = best - costs[k], candidates[k], max(0.3 * damping, DAMPING[0]) if k == 0 else 2 * damping
            best = float(costs[k])
            if won < SETTLED * best:
                break
        return Solution(u, best, tried)


def slopes(problem: PreviewProblem, u: Array, free: NDArray[np.int64]) -> tuple[Array, Array]:
    """Residuals (r,) and their derivatives (r, f) by the free parameters, these in changes that matter."""
    around = np.tile(u, (len(free) + 1, 1))
    change = H * SCALE[free]
    change = np.where(u[free] + change > problem.bounds[1][free], -change, change)
    around[np.arange(1, len(free) + 1), free] += change
    found = problem.residuals(around)
    return found[0], (found[1:] - found[0]).T * (SCALE[free] / change)


def _step(slope: Array, r: Array, damping: float, low: Array, high: Array) -> Array | None:
    n = len(low)
    hessian, gradient = slope.T @ slope, slope.T @ r
    hessian[np.diag_indices(n)] += damping
    upper, lower = np.minimum(high, FARTHEST), np.maximum(low, -FARTHEST)
    step, _, flag, _ = daqp.solve(hessian, gradient, np.zeros((0, n)), upper, lower, np.zeros(n, np.int32))
    return step if flag > 0 and np.isfinite(step).all() else None

"""The search for the times of the next footsteps.

Source: Kwon et al. 2020, section 4.2 and appendix C.4.
"""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .cost import FootstepProblem
from .dynamic_programming import search_lattice

Array = NDArray[np.float64]


STEPS = 6             # Gauss-Newton steps before another search takes over
SETTLED = 1e-4        # of a step's duration, change at which they are done
H = 1e-6              # change by which slopes are found
LEAST = 1e-9          # added to what tells steps apart, for a step as short or long as it can be


def search(problem: FootstepProblem) -> Array:
    """Best times of the next footsteps, (count,) or fewer.

    Where nothing is forbidden the objective is smooth and slopes lead to its optimum. Where the optimum would stand on
    forbidden ground, all times on a lattice are gone through (in place of the search by CMA-ES of C.4): for as many footsteps
    as there is a way for. If there is none for a single one, the smooth optimum is returned as it is, and the ground decides.
    """
    smooth: Array = problem.times(_smooth(problem)[None])[0]
    if not problem.unfit(smooth):
        return smooth
    for count in range(problem.count, 0, -1):
        found = search_lattice(replace(problem, count=count))
        if found is not None:
            return found
    return smooth


def _smooth(problem: FootstepProblem) -> Array:
    """Optimum over all ground, as logarithms of the steps' durations. (count,).

    The objective is a sum of squares that are nearly linear where feet do not cross: two or three Gauss-Newton steps settle
    it. Where they do not, as where a foot is about to cross the other one, a search along its gradient does.
    """
    x, around = np.zeros(problem.count), np.vstack([np.zeros(problem.count), H * np.eye(problem.count)])
    for _ in range(STEPS):
        r = problem.residuals(x + around)
        slope = (r[1:] - r[0]) / H                                                          # (count, residuals)
        change = -np.linalg.solve(slope @ slope.T + LEAST * np.eye(problem.count), slope @ r[0])
        x = x + change
        if np.abs(change).max() < SETTLED:
            return x

    def value_and_slope(x: Array) -> tuple[float, Array]:
        f = problem.cost(x + around)
        return float(f[0]), (f[1:] - f[0]) / H

    found: Array = minimize(value_and_slope, np.zeros(problem.count), jac=True, method="L-BFGS-B", options={"maxiter": 40}).x
    return found

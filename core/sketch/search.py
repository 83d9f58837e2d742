"""The search for the times of the next footsteps.

Source: Kwon et al. 2020, section 4.2 and appendix C.4.
"""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .footsteps import FootstepProblem
from .lattice import search_lattice

Array = NDArray[np.float64]


def search(problem: FootstepProblem) -> Array:
    """Best times of the next footsteps, (count,) or fewer.

    Where nothing is forbidden the objective is smooth and a gradient finds its optimum. Where the optimum would stand on
    forbidden ground, all times on a lattice are gone through (in place of the search by CMA-ES of C.4): for as many footsteps
    as there is a way for. If there is none for a single one, the smooth optimum is returned as it is, and the ground decides.
    """
    def value_and_slope(x: Array) -> tuple[float, Array]:
        h = 1e-6
        f = problem.cost(np.vstack([x, x + h * np.eye(problem.count)]))
        return float(f[0]), (f[1:] - f[0]) / h

    x = minimize(value_and_slope, np.zeros(problem.count), jac=True, method="L-BFGS-B", options={"maxiter": 40}).x
    smooth: Array = problem.times(x[None])[0]
    if not problem.unfit(smooth):
        return smooth
    for count in range(problem.count, 0, -1):
        found = search_lattice(replace(problem, count=count))
        if found is not None:
            return found
    return smooth

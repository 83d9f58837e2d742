"""The search for the times of the next footsteps.

Source: Kwon et al. 2020, section 4.2 and appendix C.4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .cost import FootstepProblem
from .dynamic_programming import search_lattice

Array = NDArray[np.float64]


MAX_GAUSS_NEWTON_STEPS = 6  # Gauss-Newton steps before another search takes over
CONVERGENCE_TOLERANCE = 1e-4  # of a step's duration, change at which they are done
DIFFERENCE_STEP = 1e-6  # change by which slopes are found
REGULARIZATION = 1e-9  # added to what tells steps apart, for a step as short or long as it can be


class _CostAndGradient(NamedTuple):
    """Value of the objective and its gradient (count,), as SciPy expects them."""

    cost: float
    gradient: Array


def search_step_times(problem: FootstepProblem) -> Array:
    """Best times of the next footsteps, (count,) or fewer.

    Where nothing is forbidden the objective is smooth and slopes lead to its optimum. Where the
    optimum would stand on forbidden ground, all times on a lattice are gone through (in place of
    the search by CMA-ES of C.4): for as many footsteps as there is a way for. If there is none for
    a single one, the smooth optimum is returned as it is, and the ground decides.
    """
    smooth_times: Array = problem.compute_times(_minimize_smooth_cost(problem)[None])[0]
    if not problem.is_infeasible(smooth_times):
        return smooth_times
    for step_count in range(problem.step_count, 0, -1):
        lattice_times = search_lattice(replace(problem, step_count=step_count))
        if lattice_times is not None:
            return lattice_times
    return smooth_times


def _minimize_smooth_cost(problem: FootstepProblem) -> Array:
    """Optimum over all ground, as logarithms of the steps' durations. (count,).

    The objective is a sum of squares that are nearly linear where feet do not cross: two or three
    Gauss-Newton steps settle it. Where they do not, as where a foot is about to cross the other
    one, a search along its gradient does.
    """
    x = np.zeros(problem.step_count)
    probes = np.vstack([np.zeros(problem.step_count), DIFFERENCE_STEP * np.eye(problem.step_count)])
    for _ in range(MAX_GAUSS_NEWTON_STEPS):
        r = problem.compute_residuals(x + probes)
        jacobian = (r[1:] - r[0]) / DIFFERENCE_STEP  # (count, residuals)
        change = -np.linalg.solve(
            jacobian @ jacobian.T + REGULARIZATION * np.eye(problem.step_count), jacobian @ r[0]
        )
        x = x + change
        if np.abs(change).max() < CONVERGENCE_TOLERANCE:
            return x

    def cost_and_gradient(x: Array) -> _CostAndGradient:
        f = problem.compute_cost(x + probes)
        return _CostAndGradient(float(f[0]), (f[1:] - f[0]) / DIFFERENCE_STEP)

    solution: Array = minimize(
        cost_and_gradient,
        np.zeros(problem.step_count),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 40},
    ).x
    return solution

"""The search for the times of the next footsteps.

Source: Kwon et al. 2020, section 4.2 and appendix C.4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .cost import FootstepProblem
from .dynamic_programming import search_lattice

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SearchParameters:
    """Numerical parameters of the smooth search."""

    max_gauss_newton_steps: int = 6  # Gauss-Newton steps before a quasi-Newton search takes over.
    # Change of the logarithm of a duration below which the search has converged.
    convergence_tolerance: float = 1e-4
    difference_step: float = 1e-6  # Step of the finite differences, in the logarithm of a duration.
    # Added to the diagonal of the normal matrix, which is singular for a step at a limit of its
    # duration.
    regularization: float = 1e-9


SEARCH = SearchParameters()


class _CostAndGradient(NamedTuple):
    """Value of the objective and its gradient (count,), as SciPy expects them."""

    cost: float
    gradient: Array


def search_step_times(problem: FootstepProblem) -> Array:
    """Return the best times of the next footsteps. (count,) or fewer [s].

    Without forbidden ground the objective is smooth, and a gradient-based search finds its optimum.
    If that optimum stands on forbidden ground, dynamic programming searches all times on a lattice
    instead (the paper uses CMA-ES, appendix C.4), for as many footsteps as have an allowed
    sequence. If not even one footstep has an allowed time, the result is the smooth optimum.
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
    """Return the optimum over all ground, as logarithms of the durations of the steps. (count,).

    The objective is a sum of squares that are nearly linear unless feet cross, so two or three
    Gauss-Newton steps usually converge. If they do not, for example when a foot is about to cross
    the other one, a quasi-Newton search takes over.
    """
    x = np.zeros(problem.step_count)
    probes = np.vstack(
        [np.zeros(problem.step_count), SEARCH.difference_step * np.eye(problem.step_count)]
    )
    for _ in range(SEARCH.max_gauss_newton_steps):
        r = problem.compute_residuals(x + probes)
        jacobian = (r[1:] - r[0]) / SEARCH.difference_step  # (count, residuals)
        change = -np.linalg.solve(
            jacobian @ jacobian.T + SEARCH.regularization * np.eye(problem.step_count),
            jacobian @ r[0],
        )
        x = x + change
        if np.abs(change).max() < SEARCH.convergence_tolerance:
            return x

    def cost_and_gradient(x: Array) -> _CostAndGradient:
        f = problem.compute_cost(x + probes)
        return _CostAndGradient(float(f[0]), (f[1:] - f[0]) / SEARCH.difference_step)

    solution: Array = minimize(
        cost_and_gradient,
        np.zeros(problem.step_count),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 40},
    ).x
    return solution

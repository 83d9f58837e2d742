"""The paper's solver: CMA, with its population and its number of evaluations (section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import cma
import numpy as np
from numpy.typing import NDArray

from .problem import PreviewProblem
from .schedule import PARAMETER_SCALE
from .solver import PreviewSolution

Array = NDArray[np.float64]

INITIAL_SPREAD = 0.5  # of the first population, in changes that matter


@dataclass(frozen=True)
class CmaSolver:
    """Covariance matrix adaptation; needs no slopes, and finds its way out of
    poor optima if given time.
    """

    max_evaluations: int = 5000
    population: int = 15
    seed: int = 1

    def solve(self, problem: PreviewProblem, start: Array) -> PreviewSolution:
        """Parameters no worse than those given."""
        lower, upper = problem.bounds
        free_indices = np.flatnonzero(upper - lower > 1e-9)
        u = problem.clamp(start)
        start_cost = float(problem.compute_costs(u[None])[0])
        scaled_lower = lower[free_indices] / PARAMETER_SCALE[free_indices]
        scaled_upper = upper[free_indices] / PARAMETER_SCALE[free_indices]
        scaled_start = np.clip(
            u[free_indices] / PARAMETER_SCALE[free_indices],
            scaled_lower + 1e-9,
            scaled_upper - 1e-9,
        )
        search = cma.CMAEvolutionStrategy(
            scaled_start,
            INITIAL_SPREAD,
            {
                "bounds": [scaled_lower, scaled_upper],
                "popsize": self.population,
                "maxfevals": self.max_evaluations,
                "seed": self.seed,
                "verbose": -9,
            },
        )

        def fill_parameters(samples: Array) -> Array:
            candidates = np.tile(u, (len(samples), 1))
            candidates[:, free_indices] = samples * PARAMETER_SCALE[free_indices]
            return candidates

        while not search.stop():
            samples = search.ask()
            search.tell(samples, problem.compute_costs(fill_parameters(np.array(samples))).tolist())
        result = search.result
        if result.fbest >= start_cost:
            return PreviewSolution(u, start_cost, int(result.evaluations))
        return PreviewSolution(
            problem.clamp(fill_parameters(result.xbest[None])[0]),
            float(result.fbest),
            int(result.evaluations),
        )

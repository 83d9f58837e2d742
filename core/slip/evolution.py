"""The paper's solver: CMA-ES with its population size and number of evaluations (section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import cma
import numpy as np
from numpy.typing import NDArray

from .problem import PreviewProblem, PreviewSolution
from .schedule import PARAMETER_SCALE

Array = NDArray[np.float64]

# Standard deviation of the first population, in units of `PARAMETER_SCALE`, which are the usual
# changes of parameters
INITIAL_SPREAD = 0.5


@dataclass(frozen=True)
class CmaSolver:
    """Covariance matrix adaptation evolution strategy.

    It needs no derivatives and escapes poor local minima, but takes many evaluations.
    """

    max_evaluations: int
    population: int = 15  # about the 4 + 3 ln n of CMA-ES for n = 24 parameters, rounded up
    seed: int = 1

    def solve(self, problem: PreviewProblem, start: Array) -> PreviewSolution:
        """Minimize the cost from `start` (24,). The result is no worse than the start."""
        bounds = problem.bounds
        free_indices = bounds.free_indices
        u = problem.clamp(start)
        start_cost = float(problem.compute_costs(u[None])[0])
        scaled_lower = bounds.lower[free_indices] / PARAMETER_SCALE[free_indices]
        scaled_upper = bounds.upper[free_indices] / PARAMETER_SCALE[free_indices]
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

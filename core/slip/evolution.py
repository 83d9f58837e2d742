"""The paper's solver: CMA, with its population and its number of evaluations (section 5)."""
from __future__ import annotations

from dataclasses import dataclass

import cma
import numpy as np
from numpy.typing import NDArray

from .problem import PreviewProblem
from .schedule import SCALE
from .solver import Solution

Array = NDArray[np.float64]

SPREAD = 0.5          # of the first population, in changes that matter


@dataclass(frozen=True)
class Evolution:
    """Covariance matrix adaptation; needs no slopes, and finds its way out of poor optima if given time."""

    evaluations: int = 5000
    population: int = 15
    seed: int = 1

    def solve(self, problem: PreviewProblem, start: Array) -> Solution:
        """Parameters no worse than those given."""
        low, high = problem.bounds
        free = np.flatnonzero(high - low > 1e-9)
        u = problem.inside(start)
        first = float(problem.cost(u[None])[0])
        least, most = low[free] / SCALE[free], high[free] / SCALE[free]
        begin = np.clip(u[free] / SCALE[free], least + 1e-9, most - 1e-9)
        search = cma.CMAEvolutionStrategy(begin, SPREAD, {
            "bounds": [least, most], "popsize": self.population, "maxfevals": self.evaluations, "seed": self.seed,
            "verbose": -9})

        def whole(drawn: Array) -> Array:
            candidates = np.tile(u, (len(drawn), 1))
            candidates[:, free] = drawn * SCALE[free]
            return candidates

        while not search.stop():
            drawn = search.ask()
            search.tell(drawn, problem.cost(whole(np.array(drawn))).tolist())
        found = search.result
        if found.fbest >= first:
            return Solution(u, first, int(found.evaluations))
        return Solution(problem.inside(whole(found.xbest[None])[0]), float(found.fbest), int(found.evaluations))

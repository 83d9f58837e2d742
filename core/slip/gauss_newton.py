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
SMALL = 0.3           # changes that matter, up to which slopes can be believed
SETTLED = 1e-5        # part of the cost, below which a step has won too little to be followed by another
DAMPING = (1e-5, 1e-3, 10.0)      # of a step: least, at the beginning, and what a step that fails multiplies it by


@dataclass(frozen=True)
class GaussNewton:
    """Damped steps, each a quadratic program with the bounds as its own.

    Args:
        enough: part of the cost that a step must win to be followed by another.
        damping: of the first step.
        believes: whether small steps are taken whole at the cost that the slopes foretell, without a look at what they do cost:
            this may be more where a limit begins, but the next preview begins from there.
    """

    iterations: int = 3
    enough: float = SETTLED
    damping: float = DAMPING[1]
    believes: bool = False

    def solve(self, problem: PreviewProblem, start: Array) -> Solution:
        """Parameters no worse than those given, as far as steps are looked at."""
        return self.solve_all(problem, start[None])[0]

    def solve_all(self, problem: PreviewProblem, starts: Array) -> tuple[Solution, ...]:
        """From each of several starts (s, 24), side by side: a rollout of many costs hardly more than one of few."""
        low, high = problem.bounds
        free = np.flatnonzero(high - low > 1e-9)
        searches = [_Search(problem.inside(start), self.enough, self.damping) for start in starts]
        for left in range(self.iterations, 0, -1):
            going = [search for search in searches if not search.settled]
            unknown = [search for search in going if search.slopes is None]
            if unknown:
                for search, slopes in zip(unknown, slopes_at(problem, np.array([s.u for s in unknown]), free), strict=True):
                    search.know(slopes)
            stepping = []
            for search in going:
                step = search.step((low - search.u)[free] / SCALE[free], (high - search.u)[free] / SCALE[free])
                if step is not None and self.believes and np.abs(step).max() < SMALL:
                    search.believe(step, problem, free)
                elif step is not None:
                    candidates = np.repeat(search.u[None], len(STEPS), 0)
                    candidates[:, free] += STEPS[:, None] * step * SCALE[free]
                    stepping.append((search, problem.inside(candidates)))
            if len(stepping) == 1 and left > 1:
                # the slopes at all candidates, in the rollout that tells the best of them
                search, candidates = stepping[0]
                slopes_there = slopes_at(problem, candidates, free)
                k = search.take(candidates, np.array([r @ r for r, _ in slopes_there]))
                if k is not None:
                    search.know(slopes_there[k])
            elif stepping:
                costs = problem.cost(np.concatenate([c for _, c in stepping])).reshape(-1, len(STEPS))
                for (search, candidates), cost in zip(stepping, costs, strict=True):
                    search.take(candidates, cost)
        return tuple(Solution(search.u, search.cost, search.tried) for search in searches)


@dataclass
class _Search:
    """One start and how far it has come."""

    u: Array
    enough: float             # part of the cost
    damping: float
    cost: float = np.inf
    tried: int = 0
    settled: bool = False
    slopes: tuple[Array, Array] | None = None       # residuals and their derivatives here, where they are known

    def know(self, slopes: tuple[Array, Array]) -> None:
        """The residuals and their derivatives here."""
        r, slope = self.slopes = slopes
        self.cost, self.tried = float(r @ r), self.tried + slope.shape[1] + 1

    def step(self, low: Array, high: Array) -> Array | None:
        """The next step, in changes that matter; none where it is to be damped more."""
        assert self.slopes is not None
        r, slope = self.slopes
        step = _step(slope, r, self.damping, low, high)
        if step is None:
            self.damping *= DAMPING[2]
        return step

    def believe(self, step: Array, problem: PreviewProblem, free: NDArray[np.int64]) -> None:
        """Take a small step whole; what it costs is what the slopes tell."""
        assert self.slopes is not None
        r, slope = self.slopes
        there, u = r + slope @ step, self.u.copy()
        u[free] += step * SCALE[free]
        self.u, self.cost, self.slopes = problem.inside(u), float(there @ there), None

    def take(self, candidates: Array, cost: Array) -> int | None:
        """Go on to the best of the candidates, if it is better; which it was."""
        self.tried += len(cost)
        k = int(np.argmin(cost))
        if not cost[k] < self.cost:
            self.damping *= DAMPING[2]
            return None
        self.settled = self.cost - cost[k] < self.enough * cost[k]
        self.damping = max(0.3 * self.damping, DAMPING[0]) if k == 0 else 2 * self.damping
        self.u, self.cost, self.slopes = candidates[k], float(cost[k]), None
        return k


def slopes_at(problem: PreviewProblem, at: Array, free: NDArray[np.int64]) -> list[tuple[Array, Array]]:
    """For each place (s, 24) residuals (r,) and their derivatives (r, f) by the free parameters, in changes that matter."""
    count = len(free) + 1
    change = H * SCALE[free] * np.where(at[:, free] + H * SCALE[free] > problem.bounds[1][free], -1.0, 1.0)     # (s, f)
    around = np.repeat(at[:, None], count, 1)                                               # (s, f + 1, 24)
    around[:, np.arange(1, count), free] += change
    found = problem.residuals(around.reshape(-1, at.shape[1])).reshape(len(at), count, -1)
    return [(r[0], (r[1:] - r[0]).T * (SCALE[free] / by)) for r, by in zip(found, change, strict=True)]


def _step(slope: Array, r: Array, damping: float, low: Array, high: Array) -> Array | None:
    n = len(low)
    hessian, gradient = slope.T @ slope, slope.T @ r
    hessian.flat[:: n + 1] += damping
    upper, lower = np.minimum(high, FARTHEST), np.maximum(low, -FARTHEST)
    step, _, flag, _ = daqp.solve(hessian, gradient, np.zeros((0, n)), upper, lower, np.zeros(n, np.int32))
    return step if flag > 0 and np.isfinite(step).all() else None

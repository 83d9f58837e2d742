"""Gauss-Newton with bounds on the preview's residuals, all candidates of an iteration in one go."""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import NDArray

from .problem import PreviewProblem
from .schedule import PARAMETER_SCALE
from .solver import PreviewSolution

Array = NDArray[np.float64]

DIFFERENCE_STEP = 1e-6  # change by which slopes are found, of a change that matters
STEP_SHARES = np.array([1.0, 0.6, 0.3, 0.1, 0.03])  # parts of a step that are tried
MAX_STEP = 3.0  # changes that matter in one step, at most
MAX_TRUSTED_STEP = 0.3  # changes that matter, up to which slopes can be believed
# part of the cost, below which a step has won too little to be followed by another
CONVERGED_GAIN = 1e-5
# of a step: least, at the beginning, and what a step that fails multiplies it by
DAMPING = (1e-5, 1e-3, 10.0)


@dataclass(frozen=True)
class GaussNewton:
    """Damped steps, each a quadratic program with the bounds as its own.

    Args:
        min_gain: part of the cost that a step must win to be followed by another.
        damping: of the first step.
        allows_unchecked_steps: whether small steps are taken whole at the cost that the slopes
            foretell, without a look at what they do cost: this may be more where a limit begins,
            but the next preview begins from there.
    """

    iterations: int = 3
    min_gain: float = CONVERGED_GAIN
    damping: float = DAMPING[1]
    allows_unchecked_steps: bool = False

    def solve(self, problem: PreviewProblem, start: Array) -> PreviewSolution:
        """Parameters no worse than those given, as far as steps are looked at."""
        return self.solve_all(problem, start[None])[0]

    def solve_all(self, problem: PreviewProblem, starts: Array) -> tuple[PreviewSolution, ...]:
        """From each of several starts (s, 24), side by side:
        a rollout of many costs hardly more than one of few.
        """
        lower, upper = problem.bounds
        free_indices = np.flatnonzero(upper - lower > 1e-9)
        searches = [
            _SearchState(problem.clamp(start), self.min_gain, self.damping) for start in starts
        ]
        for remaining in range(self.iterations, 0, -1):
            active = [search for search in searches if not search.is_converged]
            without_slopes = [search for search in active if search.linearization is None]
            if without_slopes:
                for search, linearization in zip(
                    without_slopes,
                    linearize_residuals(
                        problem, np.array([s.controls for s in without_slopes]), free_indices
                    ),
                    strict=True,
                ):
                    search.set_linearization(linearization)
            pending = []
            for search in active:
                step = search.compute_step(
                    (lower - search.controls)[free_indices] / PARAMETER_SCALE[free_indices],
                    (upper - search.controls)[free_indices] / PARAMETER_SCALE[free_indices],
                )
                if (
                    step is not None
                    and self.allows_unchecked_steps
                    and np.abs(step).max() < MAX_TRUSTED_STEP
                ):
                    search.accept_unchecked(step, problem, free_indices)
                elif step is not None:
                    candidates = np.repeat(search.controls[None], len(STEP_SHARES), 0)
                    candidates[:, free_indices] += (
                        STEP_SHARES[:, None] * step * PARAMETER_SCALE[free_indices]
                    )
                    pending.append((search, problem.clamp(candidates)))
            if len(pending) == 1 and remaining > 1:
                # the slopes at all candidates, in the rollout that tells the best of them
                search, candidates = pending[0]
                candidate_slopes = linearize_residuals(problem, candidates, free_indices)
                k = search.accept_best(candidates, np.array([r @ r for r, _ in candidate_slopes]))
                if k is not None:
                    search.set_linearization(candidate_slopes[k])
            elif pending:
                costs = problem.compute_costs(np.concatenate([c for _, c in pending])).reshape(
                    -1, len(STEP_SHARES)
                )
                for (search, candidates), cost in zip(pending, costs, strict=True):
                    search.accept_best(candidates, cost)
        return tuple(
            PreviewSolution(search.controls, search.cost, search.evaluations) for search in searches
        )


@dataclass
class _SearchState:
    """One start and how far it has come."""

    controls: Array
    min_gain: float  # part of the cost
    damping: float
    cost: float = np.inf
    evaluations: int = 0
    is_converged: bool = False
    # residuals and their derivatives here, where they are known
    linearization: tuple[Array, Array] | None = None

    def set_linearization(self, linearization: tuple[Array, Array]) -> None:
        """The residuals and their derivatives here."""
        residuals, jacobian = self.linearization = linearization
        self.cost = float(residuals @ residuals)
        self.evaluations = self.evaluations + jacobian.shape[1] + 1

    def compute_step(self, lower: Array, upper: Array) -> Array | None:
        """The next step, in changes that matter; none where it is to be damped more."""
        assert self.linearization is not None
        residuals, jacobian = self.linearization
        step = _solve_step(jacobian, residuals, self.damping, min_step=lower, max_step=upper)
        if step is None:
            self.damping *= DAMPING[2]
        return step

    def accept_unchecked(
        self, step: Array, problem: PreviewProblem, free_indices: NDArray[np.int64]
    ) -> None:
        """Take a small step whole; what it costs is what the slopes tell."""
        assert self.linearization is not None
        residuals, jacobian = self.linearization
        new_residuals = residuals + jacobian @ step
        u = self.controls.copy()
        u[free_indices] += step * PARAMETER_SCALE[free_indices]
        self.controls = problem.clamp(u)
        self.cost = float(new_residuals @ new_residuals)
        self.linearization = None

    def accept_best(self, candidates: Array, costs: Array) -> int | None:
        """Go on to the best of the candidates, if it is better; which it was."""
        self.evaluations += len(costs)
        k = int(np.argmin(costs))
        if not costs[k] < self.cost:
            self.damping *= DAMPING[2]
            return None
        self.is_converged = self.cost - costs[k] < self.min_gain * costs[k]
        self.damping = max(0.3 * self.damping, DAMPING[0]) if k == 0 else 2 * self.damping
        self.controls = candidates[k]
        self.cost = float(costs[k])
        self.linearization = None
        return k


def linearize_residuals(
    problem: PreviewProblem, points: Array, free_indices: NDArray[np.int64]
) -> list[tuple[Array, Array]]:
    """For each place (s, 24) residuals (r,) and their derivatives (r, f) by the free parameters,
    in changes that matter.
    """
    count = len(free_indices) + 1
    # (s, f)
    change = (
        DIFFERENCE_STEP
        * PARAMETER_SCALE[free_indices]
        * np.where(
            points[:, free_indices] + DIFFERENCE_STEP * PARAMETER_SCALE[free_indices]
            > problem.bounds[1][free_indices],
            -1.0,
            1.0,
        )
    )
    perturbed = np.repeat(points[:, None], count, 1)  # (s, f + 1, 24)
    perturbed[:, np.arange(1, count), free_indices] += change
    residuals = problem.compute_residuals(perturbed.reshape(-1, points.shape[1])).reshape(
        len(points), count, -1
    )
    return [
        (r[0], (r[1:] - r[0]).T * (PARAMETER_SCALE[free_indices] / difference))
        for r, difference in zip(residuals, change, strict=True)
    ]


def _solve_step(
    jacobian: Array, residuals: Array, damping: float, min_step: Array, max_step: Array
) -> Array | None:
    n = len(min_step)
    hessian = jacobian.T @ jacobian
    gradient = jacobian.T @ residuals
    hessian.flat[:: n + 1] += damping
    upper = np.minimum(max_step, MAX_STEP)
    lower = np.maximum(min_step, -MAX_STEP)
    step, _, flag, _ = daqp.solve(
        hessian, gradient, np.zeros((0, n)), upper, lower, np.zeros(n, np.int32)
    )
    return step if flag > 0 and np.isfinite(step).all() else None

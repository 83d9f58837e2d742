"""Bounded Gauss-Newton on the preview's residuals, vectorized over starts and step sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import NDArray

from .problem import PreviewProblem, PreviewSolution
from .schedule import PARAMETER_SCALE, ParameterBounds

Array = NDArray[np.float64]

# Step of forward differences, in units of `PARAMETER_SCALE`. Numerical: between rounding, whose
# root is 1e-8, and curvature
DIFFERENCE_STEP = 1e-6
# Shares of a step that are tried in the line search
STEP_SHARES = np.array([1.0, 0.6, 0.3, 0.1, 0.03])
# Largest step of a parameter, in units of `PARAMETER_SCALE`
MAX_STEP = 3.0
# Largest step that is accepted without evaluating its cost, in units of `PARAMETER_SCALE`
MAX_TRUSTED_STEP = 0.3
# Relative reduction of the cost below which a search has converged
CONVERGED_GAIN = 1e-5


@dataclass(frozen=True)
class DampingParameters:
    """Damping that is added to the diagonal of the Gauss-Newton Hessian.

    Numerical: it decides how many iterations a search takes, not where it ends; the ladder of
    factors is that of Levenberg and Marquardt.
    """

    minimum: float = 1e-5
    initial: float = 1e-3
    failure_factor: float = 10.0  # after a step that does not reduce the cost
    shortened_factor: float = 2.0  # after a step that was shortened
    success_factor: float = 0.3  # after a full step


DAMPING = DampingParameters()


@dataclass(frozen=True)
class Linearization:
    """Residuals and their Jacobian with respect to the f free parameters."""

    residuals: Array  # (r,)
    jacobian: Array  # (r, f) per unit of `PARAMETER_SCALE`


@dataclass(frozen=True)
class GaussNewton:
    """Damped Gauss-Newton solver.

    Each step is a quadratic program with the bounds of the parameters, followed by a line search
    over `STEP_SHARES`.
    """

    iterations: int
    min_gain: float = CONVERGED_GAIN  # relative reduction of the cost that continues a search
    damping: float = DAMPING.initial  # of the first step
    # Whether small steps are accepted at the cost that the linearization predicts. The actual cost
    # may be higher where a soft constraint becomes active; the next preview then corrects it
    allows_unchecked_steps: bool = False

    def solve(self, problem: PreviewProblem, start: Array) -> PreviewSolution:
        """Minimize the cost from `start` (24,).

        The result is no worse than the start, unless unchecked steps are allowed.
        """
        return self.solve_all(problem, start[None])[0]

    def solve_all(self, problem: PreviewProblem, starts: Array) -> tuple[PreviewSolution, ...]:
        """Minimize the cost from each of several starts (s, 24), side by side.

        A simulation of many candidates takes hardly longer than one of few.
        """
        bounds = problem.bounds
        free_indices = bounds.free_indices
        searches = [
            _SearchState(problem.clamp(start), self.min_gain, self.damping) for start in starts
        ]
        for remaining in range(self.iterations, 0, -1):
            active = [search for search in searches if not search.is_converged]
            _linearize_searches(problem, active, free_indices)
            pending = []
            for search in active:
                candidates = self._advance(problem, search, bounds, free_indices)
                if candidates is not None:
                    pending.append(_LineSearch(search, candidates))
            _finish_line_searches(problem, pending, free_indices, is_last=remaining == 1)
        return tuple(
            PreviewSolution(search.controls, search.cost, search.evaluations) for search in searches
        )

    def _advance(
        self,
        problem: PreviewProblem,
        search: _SearchState,
        bounds: ParameterBounds,
        free_indices: NDArray[np.int64],
    ) -> Array | None:
        """Compute a step and accept it unchecked, or return candidates (k, 24) along it."""
        step = search.compute_step(
            (bounds.lower - search.controls)[free_indices] / PARAMETER_SCALE[free_indices],
            (bounds.upper - search.controls)[free_indices] / PARAMETER_SCALE[free_indices],
        )
        if step is None:
            return None
        if self.allows_unchecked_steps and np.abs(step).max() < MAX_TRUSTED_STEP:
            search.accept_unchecked(step, problem, free_indices)
            return None
        candidates = np.repeat(search.controls[None], len(STEP_SHARES), 0)
        candidates[:, free_indices] += STEP_SHARES[:, None] * step * PARAMETER_SCALE[free_indices]
        return problem.clamp(candidates)


@dataclass
class _SearchState:
    """State of the search from one start."""

    controls: Array  # (24,)
    min_gain: float  # relative reduction of the cost
    damping: float
    cost: float = np.inf
    evaluations: int = 0
    is_converged: bool = False
    linearization: Linearization | None = None  # at `controls`; None after a step

    def set_linearization(self, linearization: Linearization) -> None:
        """Store the linearization at the current parameters."""
        self.linearization = linearization
        residuals = linearization.residuals
        self.cost = float(residuals @ residuals)
        self.evaluations = self.evaluations + linearization.jacobian.shape[1] + 1

    def compute_step(self, lower: Array, upper: Array) -> Array | None:
        """Return the next step (f,), or None and increase the damping if there is none.

        Args:
            lower: (f,) bounds of the step.
            upper: (f,) bounds of the step.
        """
        assert self.linearization is not None
        step = _solve_step(self.linearization, self.damping, min_step=lower, max_step=upper)
        if step is None:
            self.damping *= DAMPING.failure_factor
        return step

    def accept_unchecked(
        self, step: Array, problem: PreviewProblem, free_indices: NDArray[np.int64]
    ) -> None:
        """Accept a full step (f,) at the cost that the linearization predicts."""
        assert self.linearization is not None
        new_residuals = self.linearization.residuals + self.linearization.jacobian @ step
        u = self.controls.copy()
        u[free_indices] += step * PARAMETER_SCALE[free_indices]
        self.controls = problem.clamp(u)
        self.cost = float(new_residuals @ new_residuals)
        self.linearization = None

    def accept_best(self, candidates: Array, costs: Array) -> int | None:
        """Move to the best candidate if it reduces the cost.

        Args:
            candidates: (k, 24).
            costs: (k,).

        Returns:
            Index of the candidate, or None if none is better.
        """
        self.evaluations += len(costs)
        k = int(np.argmin(costs))
        if not costs[k] < self.cost:
            self.damping *= DAMPING.failure_factor
            return None
        self.is_converged = self.cost - costs[k] < self.min_gain * costs[k]
        self.damping = (
            max(DAMPING.success_factor * self.damping, DAMPING.minimum)
            if k == 0
            else DAMPING.shortened_factor * self.damping
        )
        self.controls = candidates[k]
        self.cost = float(costs[k])
        self.linearization = None
        return k


@dataclass(frozen=True)
class _LineSearch:
    """Search with the candidates of its line search."""

    search: _SearchState
    candidates: Array  # (k, 24)


def _linearize_searches(
    problem: PreviewProblem, active: list[_SearchState], free_indices: NDArray[np.int64]
) -> None:
    """Linearize the residuals of the searches that need it, in one simulation."""
    without_slopes = [search for search in active if search.linearization is None]
    if not without_slopes:
        return
    points = np.array([s.controls for s in without_slopes])
    linearizations = linearize_residuals(problem, points, free_indices)
    for search, linearization in zip(without_slopes, linearizations, strict=True):
        search.set_linearization(linearization)


def _finish_line_searches(
    problem: PreviewProblem,
    pending: Sequence[_LineSearch],
    free_indices: NDArray[np.int64],
    is_last: bool,
) -> None:
    """Move each search to its best candidate.

    A single search linearizes all its candidates in the simulation that evaluates them, unless the
    iteration is the last.
    """
    if len(pending) == 1 and not is_last:
        search = pending[0].search
        candidates = pending[0].candidates
        slopes = linearize_residuals(problem, candidates, free_indices)
        k = search.accept_best(candidates, np.array([s.residuals @ s.residuals for s in slopes]))
        if k is not None:
            search.set_linearization(slopes[k])
    elif pending:
        costs = problem.compute_costs(np.concatenate([p.candidates for p in pending])).reshape(
            -1, len(STEP_SHARES)
        )
        for line, cost in zip(pending, costs, strict=True):
            line.search.accept_best(line.candidates, cost)


def linearize_residuals(
    problem: PreviewProblem, points: Array, free_indices: NDArray[np.int64]
) -> list[Linearization]:
    """Linearize the residuals at several points by forward differences.

    Differences are taken backward where the upper bound is too close.

    Args:
        problem: the optimization problem.
        points: (s, 24) parameters.
        free_indices: (f,) of the parameters that are not fixed.

    Returns:
        One linearization for each point.
    """
    count = len(free_indices) + 1
    step = DIFFERENCE_STEP * PARAMETER_SCALE[free_indices]
    upper = problem.bounds.upper[free_indices]
    change = step * np.where(points[:, free_indices] + step > upper, -1.0, 1.0)  # (s, f)
    perturbed = np.repeat(points[:, None], count, 1)  # (s, f + 1, 24)
    perturbed[:, np.arange(1, count), free_indices] += change
    residuals = problem.compute_residuals(perturbed.reshape(-1, points.shape[1])).reshape(
        len(points), count, -1
    )
    return [
        Linearization(r[0], (r[1:] - r[0]).T * (PARAMETER_SCALE[free_indices] / difference))
        for r, difference in zip(residuals, change, strict=True)
    ]


def _solve_step(
    linearization: Linearization, damping: float, min_step: Array, max_step: Array
) -> Array | None:
    """Solve min |r + J s|^2 + damping |s|^2 with bounds on the step s.

    Args:
        linearization: residuals r and Jacobian J.
        damping: added to the diagonal of the Hessian.
        min_step: (f,) lower bounds.
        max_step: (f,) upper bounds.

    Returns:
        The step (f,), or None if the solver fails.
    """
    jacobian = linearization.jacobian
    n = len(min_step)
    hessian = jacobian.T @ jacobian
    gradient = jacobian.T @ linearization.residuals
    hessian.flat[:: n + 1] += damping
    upper = np.minimum(max_step, MAX_STEP)
    lower = np.maximum(min_step, -MAX_STEP)
    step, _, flag, _ = daqp.solve(
        hessian, gradient, np.zeros((0, n)), upper, lower, np.zeros(n, np.int32)
    )
    return step if flag > 0 and np.isfinite(step).all() else None

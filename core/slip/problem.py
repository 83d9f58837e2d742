"""Optimization problem of one preview (equation 18), and the interface of its solvers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .command import StepGoal
from .goals import compute_goal_residuals
from .modelling import compute_model_residuals
from .preview import Preview
from .rollout import roll_out, roll_out_phases
from .schedule import (
    ParameterBounds,
    PhaseSlot,
    PhaseTimeLimits,
    build_schedule,
    compute_bounds,
    guess_parameters,
)
from .state import SlipState
from .weights import SlipWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PreviewProblem:
    """Least-squares problem with bounds: min_u |r(u)|^2 with lower <= u <= upper.

    Each objective g_i of equation 18 is a sum of squared residuals.
    """

    state: SlipState
    goal: StepGoal
    body: SlipBody
    time_limits: PhaseTimeLimits = field(default_factory=PhaseTimeLimits)
    weights: SlipWeights = field(default_factory=SlipWeights)

    @cached_property
    def slots(self) -> tuple[PhaseSlot, ...]:
        """Phases of the preview."""
        return build_schedule(self.state, self.goal)

    @cached_property
    def bounds(self) -> ParameterBounds:
        """Bounds of the parameters."""
        return compute_bounds(self.state, self.goal, self.body, self.time_limits)

    @property
    def initial_guess(self) -> Array:
        """Parameters from which to start without a previous solution. (24,)."""
        return self.clamp(guess_parameters(self.state, self.goal))

    def clamp(self, u: Array) -> Array:
        """Clip parameters to their bounds. (..., 24) -> (..., 24)."""
        return self.bounds.clamp(u)

    def compute_residuals(self, u: Array) -> Array:
        """Evaluate the weighted residuals of n candidates. (n, 24) -> (n, r)."""
        rollout = roll_out(self.state, self.goal, self.body, slots=self.slots, u=u)
        arguments = (self.state, self.goal, self.body, self.weights, rollout, u)
        return np.concatenate(
            [*compute_goal_residuals(*arguments), *compute_model_residuals(*arguments)], 1
        )

    def compute_costs(self, u: Array) -> Array:
        """Evaluate the cost of n candidates, equation 18. (n, 24) -> (n,)."""
        residuals = self.compute_residuals(u)
        return np.asarray(np.einsum("nr,nr->n", residuals, residuals))

    def build_preview(self, u: Array) -> Preview:
        """Return the motion that parameters (24,) produce."""
        return Preview.from_rollout(
            roll_out_phases(self.state, self.goal, self.body, slots=self.slots, u=u[None]),
            u,
            self.body.gravity,
        )


@dataclass(frozen=True)
class PreviewSolution:
    """Solution of a preview."""

    controls: Array  # (24,) parameters
    cost: float
    evaluations: int  # number of candidates evaluated


class PreviewSolver(Protocol):
    """Minimizer of a preview's cost."""

    def solve(self, problem: PreviewProblem, start: Array) -> PreviewSolution:
        """Minimize the cost from parameters `start` (24,), which may violate their bounds."""
        ...

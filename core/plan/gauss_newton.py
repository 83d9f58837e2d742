"""Gauss-Newton iteration of one plan until the rotations at its nodes are consistent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .force_cost import ContinuityTarget, ForceCost
from .horizon import Horizon, PlanRollout, roll_out_freely
from .linearization import NominalTrajectory, TrackingGoal
from .quadratic import PlanProgram, expand_cost
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class IterationParameters:
    """When steps of the plan are damped, and when they end.

    Half or twice of each moves no link by more than 7 mm (docs/dev/parameters.csv).
    """

    max_turn: float = 2.0  # [rad] largest rotation by a step; the expansion is invalid beyond it
    damping_gap: float = 0.05  # [rad] rotation gap between nodes above which a step is damped
    # [rad] rotation gap between nodes below which another step changes nothing noticeable
    converged_gap: float = 6e-3
    # Damping of a step after a large gap, added to the diagonal of the Hessian
    step_damping: float = 1e-2


ITERATION = IterationParameters()


@dataclass(frozen=True)
class PlanProblem:
    """Optimization problem of one plan (cf. Kwon et al. 2020, equations 21 and 22)."""

    horizon: Horizon
    goal: TrackingGoal
    weights: PlanWeights
    limits: PlanLimits
    # Forces of the windows that are active at the start; None for no such windows
    continuity: ContinuityTarget | None
    handover_node: int  # node at which the next plan takes over


@dataclass(frozen=True)
class PlanSolution:
    """Solution of one plan over its horizon."""

    coefficients: Array  # (w K, 3) [body weights]
    positions: Array  # (s, 3) [m] of the stances
    rollout: PlanRollout
    slack: Array  # (s,) [m] excess leg length
    is_rotation_free: bool = False  # whether the rotation was left out of the cost


@dataclass(frozen=True)
class _Step:
    """Result of one quadratic program."""

    coefficients: Array  # (w K, 3) [body weights]
    positions: Array  # (s, 3) [m]
    coefficient_change: Array  # (w K, 3) [body weights]
    turn: Array  # (n, 3) [rad] rotation vectors that change the nominal rotations
    slack: Array  # (s,) [m]


def iterate_plan(
    problem: PlanProblem, nominal: NominalTrajectory, small_change: float, iterations: int
) -> PlanSolution | None:
    """Solve a plan by Gauss-Newton steps.

    The iteration stops when all rotation gaps are below `converged_gap`. The first step suffices
    only if it changes no force by more than `small_change` until the handover.

    Args:
        problem: the optimization problem.
        nominal: the first expansion point.
        small_change: [body weights].
        iterations: largest number of steps.

    Returns:
        The last valid solution, or None if the first step fails.
    """
    h = problem.horizon
    damping = 0.0
    best = None
    force_cost = ForceCost.from_horizon(h, problem.goal, problem.weights, problem.continuity)
    for k in range(iterations):
        expansion = expand_cost(
            h,
            nominal,
            problem.goal,
            weights=problem.weights,
            limits=problem.limits,
            force_cost=force_cost,
        )
        step = _solve_step(expansion, nominal, damping)
        if step is None:
            return best
        if not problem.weights.rotation:
            rollout = roll_out_freely(h, step.coefficients, step.positions)
            return PlanSolution(step.coefficients, step.positions, rollout, step.slack)
        if np.abs(step.turn).max() > ITERATION.max_turn:
            return best
        rotation = so3.exp(step.turn) @ nominal.rotation
        rollout = h.roll_out(step.coefficients, step.positions, rotation)
        largest_gap = float(np.abs(rollout.rotation_gap).max())
        best = PlanSolution(step.coefficients, step.positions, rollout, step.slack)
        until_handover = h.basis.value[: 2 * problem.handover_node + 1]
        change = np.abs(until_handover @ step.coefficient_change).max()
        if largest_gap < ITERATION.converged_gap and (k > 0 or change < small_change):
            break
        damping = ITERATION.step_damping if largest_gap > ITERATION.damping_gap else 0.0
        nominal = NominalTrajectory.from_rollout(step.coefficients, step.positions, rollout)
    return best


def _solve_step(expansion: PlanProgram, nominal: NominalTrajectory, damping: float) -> _Step | None:
    """Solve the quadratic program and apply its solution to the nominal trajectory."""
    x = expansion.program.solve(damping)
    if x is None:
        return None
    layout = expansion.layout
    force_count = layout.force_count
    motion_count = layout.motion_count
    change = x[:force_count].reshape(-1, 3)
    positions = nominal.positions.copy()
    positions[layout.shiftable, :2] += x[force_count:motion_count].reshape(-1, 2)
    rotation_map = expansion.rotation_map
    turn = rotation_map[:, :, :motion_count] @ x[:motion_count] + rotation_map[:, :, motion_count]
    return _Step(nominal.coefficients + change, positions, change, turn, slack=x[motion_count:])

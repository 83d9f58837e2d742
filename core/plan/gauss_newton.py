"""Gauss-Newton steps of one plan, until its lifted rotations join."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .force_cost import ForceCost
from .horizon import Horizon, PlanRollout, roll_out_freely
from .linearization import NominalTrajectory, TrackingGoal
from .quadratic import expand_cost
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]

MAX_TURN = 2.0  # rad that a step may turn the body; beyond it the expansion tells nothing
DAMPING_GAP = 0.05  # rad between lifted rotations, above which steps are damped
# rad between lifted rotations, below which another step changes nothing to speak of
CONVERGED_GAP = 6e-3


@dataclass(frozen=True)
class PlanSolution:
    """A plan over its horizon."""

    coefficients: Array  # (count w, 3)
    positions: Array  # (stances, 3)
    rollout: PlanRollout
    slack: Array  # (stances,) m that legs are overstepped by
    is_rotation_free: bool = False  # the rotation was left out of account


def iterate_plan(
    h: Horizon,
    nominal: NominalTrajectory,
    goal: TrackingGoal,
    weights: PlanWeights,
    limits: PlanLimits,
    continuity: tuple[Array, Array] | None,
    handover_node: int,
    small_change: float,
    iterations: int,
) -> PlanSolution | None:
    """Gauss-Newton steps until lifted rotations join; None where that does not work.

    One step is enough if it changes no force by more than `small_change` body weights up to the
    node `handover_node`, where the next plan takes over.
    """
    damping = 0.0
    best = None
    force_cost = ForceCost.from_horizon(h, goal, weights, continuity)
    for k in range(iterations):
        program = expand_cost(
            h, nominal, goal, weights=weights, limits=limits, force_cost=force_cost
        )
        x = program.solve(damping)
        if x is None:
            return best
        force_unknowns = 3 * h.coefficient_count * len(h.windows)
        motion_unknowns = force_unknowns + 2 * len(program.shiftable)
        coefficients = nominal.coefficients + x[:force_unknowns].reshape(-1, 3)
        positions = nominal.positions.copy()
        positions[program.shiftable, :2] += x[force_unknowns:motion_unknowns].reshape(-1, 2)
        turn = (
            program.rotation_map[:, :, :motion_unknowns] @ x[:motion_unknowns]
            + program.rotation_map[:, :, motion_unknowns]
        )
        if not weights.rotation:
            return PlanSolution(
                coefficients,
                positions,
                roll_out_freely(h, coefficients, positions),
                x[motion_unknowns:],
            )
        if np.abs(turn).max() > MAX_TURN:
            return best
        rotation = so3.exp(turn) @ nominal.rotation
        rollout = h.roll_out(coefficients, positions, rotation)
        largest_gap = float(np.abs(rollout.rotation_gap).max())
        best = PlanSolution(coefficients, positions, rollout, x[motion_unknowns:])
        change = np.abs(
            h.basis[0][: 2 * handover_node + 1] @ x[:force_unknowns].reshape(-1, 3)
        ).max()
        if largest_gap < CONVERGED_GAP and (k > 0 or change < small_change):
            break
        damping = 1e-2 if largest_gap > DAMPING_GAP else 0.0
        nominal = NominalTrajectory.from_rollout(coefficients, positions, rollout)
    return best

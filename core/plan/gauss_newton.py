"""Gauss-Newton steps of one plan, until its lifted rotations join."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .force_cost import ForceCost
from .horizon import Horizon, Rollout, turning
from .linearization import Base, Goal
from .quadratic import expand
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]

LARGEST_TURN = 2.0        # rad that a step may turn the body; beyond it the expansion tells nothing
GAP = 0.05                # rad between lifted rotations, above which steps are damped
CONVERGED = 6e-3          # rad between lifted rotations, below which another step changes nothing to speak of


@dataclass(frozen=True)
class Solution:
    """A plan over its horizon."""

    coefficients: Array       # (count w, 3)
    positions: Array          # (stances, 3)
    out: Rollout
    slack: Array              # (stances,) m that legs are overstepped by
    turned: bool = False      # the rotation was left out of account


def iterate(h: Horizon, base: Base, goal: Goal, weights: PlanWeights, limits: PlanLimits, kept: tuple[Array, Array] | None,
            last: int, small: float, iterations: int) -> Solution | None:
    """Gauss-Newton steps until lifted rotations join; None where that does not work.

    One step is enough if it changes no force by more than `small` body weights up to the node `last`, where the next plan
    takes over.
    """
    damping, best = 0.0, None
    forces = ForceCost.of(h, goal, weights, kept)
    for k in range(iterations):
        q = expand(h, base, goal, weights, limits, forces)
        x = q.solve(damping)
        if x is None:
            return best
        count = 3 * h.count * len(h.windows)
        moved = count + 2 * len(q.free)
        coefficients = base.coefficients + x[:count].reshape(-1, 3)
        positions = base.positions.copy()
        positions[q.free, :2] += x[count:moved].reshape(-1, 2)
        turn = q.rotation[:, :, :moved] @ x[:moved] + q.rotation[:, :, moved]
        if not weights.rotation:
            return Solution(coefficients, positions, turning(h, coefficients, positions), x[moved:])
        if np.abs(turn).max() > LARGEST_TURN:
            return best
        rotation = so3.exp(turn) @ base.rotation
        out = h.roll_out(coefficients, positions, rotation)
        gap = float(np.abs(out.gap).max())
        best = Solution(coefficients, positions, out, x[moved:])
        change = np.abs(h.basis[0][:2 * last + 1] @ x[:count].reshape(-1, 3)).max()
        if gap < CONVERGED and (k > 0 or change < small):
            break
        damping = 1e-2 if gap > GAP else 0.0
        base = Base.of(coefficients, positions, out)
    return best

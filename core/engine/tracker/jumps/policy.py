"""Place of the foot rotation indicator in a jump, by value iteration (Abe 2011, figure 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..biped import PlanarBiped
from ..policies.force_terms import ACCELERATION, CONSTANT, RATE, combine_terms, sample_force
from .mirrored import MIRROR, find_poses
from .parameters import JUMP_POLICY, JumpGoal

Array = NDArray[np.float64]

# Change of the phase for derivatives by it [m]. Numerical: of differences, small against a jump.
PHASE_DIFFERENCE = 1e-3


@dataclass(frozen=True)
class JumpPolicy:
    """Place of the indicator by phase and rate, and its value.

    Args:
        phases: [m], shape (p,).
        rates: [m/s], shape (r,).
        place: from the toes [m], shape (p, r).
        value: difference of the rate at toe-off from the goal [m/s], shape (p, r).
    """

    phases: Array
    rates: Array
    place: Array
    value: Array

    @staticmethod
    def optimize(biped: PlanarBiped, goal: JumpGoal) -> JumpPolicy:
        """Return the policy of least difference from the goal."""
        grid = JUMP_POLICY
        curves = goal.curves
        phases = np.linspace(curves.landing - grid.margin, curves.toe_off, grid.phases)
        rates = np.linspace(grid.least_rate, grid.most_rate, grid.rates)
        foot = biped.side_view
        heel = foot.heel.real - foot.toe.real + grid.heel_margin
        places = np.linspace(heel, -grid.toe_margin, grid.places)
        force = sample_force(
            biped, lambda p: find_poses(biped, curves, p) @ MIRROR.T, phases, PHASE_DIFFERENCE
        )
        place = np.zeros((len(phases), len(rates)))
        value = np.tile(np.abs(rates - goal.shape.rate), (len(phases), 1))
        step = phases[1] - phases[0]
        zeta = 0.5 * rates[:, None] ** 2
        off_center = grid.place_weight * np.abs(places - 0.5 * (heel - grid.toe_margin))
        for k in range(len(phases) - 2, -1, -1):
            moment = combine_terms(force[k], places.astype(complex))  # (places, terms)
            slope = -(2 * zeta * moment[:, RATE] + moment[:, CONSTANT]) / moment[:, ACCELERATION]
            after = zeta + step * slope
            later = np.interp(np.sqrt(2 * np.maximum(after, 0.0)), rates, value[k + 1])
            later = np.where(after < 0.5 * grid.stop_rate**2, grid.most_rate, later)
            best = (later + off_center).argmin(1)
            place[k], value[k] = places[best], later[np.arange(len(rates)), best]
        return JumpPolicy(phases, rates, place, value)

    def choose(self, phase: float, rate: float) -> float:
        """Return the place of the indicator from the toes [m]."""
        step = self.phases[1] - self.phases[0]
        k = int(np.clip(np.rint((phase - self.phases[0]) / step), 0, len(self.phases) - 1))
        return float(np.interp(rate, self.rates, self.place[k]))

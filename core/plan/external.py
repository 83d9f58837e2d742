"""External forces: pushes that a plan made before their start does not anticipate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .forces import COEFFICIENT_COUNT, evaluate_force_basis

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ForceIntegrals:
    """Time integrals of a force."""

    integral: Array  # (n, 3) [body weights s]
    double_integral: Array  # (n, 3) [body weights s^2]


@dataclass(frozen=True)
class _ForceProfile:
    """Scalar time profile of a push, 1 on its plateau, with its integrals."""

    value: Array  # (n,)
    integral: Array  # (n,) [s]
    double_integral: Array  # (n,) [s^2]


@dataclass(frozen=True)
class ExternalForce:
    """A push on a point of the body, with an optional pure moment.

    Force and moment share one profile: a rise and a fall of a quarter of the duration each.
    """

    begin: float  # [s]
    end: float  # [s]
    force: Array  # (3,) [body weights] at the plateau, world axes
    arm: Callable[[Array], Array]  # (n,) -> (n, 3) [m] from the CoM to the point, world axes
    # (3,) [body weights m] at the plateau, world axes
    moment: Array = field(default_factory=lambda: np.zeros(3))

    def force_at(self, times: Array) -> Array:
        """Return the force [body weights]. (n,) -> (n, 3)."""
        return self._evaluate_profile(times, 0.0).value[:, None] * self.force

    def torque_at(self, times: Array) -> Array:
        """Return the total moment about the CoM, arm x force + moment [body weights m].

        (n,) -> (n, 3).
        """
        return np.cross(self.arm(times), self.force_at(times)) + self.moment_at(times)

    def moment_at(self, times: Array) -> Array:
        """Return the pure moment [body weights m]. (n,) -> (n, 3)."""
        return self._evaluate_profile(times, 0.0).value[:, None] * self.moment

    def angular_impulse_at(self, times: Array, start: float) -> Array:
        """Return the integral of the pure moment from `start` on [body weights m s].

        (n,) -> (n, 3).
        """
        return self._evaluate_profile(times, start).integral[:, None] * self.moment

    def integrate_force(self, times: Array, start: float) -> ForceIntegrals:
        """Integrate the force once and twice from `start` to each of `times` (n,)."""
        profile = self._evaluate_profile(times, start)
        return ForceIntegrals(
            profile.integral[:, None] * self.force, profile.double_integral[:, None] * self.force
        )

    def _evaluate_profile(self, times: Array, start: float) -> _ForceProfile:
        """Evaluate the profile: the force basis with all coefficients 1."""
        basis = evaluate_force_basis(
            np.asarray(times, float), np.array([[self.begin, self.end]]), start
        )
        ones = np.ones(COEFFICIENT_COUNT)
        return _ForceProfile(
            basis.value[:, 0] @ ones,
            basis.integral[:, 0] @ ones,
            basis.double_integral[:, 0] @ ones,
        )

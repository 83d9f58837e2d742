"""Forces from outside: pushes that a plan did not see coming."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .force_basis import COEFFICIENT_COUNT, evaluate_force_basis

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ExternalForce:
    """A push on a point of the body, and a moment beside it,
    which rise and fall over a quarter of their time each.

    `arm` gives the point against the centre of mass at times (n,), world axes, m, (n, 3).
    """

    begin: float  # s
    end: float
    force: Array  # (3,) at its height, body weights
    arm: Callable[[Array], Array]
    # (3,) at its height, body weights times m
    moment: Array = field(default_factory=lambda: np.zeros(3))

    def force_at(self, times: Array) -> Array:
        """The force. (n,) -> (n, 3)."""
        return self._evaluate_basis(times, 0.0)[0][:, None] * self.force

    def torque_at(self, times: Array) -> Array:
        """What turns the body about its centre of mass: the moment, and that of
        the force. (n,) -> (n, 3).
        """
        return np.cross(self.arm(times), self.force_at(times)) + self.moment_at(times)

    def moment_at(self, times: Array) -> Array:
        """The moment. (n,) -> (n, 3)."""
        return self._evaluate_basis(times, 0.0)[0][:, None] * self.moment

    def angular_impulse_at(self, times: Array, start: float) -> Array:
        """Angular momentum that the moment alone gives from `start` on,
        body weights times m s. (n,) -> (n, 3).
        """
        return self._evaluate_basis(times, start)[1][:, None] * self.moment

    def integrals_at(self, times: Array, start: float) -> tuple[Array, Array]:
        """Single and double integral of the force from `start` on. (n,) -> (n, 3), (n, 3)."""
        _, integral, double_integral = self._evaluate_basis(times, start)
        return integral[:, None] * self.force, double_integral[:, None] * self.force

    def _evaluate_basis(self, times: Array, start: float) -> tuple[Array, Array, Array]:
        basis = evaluate_force_basis(
            np.asarray(times, float), np.array([[self.begin, self.end]]), start
        )
        ones = np.ones(COEFFICIENT_COUNT)
        return (
            basis.value[:, 0] @ ones,
            basis.integral[:, 0] @ ones,
            basis.double_integral[:, 0] @ ones,
        )

"""Forces from outside: pushes that a plan did not see coming."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .force_basis import COUNT, force_basis

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ExternalForce:
    """A push on a point of the body, and a moment beside it, which rise and fall over a quarter of their time each.

    `arm` gives the point against the centre of mass at times (n,), world axes, m, (n, 3).
    """

    begin: float              # s
    end: float
    force: Array              # (3,) at its height, body weights
    arm: Callable[[Array], Array]
    moment: Array = field(default_factory=lambda: np.zeros(3))          # (3,) at its height, body weights times m

    def at(self, times: Array) -> Array:
        """The force. (n,) -> (n, 3)."""
        return self._basis(times, 0.0)[0][:, None] * self.force

    def torque(self, times: Array) -> Array:
        """What turns the body about its centre of mass: the moment, and that of the force. (n,) -> (n, 3)."""
        return np.cross(self.arm(times), self.at(times)) + self.moment_at(times)

    def moment_at(self, times: Array) -> Array:
        """The moment. (n,) -> (n, 3)."""
        return self._basis(times, 0.0)[0][:, None] * self.moment

    def turning(self, times: Array, start: float) -> Array:
        """Angular momentum that the moment alone gives from `start` on, body weights times m s. (n,) -> (n, 3)."""
        return self._basis(times, start)[1][:, None] * self.moment

    def integrals(self, times: Array, start: float) -> tuple[Array, Array]:
        """Single and double integral of the force from `start` on. (n,) -> (n, 3), (n, 3)."""
        _, once, twice = self._basis(times, start)
        return once[:, None] * self.force, twice[:, None] * self.force

    def _basis(self, times: Array, start: float) -> tuple[Array, Array, Array]:
        b = force_basis(np.asarray(times, float), np.array([[self.begin, self.end]]), start)
        whole = np.ones(COUNT)
        return b.value[:, 0] @ whole, b.once[:, 0] @ whole, b.twice[:, 0] @ whole

"""Cubic Hermite splines and Euler angles, as formulas for CasADi and as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from footfall.core.plan.horizon import CentroidalState
from numpy.typing import NDArray
from oracle_problem import DIFFERENCE_STEP, BodyTrajectory
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]


def compute_hermite_weights(t: float, a: float, b: float) -> tuple[float, ...]:
    """Return the weights of value and slope at a, then at b, of a cubic from a to b at t. (4,)."""
    h = b - a
    u = (t - a) / (b - a)
    return (
        (1 + 2 * u) * (1 - u) ** 2,
        h * u * (1 - u) ** 2,
        u * u * (3 - 2 * u),
        h * u * u * (u - 1),
    )


def make_euler_rotation(e: Any) -> Any:
    """Return the rotation by angles about the moving z, y and x axes. SX (3, 3).

    Args:
        e: angles about x, y and z, SX (3).
    """
    (cx, cy, cz), (sx, sy, sz) = ((f(e[0]), f(e[1]), f(e[2])) for f in (ca.cos, ca.sin))
    return ca.vertcat(
        ca.horzcat(cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx),
        ca.horzcat(sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx),
        ca.horzcat(-sy, cy * sx, cy * cx),
    )


def make_rate_matrix(e: Any, m: Any) -> Any:
    """Return the matrix from rates of Euler angles to the angular velocity in body axes.

    Args:
        e: angles, as of `make_euler_rotation`.
        m: the module `casadi` or `numpy`.
    """
    one = 1.0
    zero = 0.0
    rows = [
        [one, zero, -m.sin(e[1])],
        [zero, m.cos(e[0]), m.cos(e[1]) * m.sin(e[0])],
        [zero, -m.sin(e[0]), m.cos(e[1]) * m.cos(e[0])],
    ]
    return np.array(rows) if m is np else ca.vertcat(*[ca.horzcat(*r) for r in rows])


@dataclass(frozen=True)
class SplineTrajectory:
    """Position and angles (6) relative to the start as a spline over time."""

    spline: CubicHermiteSpline
    start: CentroidalState
    inertia: Array  # (3, 3) in body axes, divided by the weight [m s^2]

    def claim(self, t: Array) -> BodyTrajectory:
        """Return the trajectory with its second derivatives at times (n,)."""
        change = (
            self._compute_momentum(t + DIFFERENCE_STEP)
            - self._compute_momentum(t - DIFFERENCE_STEP)
        ) / (2 * DIFFERENCE_STEP)
        position, velocity, acceleration = (self.spline(t, k)[:, :3] for k in range(3))
        return BodyTrajectory(
            self.start.com + position, velocity, *self._compute_rotation(t), acceleration, change
        )

    def _compute_rotation(self, t: Array) -> tuple[Array, Array]:
        """Return the rotation (n, 3, 3) and the angular velocity in world axes (n, 3) [rad/s]."""
        angle = self.spline(t)[:, 3:]
        rate = self.spline(t, 1)[:, 3:]
        rotation = self.start.rotation @ Rotation.from_euler("ZYX", angle[:, ::-1]).as_matrix()
        spin = np.stack([make_rate_matrix(e, np) @ d for e, d in zip(angle, rate, strict=True)])
        return rotation, (rotation @ spin[..., None])[..., 0]

    def _compute_momentum(self, t: Array) -> Array:
        rotation, spin = self._compute_rotation(t)
        return (rotation @ self.inertia @ np.swapaxes(rotation, 1, 2) @ spin[..., None])[..., 0]

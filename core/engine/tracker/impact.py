"""Impacts that take no time: equation 7 of Abe 2011."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .biped import HEEL_2, TOE_1, PlanarBiped

Array = NDArray[np.float64]


def compute_landing_velocity(biped: PlanarBiped, q: Array, v: Array) -> Array:
    """Return the rates (9,) after the heel of leg 2 has landed while the toes of leg 1 rest.

    Both points are at rest after the impact, and the change of the rates is the least in the norm
    of the mass matrix.

    Args:
        q: coordinates before the impact, shape (9,).
        v: rates before the impact, shape (9,).
    """
    mass = biped.compute_dynamics(q, v).mass
    jacobian = biped.move_points(q, v).jacobian[[HEEL_2, TOE_1]].reshape(4, -1)
    inverse = np.linalg.inv(mass)
    response = inverse @ jacobian.T
    return np.asarray(v - response @ np.linalg.solve(jacobian @ response, jacobian @ v))

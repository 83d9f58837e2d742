"""Ground force of a body that moves on constraints, as terms of the phase and its rate (Abe 2011).

The force is linear in the acceleration of the phase and in its squared rate.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..biped import PlanarBiped
from ..side_view import ComplexArray

Array = NDArray[np.float64]
Configure = Callable[[Array], Array]

# Components of the generalized force of a rigid motion: forward, up, and the moment about the
# origin of the coordinates.
FORWARD, UP, MOMENT = range(3)
# Terms of such a component: with the acceleration of the phase, with its squared rate, and alone.
ACCELERATION, RATE, CONSTANT = range(3)


def sample_force(
    biped: PlanarBiped, configure: Configure, phase: Array, difference: float
) -> Array:
    """Return the terms of the components of the ground force, shape (n, 3, 3).

    Args:
        biped: body.
        configure: its coordinates at phases, (n,) -> (n, 9); the moment is that about their origin.
        phase: shape (n,).
        difference: change of the phase for derivatives, in the unit of the phase.
    """
    e = difference
    before, q, after = (configure(phase + d) for d in (-e, 0.0, e))
    slope = (after - before) / (2 * e)
    bend = (after - 2 * q + before) / e**2
    at_rest = biped.compute_dynamics(q, 0 * q)
    moving = biped.compute_dynamics(q, slope)
    terms = np.stack(
        [
            (at_rest.mass @ slope[..., None])[..., 0],
            (at_rest.mass @ bend[..., None])[..., 0] + moving.bias - at_rest.bias,
            at_rest.bias,
        ],
        -1,
    )  # (n, 9, 3)
    out = np.empty((len(phase), 3, 3))
    out[:, :2] = terms[:, :2]
    hip = q[:, :2, None]
    out[:, MOMENT] = hip[:, 0] * terms[:, 1] - hip[:, 1] * terms[:, 0] + terms[:, 2:].sum(1)
    return out


def combine_terms(force: Array, place: ComplexArray) -> Array:
    """Return the terms of the moment about a place, shape (..., 3)."""
    x = place.real[..., None]
    z = place.imag[..., None]
    return np.asarray(force[..., MOMENT, :] + z * force[..., FORWARD, :] - x * force[..., UP, :])

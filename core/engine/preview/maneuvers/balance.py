"""How a body's centre of mass can accelerate on the feet that it stands on."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

Array = NDArray[np.float64]

INSIDE = 0.85         # of the way from a sole's middle to its edge, that carries
LOW = 0.25            # m, least height of a pendulum
LIGHT = 2.0           # m/s^2 upward that feet bear at least, below which they steer nothing


def on_feet(com: Array, wanted: Array, ground: float, gravity: float, soles: tuple[Array, ...]) -> Array:
    """The acceleration (3,) nearest to a wanted one whose force comes through the centre of mass from within the soles.

    Args:
        com: (3,) m.
        wanted: (3,) m/s^2.
        ground: its height, m.
        gravity: m/s^2.
        soles: of each that bears the points, (k, 2).
    """
    growth = max(wanted[2] + gravity, LIGHT) / max(float(com[2]) - ground, LOW)              # 1/s^2, eq. 6
    pressure = nearest_inside(com[:2] - wanted[:2] / growth, soles)
    return np.append(growth * (com[:2] - pressure), wanted[2])


def nearest_inside(place: Array, soles: tuple[Array, ...]) -> Array:
    """The place within the hull of soles, each (k, 2) and drawn in toward its own middle, that is nearest to a place (2,).

    Drawn in toward the middle of both feet, soles far from each other would bear on their inner halves alone.
    """
    corners = np.concatenate([sole.mean(0) + INSIDE * (sole - sole.mean(0)) for sole in soles])
    hull = ConvexHull(corners)
    if (hull.equations[:, :2] @ place + hull.equations[:, 2]).max() <= 0:
        return place
    one, other = corners[hull.simplices[:, 0]], corners[hull.simplices[:, 1]]                # (e, 2)
    along = other - one
    share = np.clip(((place - one) * along).sum(1) / (along**2).sum(1), 0.0, 1.0)
    on = one + share[:, None] * along
    return np.asarray(on[np.argmin(((on - place) ** 2).sum(1))])

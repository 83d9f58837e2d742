"""How a body's centre of mass can accelerate on the feet that it stands on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

Array = NDArray[np.float64]

USABLE_SOLE_RATIO = 0.85  # of the way from a sole's middle to its edge, that carries
MIN_PENDULUM_HEIGHT = 0.25  # m, least height of a pendulum
# m/s^2 upward that feet bear at least, below which they steer nothing
MIN_SUPPORT_ACCELERATION = 2.0


def project_com_acceleration(
    com: Array, desired: Array, ground: float, gravity: float, soles: tuple[Array, ...]
) -> Array:
    """The acceleration (3,) nearest to a wanted one whose force comes through the centre of
    mass from within the soles.

    Args:
        com: (3,) m.
        desired: (3,) m/s^2.
        ground: its height, m.
        gravity: m/s^2.
        soles: of each that bears the points, (k, 2).
    """
    # 1/s^2, eq. 6
    pendulum_rate_squared = max(desired[2] + gravity, MIN_SUPPORT_ACCELERATION) / max(
        float(com[2]) - ground, MIN_PENDULUM_HEIGHT
    )
    center_of_pressure = project_into_soles(com[:2] - desired[:2] / pendulum_rate_squared, soles)
    return np.append(pendulum_rate_squared * (com[:2] - center_of_pressure), desired[2])


def project_into_soles(place: Array, soles: tuple[Array, ...]) -> Array:
    """The place within the hull of soles, each (k, 2) and drawn in toward its own middle, that is
    nearest to a place (2,).

    Drawn in toward the middle of both feet, soles far from each other would bear on
    their inner halves alone.
    """
    corners = np.concatenate(
        [sole.mean(0) + USABLE_SOLE_RATIO * (sole - sole.mean(0)) for sole in soles]
    )
    hull = ConvexHull(corners)
    if (hull.equations[:, :2] @ place + hull.equations[:, 2]).max() <= 0:
        return place
    # (e, 2)
    starts = corners[hull.simplices[:, 0]]
    ends = corners[hull.simplices[:, 1]]
    edges = ends - starts
    share = np.clip(((place - starts) * edges).sum(1) / (edges**2).sum(1), 0.0, 1.0)
    projections = starts + share[:, None] * edges
    return np.asarray(projections[np.argmin(((projections - place) ** 2).sum(1))])

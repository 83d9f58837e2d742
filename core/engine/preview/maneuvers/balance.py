"""Accelerations of the center of mass that a body can produce on the feet that it stands on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from ....slip.phases import MIN_PENDULUM_HEIGHT

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SupportParameters:
    """Limits of the forces on soles."""

    # Part of the distance from the middle of a sole to its edge that can carry [1]; a force nearer
    # to the edge tips the foot before it is controlled again.
    usable_sole_ratio: float = 0.85
    # Least vertical acceleration plus gravity that counts for the center of pressure [m/s^2]. Feet
    # that carry less cannot steer the body.
    min_support_acceleration: float = 2.0


SUPPORT = SupportParameters()


def project_com_acceleration(
    com: Array, desired: Array, ground: float, gravity: float, soles: tuple[Array, ...]
) -> Array:
    """Return the acceleration (3,) nearest to a desired one that soles can produce.

    Its force acts along a line from within the soles through the center of mass. The vertical
    acceleration is kept. Source: Mordatch, de Lasa, Hertzmann 2010, equation 6.

    Args:
        com: (3,) center of mass [m].
        desired: (3,) [m/s^2].
        ground: height of the ground [m].
        gravity: [m/s^2].
        soles: (k, 2) points of each sole that carries [m].
    """
    pendulum_rate_squared = max(desired[2] + gravity, SUPPORT.min_support_acceleration) / max(
        float(com[2]) - ground, MIN_PENDULUM_HEIGHT
    )
    center_of_pressure = project_into_soles(com[:2] - desired[:2] / pendulum_rate_squared, soles)
    return np.append(pendulum_rate_squared * (com[:2] - center_of_pressure), desired[2])


def project_into_soles(place: Array, soles: tuple[Array, ...]) -> Array:
    """Return the point (2,) within the convex hull of soles that is nearest to a point (2,).

    Each sole (k, 2) is first shrunk toward its middle. Shrunk toward the middle of both, two soles
    far apart would carry on their inner halves alone.
    """
    corners = np.concatenate(
        [sole.mean(0) + SUPPORT.usable_sole_ratio * (sole - sole.mean(0)) for sole in soles]
    )
    hull = ConvexHull(corners)
    if (hull.equations[:, :2] @ place + hull.equations[:, 2]).max() <= 0:
        return place
    starts = corners[hull.simplices[:, 0]]  # (e, 2)
    ends = corners[hull.simplices[:, 1]]
    edges = ends - starts
    share = np.clip(((place - starts) * edges).sum(1) / (edges**2).sum(1), 0.0, 1.0)
    projections = starts + share[:, None] * edges
    return np.asarray(projections[np.argmin(((projections - place) ** 2).sum(1))])

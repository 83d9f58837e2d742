"""The sphere on which a foot without a sole rolls, from its skin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Greatest tilt of a foot relative to its rest for which its skin is fitted [rad]; legs of spiders
# tilt as far in a stride
MAX_TILT = np.radians(40)
# Number of tilts and of directions of each for which the skin is fitted: 8 and 30 degrees apart.
# Half or twice of them moves the soles of quaternius_enemy_Spider.
TILT_COUNT = 6
DIRECTION_COUNT = 12


@dataclass(frozen=True)
class RoundSole:
    """A sphere on which a foot stands.

    Args:
        contact: (3,) lowest point at rest, in the axes of the skin [m].
        radius: of the sphere [m].
    """

    contact: Array
    radius: float


def measure_round_sole(skin: Array, max_radius: float) -> RoundSole:
    """Return the sphere that reaches as far down as the skin of a foot when it tilts.

    The extent of a sphere in a direction is linear in its center and its radius, so both are a
    solution of linear least squares.

    Args:
        skin: (m, 3) skin of the foot in axes with z up [m].
        max_radius: greatest radius [m].
    """
    directions = _list_directions()
    extents = (skin @ directions.T).max(0)
    center, radius = _fit_sphere(directions, extents)
    limited = float(np.clip(radius, 0.0, max_radius))
    if limited != radius:
        center = np.linalg.lstsq(directions, extents - limited, rcond=None)[0]
    return RoundSole(center - [0.0, 0.0, limited], limited)


def _list_directions() -> Array:
    """Return the directions of the ground under a foot that tilts (k, 3)."""
    tilts, angles = np.meshgrid(
        np.linspace(0, MAX_TILT, TILT_COUNT),
        np.linspace(0, 2 * np.pi, DIRECTION_COUNT, endpoint=False),
    )
    return np.stack(
        [np.sin(tilts) * np.cos(angles), np.sin(tilts) * np.sin(angles), -np.cos(tilts)], -1
    ).reshape(-1, 3)


def _fit_sphere(directions: Array, extents: Array) -> tuple[Array, float]:
    """Return the center (3,) and the radius of the sphere with extents in some directions [m]."""
    rows = np.c_[directions, np.ones(len(directions))]
    solution = np.linalg.lstsq(rows, extents, rcond=None)[0]
    return solution[:3], float(solution[3])

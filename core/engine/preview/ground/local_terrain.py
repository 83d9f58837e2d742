"""Whether the ground about a body is free of edges, and level,
so that it walks there as on endless ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....geometry.planar import heading_axes
from ....slip.command import FootholdDistance, HeightFunction

Array = NDArray[np.float64]

# m of ground that count: what two steps reach, and the foot that comes after
FORWARD_EXTENT = 2.0
REAR_EXTENT = 1.0
LATERAL_EXTENT = 0.5

CELL_SIZE = 0.1  # m between places that are looked at
LEVEL_TOLERANCE = 0.01  # m that their heights may differ
REFRESH_DISTANCE = 0.02  # m that a body goes before they are looked at again

_forward_grid, _left_grid = np.meshgrid(
    np.arange(-REAR_EXTENT, FORWARD_EXTENT, CELL_SIZE),
    np.arange(-LATERAL_EXTENT, LATERAL_EXTENT + 0.5 * CELL_SIZE, CELL_SIZE),
    indexing="ij",
)
# (n, 2) ahead and to the left
SAMPLE_OFFSETS = np.stack([_forward_grid.ravel(), _left_grid.ravel()], -1)


@dataclass(frozen=True)
class LocalTerrain:
    """What steps from a place can meet.

    Args:
        is_edge_free: feet stand well wherever they come down.
        is_plain: and it is level.
    """

    is_edge_free: bool = True
    is_plain: bool = True


class LocalTerrainCache:
    """Remembers what it found from look to look."""

    def __init__(self) -> None:
        self._key: tuple[Array, HeightFunction, FootholdDistance | None] | None = None
        self._cached = LocalTerrain()

    def find_terrain(
        self,
        place: Array,
        heading: float,
        ground_height: HeightFunction,
        foothold_distance: FootholdDistance | None,
    ) -> LocalTerrain:
        """Those of a place (2,).

        Args:
            heading: rad, of the way on from there.
        """
        key = self._key
        if (
            key is not None
            and key[1] is ground_height
            and key[2] is foothold_distance
            and np.abs(place - key[0]).max() < REFRESH_DISTANCE
        ):
            return self._cached
        places = place + SAMPLE_OFFSETS @ heading_axes(heading)
        is_edge_free = (
            foothold_distance is None
            or not foothold_distance(places, np.full(len(places), heading)).any()
        )
        # without ground a height is not a number, and nothing level
        self._cached = LocalTerrain(
            is_edge_free, is_edge_free and bool(np.ptp(ground_height(places)) < LEVEL_TOLERANCE)
        )
        self._key = place.copy(), ground_height, foothold_distance
        return self._cached

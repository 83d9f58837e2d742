"""Terrain around a body: whether it is free of edges, and level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....geometry.planar import heading_axes
from ....slip.command import FootholdDistance, HeightFunction

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LocalTerrainParameters:
    """Ground that counts: what two steps reach, and the foot that follows.

    tuned: where any edge of the task made all its ground rough, a body on level ground strayed from
    its path, or fell; test_preview_gaps.py
    """

    # Distance ahead of the body [m]: two steps and the length of a foot.
    forward_extent: float = 2.0
    # Distance behind the body [m]: the foot that follows, a step behind.
    rear_extent: float = 1.0
    # Distance to either side [m]: a foot that steps aside to keep the balance.
    lateral_extent: float = 0.5
    # Distance between sampled places [m].
    cell_size: float = 0.1
    # Largest difference of height of level ground [m], a third of the clearance of a swing.
    level_tolerance: float = 0.01
    # Distance of the body after which the terrain is sampled again [m].
    refresh_distance: float = 0.02


LOCAL_TERRAIN = LocalTerrainParameters()


def _make_sample_offsets() -> Array:
    """Return the sampled places ahead of a body and to its left, (n, 2) [m]."""
    extents = LOCAL_TERRAIN
    forward, left = np.meshgrid(
        np.arange(-extents.rear_extent, extents.forward_extent, extents.cell_size),
        np.arange(
            -extents.lateral_extent,
            extents.lateral_extent + 0.5 * extents.cell_size,
            extents.cell_size,
        ),
        indexing="ij",
    )
    return np.stack([forward.ravel(), left.ravel()], -1)


SAMPLE_OFFSETS = _make_sample_offsets()


@dataclass(frozen=True)
class LocalTerrain:
    """What the next steps can meet.

    Attributes:
        is_edge_free: whether every place is a foothold.
        is_plain: whether the ground is level, too.
    """

    is_edge_free: bool = True
    is_plain: bool = True


@dataclass(frozen=True)
class _TerrainSearch:
    """Where the terrain was sampled, and the result."""

    place: Array
    ground_height: HeightFunction
    foothold_distance: FootholdDistance | None
    terrain: LocalTerrain


class LocalTerrainCache:
    """Samples the terrain again only when the body has moved, or the ground has changed."""

    def __init__(self) -> None:
        self._search: _TerrainSearch | None = None

    def find_terrain(
        self,
        place: Array,
        heading: float,
        ground_height: HeightFunction,
        foothold_distance: FootholdDistance | None,
    ) -> LocalTerrain:
        """Return the terrain around a place.

        Args:
            place: (2,) place [m].
            heading: heading of the path [rad].
            ground_height: as in `StepGoal`.
            foothold_distance: as in `StepGoal`.
        """
        search = self._search
        if (
            search is not None
            and search.ground_height is ground_height
            and search.foothold_distance is foothold_distance
            and np.abs(place - search.place).max() < LOCAL_TERRAIN.refresh_distance
        ):
            return search.terrain
        places = place + SAMPLE_OFFSETS @ heading_axes(heading)
        headings = np.full(len(places), heading)
        is_edge_free = foothold_distance is None or not foothold_distance(places, headings).any()
        # Missing ground has the height nan, which is not level.
        is_plain = is_edge_free and bool(
            np.ptp(ground_height(places)) < LOCAL_TERRAIN.level_tolerance
        )
        terrain = LocalTerrain(is_edge_free, is_plain)
        self._search = _TerrainSearch(place.copy(), ground_height, foothold_distance, terrain)
        return terrain

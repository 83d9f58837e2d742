"""Stepping stones from a collection of meshes."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError, TerrainError
from ...core.sketch.stones.stones import STONES, PathPlaces
from ...core.task import SteppingStones
from ...core.terrain import (
    Ground,
    MeshGround,
    cut_hole,
    find_convex_outline,
    find_stone_top,
    join_grounds,
)
from .meshes import read_scene_meshes
from .speed import WalkLimits

Array = NDArray[np.float64]

# Longest distance between consecutive stones along the path [leg lengths], by gait: the longest
# steps of fast human walks and runs
MAX_STONE_GAP = {"walk": 1.2, "run": 2.4}


@dataclass(frozen=True)
class SteppingGround:
    """Ground with stones, and the stones as footholds; None if the scene has none."""

    ground: Ground
    stepping_stones: SteppingStones | None


def read_stones(
    collection: bpy.types.ID | None,
    scene: bpy.types.Scene,
    ground: Ground,
    walk_limits: WalkLimits,
    is_walk: bool,
) -> SteppingGround:
    """Return the ground with the stones of a collection and no ground between them.

    Args:
        collection: collection of meshes, one for each stone; None for the ground as it is.
        is_walk: whether the gait is a walk, which bridges shorter gaps than a run.

    Raises:
        TerrainError: the collection has no stone, or one that no foot can stand on; the message
            names it.
        TaskError: the path does not lead over the stones, or a gap is too long.
    """
    if collection is None:
        return SteppingGround(ground, None)
    tops = []
    for scene_mesh in read_scene_meshes(collection, scene, "stones", TerrainError):
        try:
            top = find_stone_top(scene_mesh.vertices, scene_mesh.triangles, walk_limits.leg_length)
        except TerrainError as error:
            raise TerrainError(
                f"The stone {scene_mesh.name!r} in {collection.name!r} cannot be stepped on: "
                f"{error}."
            ) from error
        _check_not_buried(scene_mesh.name, top.ground, top.footholds, ground)
        tops.append((scene_mesh.name, top))
    places = np.concatenate([top.footholds for _, top in tops])
    _check_within_reach(
        collection.name,
        places,
        [name for name, top in tops for _ in top.footholds],
        walk_limits=walk_limits,
        is_walk=is_walk,
    )
    surrounding = cut_hole(
        ground, find_convex_outline(np.concatenate([top.outline for _, top in tops]))
    )
    pieces: list[MeshGround] = [top.ground for _, top in tops]
    combined = join_grounds(pieces if surrounding is None else [surrounding, *pieces])
    start = walk_limits.path.points[0]
    if np.isfinite(ground.sample_heights(start)) and not np.isfinite(
        combined.sample_heights(start)
    ):
        raise TaskError(
            f"The path begins between the stones of {collection.name!r}, where there is nothing "
            "to stand on. Let it begin before the first stone, or on one."
        )
    return SteppingGround(combined, SteppingStones(places))


def _check_not_buried(name: str, stone_ground: MeshGround, places: Array, ground: Ground) -> None:
    """Refuse a stone with footholds under the terrain."""
    if ground.to_mesh() is None:
        return  # the default level plane does not bury stones of any height
    if (ground.sample_heights(places) > stone_ground.sample_heights(places)).any():
        raise TerrainError(
            f"The stone {name!r} lies under the terrain. Raise it, or lower the terrain there."
        )


def _check_within_reach(
    name: str, places: Array, names: list[str], walk_limits: WalkLimits, is_walk: bool
) -> None:
    """Refuse stones that are too far from the path or from each other.

    Args:
        name: name of the collection.
        places: positions of the footholds [m], (n, 3).
        names: names of the stones of the footholds.
    """
    leg_length = walk_limits.leg_length
    path_places = PathPlaces.from_positions(places, walk_limits.path, np.zeros(len(places)))
    near_path = np.flatnonzero(
        (np.abs(path_places.lateral_offset) < STONES.max_path_distance * leg_length)
        & (path_places.station > 0)
    )
    if not len(near_path):
        raise TaskError(
            f"The path leads past the stones of {name!r}: none is within "
            f"{STONES.max_path_distance * leg_length:.2f} m of it. Lead the path over them, or "
            "clear the field Stones."
        )
    order = near_path[np.argsort(path_places.station[near_path])]
    gap = np.diff(path_places.station[order])
    gait = "walk" if is_walk else "run"
    max_gap = MAX_STONE_GAP[gait] * leg_length
    if (gap > max_gap).any():
        k = int(np.argmax(gap > max_gap))
        raise TaskError(
            f"It is {gap[k]:.2f} m along the path from the stone {names[order[k]]!r} to the next, "
            f"{names[order[k + 1]]!r}; with legs {leg_length:.2f} m long a {gait} can bridge "
            f"{max_gap:.2f} m. Put one between them."
        )

"""A collection of meshes as stones to step on."""
from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError, TerrainError
from ...core.sketch.footsteps.stones import ASIDE, Places
from ...core.task import Stones
from ...core.terrain import Ground, MeshGround, convex_outline, joined, stone_top, with_hole
from .meshes import read_shapes
from .speed import Walker

Array = NDArray[np.float64]

BETWEEN = {"walk": 1.2, "run": 2.4}      # leg lengths from one stone to the next along the path, that can be bridged


def read_stones(collection: bpy.types.ID | None, scene: bpy.types.Scene, ground: Ground, walker: Walker,
                walks: bool) -> tuple[Ground, Stones | None]:
    """The ground with the stones of a collection, nothing between them, and where feet go.

    Raises:
        TerrainError: there is none, or one that no foot can stand on; the message names it.
        TaskError: the path does not lead over them.
    """
    if collection is None:
        return ground, None
    tops = []
    for shape in read_shapes(collection, scene, "stones", TerrainError):
        try:
            top = stone_top(shape.vertices, shape.triangles, walker.leg_length)
        except TerrainError as error:
            raise TerrainError(f"The stone {shape.name!r} in {collection.name!r} cannot be stepped on: {error}.") from error
        _refuse_buried(shape.name, top.ground, top.places, ground)
        tops.append((shape.name, top))
    places = np.concatenate([top.places for _, top in tops])
    _refuse_out_of_reach(collection.name, places, [name for name, top in tops for _ in top.places], walker, walks)
    around = with_hole(ground, convex_outline(np.concatenate([top.outline for _, top in tops])))
    pieces: list[MeshGround] = [top.ground for _, top in tops]
    whole = joined(pieces if around is None else [around, *pieces])
    start = walker.path.points[0]
    if np.isfinite(ground.height(start)) and not np.isfinite(whole.height(start)):
        raise TaskError(f"The path begins between the stones of {collection.name!r}, where there is nothing to stand on. Let it "
                        "begin before the first stone, or on one.")
    return whole, Stones(places)


def _refuse_buried(name: str, own: MeshGround, places: Array, ground: Ground) -> None:
    if ground.mesh() is None:
        return                         # the level plane that stands in for terrain gives way to stones of any height
    if (ground.height(places) > own.height(places)).any():
        raise TerrainError(f"The stone {name!r} lies under the terrain. Raise it, or lower the terrain there.")


def _refuse_out_of_reach(name: str, places: Array, names: list[str], walker: Walker, walks: bool) -> None:
    leg, on = walker.leg_length, Places.of(places, walker.path, np.zeros(len(places)))
    near = np.flatnonzero((np.abs(on.beside) < ASIDE * leg) & (on.station > 0))
    if not len(near):
        raise TaskError(f"The path leads past the stones of {name!r}: none is within {ASIDE * leg:.2f} m of it. Lead the path over "
                        "them, or clear the field Stones.")
    order = near[np.argsort(on.station[near])]
    gap, kind = np.diff(on.station[order]), "walk" if walks else "run"
    most = BETWEEN[kind] * leg
    if (gap > most).any():
        k = int(np.argmax(gap > most))
        raise TaskError(f"It is {gap[k]:.2f} m along the path from the stone {names[order[k]]!r} to the next, "
                        f"{names[order[k + 1]]!r}; with legs {leg:.2f} m long a {kind} can bridge {most:.2f} m. "
                        "Put one between them.")

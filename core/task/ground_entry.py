"""The ground of a task file: a plane, hills, a height field or a mesh."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import TaskError
from ..terrain import FlatGround, Ground, HeightField, MeshGround, make_rolling_hills
from .entries import read_number
from .packed import read_array, write_array

# Default sizes of hills by their keys: lengths [m] and the steepest slope [degrees].
DEFAULT_HILL_SIZES = {"length": 40.0, "width": 8.0, "bump": 0.15, "slope_deg": 10.0}
# Parameters of `make_rolling_hills` whose keys differ from their names.
HILL_PARAMETERS = {"bump": "bump_height"}


def read_ground(table: dict[str, Any]) -> Ground:
    """Return the ground that a table describes.

    Raises:
        TaskError: there is no such kind of ground, or one of its numbers cannot be read.
        TerrainError: its numbers make no ground.
    """
    kind = table.get("kind", "flat")
    if kind == "flat":
        return FlatGround()
    if kind == "mesh":
        return MeshGround(
            read_array(table.get("vertices", []), "terrain's vertices"),
            read_array(table.get("triangles", []), "terrain's triangles", int),
        )
    if kind == "height_field":
        x, y = (
            float(v) for v in read_array(table.get("origin", [0, 0]), "terrain's origin").ravel()
        )
        return HeightField(
            read_array(table.get("heights", []), "terrain's heights"),
            (x, y),
            float(read_number(table.get("spacing", 1.0), "spacing", float)),
        )
    if kind == "hills":
        return _read_hills(table)
    raise TaskError(
        f"There is no terrain of the kind {kind!r}; there are: flat, hills, height_field, mesh."
    )


def _read_hills(table: dict[str, Any]) -> HeightField:
    sizes = {
        HILL_PARAMETERS.get(key, key): float(read_number(table.get(key, default), key, float))
        for key, default in DEFAULT_HILL_SIZES.items()
    }
    seed = int(read_number(table.get("seed", 0), "seed", int))
    return make_rolling_hills(np.random.default_rng(seed), **sizes)


def ground_to_table(ground: Ground) -> dict[str, Any]:
    """Return a ground as a task file holds it."""
    if isinstance(ground, HeightField):
        return {
            "kind": "height_field",
            "origin": [float(v) for v in ground.origin],
            "spacing": ground.spacing,
            "heights": write_array(ground.heights),
        }
    mesh = ground.to_mesh()
    if mesh is None:
        return {"kind": "flat"}
    return {
        "kind": "mesh",
        "vertices": write_array(mesh.vertices),
        "triangles": write_array(mesh.triangles),
    }

"""The ground of a task file: a plane, hills, a height field, a mesh, or ground that yields."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

import numpy as np

from ..errors import TaskError
from ..files.values import show_value
from ..terrain import (
    BridgeTerrain,
    FlatGround,
    Ground,
    HeightField,
    MeshGround,
    SpongyTerrain,
    YieldingTerrain,
    make_rolling_hills,
)
from ..terrain.height_field import BUMP_HEIGHT, HILL_SLOPE
from .entries import check_keys, read_number, read_numbers
from .packed import read_array, write_array

# Default sizes of hills by their keys: lengths [m] and the steepest slope [degrees]. A path of 30 m
# and its sides fit.
DEFAULT_HILL_SIZES = {
    "length": 40.0,
    "width": 8.0,
    "bump": BUMP_HEIGHT,
    "slope_deg": HILL_SLOPE,
}
# Keys of a terrain beside its kind.
GROUND_KEYS = {
    "flat": (),
    "mesh": ("vertices", "triangles"),
    "height_field": ("origin", "spacing", "heights"),
    "hills": ("seed", *DEFAULT_HILL_SIZES),
    "spongy": tuple(f.name for f in fields(SpongyTerrain)),
    "bridge": tuple(f.name for f in fields(BridgeTerrain)),
}
YIELDING_KINDS = {"spongy": SpongyTerrain, "bridge": BridgeTerrain}
# Largest area of hills [m^2]: they have a height every 15 cm, so these are 70 MB.
MAX_HILL_AREA = 2e5
# Parameters of `make_rolling_hills` whose keys differ from their names.
HILL_PARAMETERS = {"bump": "bump_height"}


def read_ground(table: dict[str, Any]) -> Ground:
    """Return the ground that a table describes.

    Raises:
        TaskError: there is no such kind of ground, or one of its numbers cannot be read.
        TerrainError: its numbers make no ground.
    """
    kind = table.get("kind", "flat")
    if isinstance(kind, str) and kind in GROUND_KEYS:
        check_keys(
            table, f"The terrain of the kind {show_value(kind)}", ("kind", *GROUND_KEYS[kind])
        )
    if kind == "flat":
        return FlatGround()
    if kind == "mesh":
        return MeshGround(
            read_array(table.get("vertices", []), "terrain's vertices"),
            read_array(table.get("triangles", []), "terrain's triangles", int),
        )
    if kind == "height_field":
        x, y = read_numbers(table.get("origin", [0, 0]), "terrain's origin", (0.0, 0.0))
        return HeightField(
            read_array(table.get("heights", []), "terrain's heights"),
            (x, y),
            float(read_number(table.get("spacing", 1.0), "spacing", float)),
        )
    if kind == "hills":
        return _read_hills(table)
    if kind in YIELDING_KINDS:
        return _read_yielding(table, YIELDING_KINDS[kind])
    raise TaskError(
        f"There is no terrain of the kind {show_value(kind)}; there are: flat, hills, "
        "height_field, mesh, spongy, bridge."
    )


def _read_hills(table: dict[str, Any]) -> HeightField:
    sizes = {
        HILL_PARAMETERS.get(key, key): float(read_number(table.get(key, default), key, float))
        for key, default in DEFAULT_HILL_SIZES.items()
    }
    area = abs(sizes["length"] * sizes["width"])
    if not area <= MAX_HILL_AREA:
        raise TaskError(
            f"The hills are {show_value(sizes['length'])} m by {show_value(sizes['width'])} m; "
            "they can "
            f"cover at most {MAX_HILL_AREA:g} square meters."
        )
    seed = int(read_number(table.get("seed", 0), "seed", int))
    return make_rolling_hills(np.random.default_rng(seed), **sizes)


def _read_yielding(table: dict[str, Any], kind: type[YieldingTerrain]) -> YieldingTerrain:
    values: dict[str, Any] = {}
    for entry in fields(kind):
        if entry.name not in table:
            continue
        if isinstance(entry.default, tuple):
            place = read_numbers(table[entry.name], entry.name, entry.default)
            values[entry.name] = tuple(float(v) for v in place)
        else:
            values[entry.name] = read_number(table[entry.name], entry.name, type(entry.default))
    return kind(**values)


def ground_to_table(ground: Ground) -> dict[str, Any]:
    """Return a ground as a task file holds it."""
    if isinstance(ground, HeightField):
        return {
            "kind": "height_field",
            "origin": [float(v) for v in ground.origin],
            "spacing": ground.spacing,
            "heights": write_array(ground.heights),
        }
    for kind, terrain in YIELDING_KINDS.items():
        if isinstance(ground, terrain):
            return {"kind": kind} | {
                key: list(value) if isinstance(value, tuple) else value
                for key, value in asdict(ground).items()
            }
    mesh = ground.to_mesh()
    if mesh is None:
        return {"kind": "flat"}
    return {
        "kind": "mesh",
        "vertices": write_array(mesh.vertices),
        "triangles": write_array(mesh.triangles),
    }

"""Empties that the character goes along, from one to the next, and the way it faces at each."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import re
from collections.abc import Iterable

import bpy
import numpy as np
from bpy.props import BoolProperty, PointerProperty
from numpy.typing import NDArray

from ..core.errors import TaskError
from ..core.task import Facing, Path, smooth_through
from .reading import unit_scale

Array = NDArray[np.float64]

NEAR = 0.001          # m between two markers that are one place
UPRIGHT = 0.1         # share of its length that a Y axis has along the ground at least, to tell a direction


def _is_empty(_: bpy.types.PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "EMPTY"


class FootfallMarker(bpy.types.PropertyGroup):
    """A place on the way."""

    thing: PointerProperty(type=bpy.types.Object, name="Marker", poll=_is_empty, description="Empty that the character goes to")
    faces: BoolProperty(
        name="Face Its Way",
        description="Face along the marker's own Y axis there, whichever way the path leads; from one such marker to the next "
                    "the body turns evenly, the short way. Without it the character faces along its path")


def by_name(thing: bpy.types.Object) -> tuple[tuple[str, int], ...]:
    """What sorts objects by name as people count: Marker 9 before Marker 10."""
    parts = re.findall(r"(\D*)(\d*)", thing.name.lower())
    return tuple((word, int(number or -1)) for word, number in parts)


def there(markers: Iterable[FootfallMarker], scene: bpy.types.Scene) -> list[FootfallMarker]:
    """The markers whose empties are in a scene; those that were deleted are passed by."""
    return [marker for marker in markers if marker.thing is not None and marker.thing.name in scene.objects]


def places_of(markers: Iterable[FootfallMarker], scene: bpy.types.Scene) -> Array:
    """Where markers are, in the scene's units. (n, 3)."""
    return np.array([marker.thing.matrix_world.translation for marker in there(markers, scene)]).reshape(-1, 3)


def read_markers(markers: Iterable[FootfallMarker], scene: bpy.types.Scene) -> tuple[Path, Facing | None]:
    """A smooth path through markers in the order of their list, and which way the body faces on it where they tell.

    Raises:
        TaskError: there are fewer than two, one is no empty or tells no direction, or two that follow one another are at one
            place; the message names them.
    """
    used = there(markers, scene)
    if not used:
        raise TaskError("No markers are chosen. Select empties, at least two, and add them to the list under Path.")
    for marker in used:
        if marker.thing.type != "EMPTY":
            raise TaskError(f"The marker {marker.thing.name!r} is of the type {marker.thing.type.lower()}; it must be an empty. "
                            "Take it off the list.")
    if len(used) < 2:
        raise TaskError(f"There is only one marker, {used[0].thing.name!r}; a path needs two at least. Add another one.")
    places = unit_scale(scene) * places_of(used, scene)
    for k in np.flatnonzero(np.linalg.norm(np.diff(places[:, :2], axis=0), axis=1) < NEAR):
        one, other = used[k].thing.name, used[k + 1].thing.name
        raise TaskError(f"The markers {one!r} and {other!r} follow one another and are at one place seen from above. Move one of "
                        "them, or take it off the list.")
    line, stations = smooth_through(places)
    headings = [_heading(marker.thing) if marker.faces else np.nan for marker in used]
    return Path(line), Facing(headings, stations) if np.isfinite(headings).any() else None


def _heading(thing: bpy.types.Object) -> float:
    """Where an empty's Y axis points to, seen from above, degrees from the world's X."""
    x, y, z = thing.matrix_world.col[1].to_3d()
    length = float(np.linalg.norm((x, y, z)))
    if length < 1e-9:
        raise TaskError(f"The marker {thing.name!r} is scaled to nothing and tells no direction. Clear its scale with Alt+S.")
    if np.hypot(x, y) < UPRIGHT * length:
        raise TaskError(f"The marker {thing.name!r} points up or down: the character is to face along its Y axis, which must lie "
                        "along the ground. Turn it, or have the character not face its way.")
    return float(np.degrees(np.arctan2(y, x)))

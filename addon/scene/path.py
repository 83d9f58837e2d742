"""Path, markers and facing."""
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError
from ...core.task import Facing, Path, smooth_through
from ..settings.markers import FootfallMarker
from ..settings.motion import Wish
from ..units import unit_scale

if TYPE_CHECKING:
    from collections.abc import Iterable
from ..rigs.armature import _carry, _vertices


def goes_by_markers(wish: Wish) -> bool:
    """Whether a character goes from marker to marker and not along a curve."""
    return bool(wish.path_from == "MARKERS")


def has_way(wish: Wish, scene: bpy.types.Scene) -> bool:
    """Whether there is anything to go along."""
    return bool(there(wish.markers, scene)) if goes_by_markers(wish) else wish.path is not None


def faces_markers(wish: Wish, scene: bpy.types.Scene) -> bool:
    """Whether markers tell which way the character faces."""
    return goes_by_markers(wish) and any(marker.faces for marker in there(wish.markers, scene))


def read_going(wish: Wish, scene: bpy.types.Scene) -> tuple[Path, Facing | None]:
    """The path, and which way the body faces on it where markers tell.

    Raises:
        TaskError: there is none, or it cannot be one.
    """
    return read_markers(wish.markers, scene) if goes_by_markers(wish) else (read_path(wish.path, scene), None)

Array = NDArray[np.float64]

NEAR = 0.001          # m between two markers that are one place
UPRIGHT = 0.1         # share of its length that a Y axis has along the ground at least, to tell a direction


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


def read_path(curve: bpy.types.Object | None, scene: bpy.types.Scene) -> Path:
    """The longest spline of a curve object, from its first point to its last.

    Raises:
        TaskError: there is no curve, or it has no length seen from above.
    """
    if curve is None:
        raise TaskError("No path is chosen. Draw a curve over the ground and pick it under Path.")
    if curve.type != "CURVE":
        raise TaskError(f"The path {curve.name!r} is a {curve.type.lower()}; it must be a curve.")
    bare = curve.data.copy()           # a line alone, without the tube that may be drawn around it
    bare.bevel_mode, bare.bevel_depth, bare.extrude, bare.offset, bare.dimensions = "ROUND", 0.0, 0.0, 0.0, "3D"
    bare.bevel_factor_start, bare.bevel_factor_end = 0.0, 1.0
    holder = bpy.data.objects.new(bare.name, bare)
    try:
        mesh = holder.to_mesh()
        lines = _lines(mesh) if mesh else []
    finally:
        holder.to_mesh_clear()
        bpy.data.objects.remove(holder)
        bpy.data.curves.remove(bare)
    if not lines:
        raise TaskError(f"The curve {curve.name!r} is empty. Give it at least two points.")
    matrix = np.array(curve.matrix_world)
    lines = [_carry(matrix, line) * unit_scale(scene) for line in lines]
    longest = max(lines, key=lambda line: float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()))
    try:
        return Path(longest)
    except TaskError as error:
        raise TaskError(f"The curve {curve.name!r} cannot be a path. {error}") from error


def _lines(mesh: bpy.types.Mesh) -> list[Array]:
    """Splines as rows of points; a closed one ends where it began."""
    points = _vertices(mesh)
    edges = np.empty(len(mesh.edges) * 2, np.int32)
    mesh.edges.foreach_get("vertices", edges)
    after: dict[int, int] = {}
    closing: dict[int, int] = {}
    for a, b in edges.reshape(-1, 2).tolist():
        low, high = min(a, b), max(a, b)
        if high == low + 1 and low not in after:
            after[low] = high
        else:
            closing[low] = high
    starts = sorted(set(range(len(points))) - set(after.values()))
    lines = []
    for first in starts:
        row = [first]
        while row[-1] in after:
            row.append(after[row[-1]])
        if closing.get(first) == row[-1]:
            row.append(first)
        lines.append(points[row])
    return lines

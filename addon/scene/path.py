"""Path, markers and facing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import TaskError
from ...core.task import Path, PathFacing, smooth_through
from ..rigs.vertices import read_vertices, transform_points
from ..settings.markers import FootfallMarker
from ..settings.motion import MotionSettings
from ..units import read_unit_scale
from .presence import find_present

Array = NDArray[np.float64]
NaturalSortKey = tuple[tuple[str, int], ...]  # parts of a name: text and the number after it

MIN_MARKER_DISTANCE = 0.001  # distance below which two markers count as coincident [m]
# Least share of the length of a Y axis along the ground at which it has a heading
MIN_HORIZONTAL_SHARE = 0.1


@dataclass(frozen=True)
class PathAndFacing:
    """A path and the headings on it; `facing` is None if the body faces along the path."""

    path: Path
    facing: PathFacing | None = None


def has_marker_path(settings: MotionSettings) -> bool:
    """Return whether a character follows markers instead of a curve."""
    return bool(settings.path_from == "MARKERS")


def has_path(settings: MotionSettings, scene: bpy.types.Scene) -> bool:
    """Return whether a character has a path to follow."""
    return (
        bool(find_markers_in_scene(settings.markers, scene))
        if has_marker_path(settings)
        else find_present(settings.path, scene) is not None
    )


def has_marker_facing(settings: MotionSettings, scene: bpy.types.Scene) -> bool:
    """Return whether markers set where the character faces."""
    return has_marker_path(settings) and any(
        marker.faces for marker in find_markers_in_scene(settings.markers, scene)
    )


def read_path_and_facing(settings: MotionSettings, scene: bpy.types.Scene) -> PathAndFacing:
    """Return the path of a character and the headings that markers set on it.

    Raises:
        TaskError: no path is set, or the markers or the curve cannot be one.
    """
    if has_marker_path(settings):
        return read_markers(settings.markers, scene)
    return PathAndFacing(read_path(find_present(settings.path, scene), scene))


def make_natural_sort_key(obj: bpy.types.Object) -> NaturalSortKey:
    """Return a key that sorts objects by name with numbers in numeric order: Marker 9 before Marker
    10.
    """
    parts = re.findall(r"(\D*)(\d*)", obj.name.lower())
    return tuple((word, int(number or -1)) for word, number in parts)


def find_markers_in_scene(
    markers: Iterable[FootfallMarker], scene: bpy.types.Scene
) -> list[FootfallMarker]:
    """Return the markers whose empties are in a scene; deleted ones are skipped."""
    return [
        marker
        for marker in markers
        if marker.thing is not None and marker.thing.name in scene.objects
    ]


def read_marker_positions(markers: Iterable[FootfallMarker], scene: bpy.types.Scene) -> Array:
    """Return the positions of markers in units of the scene, (n, 3)."""
    return np.array(
        [marker.thing.matrix_world.translation for marker in find_markers_in_scene(markers, scene)]
    ).reshape(-1, 3)


def read_markers(markers: Iterable[FootfallMarker], scene: bpy.types.Scene) -> PathAndFacing:
    """Return a smooth path through markers, in the order of their list, and the headings that they
    set.

    Raises:
        TaskError: there are fewer than two markers, one is not an empty or has no direction to
            face, or two consecutive ones coincide; the message names them.
    """
    present = find_markers_in_scene(markers, scene)
    if not present:
        raise TaskError(
            "No markers are chosen. Select at least two empties and add them to the list under "
            "Path."
        )
    for marker in present:
        if marker.thing.type != "EMPTY":
            raise TaskError(
                f"The marker {marker.thing.name!r} is of the type {marker.thing.type.lower()}; it "
                "must be an empty. Take it off the list."
            )
    if len(present) < 2:
        raise TaskError(
            f"There is only one marker, {present[0].thing.name!r}; a path needs at least two. Add "
            "another one."
        )
    positions = read_unit_scale(scene) * read_marker_positions(present, scene)
    for k in np.flatnonzero(
        np.linalg.norm(np.diff(positions[:, :2], axis=0), axis=1) < MIN_MARKER_DISTANCE
    ):
        one = present[k].thing.name
        other = present[k + 1].thing.name
        raise TaskError(
            f"The consecutive markers {one!r} and {other!r} coincide when seen from above. Move "
            "one of them, or take it off the list."
        )
    line = smooth_through(positions)
    headings = [_compute_heading(marker.thing) if marker.faces else np.nan for marker in present]
    has_headings = bool(np.isfinite(headings).any())
    return PathAndFacing(
        Path(line.points), PathFacing(headings, line.stations) if has_headings else None
    )


def _compute_heading(obj: bpy.types.Object) -> float:
    """Return the heading of the Y axis of an empty, seen from above [deg], counterclockwise from
    the X axis of the world.
    """
    x, y, z = obj.matrix_world.col[1].to_3d()
    length = float(np.linalg.norm((x, y, z)))
    if length < 1e-9:
        raise TaskError(
            f"The marker {obj.name!r} is scaled to zero and has no direction. Clear its scale "
            "with Alt+S."
        )
    if np.hypot(x, y) < MIN_HORIZONTAL_SHARE * length:
        raise TaskError(
            f"The marker {obj.name!r} points up or down. The character faces along its Y axis, "
            "which must lie along the ground: rotate the marker, or disable its facing."
        )
    return float(np.degrees(np.arctan2(y, x)))


def read_path(curve: bpy.types.Object | None, scene: bpy.types.Scene) -> Path:
    """Return the longest spline of a curve object, from its first point to its last.

    Raises:
        TaskError: there is no curve, or it has no length seen from above.
    """
    if curve is None:
        raise TaskError("No path is chosen. Draw a curve over the ground and pick it under Path.")
    if curve.type != "CURVE":
        raise TaskError(f"The path {curve.name!r} is a {curve.type.lower()}; it must be a curve.")
    curve_data = curve.data.copy()  # bare line, without a bevel or an extrusion around it
    curve_data.bevel_mode = "ROUND"
    curve_data.bevel_depth = 0.0
    curve_data.extrude = 0.0
    curve_data.offset = 0.0
    curve_data.dimensions = "3D"
    curve_data.bevel_factor_start = 0.0
    curve_data.bevel_factor_end = 1.0
    temporary_object = bpy.data.objects.new(curve_data.name, curve_data)
    try:
        mesh = temporary_object.to_mesh()
        lines = _read_lines(mesh) if mesh else []
    finally:
        temporary_object.to_mesh_clear()
        # nothing refers to them, and a search for users takes long in a scene of many objects
        bpy.data.objects.remove(temporary_object, do_unlink=False)
        bpy.data.curves.remove(curve_data, do_unlink=False)
    if not lines:
        raise TaskError(f"The curve {curve.name!r} is empty. Give it at least two points.")
    matrix = np.array(curve.matrix_world)
    lines = [transform_points(matrix, line) * read_unit_scale(scene) for line in lines]
    longest = max(
        lines, key=lambda line: float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    )
    try:
        return Path(longest)
    except TaskError as error:
        raise TaskError(f"The curve {curve.name!r} cannot be a path. {error}") from error


def _read_lines(mesh: bpy.types.Mesh) -> list[Array]:
    """Return splines as rows of points (n, 3); a closed one ends at its first point."""
    points = read_vertices(mesh)
    edges = np.empty(len(mesh.edges) * 2, np.int32)
    mesh.edges.foreach_get("vertices", edges)
    next_point: dict[int, int] = {}
    closing_edges: dict[int, int] = {}
    for a, b in edges.reshape(-1, 2).tolist():
        low = min(a, b)
        high = max(a, b)
        if high == low + 1 and low not in next_point:
            next_point[low] = high
        else:
            closing_edges[low] = high
    starts = sorted(set(range(len(points))) - set(next_point.values()))
    lines = []
    for first in starts:
        row = [first]
        while row[-1] in next_point:
            row.append(next_point[row[-1]])
        if closing_edges.get(first) == row[-1]:
            row.append(first)
        lines.append(points[row])
    return lines

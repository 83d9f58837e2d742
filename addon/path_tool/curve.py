"""A curve to follow, made of places that were clicked on."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Vector

CURVE_LIFT = 0.02  # leg lengths that the curve lies above the ground, to be seen


def create_path_curve(
    scene: bpy.types.Scene, positions: Sequence[Vector], lift: float
) -> bpy.types.Object:
    """A smooth curve through places in the world, in a new object of the
    scene; `lift` above them.
    """
    data = bpy.data.curves.new("Footfall Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    curve = bpy.data.objects.new("Footfall Path", data)
    extend_spline(spline, positions, lift)
    scene.collection.objects.link(curve)
    return curve


def extend_spline(spline: bpy.types.Spline, positions: Sequence[Vector], lift: float) -> None:
    """Lead a spline through more places than it had so far, or the same."""
    spline.bezier_points.add(len(positions) - len(spline.bezier_points))
    for point, position in zip(spline.bezier_points, positions, strict=True):
        point.co = position + Vector((0, 0, lift))
        point.handle_left_type = point.handle_right_type = "AUTO"


def raycast_ground(
    scene: bpy.types.Scene,
    depsgraph: bpy.types.Depsgraph,
    origin: Vector,
    direction: Vector,
    excluded: set[str],
) -> Vector | None:
    """Where a ray meets the first mesh that is not left out, or level ground at height 0;
    None where it meets nothing.
    """
    start = origin
    for _ in range(64):  # meshes of characters in front of each other
        hit, position, _, _, obj, _ = scene.ray_cast(depsgraph, start, direction)
        if not hit:
            break
        if obj.name not in excluded:
            return Vector(position)
        start = position + 1e-4 * direction.normalized() * max(1.0, (position - origin).length)
    if abs(direction.z) < 1e-6 or -origin.z / direction.z <= 0:
        return None
    return Vector(origin - direction * (origin.z / direction.z))

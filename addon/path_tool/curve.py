"""Creation of a curve through clicked points."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Vector

CURVE_LIFT = 0.02  # height of the curve above the ground, for visibility [leg lengths]
# Greatest number of faces of excluded meshes, such as the character, in front of the ground; a ray
# enters and leaves each part of a body.
MAX_RAY_HITS = 64
# Distance behind a hit at which a ray continues, relative to its length: above the rounding of
# single precision, so that it does not hit the same face again.
RAY_STEP = 1e-4


def create_path_curve(
    scene: bpy.types.Scene, positions: Sequence[Vector], lift: float
) -> bpy.types.Object:
    """Add an object with a smooth curve to a scene.

    Args:
        scene: scene of the new object.
        positions: points of the curve in the world [scene units].
        lift: height of the curve above the points [scene units].
    """
    data = bpy.data.curves.new("Footfall Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    curve = bpy.data.objects.new("Footfall Path", data)
    extend_spline(spline, positions, lift)
    scene.collection.objects.link(curve)
    return curve


def extend_spline(spline: bpy.types.Spline, positions: Sequence[Vector], lift: float) -> None:
    """Append points to a spline.

    Args:
        spline: Bezier spline.
        positions: all points of the spline; at least as many as it has.
        lift: height of the spline above the points [scene units].
    """
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
    """Return the first intersection of a ray with a mesh or with the plane z = 0.

    Args:
        scene: scene with the meshes.
        depsgraph: evaluated dependency graph.
        origin: start of the ray.
        direction: direction of the ray.
        excluded: names of objects that the ray passes through.

    Returns:
        The intersection; None if there is none.
    """
    start = origin
    for _ in range(MAX_RAY_HITS):
        hit, position, _, _, obj, _ = scene.ray_cast(depsgraph, start, direction)
        if not hit:
            break
        if obj.name not in excluded:
            return Vector(position)
        start = position + RAY_STEP * direction.normalized() * max(1.0, (position - origin).length)
    if abs(direction.z) < 1e-6 or -origin.z / direction.z <= 0:
        return None
    return Vector(origin - direction * (origin.z / direction.z))

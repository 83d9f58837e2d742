"""A curve to follow, made of places that were clicked on."""
from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Vector

LIFT = 0.02           # leg lengths that the curve lies above the ground, to be seen


def new_path(scene: bpy.types.Scene, places: Sequence[Vector], lift: float) -> bpy.types.Object:
    """A smooth curve through places in the world, in a new object of the scene; `lift` above them."""
    data = bpy.data.curves.new("Footfall Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    curve = bpy.data.objects.new("Footfall Path", data)
    put_places(spline, places, lift)
    scene.collection.objects.link(curve)
    return curve


def put_places(spline: bpy.types.Spline, places: Sequence[Vector], lift: float) -> None:
    """Lead a spline through more places than it had so far, or the same."""
    spline.bezier_points.add(len(places) - len(spline.bezier_points))
    for point, place in zip(spline.bezier_points, places, strict=True):
        point.co = place + Vector((0, 0, lift))
        point.handle_left_type = point.handle_right_type = "AUTO"


def ground_below(scene: bpy.types.Scene, graph: bpy.types.Depsgraph, origin: Vector, direction: Vector,
                 leave_out: set[str]) -> Vector | None:
    """Where a ray meets the first mesh that is not left out, or level ground at height 0; None where it meets nothing."""
    start = origin
    for _ in range(64):          # meshes of characters in front of each other
        hit, place, _, _, thing, _ = scene.ray_cast(graph, start, direction)
        if not hit:
            break
        if thing.name not in leave_out:
            return Vector(place)
        start = place + 1e-4 * direction.normalized() * max(1.0, (place - origin).length)
    if abs(direction.z) < 1e-6 or -origin.z / direction.z <= 0:
        return None
    return Vector(origin - direction * (origin.z / direction.z))

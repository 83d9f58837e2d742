"""Scenes of the session. This module runs in Blender."""

from __future__ import annotations

import math

import bpy
from mathutils import Matrix, Quaternion, Vector
from window import get_view_area, override_context


def find_rig() -> bpy.types.Object:
    """Return the armature of the character."""
    return next(obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE")


def list_footsteps() -> list[bpy.types.Object]:
    """Return the objects of the footsteps, in the order of their numbers."""
    return sorted(
        (obj for obj in bpy.data.objects if obj.footfall_step.number),
        key=lambda obj: obj.footfall_step.number,
    )


def set_up_long_walk(seconds: float) -> None:
    """Replace the path by a straight level one for a walk of `seconds` [s], without ground."""
    scene = bpy.context.scene
    scene.footfall.pushes.clear()
    scene.footfall.terrain_object = None
    scene.frame_start, scene.frame_end = 1, round(seconds * scene.render.fps) + 1
    curve = bpy.data.curves.new("Long", "CURVE")
    curve.splines.new("POLY").points.add(1)
    curve.splines[0].points[1].co = (0.0, -1.6 * seconds, 0.0, 1.0)
    scene.footfall.path = bpy.data.objects.new("Long", curve)
    scene.collection.objects.link(scene.footfall.path)
    bpy.data.objects["Ground"].hide_set(True)


def aim_view(position: tuple[float, float, float], distance: float) -> None:
    """Aim the 3D view at a position from above."""
    view = get_view_area().spaces.active.region_3d
    view.view_location = Vector(position)
    view.view_distance = distance
    view.view_rotation = Quaternion((0, 0, 1), math.radians(60)) @ Quaternion(
        (1, 0, 0), math.radians(40)
    )
    view.update()


def add_vertices(count: int) -> int:
    """Add a grid of at least `count` vertices and return how many it has."""
    side = math.isqrt(count - 1) + 1
    with override_context():
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=side - 1, y_subdivisions=side - 1, size=10)
    grid = bpy.context.object
    grid.name = "Many Vertices"
    grid.matrix_world = Matrix.Translation((0.0, -8.0, -0.05))
    with override_context():
        grid.select_set(False)
        bpy.context.view_layer.objects.active = find_rig()
    return len(grid.data.vertices)


def build_scene() -> None:
    """Build the scene: a human on gentle hills, seen from the side, and 60 frames."""
    preferences = bpy.context.preferences
    scene = bpy.context.scene
    preferences.use_preferences_save = False
    bpy.ops.preferences.addon_enable(module="rigify")
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    with override_context():
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=48, y_subdivisions=48, size=14)
        ground = bpy.context.object
        ground.name = "Ground"
        for vertex in ground.data.vertices:
            vertex.co.z = 0.06 * math.sin(1.1 * vertex.co.x) * math.cos(0.9 * vertex.co.y)
        bpy.ops.object.armature_basic_human_metarig_add()
        find_rig().location = (0, 0, 0)
        scene.frame_start = 1
        scene.frame_end = 60
        scene.footfall.terrain_object = ground
        view = get_view_area().spaces.active.region_3d
        view.view_perspective, view.view_distance, view.view_location = (
            "PERSP",
            9.0,
            Vector((0.4, -1.6, 0.6)),
        )
        view.view_rotation = Quaternion((0, 0, 1), math.radians(60)) @ Quaternion(
            (1, 0, 0), math.radians(68)
        )
        bpy.ops.ed.undo_push(message="Scene Built")

"""Runs in Blender: the scenes of the session."""

from __future__ import annotations

import math

import bpy
from mathutils import Matrix, Quaternion, Vector
from window import area, over


def rig() -> bpy.types.Object:
    """The character."""
    return next(thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE")


def steps() -> list[bpy.types.Object]:
    """The footsteps in the scene, in their order."""
    return sorted(
        (thing for thing in bpy.data.objects if thing.footfall_step.number),
        key=lambda t: t.footfall_step.number,
    )


def long_walk(seconds: float) -> None:
    """A straight level way for so many seconds, seen from above the side,
    in place of what there was.
    """
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


def look_at(place: tuple[float, float, float], distance: float) -> None:
    """Turn the view to a place, from above."""
    view = area().spaces.active.region_3d
    view.view_location = Vector(place)
    view.view_distance = distance
    view.view_rotation = Quaternion((0, 0, 1), math.radians(60)) @ Quaternion(
        (1, 0, 0), math.radians(40)
    )
    view.update()


def add_vertices(count: int) -> int:
    """A mesh of so many vertices beside the way, gently curved; returns how many they are."""
    side = math.isqrt(count - 1) + 1
    with over():
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=side - 1, y_subdivisions=side - 1, size=10)
    thing = bpy.context.object
    thing.name = "Many Vertices"
    thing.matrix_world = Matrix.Translation((0.0, -8.0, -0.05))
    with over():
        thing.select_set(False)
        bpy.context.view_layer.objects.active = rig()
    return len(thing.data.vertices)


def build() -> None:
    """A person on gentle hills, seen from the side, and two and a half seconds to walk."""
    preferences = bpy.context.preferences
    scene = bpy.context.scene
    preferences.use_preferences_save = False
    bpy.ops.preferences.addon_enable(module="rigify")
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    with over():
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=48, y_subdivisions=48, size=14)
        ground = bpy.context.object
        ground.name = "Ground"
        for vertex in ground.data.vertices:
            vertex.co.z = 0.06 * math.sin(1.1 * vertex.co.x) * math.cos(0.9 * vertex.co.y)
        bpy.ops.object.armature_basic_human_metarig_add()
        rig().location = (0, 0, 0)
        scene.frame_start = 1
        scene.frame_end = 60
        scene.footfall.terrain_object = ground
        view = area().spaces.active.region_3d
        view.view_perspective, view.view_distance, view.view_location = (
            "PERSP",
            9.0,
            Vector((0.4, -1.6, 0.6)),
        )
        view.view_rotation = Quaternion((0, 0, 1), math.radians(60)) @ Quaternion(
            (1, 0, 0), math.radians(68)
        )
        bpy.ops.ed.undo_push(message="Scene Built")

"""Ground that no foot may step on: empties and meshes of a collection, as the core knows them."""
from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.task import Forbidden
from ...core.terrain import convex_outline
from ..units import unit_scale
from .owners import place_of

Array = NDArray[np.float64]

DIGITS = 4                # of metres: what single precision makes of a place does not make it another


def read_forbidden(scene: bpy.types.Scene, to_motion: Array | None = None) -> tuple[Forbidden, ...]:
    """The scene's forbidden ground: a disc for each empty, as large as it is drawn, and the outline of each mesh from above.

    Args:
        to_motion: (4, 4) from the scene to the motion's metres, of one scale; the scene's own metres unless told.
    """
    collection = scene.footfall_steps.forbidden
    if collection is None:
        return ()
    matrix = np.diag([unit_scale(scene)] * 3 + [1.0]) if to_motion is None else to_motion
    out = []
    for thing in sorted(collection.all_objects, key=lambda o: o.name):
        world = matrix @ place_of(thing)
        if thing.type == "EMPTY":
            radius = float(thing.empty_display_size * np.linalg.norm(world[:3, 0]))
            if radius > 0.001:
                out.append(Forbidden((_rounded(world[:2, 3]),), round(radius, DIGITS)))
        elif thing.type == "MESH" and len(thing.data.vertices) > 2:
            points = np.array([v.co for v in thing.data.vertices], float) @ world[:3, :3].T + world[:3, 3]
            outline = convex_outline(points[:, :2])
            if len(outline) > 2:
                out.append(Forbidden(tuple(_rounded(p) for p in outline)))
    return tuple(out)


def forbidden_for(armature: bpy.types.Object, scene: bpy.types.Scene) -> tuple[Forbidden, ...]:
    """The same where it lies for a motion whose footsteps are shown."""
    return read_forbidden(scene, np.linalg.inv(np.array(armature.footfall_steps.matrix).reshape(4, 4)))


def add_forbidden(scene: bpy.types.Scene, radius: float) -> bpy.types.Object:
    """A disc of forbidden ground at the 3D cursor.

    Args:
        radius: in units of the scene.
    """
    shown = scene.footfall_steps
    if shown.forbidden is None or shown.forbidden not in scene.collection.children_recursive[:]:
        shown.forbidden = bpy.data.collections.new("Forbidden Ground")
        scene.collection.children.link(shown.forbidden)
    disc = bpy.data.objects.new("Forbidden", None)
    disc.empty_display_type, disc.empty_display_size = "CIRCLE", radius
    disc.rotation_euler.x = np.pi / 2          # Blender draws circles upright
    disc.location = scene.cursor.location
    shown.forbidden.objects.link(disc)
    return disc


def _rounded(place: Array) -> tuple[float, float]:
    return round(float(place[0]), DIGITS), round(float(place[1]), DIGITS)

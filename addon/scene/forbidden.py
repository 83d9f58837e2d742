"""Ground that no foot may step on, from the empties and meshes of a collection."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.task import ForbiddenArea
from ...core.terrain import find_convex_outline
from ..units import read_unit_scale
from .owners import read_world_matrix
from .presence import find_present

Array = NDArray[np.float64]

# Decimals of positions in meters, so that errors of single precision do not make areas differ
ROUNDING_DIGITS = 4


def read_forbidden(
    scene: bpy.types.Scene, to_motion: Array | None = None
) -> tuple[ForbiddenArea, ...]:
    """Return the forbidden ground of a scene: a disc for each empty, with its display size as
    radius, and the outline of each mesh seen from above.

    Args:
        to_motion: transform from the scene to meters of a motion (4, 4), with uniform scale; None
            for the scene's units in meters.
    """
    collection = find_present(scene.footfall_steps.forbidden, scene)
    if collection is None:
        return ()
    matrix = np.diag([read_unit_scale(scene)] * 3 + [1.0]) if to_motion is None else to_motion
    areas = []
    for obj in sorted(collection.all_objects, key=lambda o: o.name):
        world_matrix = matrix @ read_world_matrix(obj)
        if obj.type == "EMPTY":
            radius = float(obj.empty_display_size * np.linalg.norm(world_matrix[:3, 0]))
            if radius > 0.001:
                areas.append(
                    ForbiddenArea(
                        (_round_place(world_matrix[:2, 3]),), round(radius, ROUNDING_DIGITS)
                    )
                )
        elif obj.type == "MESH" and len(obj.data.vertices) > 2:
            points = (
                np.array([v.co for v in obj.data.vertices], float) @ world_matrix[:3, :3].T
                + world_matrix[:3, 3]
            )
            outline = find_convex_outline(points[:, :2])
            if len(outline) > 2:
                areas.append(ForbiddenArea(tuple(_round_place(p) for p in outline)))
    return tuple(areas)


def read_forbidden_for_motion(
    armature: bpy.types.Object, scene: bpy.types.Scene
) -> tuple[ForbiddenArea, ...]:
    """Return the forbidden ground in the coordinates of the motion whose footsteps are shown."""
    return read_forbidden(
        scene, np.linalg.inv(np.array(armature.footfall_steps.matrix).reshape(4, 4))
    )


def add_forbidden(scene: bpy.types.Scene, radius: float) -> bpy.types.Object:
    """Add a disc of forbidden ground at the 3D cursor and return its empty.

    Args:
        radius: radius in units of the scene.
    """
    step_settings = scene.footfall_steps
    if (
        step_settings.forbidden is None
        or step_settings.forbidden not in scene.collection.children_recursive[:]
    ):
        step_settings.forbidden = bpy.data.collections.new("Forbidden Ground")
        scene.collection.children.link(step_settings.forbidden)
    disc = bpy.data.objects.new("Forbidden", None)
    disc.empty_display_type = "CIRCLE"
    disc.empty_display_size = radius
    disc.rotation_euler.x = np.pi / 2  # Blender draws circles upright
    disc.location = scene.cursor.location
    step_settings.forbidden.objects.link(disc)
    return disc


def _round_place(place: Array) -> tuple[float, float]:
    return round(float(place[0]), ROUNDING_DIGITS), round(float(place[1]), ROUNDING_DIGITS)

"""Footsteps put onto the ground where they are seen: what is dragged in perspective goes along the screen, not along the ground."""
from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from ...core.terrain import Ground
from ..bake.stored_plan import Planned
from ..scene.owners import place_of
from .objects import steps_of

Array = NDArray[np.float64]

STEEP = 0.25              # least sine of the angle at which one looks down, for a place on the ground to be told by it
OFF = 2e-3                # m over or under the ground, from which on a footstep was dragged off it
ROUNDS = 8                # in which height of the ground and place find each other


def put_on_ground(armature: bpy.types.Object, planned: Planned, window: bpy.types.Window) -> int:
    """Move footsteps that were dragged off the ground along the line of sight onto it; returns how many.

    Nothing is done where several 3D views are open, since nobody knows in which one it was.
    """
    views = [a for a in window.screen.areas if a.type == "VIEW_3D"]
    if len(views) != 1 or views[0].spaces.active.region_quadviews:
        return 0
    view, count = views[0].spaces.active.region_3d, 0
    to_scene = np.array(armature.footfall_steps.matrix).reshape(4, 4)
    back = np.linalg.inv(to_scene)
    for thing in steps_of(armature):
        at, was = back @ place_of(thing), back @ np.array(thing.footfall_step.planned_place).reshape(4, 4)
        if thing.parent is not None or abs(at[2, 3] - was[2, 3]) < OFF or np.abs((at - was)[:2, 3]).max() < OFF:
            continue
        place = _seen_on(planned.task.ground, at[:3, 3], back[:3, :3] @ _sight(view, thing.location))
        if place is not None:
            thing.location = Vector((to_scene @ np.append(place, 1.0))[:3].tolist())
            count += 1
    return count


def _sight(view: bpy.types.RegionView3D, place: Vector) -> Array:
    """Direction in which a place is looked at. (3,)."""
    turn = view.view_matrix.inverted()
    way = place - turn.translation if view.is_perspective else -turn.col[2].to_3d()
    return np.array(way.normalized())


def _seen_on(ground: Ground, place: Array, sight: Array) -> Array | None:
    """Where a line of sight through a place meets the ground, (3,); None where it hardly does."""
    sight = sight / np.linalg.norm(sight)
    if abs(sight[2]) < STEEP:
        return None
    for _ in range(ROUNDS):
        height = float(ground.height(place[None, :2])[0])
        if not np.isfinite(height):
            return None
        place = place + (height - place[2]) / sight[2] * sight
    return place

"""Which armature a path or a footstep belongs to."""
from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ..settings.motion import Wish


def walker_on(thing: bpy.types.Object) -> bpy.types.Object | None:
    """The armature whose path, or whose ground, an object is in the scene: the one that has it as a path of its own, or the only
    detected one among those that share the scene's; None where there is none, or nobody knows which."""
    scene = bpy.context.scene
    for wish in scene.footfall_own:
        if _leads(wish, thing) and wish.armature is not None and wish.armature.name in scene.objects:
            return wish.armature
    if not _is_shared(thing, scene):
        return None
    apart = {wish.armature for wish in scene.footfall_own}
    there = [other for other in scene.objects if other.type == "ARMATURE" and len(other.footfall.parts) and other not in apart]
    return there[0] if len(there) == 1 else None


def _leads(wish: Wish, thing: bpy.types.Object) -> bool:
    """Whether a curve is the path that is asked for, or an empty a marker on it."""
    return wish.path == thing or any(marker.thing == thing for marker in wish.markers)


def _is_shared(thing: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether it is the scene's path or ground."""
    ground = scene.footfall.terrain
    if _leads(scene.footfall, thing) or thing == ground:
        return True
    return isinstance(ground, bpy.types.Collection) and thing.name in ground.all_objects

Array = NDArray[np.float64]


def owner_of(thing: bpy.types.Object | None) -> bpy.types.Object | None:
    """The armature whose footstep an object is; None for any other object, and where the armature is gone."""
    if thing is None or not thing.footfall_step.number:
        return None
    return next((o for c in thing.users_collection if (o := owner_of_collection(c)) is not None), None)


def owner_of_collection(collection: bpy.types.Collection) -> bpy.types.Object | None:
    """The armature whose footsteps a collection holds; of copies that share it the first."""
    return next((o for o in bpy.data.objects if o.type == "ARMATURE" and o.footfall_steps.collection == collection
                 and o.users_scene), None)


def place_of(thing: bpy.types.Object) -> Array:
    """Where a footstep is in the scene, also where Blender has not looked since it was moved. (4, 4)."""
    free = thing.parent is None and not thing.constraints
    return np.array(thing.matrix_basis if free else thing.matrix_world)

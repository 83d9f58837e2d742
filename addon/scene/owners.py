"""Armatures that paths and footsteps belong to."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ..settings.motion import MotionSettings

Array = NDArray[np.float64]


def find_path_owner(obj: bpy.types.Object) -> bpy.types.Object | None:
    """Return the armature whose path or ground an object is in the current scene.

    It is the armature with separate settings that name the path, or else the only detected one that
    uses the settings of the scene. Returns None if there is none or several.
    """
    scene = bpy.context.scene
    for settings in scene.footfall_own:
        if (
            _is_on_path(settings, obj)
            and settings.armature is not None
            and settings.armature.name in scene.objects
        ):
            return settings.armature
    if not _is_scene_path_or_ground(obj, scene):
        return None
    with_settings = {settings.armature for settings in scene.footfall_own}
    candidates = [
        other
        for other in scene.objects
        if other.type == "ARMATURE" and len(other.footfall.parts) and other not in with_settings
    ]
    return candidates[0] if len(candidates) == 1 else None


def _is_on_path(settings: MotionSettings, obj: bpy.types.Object) -> bool:
    """Return whether an object is the path that settings name or one of their markers."""
    return settings.path == obj or any(marker.thing == obj for marker in settings.markers)


def _is_scene_path_or_ground(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Return whether an object is the path or the ground of the scene."""
    ground = scene.footfall.terrain
    if _is_on_path(scene.footfall, obj) or obj == ground:
        return True
    return isinstance(ground, bpy.types.Collection) and obj.name in ground.all_objects


def find_step_owner(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """Return the armature whose footstep an object is; None for any other object or if the armature
    was deleted.
    """
    if obj is None or not obj.footfall_step.number:
        return None
    return next(
        (o for c in obj.users_collection if (o := find_collection_owner(c)) is not None), None
    )


def find_collection_owner(collection: bpy.types.Collection) -> bpy.types.Object | None:
    """Return the armature whose footsteps a collection holds; the first one of copies that share
    it.
    """
    return next(
        (
            o
            for o in bpy.data.objects
            if o.type == "ARMATURE" and o.footfall_steps.collection == collection and o.users_scene
        ),
        None,
    )


def read_world_matrix(obj: bpy.types.Object) -> Array:
    """Return the world matrix of a footstep (4, 4), current even before Blender has evaluated a
    move.
    """
    is_free = obj.parent is None and not obj.constraints
    return np.array(obj.matrix_basis if is_free else obj.matrix_world)

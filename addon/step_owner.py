"""Whose a footstep in the scene is, and where it is."""
from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

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

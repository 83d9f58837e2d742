"""Whether what settings refer to is in the scene.

A setting keeps an object alive that the user has deleted; such a setting counts as unset.
"""

from __future__ import annotations

from typing import TypeVar

import bpy

T = TypeVar("T", bound=bpy.types.ID)


def find_present(datablock: T | None, scene: bpy.types.Scene) -> T | None:
    """Return an object or a collection if it is in a scene or in its background scenes.

    A collection is in a scene if it is linked there or groups objects of it.
    """
    if datablock is None:
        return None
    current: bpy.types.Scene | None = scene
    while current is not None:
        if _is_in_scene(datablock, current):
            return datablock
        current = current.background_set
    return None


def _is_in_scene(datablock: bpy.types.ID, scene: bpy.types.Scene) -> bool:
    if isinstance(datablock, bpy.types.Collection):
        if datablock in (scene.collection, *scene.collection.children_recursive):
            return True
        # a collection that only groups objects need not be linked itself
        return any(_is_in_scene(obj, scene) for obj in datablock.all_objects)
    if isinstance(datablock, bpy.types.Object):
        return bool(scene.objects.get(datablock.name) == datablock)
    return True  # what is neither is refused where it is read

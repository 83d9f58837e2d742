"""Which objects of a scene can be chosen for a setting."""

from __future__ import annotations

import bpy


def has_meshes(collection: bpy.types.Collection) -> bool:
    """Whether there is anything of a shape in a collection."""
    return any(
        obj.type == "MESH" or obj.instance_type == "COLLECTION" for obj in collection.all_objects
    )

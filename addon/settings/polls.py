"""Which objects of a scene can be chosen for a setting."""

from __future__ import annotations

import bpy


def is_mesh(_: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    """Whether an object can be chosen where a mesh is wanted."""
    return obj.type == "MESH"


def has_meshes(collection: bpy.types.Collection) -> bool:
    """Whether there is anything of a shape in a collection."""
    return any(
        obj.type == "MESH" or obj.instance_type == "COLLECTION" for obj in collection.all_objects
    )

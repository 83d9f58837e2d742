"""Which objects of a scene can be chosen for a setting."""
from __future__ import annotations

import bpy


def has_meshes(collection: bpy.types.Collection) -> bool:
    """Whether there is anything of a shape in a collection."""
    return any(thing.type == "MESH" or thing.instance_type == "COLLECTION" for thing in collection.all_objects)

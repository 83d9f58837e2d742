"""Filters for the objects that a setting accepts."""

from __future__ import annotations

import bpy


def is_mesh(_: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    """Return whether an object is a mesh."""
    return obj.type == "MESH"


def has_meshes(collection: bpy.types.Collection) -> bool:
    """Return whether a collection has a mesh or an instance of a collection."""
    return any(
        obj.type == "MESH" or obj.instance_type == "COLLECTION" for obj in collection.all_objects
    )

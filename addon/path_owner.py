"""Who goes along a curve or markers, and over a ground: a path that is being shaped need not be left to generate anew."""
from __future__ import annotations

import bpy

from .wish_properties import Wish


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

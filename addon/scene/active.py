"""The active armature and the settings that apply to it."""

from __future__ import annotations

import bpy

from ...core.errors import CharacterError
from ..rigs.libraries import check_not_linked, describe_active
from ..settings.copy import copy_settings
from ..settings.motion import MotionSettings
from ..settings.scene import FootfallCharacterSettings
from .owners import find_path_owner, find_step_owner


def find_armature(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """Return the armature that an object is, that deforms a mesh, or that a footstep, path or
    ground belongs to.

    Returns None if there is none.
    """
    if obj is None or obj.type == "ARMATURE":
        return obj
    owner = find_step_owner(obj) or (obj.find_armature() if obj.type == "MESH" else None)
    return owner or find_path_owner(obj)


def has_gaits(context: bpy.types.Context) -> bool:
    """Return whether the active body moves by gaits instead of by a style of a humanoid."""
    armature = find_armature(context.object)
    return armature is not None and armature.footfall.gait_speed > 0


def is_quadruped(context: bpy.types.Context) -> bool:
    """Return whether the active body is a quadruped, which has a separate list of styles."""
    armature = find_armature(context.object)
    return has_gaits(context) and armature is not None and armature.footfall.four_legged


def active_armature(context: bpy.types.Context) -> bpy.types.Object:
    """Return the armature of the active object, which may be its mesh, footstep or path.

    Raises:
        CharacterError: there is none, or it is linked or being edited.
    """
    # objects that a script has just created or moved have no pose and no world matrix before
    context.view_layer.update()
    obj = context.view_layer.objects.active
    armature = find_armature(obj)
    if armature is None:
        raise CharacterError(
            f"No armature is selected: {describe_active(obj)}. Click on the character's armature "
            "first."
        )
    check_not_linked(armature)
    if armature.mode == "EDIT":
        raise CharacterError(
            f"The armature {armature.name!r} is being edited. Leave edit mode first."
        )
    return armature


def find_character_settings(
    scene: bpy.types.Scene, armature: bpy.types.Object | None
) -> FootfallCharacterSettings | None:
    """Return a character's separate settings in a scene; None if those of the scene apply."""
    return (
        None
        if armature is None
        else next(
            (settings for settings in scene.footfall_own if settings.armature == armature), None
        )
    )


def add_character_settings(
    scene: bpy.types.Scene, armature: bpy.types.Object
) -> FootfallCharacterSettings:
    """Give a character separate settings, a copy of those of the scene, and return them."""
    settings: FootfallCharacterSettings = scene.footfall_own.add()
    copy_settings(scene.footfall, settings)
    settings.name = armature.name
    settings.armature = armature
    return settings


def find_active_settings(context: bpy.types.Context) -> MotionSettings:
    """Return the settings that apply to the active character: its separate ones or those of the
    scene.
    """
    character_settings = find_character_settings(context.scene, find_armature(context.object))
    settings: MotionSettings = (
        context.scene.footfall if character_settings is None else character_settings
    )
    return settings

"""The active armature and the settings that apply to it."""
from __future__ import annotations

import bpy

from ...core.errors import CharacterError
from ..rigs.libraries import refuse_linked, what_is
from ..settings.motion import Wish
from ..settings.scene import FootfallOwnWish
from .owners import owner_of, walker_on


def armature_of(thing: bpy.types.Object | None) -> bpy.types.Object | None:
    """The armature that an object is, that a mesh follows, or whose footstep, path or ground it is; None where there is none."""
    if thing is None or thing.type == "ARMATURE":
        return thing
    owner = owner_of(thing) or (thing.find_armature() if thing.type == "MESH" else None)
    return owner or walker_on(thing)


def goes_by_gait(context: bpy.types.Context) -> bool:
    """Whether the body is of another build than people's, and has gaits in place of a style."""
    armature = armature_of(context.object)
    return armature is not None and armature.footfall.gait_speed > 0


def four_legged(context: bpy.types.Context) -> bool:
    """Whether the body goes on four legs and has styles of its own."""
    armature = armature_of(context.object)
    return goes_by_gait(context) and armature is not None and armature.footfall.four_legged


def active_armature(context: bpy.types.Context) -> bpy.types.Object:
    """The armature that is meant: the active object, or the armature whose mesh, footstep or path it is.

    Raises:
        CharacterError: there is none, or it is linked or being edited.
    """
    context.view_layer.update()        # what a script has just made or moved has no pose and no place in the world before
    thing = context.view_layer.objects.active
    armature = armature_of(thing)
    if armature is None:
        raise CharacterError(f"No armature is selected: {what_is(thing)}. Click on the character's armature first.")
    refuse_linked(armature)
    if armature.mode == "EDIT":
        raise CharacterError(f"The armature {armature.name!r} is being edited. Leave edit mode first.")
    return armature


def own_wish(scene: bpy.types.Scene, armature: bpy.types.Object | None) -> FootfallOwnWish | None:
    """The settings that a character has of its own in a scene; None where it goes by those of the scene."""
    return None if armature is None else next((wish for wish in scene.footfall_own if wish.armature == armature), None)


def wish_of(context: bpy.types.Context) -> Wish:
    """The settings of the active character: its own, if it has some, or those of the scene."""
    own = own_wish(context.scene, armature_of(context.object))
    wish: Wish = context.scene.footfall if own is None else own
    return wish

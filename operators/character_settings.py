"""Settings of a character's own, and back to those of the scene."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy

from ..addon.scene.active import armature_of, own_wish
from ..addon.settings.copy import copy_settings
from .common import Greyed


class FOOTFALL_OT_own_settings(Greyed, bpy.types.Operator):
    """Give this character a path, a style and all other settings of its own, to begin with those shown now. The ground is shared"""

    bl_idname = "footfall.own_settings"
    bl_label = "Own Settings"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only for a character without."""
        armature = armature_of(context.object)
        if armature is None:
            return "Select a character's armature first"
        if own_wish(context.scene, armature) is not None:
            return "This character has settings of its own"
        return ""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy the scene's."""
        armature, own = armature_of(context.object), context.scene.footfall_own
        assert armature is not None
        for k in reversed(range(len(own))):
            if own[k].armature is None:          # the character is gone
                own.remove(k)
        wish = own.add()
        copy_settings(context.scene.footfall, wish)
        wish.name, wish.armature = armature.name, armature
        return {"FINISHED"}


class FOOTFALL_OT_share_settings(Greyed, bpy.types.Operator):
    """Let this character go by the scene's settings again; its own are forgotten"""

    bl_idname = "footfall.share_settings"
    bl_label = "Shared Settings"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only for a character with settings of its own."""
        if own_wish(context.scene, armature_of(context.object)) is None:
            return "This character goes by the scene's settings"
        return ""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove them."""
        own, armature = context.scene.footfall_own, armature_of(context.object)
        own.remove(next(k for k, wish in enumerate(own) if wish.armature == armature))
        return {"FINISHED"}

"""Separate settings for a character, and return to the shared settings."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy

from ..addon.scene.active import (
    add_character_settings,
    find_armature,
    find_character_settings,
)
from .common import PollWithReason


class FOOTFALL_OT_add_character_settings(PollWithReason, bpy.types.Operator):
    """Give this character separate settings, which start as a copy of the shared ones. The ground
    stays shared"""

    bl_idname = "footfall.own_settings"
    bl_label = "Own Settings"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a character without separate settings."""
        armature = find_armature(context.object)
        if armature is None:
            return "Select a character's armature first"
        if find_character_settings(context.scene, armature) is not None:
            return "This character already has separate settings"
        return ""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy the shared settings."""
        armature = find_armature(context.object)
        all_settings = context.scene.footfall_own
        assert armature is not None
        for k in reversed(range(len(all_settings))):
            if all_settings[k].armature is None:  # the armature was deleted
                all_settings.remove(k)
        add_character_settings(context.scene, armature)
        return {"FINISHED"}


class FOOTFALL_OT_share_settings(PollWithReason, bpy.types.Operator):
    """Use the shared settings for this character again and delete its separate ones"""

    bl_idname = "footfall.share_settings"
    bl_label = "Shared Settings"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a character with separate settings."""
        if find_character_settings(context.scene, find_armature(context.object)) is None:
            return "This character uses the shared settings"
        return ""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the separate settings."""
        all_settings = context.scene.footfall_own
        armature = find_armature(context.object)
        all_settings.remove(
            next(k for k, settings in enumerate(all_settings) if settings.armature == armature)
        )
        return {"FINISHED"}

"""Panel of bake settings."""

from __future__ import annotations

import bpy

from ..addon.bake.options import HAS_ACTION_SLOTS
from ..addon.scene.active import find_armature
from .settings import FOOTFALL_PT_bake_presets
from .tab import Tab


class FOOTFALL_PT_bake(Tab, bpy.types.Panel):
    """Settings of the bake, and buttons that bake again or revert."""

    bl_label = "Bake"
    bl_parent_id = "FOOTFALL_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the menu of presets."""
        FOOTFALL_PT_bake_presets.draw_panel_header(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw target, frames, keys, bones, blends and buttons."""
        layout = self.layout
        bake_settings = context.scene.footfall_bake
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(bake_settings, "into")
        if bake_settings.into == "STRIP":
            layout.prop(bake_settings, "strip", text="Name")
        elif not HAS_ACTION_SLOTS:
            layout.label(text="Slots need Blender 4.4", icon="INFO")
        layout.row().prop(bake_settings, "frames", expand=True)
        if bake_settings.frames == "SPAN":
            column = layout.column(align=True)
            column.prop(bake_settings, "first")
            column.prop(bake_settings, "last")
        layout.prop(bake_settings, "spacing")
        _draw_keys(layout.column(align=True), bake_settings)
        layout.prop(bake_settings, "bones")
        if bake_settings.bones == "SELECTED" and context.mode != "POSE":
            layout.label(text="Select bones in Pose Mode", icon="INFO")
        column = layout.column(align=True)
        column.prop(bake_settings, "blend_in")
        column.prop(bake_settings, "blend_out", text="Out")
        layout.prop(bake_settings, "replace")
        column = layout.column(align=True)
        column.operator("footfall.bake_again", icon="FILE_REFRESH")
        column.operator("footfall.revert_bake", icon="LOOP_BACK")
        armature = find_armature(context.object)
        last_action = (
            None
            if armature is None or not armature.footfall_baked.there
            else armature.footfall_baked.action
        )
        # Always drawn, so that the buttons keep their positions.
        layout.label(
            text="No bake to revert" if last_action is None else last_action.name, icon="ACTION"
        )


def _draw_keys(layout: bpy.types.UILayout, bake_settings: bpy.types.PropertyGroup) -> None:
    if bake_settings.spacing == "STEPS":
        layout.prop(bake_settings, "step")
        layout.prop(bake_settings, "held")
    if bake_settings.spacing == "FEW" or (
        bake_settings.spacing == "STEPS" and not bake_settings.held
    ):
        layout.prop(bake_settings, "feet", text="Tolerance, Feet")
        layout.prop(bake_settings, "body", text="Body")

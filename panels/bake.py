"""How a motion becomes keys."""
from __future__ import annotations

import bpy

from ..addon.bake.options import SLOTS
from ..addon.scene.active import armature_of
from .settings import FOOTFALL_PT_bake_presets
from .tab import Tab


class FOOTFALL_PT_bake(Tab, bpy.types.Panel):
    """Where keys go, how many, and the buttons that need no planning."""

    bl_label = "Bake"
    bl_parent_id = "FOOTFALL_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Presets."""
        FOOTFALL_PT_bake_presets.draw_panel_header(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Into, frames, keys, bones, blends."""
        layout, wish = self.layout, context.scene.footfall_bake
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(wish, "into")
        if wish.into == "STRIP":
            layout.prop(wish, "strip", text="Name")
        elif not SLOTS:
            layout.label(text="Slots come with Blender 4.4", icon="INFO")
        layout.row().prop(wish, "frames", expand=True)
        if wish.frames == "SPAN":
            column = layout.column(align=True)
            column.prop(wish, "first")
            column.prop(wish, "last")
        layout.prop(wish, "spacing")
        _draw_keys(layout.column(align=True), wish)
        layout.prop(wish, "bones")
        if wish.bones == "SELECTED" and context.mode != "POSE":
            layout.label(text="Select bones in Pose Mode", icon="INFO")
        column = layout.column(align=True)
        column.prop(wish, "blend_in")
        column.prop(wish, "blend_out", text="Out")
        layout.prop(wish, "replace")
        column = layout.column(align=True)
        column.operator("footfall.bake_again", icon="FILE_REFRESH")
        column.operator("footfall.revert_bake", icon="LOOP_BACK")
        armature = armature_of(context.object)
        last = None if armature is None or not armature.footfall_baked.there else armature.footfall_baked.action
        layout.label(text="No bake to revert" if last is None else last.name, icon="ACTION")      # always, so that no button moves


def _draw_keys(layout: bpy.types.UILayout, wish: bpy.types.PropertyGroup) -> None:
    if wish.spacing == "STEPS":
        layout.prop(wish, "step")
        layout.prop(wish, "held")
    if wish.spacing == "FEW" or (wish.spacing == "STEPS" and not wish.held):
        layout.prop(wish, "feet", text="Tolerance, Feet")
        layout.prop(wish, "body", text="Body")

"""The sidebar tab Footfall: character, path, motion, from top to bottom as one works."""
from __future__ import annotations

import bpy


class _Tab:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Footfall"


class FOOTFALL_PT_character(_Tab, bpy.types.Panel):
    """Who walks."""

    bl_label = "Character"

    def draw(self, context: bpy.types.Context) -> None:
        """The armature, and what was found in it."""
        layout, thing = self.layout, context.object
        if thing is None or thing.type != "ARMATURE":
            layout.label(text="Select the character's armature", icon="INFO")
            return
        layout.label(text=thing.name, icon="ARMATURE_DATA")
        layout.operator("footfall.detect_character", icon="VIEWZOOM")
        for line in thing.footfall.notes.splitlines():
            layout.label(text=line)


class FOOTFALL_PT_path(_Tab, bpy.types.Panel):
    """Where it walks."""

    bl_label = "Path & Terrain"

    def draw(self, context: bpy.types.Context) -> None:
        """Curve and ground."""
        layout, wish = self.layout, context.scene.footfall
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(wish, "path")
        layout.prop_search(wish, "terrain", bpy.data, "objects", icon="MESH_GRID")
        if wish.path is None:
            layout.label(text="Draw a curve over the ground and pick it", icon="INFO")


class FOOTFALL_PT_motion(_Tab, bpy.types.Panel):
    """How it walks, and the button."""

    bl_label = "Motion"

    def draw(self, context: bpy.types.Context) -> None:
        """Style, speed, and either the button or how far the work is."""
        layout, wish, now = self.layout, context.scene.footfall, context.window_manager.footfall
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(wish, "style")
        layout.prop(wish, "natural_speed")
        row = layout.row()
        row.active = not wish.natural_speed
        row.prop(wish, "speed")
        layout.prop(wish, "start")
        layout.prop(wish, "engine")
        layout.prop(wish, "seed")
        if now.working:
            layout.progress(factor=now.share, text=f"{now.stage} {100 * now.share:.0f} %  (Esc stops)")
        else:
            layout.operator("footfall.generate", icon="PLAY")

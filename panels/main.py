"""The sidebar tab Footfall: character, path, motion, from top to bottom as one works."""
from __future__ import annotations

import json

import bpy

from ..addon.asking import natural_speed

LIMBS = {"leg": ("thigh", "shin", "foot", "toe"), "arm": ("upper_arm", "forearm", "hand")}


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
        if thing.footfall.anatomy:
            _draw_found(layout, thing.footfall)


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
        layout.prop(wish, "natural_speed", text=_natural(context))
        if not wish.natural_speed:
            layout.prop(wish, "speed")
        layout.prop(wish, "start")
        layout.prop(wish, "engine")
        layout.prop(wish, "seed")
        if now.working:
            layout.progress(factor=now.share, text=f"{now.stage} {100 * now.share:.0f} %  (Esc stops)")
        else:
            layout.operator("footfall.generate", icon="PLAY")


def _draw_found(layout: bpy.types.UILayout, found: bpy.types.PropertyGroup) -> None:
    """A row a limb, from its first bone to its last; what is missing stands out."""
    part = json.loads(found.anatomy)
    rows = {"Trunk": [part["pelvis"], *(part[k] for k in part if k.startswith("spine.")), part.get("neck")]}
    for side, name in (("L", "Left"), ("R", "Right")):
        rows |= {f"{name} {limb}": [part.get(f"{bone}.{side}") for bone in bones] for limb, bones in LIMBS.items()}
    column = layout.column(align=True)
    for name, bones in rows.items():
        there = [bone for bone in bones if bone]
        split = column.split(factor=0.32)
        split.label(text=name)
        if there:
            split.label(text=f"{there[0]} … {there[-1]}")
        else:
            split.label(text="not found", icon="ERROR")
    for line in found.notes.splitlines():
        if line.partition(":")[0] not in ("legs", "trunk", "arms"):
            column.label(text=line)


def _natural(context: bpy.types.Context) -> str:
    """The check box's text, with the speed that it stands for where the character is known."""
    thing, wish = context.object, context.scene.footfall
    if thing is None or thing.type != "ARMATURE" or not thing.footfall.leg_length:
        return "Natural Speed"
    return f"Natural Speed, {natural_speed(thing.footfall.leg_length, wish.style):.2f} m/s"

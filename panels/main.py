"""The sidebar tab Footfall: character, path, motion, from top to bottom as one works."""
from __future__ import annotations

import bpy

from ..addon.rigs.known_rigs import is_control_rig
from ..addon.scene.active import armature_of, four_legged, goes_by_gait, own_wish, wish_of
from ..addon.scene.path import faces_markers, goes_by_markers
from ..addon.scene.speed import natural_speed, own_speed
from ..addon.scene.style import chosen_style, clip_of
from ..addon.settings.motion import Wish
from ..addon.units import gravity_of
from ..addon.worker.batch import STAGES
from ..core.clip import find_quadruped_style, quadruped_style
from ..core.engine import ENGINES
from ..core.errors import FootfallError
from .mapping import draw_mapping
from .markers import draw_markers
from .settings import FOOTFALL_PT_motion_presets
from .style import LABELS, draw_source, draw_style
from .tab import Tab


class FOOTFALL_PT_character(Tab, bpy.types.Panel):
    """Who walks."""

    bl_label = "Character"

    def draw(self, context: bpy.types.Context) -> None:
        """The armature, and what was found in it."""
        layout, armature = self.layout, armature_of(context.object)
        if armature is None:
            layout.label(text="Select an armature", icon="INFO")
            return
        layout.label(text=armature.name, icon="ARMATURE_DATA")
        layout.operator("footfall.detect_character", icon="VIEWZOOM")
        draw_mapping(layout, context, armature)
        if armature.footfall.leg_length:
            row = layout.row()
            row.use_property_split = True
            row.use_property_decorate = False
            row.prop(armature.footfall, "mass", text="Mass, kg" if armature.footfall.mass else "Mass (Auto)")
        if own_wish(context.scene, armature) is None:
            layout.operator("footfall.own_settings", icon="UNLINKED")
        else:
            layout.operator("footfall.share_settings", icon="LINKED")


class FOOTFALL_PT_path(Tab, bpy.types.Panel):
    """Where it walks."""

    bl_label = "Path & Terrain"

    def draw(self, context: bpy.types.Context) -> None:
        """Curve and ground."""
        layout, wish, ground = self.layout, wish_of(context), context.scene.footfall
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.row().prop(wish, "path_from", expand=True)
        if goes_by_markers(wish):
            draw_markers(layout, wish)
            layout.operator("footfall.draw_path", text="Click Markers", icon="EMPTY_AXIS")
        else:
            layout.prop(wish, "path", text="Curve")
            if wish.path is None and wish.bars is None:
                layout.label(text="Pick a curve to follow, or click a path", icon="INFO")
            layout.operator("footfall.draw_path", icon="CURVE_PATH")
        layout.prop(ground, "terrain_kind", expand=True)
        layout.prop(ground, "terrain_object" if ground.terrain_kind == "OBJECT" else "terrain_collection")
        layout.prop(ground, "friction")


class FOOTFALL_PT_motion(Tab, bpy.types.Panel):
    """How it walks, and the button."""

    bl_label = "Motion"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Presets."""
        FOOTFALL_PT_motion_presets.draw_panel_header(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Either the button or how far the work is; style, speed and the rest."""
        layout, wish = self.layout, wish_of(context)
        layout.use_property_split = True
        layout.use_property_decorate = False
        _draw_button(layout.column(), context)            # first, so that it is in sight on small screens too
        if goes_by_gait(context):
            _draw_gait(layout, context)
        else:
            draw_style(layout, context)
        ways = layout.column()
        ways.enabled = not wish.jumps            # a body that jumps stands in between, and has no speed of its own
        _draw_pace(ways, context)
        if len(ENGINES) > 1:
            layout.prop(wish, "engine")
        if wish.engine == "preview":
            layout.row().prop(wish, "legs_used", expand=True)
        layout.prop(wish, "seed")
        if armature_of(context.object) is not None and is_control_rig(armature_of(context.object)):
            layout.row().prop(wish, "controls", expand=True)
        layout.prop(wish, "root_motion")


def _draw_button(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The button, or how far the work is."""
    now = context.window_manager.footfall
    if now.working:
        row = layout.row(align=True)
        row.progress(factor=now.share, text=_how_far(now))
        row.operator("footfall.stop", text="", icon="X")
        return
    layout.operator("footfall.generate", icon="PLAY")
    if len(context.scene.footfall_own):
        layout.operator("footfall.generate_all", icon="COMMUNITY")
    if now.failed:
        layout.operator("footfall.save_failed", icon="FILE_TICK")


def _how_far(now: bpy.types.PropertyGroup) -> str:
    """Stage, share, and the seconds that are left once they are known."""
    left = f", {now.left:.0f} s left" if now.left >= 1 else ""
    return f"{STAGES.get(now.stage, now.stage)} {100 * now.share:.0f} %{left}"


def _draw_gait(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Style and gait of a body of another build than people's; where the style has a gait of its own there is nothing to choose."""
    wish = wish_of(context)
    if four_legged(context):
        layout.row().prop(wish, "style_from", expand=True)
        if wish.style_from == "SHELF":
            layout.prop(wish, "quadruped_style")
        else:
            draw_source(layout, context)
            row = layout.row()
            row.enabled = bool(wish.clip if wish.style_from == "FILE" else wish.action)
            row.operator("footfall.save_style", icon="FILE_TICK")
        if _has_gait(wish):
            return
    layout.prop(wish, "gait")


def _has_gait(wish: Wish) -> bool:
    """Whether the style for four legs that is set has a gait of its own; what an action shows always has."""
    if wish.style_from == "SHELF":
        return quadruped_style(wish.quadruped_style).gait is not None
    try:
        return wish.style_from == "ACTION" or find_quadruped_style(clip_of(wish)).gait is not None
    except FootfallError:             # what is wrong with a file is told where it was opened
        return True


def _draw_pace(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Speed, strides and start."""
    wish = wish_of(context)
    own = layout.column()
    own.enabled = not wish.arrive
    own.prop(wish, "natural_speed", text=_natural(context))
    if not wish.natural_speed:
        own.prop(wish, "speed")
    layout.prop(wish, "arrive")
    if not goes_by_markers(wish):
        layout.prop(wish, "radius_speed")
    if goes_by_gait(context):
        layout.prop(wish, "start")
        return
    layout.prop(wish, "natural_stride")
    if not wish.natural_stride:
        layout.prop(wish, "stride")
    row = layout.column()
    row.active = not faces_markers(wish, context.scene)          # they tell the facing in its place
    _draw_keyed(row, wish, "facing")
    row = layout.column()
    row.active = wish.engine != "preview"                        # a simulated body looks where it goes
    row.prop(wish, "look_at")
    layout.prop(wish, "start")


def _draw_keyed(layout: bpy.types.UILayout, wish: bpy.types.PropertyGroup, name: str) -> None:
    """A field with the dot that keyframes it, in line with the fields that have none: Blender's own would begin elsewhere."""
    split = layout.split(factor=LABELS)
    label = split.column()
    label.alignment = "RIGHT"
    label.label(text=wish.bl_rna.properties[name].name)
    row = split.row(align=True)
    row.use_property_split = False
    row.prop(wish, name, text="")
    row.prop_decorator(wish, name)


def _by_names(wish: bpy.types.PropertyGroup) -> bool:
    """Whether all that the style is made of is on the shelf, where reading it costs nothing and cannot fail."""
    return wish.style_from == "SHELF" and not wish.mine and wish.mixed_other.plain and wish.upper_other.plain


def _natural(context: bpy.types.Context) -> str:
    """The check box's text, with the speed that it stands for where the character is known."""
    armature, wish = armature_of(context.object), wish_of(context)
    plain = wish.style_from == "SHELF" if goes_by_gait(context) else _by_names(wish)
    if armature is None or not armature.footfall.leg_length or context.scene.footfall.hurdles is not None or not plain:
        return "Natural Speed"             # how fast hurdles make it, or a file or an action is, is known when they are read
    if goes_by_gait(context):
        four = quadruped_style(wish.quadruped_style if four_legged(context) else "natural")
        return f"Natural, {own_speed(armature.footfall.gait_speed, gravity_of(context.scene), four):.2f} m/s"
    style = chosen_style(wish).made
    return f"Natural, {natural_speed(armature.footfall.leg_length, style, gravity_of(context.scene)):.2f} m/s"

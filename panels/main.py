"""Main panels, in the order of work: character, path and motion."""

from __future__ import annotations

import bpy

from ..addon.rigs.known_rigs import is_control_rig
from ..addon.scene.active import (
    find_active_settings,
    find_armature,
    find_character_settings,
    has_gaits,
    is_quadruped,
)
from ..addon.scene.path import has_marker_facing, has_marker_path, has_path
from ..addon.scene.presence import find_present
from ..addon.scene.scale import find_scale_problem
from ..addon.scene.speed import compute_default_gait_speed, compute_natural_speed
from ..addon.scene.style import find_clip_path, read_style
from ..addon.settings.motion import MotionSettings
from ..addon.units import read_gravity
from ..addon.worker.batch import STAGE_LABELS
from ..core.character.body_size import BodySize
from ..core.clip import find_quadruped_style, load_builtin_quadruped_style
from ..core.engine import ENGINES
from ..core.errors import FootfallError
from .mapping import draw_mapping
from .markers import draw_markers
from .report import draw_reports
from .settings import FOOTFALL_PT_motion_presets
from .style import LABEL_WIDTH, draw_source, draw_style
from .tab import Tab
from .text import compute_text_width, draw_wrapped


class FOOTFALL_PT_character(Tab, bpy.types.Panel):
    """The character."""

    bl_label = "Character"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the armature and its detected parts."""
        layout = self.layout
        armature = find_armature(context.object)
        if armature is None:
            layout.label(text="Select an armature", icon="INFO")
            return
        layout.label(text=armature.name, icon="ARMATURE_DATA")
        layout.operator("footfall.detect_character", icon="VIEWZOOM")
        draw_mapping(layout, context, armature)
        _draw_scale_problem(layout, context, armature)
        if armature.footfall.leg_length:
            row = layout.row()
            row.use_property_split = True
            row.use_property_decorate = False
            row.prop(
                armature.footfall,
                "mass",
                text="Mass, kg" if armature.footfall.mass else "Mass (Auto)",
            )
        if find_character_settings(context.scene, armature) is None:
            layout.operator("footfall.own_settings", icon="UNLINKED")
        else:
            layout.operator("footfall.share_settings", icon="LINKED")


def _draw_scale_problem(
    layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object
) -> None:
    """Draw a warning on a size that is probably a mistake, and the button that corrects it."""
    problem = find_scale_problem(armature.footfall.leg_length, context.scene)
    if problem is None:
        return
    box = layout.box()
    draw_wrapped(box.column(align=True), problem.text, compute_text_width(context), icon="ERROR")
    if problem.factor != 1:
        box.operator("footfall.apply_scale", icon="CON_SIZELIKE")


class FOOTFALL_PT_path(Tab, bpy.types.Panel):
    """Path and ground."""

    bl_label = "Path & Terrain"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw path and ground."""
        layout = self.layout
        settings = find_active_settings(context)
        scene_settings = context.scene.footfall
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.row().prop(settings, "path_from", expand=True)
        if has_marker_path(settings):
            draw_markers(layout, settings)
            layout.operator("footfall.draw_path", text="Click Markers", icon="EMPTY_AXIS")
        else:
            layout.prop(settings, "path", text="Curve")
            if not has_path(settings, context.scene) and settings.bars is None:
                layout.label(text="Pick a curve to follow, or click a path", icon="INFO")
            layout.operator("footfall.draw_path", icon="CURVE_PATH")
        layout.prop(scene_settings, "terrain_kind", expand=True)
        layout.prop(
            scene_settings,
            "terrain_object" if scene_settings.terrain_kind == "OBJECT" else "terrain_collection",
        )
        layout.prop(scene_settings, "friction")


class FOOTFALL_PT_motion(Tab, bpy.types.Panel):
    """Settings of the motion, and the button that generates it."""

    bl_label = "Motion"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the menu of presets."""
        FOOTFALL_PT_motion_presets.draw_panel_header(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the button or the progress, style, speed and other settings."""
        layout = self.layout
        settings = find_active_settings(context)
        layout.use_property_split = True
        layout.use_property_decorate = False
        _draw_button(layout.column(), context)  # first, so that it is visible on small screens
        draw_reports(layout.column(), context)
        if has_gaits(context):
            _draw_gait(layout, context)
        else:
            style_column = layout.column()
            style_column.active = "style" in ENGINES[settings.engine].features
            draw_style(style_column, context)
        pace_column = layout.column()
        # A planned body stands between its jumps, so the speed has no effect.
        pace_column.enabled = not settings.jumps or ENGINES[settings.engine].jumps_while_moving
        _draw_pace(pace_column, context)
        if len(ENGINES) > 1:
            layout.prop(settings, "engine")
        if settings.engine in ("learned", "adaptive"):
            layout.operator("footfall.train", icon="MOD_ARMATURE")
        if "hop" in ENGINES[settings.engine].features:
            layout.row().prop(settings, "legs_used", expand=True)
        layout.prop(settings, "seed")
        if find_armature(context.object) is not None and is_control_rig(
            find_armature(context.object)
        ):
            layout.row().prop(settings, "controls", expand=True)
        layout.prop(settings, "root_motion")


def _draw_button(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the button, or the progress of the planning."""
    status = context.window_manager.footfall
    if status.working:
        row = layout.row(align=True)
        row.progress(factor=status.share, text=_format_progress(status))
        row.operator("footfall.stop", text="", icon="X")
        return
    layout.operator("footfall.generate", icon="PLAY")
    if len(context.scene.footfall_own):
        layout.operator("footfall.generate_all", icon="COMMUNITY")
    if status.failed:
        layout.operator("footfall.save_failed", icon="FILE_TICK")


def _format_progress(status: bpy.types.PropertyGroup) -> str:
    """Return stage, completed share and estimated remaining time as text."""
    remaining_text = f", {status.left:.0f} s left" if status.left >= 1 else ""
    return (
        f"{STAGE_LABELS.get(status.stage, status.stage)} {100 * status.share:.0f} %{remaining_text}"
    )


def _draw_gait(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw style and gait of a body that is not humanoid.

    A style with a gait leaves no choice of the gait.
    """
    settings = find_active_settings(context)
    if is_quadruped(context):
        layout.row().prop(settings, "style_from", expand=True)
        if settings.style_from == "SHELF":
            layout.prop(settings, "quadruped_style")
        else:
            draw_source(layout, context)
            row = layout.row()
            row.enabled = bool(settings.clip if settings.style_from == "FILE" else settings.action)
            row.operator("footfall.save_style", icon="FILE_TICK")
        if _has_gait(settings):
            return
    layout.prop(settings, "gait")


def _has_gait(settings: MotionSettings) -> bool:
    """Return whether the quadruped style of the settings has a gait, as that of an action has."""
    if settings.style_from == "SHELF":
        return load_builtin_quadruped_style(settings.quadruped_style).gait is not None
    try:
        return (
            settings.style_from == "ACTION"
            or find_quadruped_style(find_clip_path(settings)).gait is not None
        )
    except FootfallError:  # opening the file reports the error
        return True


def _draw_pace(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw speed, stride, facing, gaze and start."""
    settings = find_active_settings(context)
    speed_column = layout.column()
    speed_column.enabled = not settings.arrive
    speed_column.prop(settings, "natural_speed", text=_format_natural_speed(context))
    if not settings.natural_speed:
        speed_column.prop(settings, "speed")
    layout.prop(settings, "arrive")
    if not has_marker_path(settings):
        layout.prop(settings, "radius_speed")
    if has_gaits(context):
        layout.prop(settings, "start")
        return
    layout.prop(settings, "natural_stride")
    if not settings.natural_stride:
        layout.prop(settings, "stride")
    row = layout.column()
    is_honored = "facing_offset" in ENGINES[settings.engine].features
    # markers set the facing, if there are any
    row.active = is_honored and not has_marker_facing(settings, context.scene)
    _draw_keyed(row, settings, "facing")
    row = layout.column()
    row.active = "gaze" in ENGINES[settings.engine].features
    row.prop(settings, "look_at")
    layout.prop(settings, "start")


def _draw_keyed(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup, name: str) -> None:
    """Draw a property with a keyframe button, aligned with properties without one.

    Blender's layout would shift it.
    """
    split = layout.split(factor=LABEL_WIDTH)
    label = split.column()
    label.alignment = "RIGHT"
    label.label(text=settings.bl_rna.properties[name].name)
    row = split.row(align=True)
    row.use_property_split = False
    row.prop(settings, name, text="")
    row.prop_decorator(settings, name)


def _uses_shelf_only(settings: bpy.types.PropertyGroup) -> bool:
    """Return whether all parts of the style are built in, so that reading it is fast and safe."""
    return (
        settings.style_from == "SHELF"
        and not settings.mine
        and settings.mixed_other.is_from_shelf
        and settings.upper_other.is_from_shelf
    )


def _format_natural_speed(context: bpy.types.Context) -> str:
    """Return the label of the natural speed, with its value if it is available quickly."""
    armature = find_armature(context.object)
    settings = find_active_settings(context)
    is_shelf_style = (
        settings.style_from == "SHELF" if has_gaits(context) else _uses_shelf_only(settings)
    )
    if (
        armature is None
        or not armature.footfall.leg_length
        or find_present(context.scene.footfall.hurdles, context.scene) is not None
        or not is_shelf_style
    ):
        # The speed over hurdles, or that of a file or an action, needs slow reading.
        return "Natural Speed"
    if has_gaits(context):
        quadruped = load_builtin_quadruped_style(
            settings.quadruped_style if is_quadruped(context) else "natural"
        )
        natural_speed = compute_default_gait_speed(
            armature.footfall.gait_speed, read_gravity(context.scene), quadruped
        )
        return f"Natural, {natural_speed:.2f} m/s"
    engine = ENGINES[settings.engine]
    body = BodySize(armature.footfall.leg_length, armature.footfall.com_height)
    gravity = read_gravity(context.scene)
    if engine.compute_natural_speed is None:
        style = read_style(settings).resolved
        natural_speed = compute_natural_speed(body.leg_length, style, gravity)
    elif body.com_height:
        natural_speed = engine.compute_natural_speed(body, gravity)
    else:
        # Detected by a version that did not store the height
        return "Natural Speed"
    return f"Natural, {natural_speed:.2f} m/s"

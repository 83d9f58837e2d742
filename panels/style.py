"""Panel and menus of styles."""

from __future__ import annotations

import bpy

from ..addon.scene.active import find_active_settings, is_quadruped
from ..addon.settings.style import NO_STYLE, format_style_title, list_shelf_styles
from ..addon.user_files import styles
from ..core.engine import ENGINES
from .tab import HumanoidTab
from .text import compute_text_width, draw_wrapped

KNOB_GROUPS = (
    ("step_length", "step_width", "cadence"),
    ("bounce", "sway", "lean", "crouch"),
    ("foot_roll", "toe_out", "knee_lift"),
    ("arm_swing", "arm_spread"),
    ("head_turn", "head_nod", "stiffness"),
)

LABEL_WIDTH = 0.4  # share of a line for the label


class FOOTFALL_PT_style(HumanoidTab, bpy.types.Panel):
    """Mixed-in styles and knobs."""

    bl_label = "Style"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw mixed-in styles, knobs, and buttons that reset the knobs and save the style."""
        layout = self.layout
        settings = find_active_settings(context)
        knobs = settings.knobs
        features = ENGINES[settings.engine].features
        layout.use_property_split = True
        layout.use_property_decorate = False
        mixed_column = layout.column()
        mixed_column.active = "mixed_styles" in features
        _draw_style_source(mixed_column, context, "MIXED", "Mix In")
        if settings.mixed_style != NO_STYLE or not settings.mixed_other.is_from_shelf:
            mixed_column.prop(settings, "mixed_share", slider=True)
        upper_column = layout.column()
        upper_column.active = "upper_style" in features
        _draw_style_source(upper_column, context, "UPPER", "Upper Body")
        for group in KNOB_GROUPS:
            column = layout.column(align=True)
            column.active = "knobs" in features
            for name in group:
                column.prop(knobs, name, slider=True)
        row = layout.row(align=True)
        row.active = "style" in features
        row.operator("footfall.reset_knobs", icon="LOOP_BACK")
        row.operator("footfall.save_style", icon="FILE_TICK")


class FOOTFALL_MT_styles(bpy.types.Menu):
    """Menu of built-in and saved styles."""

    bl_idname = "FOOTFALL_MT_styles"
    bl_label = "Styles"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw built-in and saved styles in two columns."""
        settings = find_active_settings(context)
        row = self.layout.row()
        shelf = row.column()
        mine = row.column()
        shelf.label(text="Shelf")
        shelf.separator()
        for name in list_shelf_styles():
            entry = shelf.operator(
                "footfall.use_style",
                text=format_style_title(name),
                icon=_radio_icon(not settings.mine and settings.style == name),
            )
            entry.name = name
            entry.mine = False
        mine.label(text="Mine")
        mine.separator()
        for name in styles.list_names():
            entry = mine.operator(
                "footfall.use_style", text=name, icon=_radio_icon(settings.mine == name)
            )
            entry.name = name
            entry.mine = True
        mine.separator()
        mine.operator_context = "INVOKE_DEFAULT"
        mine.operator("footfall.save_style", icon="FILE_TICK")


class FOOTFALL_MT_mixed(bpy.types.Menu):
    """Menu of sources of the mixed-in style."""

    bl_idname = "FOOTFALL_MT_mixed"
    bl_label = "Mix In"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw built-in and saved styles in two columns."""
        _draw_source_menu(self.layout, context, "MIXED", "Nothing")


class FOOTFALL_MT_upper(bpy.types.Menu):
    """Menu of sources of the style of chest, arms and head."""

    bl_idname = "FOOTFALL_MT_upper"
    bl_label = "Upper Body"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw built-in and saved styles in two columns."""
        _draw_source_menu(self.layout, context, "UPPER", "Its Own")


def _draw_source_menu(
    layout: bpy.types.UILayout, context: bpy.types.Context, part: str, none_label: str
) -> None:
    settings = find_active_settings(context)
    style_source = getattr(settings, f"{part.lower()}_other")
    current_style = getattr(settings, f"{part.lower()}_style")
    row = layout.row()
    shelf = row.column()
    mine = row.column()
    shelf.label(text="Shelf")
    shelf.separator()
    for name in (NO_STYLE, *list_shelf_styles()):
        entry = shelf.operator(
            "footfall.use_style",
            text=none_label if name == NO_STYLE else format_style_title(name),
            icon=_radio_icon(style_source.is_from_shelf and current_style == name),
        )
        entry.name = name
        entry.mine = False
        entry.part = part
    mine.label(text="Mine")
    mine.separator()
    for name in styles.list_names():
        entry = mine.operator(
            "footfall.use_style",
            text=name,
            icon=_radio_icon(style_source.source == "SHELF" and style_source.mine == name),
        )
        entry.name = name
        entry.mine = True
        entry.part = part
    mine.separator()
    for source in ("FILE", "ACTION"):
        mine.prop_enum(style_source, "source", source)


def _draw_style_source(
    layout: bpy.types.UILayout, context: bpy.types.Context, part: str, label: str
) -> None:
    """Draw the menu of a style source, and the properties of a file or an action."""
    settings = find_active_settings(context)
    style_source = getattr(settings, f"{part.lower()}_other")
    current_style = getattr(settings, f"{part.lower()}_style")
    none_label = "Nothing" if part == "MIXED" else "Its Own"
    current_label = (
        {"FILE": "File", "ACTION": "Action"}.get(style_source.source)
        or style_source.mine
        or (none_label if current_style == NO_STYLE else format_style_title(current_style))
    )
    split = layout.split(factor=LABEL_WIDTH)
    label_column = split.column()
    label_column.alignment = "RIGHT"
    label_column.label(text=label)
    split.menu(f"FOOTFALL_MT_{part.lower()}", text=current_label)
    if style_source.source == "FILE":
        row = layout.row(align=True)
        row.prop(style_source, "clip", text="File")
        row.operator("footfall.use_clip", text="", icon="FILEBROWSER").part = part
    elif style_source.source == "ACTION":
        row = layout.row(align=True)
        row.prop(style_source, "action")
        row.operator("footfall.read_action", text="", icon="FILE_REFRESH").part = part
        layout.prop(style_source, "actor")
    draw_wrapped(layout.column(align=True), style_source.told, compute_text_width(context))


def _radio_icon(is_current: bool) -> str:
    return "RADIOBUT_ON" if is_current else "RADIOBUT_OFF"


def draw_style(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw source and name of the style of a humanoid, or the file or action that it comes from."""
    settings = find_active_settings(context)
    layout.row().prop(settings, "style_from", expand=True)
    if settings.style_from != "SHELF":
        draw_source(layout, context)
        return
    split = layout.split(factor=LABEL_WIDTH)
    split.column()
    row = split.row(align=True)
    row.menu("FOOTFALL_MT_styles", text=settings.mine or format_style_title(settings.style))
    if settings.mine:
        row.operator("footfall.remove_style", text="", icon="TRASH")


def draw_source(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the file or action of the style, and its summary."""
    settings = find_active_settings(context)
    width = compute_text_width(context)
    if settings.style_from == "FILE":
        if not settings.clip:
            layout.operator("footfall.use_clip", text="Open…", icon="FILEBROWSER")
            return
        row = layout.row(align=True)
        row.prop(settings, "clip", text="File")
        row.operator("footfall.drop_clip", text="", icon="X")
        draw_wrapped(layout.column(align=True), settings.clip_told, width)
        if not settings.clip.lower().endswith(".toml"):
            _draw_corrections(layout, context)
    else:
        row = layout.row(align=True)
        row.prop(settings, "action")
        row.operator("footfall.read_action", text="", icon="FILE_REFRESH")
        layout.prop(settings, "actor")
        draw_wrapped(layout.column(align=True), settings.action_told, width)
        _draw_corrections(layout, context)


def _draw_corrections(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw what the user states about a clip of a person where its recognition errs."""
    if is_quadruped(context):
        return
    header, body = layout.panel("footfall_clip_corrections", default_closed=True)
    header.label(text="Corrections")
    if body is None:
        return
    settings = find_active_settings(context)
    body.use_property_split = True
    body.use_property_decorate = False
    if settings.style_from == "FILE":
        body.prop(settings, "clip_up")
    column = body.column(align=True)
    column.prop(settings, "clip_begin")
    column.prop(settings, "clip_end")
    body.prop(settings, "clip_gait")
    body.prop(settings, "clip_exchanges_sides")
    column = body.column(align=True)
    column.prop(settings, "clip_foot")
    column.prop(settings, "clip_other_foot", text=" ")

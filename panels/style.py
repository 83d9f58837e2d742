"""What can be turned on a style."""
from __future__ import annotations

import bpy

from ..addon.scene.active import wish_of
from ..addon.settings.style import ALONE, shelf_titles, title_of
from ..addon.user_files import styles
from .tab import PeopleTab
from .text import width_of, wrapped

GROUPS = (("step_length", "step_width", "cadence"), ("bounce", "sway", "lean", "crouch"), ("foot_roll", "toe_out", "knee_lift"),
          ("arm_swing", "arm_spread"), ("head_turn", "head_nod", "stiffness"))

LABELS = 0.4              # of a line's width, left of properties


class FOOTFALL_PT_style(PeopleTab, bpy.types.Panel):
    """What the style is mixed of, and a slider for each knob."""

    bl_label = "Style"

    def draw(self, context: bpy.types.Context) -> None:
        """Other styles, the sliders from feet to head, and the buttons that set these back and save it all."""
        layout, wish = self.layout, wish_of(context)
        knobs = wish.knobs
        layout.use_property_split = True
        layout.use_property_decorate = False
        _draw_lent(layout, context, "MIXED", "Mix In")
        if wish.mixed_style != ALONE or not wish.mixed_other.plain:
            layout.prop(wish, "mixed_share", slider=True)
        _draw_lent(layout, context, "UPPER", "Upper Body")
        for group in GROUPS:
            column = layout.column(align=True)
            for name in group:
                column.prop(knobs, name, slider=True)
        row = layout.row(align=True)
        row.operator("footfall.reset_knobs", icon="LOOP_BACK")
        row.operator("footfall.save_style", icon="FILE_TICK")


class FOOTFALL_MT_styles(bpy.types.Menu):
    """The shelf, and the user's own styles beside it."""

    bl_idname = "FOOTFALL_MT_styles"
    bl_label = "Styles"

    def draw(self, context: bpy.types.Context) -> None:
        """A column each."""
        wish = wish_of(context)
        row = self.layout.row()
        shelf, mine = row.column(), row.column()
        shelf.label(text="Shelf")
        shelf.separator()
        for name, title in shelf_titles():
            entry = shelf.operator("footfall.use_style", text=title, icon=_dot(not wish.mine and wish.style == name))
            entry.name, entry.mine = name, False
        mine.label(text="Mine")
        mine.separator()
        for name in styles.names():
            entry = mine.operator("footfall.use_style", text=name, icon=_dot(wish.mine == name))
            entry.name, entry.mine = name, True
        mine.separator()
        mine.operator_context = "INVOKE_DEFAULT"
        mine.operator("footfall.save_style", icon="FILE_TICK")


class FOOTFALL_MT_mixed(bpy.types.Menu):
    """What may be mixed in: the shelf, the user's own styles, files and actions."""

    bl_idname = "FOOTFALL_MT_mixed"
    bl_label = "Mix In"

    def draw(self, context: bpy.types.Context) -> None:
        """A column each."""
        _draw_lenders(self.layout, context, "MIXED", "Nothing")


class FOOTFALL_MT_upper(bpy.types.Menu):
    """Whose chest, arms and head may be taken: those of the shelf, of the user's own styles, of files and actions."""

    bl_idname = "FOOTFALL_MT_upper"
    bl_label = "Upper Body"

    def draw(self, context: bpy.types.Context) -> None:
        """A column each."""
        _draw_lenders(self.layout, context, "UPPER", "Its Own")


def _draw_lenders(layout: bpy.types.UILayout, context: bpy.types.Context, part: str, none: str) -> None:
    wish = wish_of(context)
    lent, set_now = getattr(wish, f"{part.lower()}_other"), getattr(wish, f"{part.lower()}_style")
    row = layout.row()
    shelf, mine = row.column(), row.column()
    shelf.label(text="Shelf")
    shelf.separator()
    for name, title in ((ALONE, none), *shelf_titles()):
        entry = shelf.operator("footfall.use_style", text=title, icon=_dot(lent.plain and set_now == name))
        entry.name, entry.mine, entry.part = name, False, part
    mine.label(text="Mine")
    mine.separator()
    for name in styles.names():
        entry = mine.operator("footfall.use_style", text=name, icon=_dot(lent.source == "SHELF" and lent.mine == name))
        entry.name, entry.mine, entry.part = name, True, part
    mine.separator()
    for source in ("FILE", "ACTION"):
        mine.prop_enum(lent, "source", source)


def _draw_lent(layout: bpy.types.UILayout, context: bpy.types.Context, part: str, label: str) -> None:
    """Its list, and what a file or an action needs and shows."""
    wish = wish_of(context)
    lent, set_now = getattr(wish, f"{part.lower()}_other"), getattr(wish, f"{part.lower()}_style")
    none = "Nothing" if part == "MIXED" else "Its Own"
    shown = {"FILE": "File", "ACTION": "Action"}.get(lent.source) or lent.mine or (none if set_now == ALONE else title_of(set_now))
    split = layout.split(factor=LABELS)
    left = split.column()
    left.alignment = "RIGHT"
    left.label(text=label)
    split.menu(f"FOOTFALL_MT_{part.lower()}", text=shown)
    if lent.source == "FILE":
        row = layout.row(align=True)
        row.prop(lent, "clip", text="File")
        row.operator("footfall.use_clip", text="", icon="FILEBROWSER").part = part
    elif lent.source == "ACTION":
        row = layout.row(align=True)
        row.prop(lent, "action")
        row.operator("footfall.read_action", text="", icon="FILE_REFRESH").part = part
        layout.prop(lent, "actor")
    wrapped(layout.column(align=True), lent.told, width_of(context))


def _dot(set_now: bool) -> str:
    return "RADIOBUT_ON" if set_now else "RADIOBUT_OFF"


def draw_style(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Where the style of a person comes from, which it is, and what a file or an action of somebody shows."""
    wish = wish_of(context)
    layout.row().prop(wish, "style_from", expand=True)
    if wish.style_from != "SHELF":
        draw_source(layout, context)
        return
    split = layout.split(factor=LABELS)
    split.column()
    row = split.row(align=True)
    row.menu("FOOTFALL_MT_styles", text=wish.mine or title_of(wish.style))
    if wish.mine:
        row.operator("footfall.remove_style", text="", icon="TRASH")


def draw_source(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The file or the action that the style comes from, and what it shows."""
    wish, width = wish_of(context), width_of(context)
    if wish.style_from == "FILE":
        if not wish.clip:
            layout.operator("footfall.use_clip", text="Open…", icon="FILEBROWSER")
            return
        row = layout.row(align=True)
        row.prop(wish, "clip", text="File")
        row.operator("footfall.drop_clip", text="", icon="X")
        wrapped(layout.column(align=True), wish.clip_told, width)
    else:
        row = layout.row(align=True)
        row.prop(wish, "action")
        row.operator("footfall.read_action", text="", icon="FILE_REFRESH")
        layout.prop(wish, "actor")
        wrapped(layout.column(align=True), wish.action_told, width)

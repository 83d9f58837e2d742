"""Panel of footsteps."""

from __future__ import annotations

import bpy

from ..addon.bake.stored_plan import has_plan, read_played_plan
from ..addon.footsteps.objects import (
    explain_not_editable,
    has_current_steps,
    has_shown_steps,
    list_step_objects,
)
from ..addon.scene.active import find_armature
from ..core.errors import FootfallError
from .tab import Tab
from .text import compute_text_width, draw_wrapped


class FOOTFALL_PT_steps(Tab, bpy.types.Panel):
    """Display and editing of footsteps."""

    bl_label = "Footsteps"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the button that shows the footsteps, or the tools that edit them."""
        layout = self.layout
        armature = find_armature(context.object)
        layout.use_property_split = True
        layout.use_property_decorate = False
        if not has_shown_steps(armature):
            layout.operator("footfall.show_steps", icon="HIDE_OFF")
            if not has_plan(armature):
                layout.label(text="Generate a motion first", icon="INFO")
            return
        if not has_current_steps(armature):
            draw_wrapped(
                layout.column(align=True),
                "These are not the footsteps of the current action",
                compute_text_width(context),
                icon="ERROR",
            )
            row = layout.row(align=True)
            row.operator("footfall.show_steps", text="Show Current Footsteps", icon="FILE_REFRESH")
            row.operator("footfall.hide_steps", text="", icon="HIDE_ON")
            return
        try:
            stored_plan = read_played_plan(armature)
            reason = "" if stored_plan is None else explain_not_editable(armature, stored_plan)
        except FootfallError as error:
            reason = str(error)
        row = layout.row(align=True)
        row.label(text=f"{len(list_step_objects(armature))} footsteps", icon="CHECKMARK")
        row.prop(context.scene.footfall_steps, "labels", text="", icon="SORTALPHA")
        row.operator("footfall.show_steps", text="", icon="FILE_REFRESH")
        row.operator("footfall.hide_steps", text="", icon="HIDE_ON")
        if reason:
            draw_wrapped(
                layout.column(align=True), reason, compute_text_width(context), icon="INFO"
            )
            return
        _draw_step(layout, context)
        _draw_update(layout, context)


def _draw_step(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the active footstep and the tools for it."""
    obj = context.object
    if obj is not None and obj.footfall_step.number:
        box = layout.box().column()
        box.label(text=obj.name, icon="PINNED" if obj.footfall_step.kept else "UNPINNED")
        box.prop(obj.footfall_step, "frame")
    else:
        draw_wrapped(
            layout.column(align=True),
            "Select a footstep; move it with G, turn it with R",
            compute_text_width(context),
            icon="INFO",
        )
    row = layout.row(align=True)
    row.operator("footfall.pin_steps", icon="PINNED")
    row.operator("footfall.unpin_steps", icon="UNPINNED")
    row = layout.row(align=True)
    row.operator("footfall.add_step", icon="ADD")
    row.operator("footfall.delete_steps", icon="X")


def _draw_update(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw forbidden ground, live update, update button and the latest message."""
    display = context.scene.footfall_steps
    status = context.window_manager.footfall_steps
    row = layout.row(align=True)
    row.prop(display, "forbidden", text="Forbidden")
    row.operator("footfall.forbid_ground", text="", icon="ADD")
    layout.prop(display, "live")
    row = layout.row()
    if status.working:
        row.label(text="Solving…", icon="SORTTIME")
    elif not display.live or status.message:  # otherwise the live update is enough
        row.operator("footfall.update_steps", icon="FILE_REFRESH")
    if status.message:
        draw_wrapped(
            layout.column(align=True), status.message, compute_text_width(context), icon="ERROR"
        )

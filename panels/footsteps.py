"""Footsteps that can be touched."""
from __future__ import annotations

import bpy

from ..addon.bake.stored_plan import has_plan, planned_of
from ..addon.footsteps.objects import are_current, are_shown, cannot_keep, steps_of
from ..addon.scene.active import armature_of
from ..core.errors import FootfallError
from .tab import Tab
from .text import width_of, wrapped


class FOOTFALL_PT_steps(Tab, bpy.types.Panel):
    """Where and when the feet stand."""

    bl_label = "Footsteps"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The button that shows them, then what can be done with them."""
        layout, armature = self.layout, armature_of(context.object)
        layout.use_property_split = True
        layout.use_property_decorate = False
        if not are_shown(armature):
            layout.operator("footfall.show_steps", icon="HIDE_OFF")
            if not has_plan(armature):
                layout.label(text="Generate a motion first", icon="INFO")
            return
        if not are_current(armature):
            wrapped(layout.column(align=True), "These are not the footsteps of the action that is played", width_of(context),
                    icon="ERROR")
            row = layout.row(align=True)
            row.operator("footfall.show_steps", text="Show Its Footsteps", icon="FILE_REFRESH")
            row.operator("footfall.hide_steps", text="", icon="HIDE_ON")
            return
        try:
            planned = planned_of(armature)
            why = "" if planned is None else cannot_keep(armature, planned)
        except FootfallError as error:
            why = str(error)
        row = layout.row(align=True)
        row.label(text=f"{len(steps_of(armature))} footsteps", icon="CHECKMARK")
        row.prop(context.scene.footfall_steps, "labels", text="", icon="SORTALPHA")
        row.operator("footfall.show_steps", text="", icon="FILE_REFRESH")
        row.operator("footfall.hide_steps", text="", icon="HIDE_ON")
        if why:
            wrapped(layout.column(align=True), why, width_of(context), icon="INFO")
            return
        _draw_step(layout, context)
        _draw_update(layout, context)


def _draw_step(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What can be done with the active footstep."""
    thing = context.object
    if thing is not None and thing.footfall_step.number:
        box = layout.box().column()
        box.label(text=thing.name, icon="PINNED" if thing.footfall_step.kept else "UNPINNED")
        box.prop(thing.footfall_step, "frame")
    else:
        wrapped(layout.column(align=True), "Select a footstep; move it with G, turn it with R", width_of(context), icon="INFO")
    row = layout.row(align=True)
    row.operator("footfall.pin_steps", icon="PINNED")
    row.operator("footfall.unpin_steps", icon="UNPINNED")
    row = layout.row(align=True)
    row.operator("footfall.add_step", icon="ADD")
    row.operator("footfall.delete_steps", icon="X")


def _draw_update(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Whether the motion follows by itself, the button for where it does not, and what came of it."""
    shown, now = context.scene.footfall_steps, context.window_manager.footfall_steps
    row = layout.row(align=True)
    row.prop(shown, "forbidden", text="Forbidden")
    row.operator("footfall.forbid_ground", text="", icon="ADD")
    layout.prop(shown, "live")
    row = layout.row()
    if now.working:
        row.label(text="Solving…", icon="SORTTIME")
    elif not shown.live or now.message:            # otherwise changes are followed by themselves
        row.operator("footfall.update_steps", icon="FILE_REFRESH")
    if now.message:
        wrapped(layout.column(align=True), now.message, width_of(context), icon="ERROR")

"""Driving by hand."""

from __future__ import annotations

import bpy

from ..addon.drive.modal import is_driving
from .tab import HumanoidTab


class FOOTFALL_PT_live(HumanoidTab, bpy.types.Panel):
    """Where a drive begins, and its button."""

    bl_label = "Live"

    def draw(self, context: bpy.types.Context) -> None:
        """Start, view, button; while it is driven what keys do."""
        layout = self.layout
        drive_settings = context.scene.footfall_live
        layout.use_property_split = True
        layout.use_property_decorate = False
        if is_driving():
            column = layout.column(align=True)
            for text, icon in (
                ("Arrow keys or circle: steer", "EVENT_UP_ARROW"),
                ("Shift: faster", "EVENT_SHIFT"),
                ("Drag the character: push", "MOUSE_LMB_DRAG"),
                ("Enter: keep as an action", "EVENT_RETURN"),
                ("Esc: leave all as it was", "EVENT_ESC"),
            ):
                column.label(text=text, icon=icon)
            return
        layout.row().prop(drive_settings, "start", expand=True)
        layout.prop(drive_settings, "follow")
        layout.operator("footfall.drive", icon="PLAY")

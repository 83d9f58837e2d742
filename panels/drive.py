"""Panel of the live drive."""

from __future__ import annotations

import bpy

from ..addon.drive.modal import is_driving
from ..addon.scene.active import find_active_settings
from ..core.engine import ENGINES
from .tab import HumanoidTab


class FOOTFALL_PT_live(HumanoidTab, bpy.types.Panel):
    """Settings of the live drive and its button."""

    bl_label = "Live"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw settings and button, or the key bindings during a drive."""
        layout = self.layout
        drive_settings = context.scene.footfall_live
        layout.use_property_split = True
        layout.use_property_decorate = False
        if is_driving():
            column = layout.column(align=True)
            is_straight = ENGINES[find_active_settings(context).engine].drives_straight
            for text, icon in (
                (
                    f"Arrow keys or stick: {'speed, straight on' if is_straight else 'steer'}",
                    "EVENT_UP_ARROW",
                ),
                ("Shift: faster", "EVENT_SHIFT"),
                ("Drag the character: push", "MOUSE_LMB_DRAG"),
                ("Enter: keep as an action", "EVENT_RETURN"),
                ("Esc: discard", "EVENT_ESC"),
            ):
                column.label(text=text, icon=icon)
            return
        layout.row().prop(drive_settings, "start", expand=True)
        layout.prop(drive_settings, "follow")
        layout.operator("footfall.drive", icon="PLAY")

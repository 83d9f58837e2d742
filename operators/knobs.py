"""Reset of the knobs of a style."""

from __future__ import annotations

from dataclasses import fields

import bpy

from ..addon.scene.active import find_active_settings
from ..core.clip import Knobs


class FOOTFALL_OT_reset_knobs(bpy.types.Operator):
    """Reset all knobs to their defaults"""

    bl_idname = "footfall.reset_knobs"
    bl_label = "Reset Knobs"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Reset the knobs."""
        for knob in fields(Knobs):
            find_active_settings(context).knobs.property_unset(knob.name)
        return {"FINISHED"}

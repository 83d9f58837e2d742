"""Stop of the current planning."""

from __future__ import annotations

import bpy


class FOOTFALL_OT_stop(bpy.types.Operator):
    """Stop the current planning without changes"""

    bl_idname = "footfall.stop"
    bl_label = "Stop"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Require a running job."""
        return bool(context.window_manager.footfall.working)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Request the stop; the running operator stops at its next poll."""
        context.window_manager.footfall.stop = True
        return {"FINISHED"}

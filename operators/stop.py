"""Stop the planning that is under way."""

from __future__ import annotations

import bpy


class FOOTFALL_OT_stop(bpy.types.Operator):
    """Stop the planning that is under way; nothing is changed"""

    bl_idname = "footfall.stop"
    bl_label = "Stop"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only while something is at work."""
        return bool(context.window_manager.footfall.working)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Tell the operator that waits; it stops at its next look."""
        context.window_manager.footfall.stop = True
        return {"FINISHED"}

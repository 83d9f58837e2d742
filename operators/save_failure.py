"""Saving of a failed task for a bug report."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
from pathlib import Path

import bpy
from bpy.props import StringProperty

from ..addon.worker.failures import get_last_failure, save_failure
from .common import PollWithReason, reports_errors


class FOOTFALL_OT_save_failed(PollWithReason, bpy.types.Operator):
    """Save the failed task and the log of the planning process as a text file for a bug report"""

    bl_idname = "footfall.save_failed"
    bl_label = "Save Failed Task…"

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.toml", options={"HIDDEN"})

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a failure."""
        if get_last_failure() is None:
            return "No task has failed since Blender was started"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Open the file browser."""
        self.filepath = self.filepath or "footfall-task.toml"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Save the file."""
        failure = get_last_failure()
        assert failure is not None
        path = Path(bpy.path.ensure_ext(bpy.path.abspath(self.filepath), ".toml"))
        save_failure(failure, path)
        self.report(
            {"INFO"},
            (
                f"Saved {path.name}. It contains the bones of the character and the ground, but no "
                "other part of the scene"
            ),
        )
        return {"FINISHED"}

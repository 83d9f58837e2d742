"""Save what could not be done, to send it in."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
from pathlib import Path

import bpy
from bpy.props import StringProperty

from ..addon.worker.failures import get_last_failure, save_failure
from .common import PollWithReason, reports_errors


class FOOTFALL_OT_save_failed(PollWithReason, bpy.types.Operator):
    """Save the task that failed, with what the planning had to say,
    as one text file that can be sent in with a report"""

    bl_idname = "footfall.save_failed"
    bl_label = "Save Failed Task…"

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.toml", options={"HIDDEN"})

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Only after a failure."""
        if get_last_failure() is None:
            return "Nothing has failed since Blender was started"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask where to."""
        self.filepath = self.filepath or "footfall-task.toml"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it."""
        failure = get_last_failure()
        assert failure is not None
        path = Path(bpy.path.ensure_ext(bpy.path.abspath(self.filepath), ".toml"))
        save_failure(failure, path)
        self.report(
            {"INFO"},
            (
                f"Saved {path.name}. It holds the character's bones and the ground, and no other "
                "part of the scene"
            ),
        )
        return {"FINISHED"}

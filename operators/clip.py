"""Take a clip for a style, and go back to the shelf."""

from __future__ import annotations

import bpy

from ..addon.scene.active import find_active_settings
from ..addon.scene.style import find_clip_path
from ..addon.scene.style_summary import summarize_clip, summarize_upper_body
from ..addon.settings.style import PART_ITEMS
from .common import PollWithReason, reports_errors


class FOOTFALL_OT_use_clip(bpy.types.Operator):
    """Walk as a recorded clip does: a BVH file, of a body of any size, or a file of a style"""

    bl_idname = "footfall.use_clip"
    bl_label = "Walk as a Clip Does"
    bl_options = {"REGISTER", "UNDO"}

    filepath: bpy.props.StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: bpy.props.StringProperty(default="*.bvh;*.toml", options={"HIDDEN"})
    part: bpy.props.EnumProperty(
        name="Part", items=PART_ITEMS, description="What it is taken for", options={"SKIP_SAVE"}
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file, unless one was dropped."""
        if self.filepath:
            return self.execute(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Understand the clip, tell what it shows, and keep its path."""
        summary = (summarize_upper_body if self.part == "UPPER" else summarize_clip)(
            bpy.path.abspath(self.filepath)
        )
        settings = find_active_settings(context)
        (
            settings if self.part == "STYLE" else getattr(settings, f"{self.part.lower()}_other")
        ).clip = self.filepath
        for note in summary.notes:
            self.report({"INFO"}, note)
        self.report({"INFO"}, f"{bpy.path.basename(self.filepath)}: {summary.line}")
        return {"FINISHED"}


class FOOTFALL_OT_drop_clip(PollWithReason, bpy.types.Operator):
    """Go back to the styles on the shelf; the clip's file stays where it is"""

    bl_idname = "footfall.drop_clip"
    bl_label = "Back to the Shelf"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Only with a clip."""
        if not find_clip_path(find_active_settings(context)):
            return "No clip is taken for a style"
        return ""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Forget the clip."""
        for name in ("clip", "clip_told", "style_from"):
            find_active_settings(context).property_unset(name)
        return {"FINISHED"}


class FOOTFALL_FH_clip(bpy.types.FileHandler):
    """Clips and styles may be dropped onto the 3D view."""

    bl_idname = "FOOTFALL_FH_clip"
    bl_label = "Footfall Style"
    bl_import_operator = "footfall.use_clip"
    bl_file_extensions = ".bvh;.toml"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """In the 3D view."""
        return context.area is not None and context.area.type == "VIEW_3D"

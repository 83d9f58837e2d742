"""Use of a clip as a style, and return to the built-in styles."""

from __future__ import annotations

import bpy

from ..addon.scene.active import find_active_settings
from ..addon.scene.style import find_clip_path
from ..addon.scene.style_summary import summarize_clip, summarize_upper_body
from ..addon.settings.clip_corrections import CORRECTIONS
from ..addon.settings.style import PART_ITEMS
from .common import PollWithReason, find_style_source, reports_errors


class FOOTFALL_OT_use_clip(bpy.types.Operator):
    """Use a BVH file of recorded motion, or a style file, as the style"""

    bl_idname = "footfall.use_clip"
    bl_label = "Walk as a Clip Does"
    bl_options = {"REGISTER", "UNDO"}

    filepath: bpy.props.StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: bpy.props.StringProperty(default="*.bvh;*.toml", options={"HIDDEN"})
    part: bpy.props.EnumProperty(
        name="Part",
        items=PART_ITEMS,
        description="Use of the style: whole style, mixed-in style or upper body",
        options={"SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Open the file browser, unless a file was dropped."""
        if self.filepath:
            return self.execute(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read the clip, report its content and store its path."""
        summarize = summarize_upper_body if self.part == "UPPER" else summarize_clip
        summary = summarize(bpy.path.abspath(self.filepath))
        settings = find_active_settings(context)
        if self.part == "STYLE":
            for name in CORRECTIONS:  # of another clip
                settings.property_unset(name)
        find_style_source(settings, self.part).clip = self.filepath
        for note in summary.notes:
            self.report({"INFO"}, note)
        self.report({"INFO"}, f"{bpy.path.basename(self.filepath)}: {summary.line}")
        return {"FINISHED"}


class FOOTFALL_OT_drop_clip(PollWithReason, bpy.types.Operator):
    """Use the built-in styles again; the file of the clip stays on disk"""

    bl_idname = "footfall.drop_clip"
    bl_label = "Back to the Shelf"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a clip."""
        if not find_clip_path(find_active_settings(context)):
            return "No clip is used as the style"
        return ""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Reset the clip."""
        for name in ("clip", "clip_told", "style_from", *CORRECTIONS):
            find_active_settings(context).property_unset(name)
        return {"FINISHED"}


class FOOTFALL_FH_clip(bpy.types.FileHandler):
    """Files of clips and styles that are dropped onto the 3D view."""

    bl_idname = "FOOTFALL_FH_clip"
    bl_label = "Footfall Style"
    bl_import_operator = "footfall.use_clip"
    bl_file_extensions = ".bvh;.toml"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Accept drops in the 3D view only."""
        return context.area is not None and context.area.type == "VIEW_3D"

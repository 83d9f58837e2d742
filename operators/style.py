"""Choice, saving and removal of styles, and update of a style from an action."""

# No `from __future__ import annotations` here: Blender reads the annotations
# of operators as they are.
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..addon.scene.active import find_active_settings, has_gaits, is_quadruped
from ..addon.scene.quadruped_style import read_quadruped_style
from ..addon.scene.style import read_style
from ..addon.scene.style_summary import update_action_summary, update_source_summary
from ..addon.settings.style import NO_STYLE, PART_ITEMS
from ..addon.user_files import styles
from ..addon.user_files.folders import create_folder
from ..core.clip import describe_builtin_style, load_style, save_style
from ..core.errors import FootfallError
from .common import PollWithReason, find_style_source, reports_errors


class FOOTFALL_OT_use_style(bpy.types.Operator):
    """Use this style"""

    bl_idname = "footfall.use_style"
    bl_label = "Use Style"
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Style", description="Name of the style", options={"SKIP_SAVE"})
    mine: BoolProperty(
        name="Mine",
        description="Whether the style is a saved one instead of a built-in one",
        options={"SKIP_SAVE"},
    )
    part: EnumProperty(
        name="Part",
        items=PART_ITEMS,
        description="Use of the style: whole style, mixed-in style or upper body",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(
        cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        """Return the description of the style as the tooltip."""
        try:
            if properties.name == NO_STYLE:
                return "No other style"
            if properties.mine:
                return load_style(styles.get_style_path(properties.name)).about
            return describe_builtin_style(properties.name)
        except FootfallError as error:
            return str(error)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set the style."""
        settings = find_active_settings(context)
        if self.mine:
            load_style(styles.get_style_path(self.name))
            find_style_source(settings, self.part).mine = self.name
        elif self.part != "STYLE" and self.name == NO_STYLE:
            setattr(settings, f"{self.part.lower()}_style", NO_STYLE)
        else:
            describe_builtin_style(self.name)
            setattr(
                settings,
                "style" if self.part == "STYLE" else f"{self.part.lower()}_style",
                self.name,
            )
        return {"FINISHED"}


def _suggest_folder(context: bpy.types.Context) -> Path:
    """Return the folder of saved styles for the active body."""
    return styles.quadruped_styles_folder() if is_quadruped(context) else styles.styles_folder()


class FOOTFALL_OT_save_style(PollWithReason, bpy.types.Operator):
    """Save the current style with its knobs as a file; in the suggested folder it is added to the
    list of styles"""

    bl_idname = "footfall.save_style"
    bl_label = "Save Style…"

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.toml", options={"HIDDEN"})
    check_existing: BoolProperty(default=True, options={"HIDDEN"})
    over: BoolProperty(
        name="Replace Existing", description="Overwrite an existing file", options={"SKIP_SAVE"}
    )

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a body with styles and a complete choice of a style."""
        settings = find_active_settings(context)
        if has_gaits(context) and not is_quadruped(context):
            return "This body has gaits instead of styles"
        if (settings.style_from == "FILE" and not settings.clip) or (
            settings.style_from == "ACTION" and settings.action is None
        ):
            return f"No {settings.style_from.lower()} is picked for the style"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Open the file browser in the user's folder of styles."""
        if not self.filepath:
            settings = find_active_settings(context)
            folder = _suggest_folder(context)
            label = (
                read_quadruped_style(settings).label
                if is_quadruped(context)
                else read_style(settings).label
            )
            self.filepath = str(styles.find_free_path(label, folder))
            with suppress(FootfallError):  # `execute` reports it if the user stays in the folder
                create_folder(folder)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Save the file."""
        path = Path(bpy.path.ensure_ext(bpy.path.abspath(self.filepath), ".toml"))
        settings = find_active_settings(context)
        style = (
            read_quadruped_style(settings).resolved
            if is_quadruped(context)
            else read_style(settings).resolved
        )
        if path.parent == _suggest_folder(context):
            create_folder(path.parent)
        about = style.about or f"Style of {style.name}"
        save_style(replace(style, name=path.stem, about=about), path, self.over)
        is_in_list = path.parent == styles.styles_folder() and not is_quadruped(context)
        self.report(
            {"INFO"},
            f"Saved {path.name}" + (", which is now in the list of styles" if is_in_list else ""),
        )
        return {"FINISHED"}


class FOOTFALL_OT_remove_style(PollWithReason, bpy.types.Operator):
    """Delete the file of this saved style"""

    bl_idname = "footfall.remove_style"
    bl_label = "Delete Saved Style"

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a saved style."""
        settings = find_active_settings(context)
        if settings.style_from != "SHELF" or not settings.mine:
            return "Only saved styles can be deleted; choose one in the list first"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for confirmation."""
        return set(
            context.window_manager.invoke_confirm(
                self,
                event,
                title="Delete Saved Style",
                confirm_text="Delete",
                message=(
                    f"The file of the style {find_active_settings(context).mine!r} will be "
                    "deleted. This cannot be undone."
                ),
            )
        )

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Delete the file and return to the built-in style."""
        settings = find_active_settings(context)
        path = styles.remove_style(settings.mine)
        settings.mine = ""
        self.report({"INFO"}, f"Deleted {path.name}")
        return {"FINISHED"}


class FOOTFALL_OT_read_action(PollWithReason, bpy.types.Operator):
    """Update the summary of the action; every generated motion reads the action anyway"""

    bl_idname = "footfall.read_action"
    bl_label = "Read Action Again"

    part: EnumProperty(
        name="Part",
        items=PART_ITEMS,
        description="Use of the style: whole style, mixed-in style or upper body",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require an action."""
        settings = find_active_settings(context)
        if (
            settings.action is None
            and settings.mixed_other.action is None
            and settings.upper_other.action is None
        ):
            return "No action is picked for the style"
        return ""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read the action and report its content."""
        settings = find_active_settings(context)
        summary = (
            update_action_summary(settings)
            if self.part == "STYLE"
            else update_source_summary(getattr(settings, f"{self.part.lower()}_other"))
        )
        for note in summary.notes:
            self.report({"INFO"}, note)
        self.report({"INFO"}, summary.line)
        return {"FINISHED"}

"""Take a style from the list, save the one that is set, remove a saved one, read an action anew."""
# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
from dataclasses import replace
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..addon.scene.active import four_legged, goes_by_gait, wish_of
from ..addon.scene.quadruped_style import chosen_quadruped
from ..addon.scene.style import chosen_style
from ..addon.scene.style_summary import tell_action, tell_lent
from ..addon.settings.style import ALONE, PARTS
from ..addon.user_files import styles
from ..core.clip import line_about, load_style, save_style
from ..core.errors import FootfallError
from .common import Greyed, tells_errors


class FOOTFALL_OT_use_style(bpy.types.Operator):
    """Walk in this style"""

    bl_idname = "footfall.use_style"
    bl_label = "Use Style"
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Style", description="Its name", options={"SKIP_SAVE"})
    mine: BoolProperty(name="Mine", description="One that you have saved, not one that comes with Footfall", options={"SKIP_SAVE"})
    part: EnumProperty(name="Part", items=PARTS, description="What it is taken for", options={"SKIP_SAVE"})

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """What the style is like."""
        try:
            if properties.name == ALONE:
                return "No other style"
            if properties.mine:
                return load_style(styles.file_of(properties.name)).about
            return line_about(properties.name)
        except FootfallError as error:
            return str(error)

    @tells_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set it."""
        wish = wish_of(context)
        if self.mine:
            load_style(styles.file_of(self.name))
            (wish if self.part == "STYLE" else getattr(wish, f"{self.part.lower()}_other")).mine = self.name
        elif self.part != "STYLE" and self.name == ALONE:
            setattr(wish, f"{self.part.lower()}_style", ALONE)
        else:
            line_about(self.name)
            setattr(wish, "style" if self.part == "STYLE" else f"{self.part.lower()}_style", self.name)
        return {"FINISHED"}


class FOOTFALL_OT_save_style(Greyed, bpy.types.Operator):
    """Save the style as it is set now, with its knobs, as one file that can be shared; in the folder offered it joins the list"""

    bl_idname = "footfall.save_style"
    bl_label = "Save Style…"

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.toml", options={"HIDDEN"})
    check_existing: BoolProperty(default=True, options={"HIDDEN"})
    over: BoolProperty(name="Replace Existing", description="Write over a file of that name", options={"SKIP_SAVE"})

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Whether the body goes by styles, and one is set."""
        wish = wish_of(context)
        if goes_by_gait(context) and not four_legged(context):
            return "This body goes by gaits, and not by a style"
        if (wish.style_from == "FILE" and not wish.clip) or (wish.style_from == "ACTION" and wish.action is None):
            return f"No {wish.style_from.lower()} is picked for the style"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask where to, in the folder of the user's own styles by itself."""
        if not self.filepath:
            wish = wish_of(context)
            if four_legged(context):
                self.filepath = str(styles.free_file(chosen_quadruped(wish).spoken, styles.quadrupeds()))
            else:
                self.filepath = str(styles.free_file(chosen_style(wish).spoken))
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @tells_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the file."""
        path = Path(bpy.path.ensure_ext(bpy.path.abspath(self.filepath), ".toml"))
        wish = wish_of(context)
        style = chosen_quadruped(wish).made if four_legged(context) else chosen_style(wish).made
        about = style.about or f"As {style.name} shows"
        save_style(replace(style, name=path.stem, about=about), path, self.over)
        listed = path.parent == styles.folder() and not four_legged(context)
        self.report({"INFO"}, f"Saved {path.name}" + (", which is in the list of styles now" if listed else ""))
        return {"FINISHED"}


class FOOTFALL_OT_remove_style(Greyed, bpy.types.Operator):
    """Delete the file of this style from the folder of your own styles"""

    bl_idname = "footfall.remove_style"
    bl_label = "Delete Saved Style"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only with one of the user's own."""
        wish = wish_of(context)
        if wish.style_from != "SHELF" or not wish.mine:
            return "Only styles that you have saved can be deleted; pick one in the list first"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask first."""
        return set(context.window_manager.invoke_confirm(
            self, event, title="Delete Saved Style", confirm_text="Delete",
            message=f"The file of the style {wish_of(context).mine!r} is deleted; this cannot be undone."))

    @tells_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Delete the file; the style is the one of the shelf again."""
        wish = wish_of(context)
        path = styles.remove(wish.mine)
        wish.mine = ""
        self.report({"INFO"}, f"Deleted {path.name}")
        return {"FINISHED"}


class FOOTFALL_OT_read_action(Greyed, bpy.types.Operator):
    """Tell anew what the action shows; a motion reads it anew anyway"""

    bl_idname = "footfall.read_action"
    bl_label = "Read Action Again"

    part: EnumProperty(name="Part", items=PARTS, description="What it is taken for", options={"SKIP_SAVE"})

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only with one."""
        wish = wish_of(context)
        if wish.action is None and wish.mixed_other.action is None and wish.upper_other.action is None:
            return "No action is picked for the style"
        return ""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read it."""
        wish = wish_of(context)
        told = tell_action(wish) if self.part == "STYLE" else tell_lent(getattr(wish, f"{self.part.lower()}_other"))
        for note in told.notes:
            self.report({"INFO"}, note)
        self.report({"INFO"}, told.line)
        return {"FINISHED"}

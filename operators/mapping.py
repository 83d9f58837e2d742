"""Correction of detected parts: mirror, reset, save and load."""

# No `from __future__ import annotations` here: Blender reads the annotations
# of operators as they are.
import bpy
from bpy.props import EnumProperty, StringProperty

from ..addon.rigs.part_list import (
    fill_empty_biped,
    mirror_parts,
    read_current_parts,
    reset_parts,
    set_parts,
)
from ..addon.scene.active import active_armature, find_armature
from ..addon.user_files import part_presets
from ..core.character.recognition.parts import describe_part
from .common import PollWithReason, reports_errors


class _NeedsArmature(PollWithReason):
    """Base of operators that need an armature."""

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require an armature."""
        return (
            ""
            if find_armature(context.object) is not None
            else "Select a character's armature first"
        )


class _NeedsParts(PollWithReason):
    """Base of operators that need an armature with a list of parts."""

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a list of parts."""
        armature = find_armature(context.object)
        return (
            ""
            if armature is not None and len(armature.footfall.parts)
            else "Press Detect or Choose by Hand first"
        )


class FOOTFALL_OT_mirror_part(_NeedsParts, bpy.types.Operator):
    """Assign the corresponding bones to the same part on the other side, by names or positions"""

    bl_idname = "footfall.mirror_part"
    bl_label = "Mirror"
    bl_options = {"REGISTER", "UNDO"}

    part: StringProperty(name="Part", description="Part to mirror, such as leg.L")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Find the bones and store them."""
        armature = active_armature(context)
        mirrored = mirror_parts(armature, self.part)
        set_parts(armature, {**read_current_parts(armature), **mirrored})
        self.report(
            {"INFO"}, f"Mirrored the {describe_part(self.part)}: {', '.join(mirrored.values())}"
        )
        return {"FINISHED"}


class FOOTFALL_OT_reset_parts(_NeedsParts, bpy.types.Operator):
    """Discard all corrections and answers, and restore the detected bones"""

    bl_idname = "footfall.reset_parts"
    bl_label = "Reset"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Restore the detected bones."""
        reset_parts(active_armature(context))
        self.report({"INFO"}, "All corrections were discarded")
        return {"FINISHED"}


class FOOTFALL_OT_parts_by_hand(_NeedsArmature, bpy.types.Operator):
    """List the parts of a two-legged body to choose the bones of each part by hand"""

    bl_idname = "footfall.parts_by_hand"
    bl_label = "Choose by Hand"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Create an empty list."""
        fill_empty_biped(active_armature(context))
        return {"FINISHED"}


class FOOTFALL_OT_save_preset(_NeedsParts, bpy.types.Operator):
    """Save the bones of all parts for other armatures with the same bone names"""

    bl_idname = "footfall.save_preset"
    bl_label = "Save Preset"

    name: StringProperty(
        name="Name", description="Name of the preset; an existing one of the same name is replaced"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for a name; the default is the name of the armature."""
        self.name = self.name or active_armature(context).name
        return set(context.window_manager.invoke_props_dialog(self))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Save the file."""
        path = part_presets.save(self.name, read_current_parts(active_armature(context)))
        self.report({"INFO"}, f"Saved {path.name}")
        return {"FINISHED"}


# Blender requires a reference to the strings of dynamic enum items.
_preset_items: list[tuple[str, str, str]] = []


def _list_preset_items(
    self: bpy.types.OperatorProperties, context: bpy.types.Context | None
) -> list[tuple[str, str, str]]:
    _preset_items[:] = [(path.stem, path.stem, "") for path in part_presets.list_presets()]
    return _preset_items


class FOOTFALL_OT_load_preset(_NeedsArmature, bpy.types.Operator):
    """Use a saved preset on this armature, which must have the same bone names"""

    bl_idname = "footfall.load_preset"
    bl_label = "Load Preset"
    bl_options = {"REGISTER", "UNDO"}
    bl_property = "name"

    name: EnumProperty(name="Preset", items=_list_preset_items, description="Saved preset")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Open a menu of presets."""
        if not part_presets.list_presets():
            self.report({"INFO"}, "There are no presets; save one first.")
            return {"CANCELLED"}
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Load the preset."""
        armature = active_armature(context)
        preset = part_presets.load(part_presets.presets_folder() / f"{self.name}.json")
        part_presets.check_bones(preset, armature)
        set_parts(armature, preset.parts)
        self.report({"INFO"}, f"Loaded the preset {preset.name}")
        return {"FINISHED"}

"""Correct what Detect found: mirror a side, go back, save and load mappings."""

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
    """What needs no list as yet."""

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Only with an armature."""
        return (
            ""
            if find_armature(context.object) is not None
            else "Select a character's armature first"
        )


class _NeedsParts(PollWithReason):
    """What most of these share: an armature with a list of parts."""

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Only with a list."""
        armature = find_armature(context.object)
        return (
            ""
            if armature is not None and len(armature.footfall.parts)
            else "Press Detect, or Choose by Hand, first"
        )


class FOOTFALL_OT_mirror_part(_NeedsParts, bpy.types.Operator):
    """Give the other side the bones that are like these, by their names or their places"""

    bl_idname = "footfall.mirror_part"
    bl_label = "Mirror"
    bl_options = {"REGISTER", "UNDO"}

    part: StringProperty(
        name="Part", description="The limb to take the other side's bones from, such as leg.L"
    )

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Find and write them."""
        armature = active_armature(context)
        mirrored = mirror_parts(armature, self.part)
        set_parts(armature, {**read_current_parts(armature), **mirrored})
        self.report(
            {"INFO"}, f"Mirrored the {describe_part(self.part)}: {', '.join(mirrored.values())}"
        )
        return {"FINISHED"}


class FOOTFALL_OT_reset_parts(_NeedsParts, bpy.types.Operator):
    """Take back all corrections: the bones that Detect found"""

    bl_idname = "footfall.reset_parts"
    bl_label = "Reset"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write them back."""
        reset_parts(active_armature(context))
        self.report({"INFO"}, "All corrections are taken back")
        return {"FINISHED"}


class FOOTFALL_OT_parts_by_hand(_NeedsArmature, bpy.types.Operator):
    """List the parts of a two-legged body to choose their bones by hand,
    for an armature in which none were found"""

    bl_idname = "footfall.parts_by_hand"
    bl_label = "Choose by Hand"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write an empty list."""
        fill_empty_biped(active_armature(context))
        return {"FINISHED"}


class FOOTFALL_OT_save_preset(_NeedsParts, bpy.types.Operator):
    """Save the bones by part, to use them on armatures with the same names"""

    bl_idname = "footfall.save_preset"
    bl_label = "Save Preset"

    name: StringProperty(
        name="Name", description="What the preset is called; one of that name is replaced"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for a name, the armature's by itself."""
        self.name = self.name or active_armature(context).name
        return set(context.window_manager.invoke_props_dialog(self))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the file."""
        path = part_presets.save(self.name, read_current_parts(active_armature(context)))
        self.report({"INFO"}, f"Saved {path.name}")
        return {"FINISHED"}


# Blender keeps no reference to an enum's words itself
_preset_items: list[tuple[str, str, str]] = []


def _list_preset_items(
    self: bpy.types.OperatorProperties, context: bpy.types.Context | None
) -> list[tuple[str, str, str]]:
    _preset_items[:] = [(path.stem, path.stem, "") for path in part_presets.list_presets()]
    return _preset_items


class FOOTFALL_OT_load_preset(_NeedsArmature, bpy.types.Operator):
    """Use a saved mapping on this armature; its bones' names must be the same"""

    bl_idname = "footfall.load_preset"
    bl_label = "Load Preset"
    bl_options = {"REGISTER", "UNDO"}
    bl_property = "name"

    name: EnumProperty(name="Preset", items=_list_preset_items, description="The saved mapping")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Let the user pick one."""
        if not part_presets.list_presets():
            self.report({"INFO"}, "There is no preset yet; save one first.")
            return {"CANCELLED"}
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read and use it."""
        armature = active_armature(context)
        preset = part_presets.load(part_presets.presets_folder() / f"{self.name}.json")
        part_presets.check_bones(preset, armature)
        set_parts(armature, preset.parts)
        self.report({"INFO"}, f"Loaded the preset {preset.name}")
        return {"FINISHED"}

"""Correct what Detect found: mirror a side, go back, save and load mappings."""
# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
from collections.abc import Callable
from pathlib import Path

import bpy
from bpy.props import EnumProperty, StringProperty

from ..addon import presets
from ..addon.asking import active_armature, armature_of
from ..addon.mapping import fill_by_hand, mirror, reset, take, told_now
from ..core.character.parts import spoken
from ..core.errors import FootfallError


class _OnMapping:
    """What all of these share: an armature with a list of parts, and errors that are told."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a list."""
        armature = armature_of(context.object)
        if armature is None or not armature.footfall.parts:
            cls.poll_message_set("Press Detect first")
            return False
        return True

    def told(self, context: bpy.types.Context, work: Callable[[bpy.types.Object], str]) -> set[str]:
        """Do the work on the armature and report what it says, or why it could not be done."""
        try:
            done = work(active_armature(context))
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, done)
        return {"FINISHED"}


class FOOTFALL_OT_mirror_part(_OnMapping, bpy.types.Operator):
    """Give the other side the bones that are like these, by their names or their places"""

    bl_idname = "footfall.mirror_part"
    bl_label = "Mirror"
    bl_options = {"REGISTER", "UNDO"}

    part: StringProperty(name="Part", description="The limb to take the other side's bones from, such as leg.L")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Find and write them."""
        def work(armature: bpy.types.Object) -> str:
            found = mirror(armature, self.part)
            take(armature, {**told_now(armature), **found})
            return f"Mirrored the {spoken(self.part)}: {', '.join(found.values())}"

        return self.told(context, work)


class FOOTFALL_OT_reset_parts(_OnMapping, bpy.types.Operator):
    """Take back all corrections: the bones that Detect found"""

    bl_idname = "footfall.reset_parts"
    bl_label = "Reset"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write them back."""
        def work(armature: bpy.types.Object) -> str:
            reset(armature)
            return "All corrections are taken back"

        return self.told(context, work)


class FOOTFALL_OT_parts_by_hand(bpy.types.Operator):
    """List the parts of a two-legged body to choose their bones by hand, for an armature in which none were found"""

    bl_idname = "footfall.parts_by_hand"
    bl_label = "Choose by Hand"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an armature is active."""
        return armature_of(context.object) is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write an empty list."""
        try:
            fill_by_hand(active_armature(context))
        except FootfallError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class FOOTFALL_OT_save_preset(_OnMapping, bpy.types.Operator):
    """Save the bones by part, to use them on armatures with the same names"""

    bl_idname = "footfall.save_preset"
    bl_label = "Save Preset"

    name: StringProperty(name="Name", description="What the preset is called; one of that name is replaced")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for a name, the armature's by itself."""
        self.name = self.name or active_armature(context).name
        return set(context.window_manager.invoke_props_dialog(self))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the file."""
        return self.told(context, lambda armature: f"Saved {presets.save(self.name, told_now(armature)).name}")


_listed: list[tuple[str, str, str]] = []            # Blender keeps no reference to an enum's words itself


def _presets(self: bpy.types.OperatorProperties, context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    _listed[:] = [(path.stem, path.stem, "") for path in presets.saved()]
    return _listed


class FOOTFALL_OT_load_preset(_OnMapping, bpy.types.Operator):
    """Use a saved mapping on this armature; its bones' names must be the same"""

    bl_idname = "footfall.load_preset"
    bl_label = "Load Preset"
    bl_options = {"REGISTER", "UNDO"}
    bl_property = "name"

    name: EnumProperty(name="Preset", items=_presets, description="The saved mapping")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an armature is active."""
        return armature_of(context.object) is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Let the user pick one."""
        if not presets.saved():
            self.report({"INFO"}, "There is no preset yet; save one first.")
            return {"CANCELLED"}
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read and use it."""
        return self.told(context, lambda armature: _load(armature, presets.folder() / f"{self.name}.json"))


def _load(armature: bpy.types.Object, path: Path) -> str:
    preset = presets.load(path)
    presets.refuse_missing(preset, armature)
    take(armature, preset.parts)
    return f"Loaded the preset {preset.name}"

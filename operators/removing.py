"""What operators have in common that take one entry out of a list of the character's settings."""
# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
import bpy

from ..addon.asking import wish_of


class Removing:
    """Removes the entry `index` of the list of that name; `entry` is what people call one."""

    bl_options = {"REGISTER", "UNDO"}
    entries = entry = ""

    index: bpy.props.IntProperty(min=0, options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        listed = getattr(wish_of(context), self.entries)
        if self.index >= len(listed):
            self.report({"ERROR"}, f"There is no {self.entry} number {self.index + 1}; there are {len(listed)}.")
            return {"CANCELLED"}
        listed.remove(self.index)
        return {"FINISHED"}

"""The list of markers that the character goes along."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import EnumProperty

from ..addon.scene.active import wish_of
from ..addon.scene.path import by_name
from .common import Greyed


def _index(context: bpy.types.Context) -> int:
    """The entry that is active in the list; -1 where there is none."""
    wish = wish_of(context)
    return min(wish.marker_index, len(wish.markers) - 1)


class FOOTFALL_OT_add_markers(bpy.types.Operator):
    """Add the selected empties to the list, in the order of their names"""

    bl_idname = "footfall.add_markers"
    bl_label = "Add Selected Empties"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add those that are not in it yet, after the active one."""
        wish = wish_of(context)
        chosen = [thing for thing in context.selected_objects if thing.type == "EMPTY"]
        listed = {marker.thing for marker in wish.markers}
        new = sorted((thing for thing in chosen if thing not in listed), key=by_name)
        if not new:
            told = "The selected empties are in the list already." if chosen else \
                "No empty is selected. Add some with Shift+A, select them, the character last, and try again."
            self.report({"ERROR"}, told)
            return {"CANCELLED"}
        for thing in new:
            at = _index(context) + 1
            wish.markers.add().thing = thing
            wish.markers.move(len(wish.markers) - 1, at)
            wish.marker_index = at
        return {"FINISHED"}


class _OnMarker(Greyed):
    """What is done with the active entry of the list."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only where there is one."""
        return "" if _index(context) >= 0 else "There are no markers in the list"


class FOOTFALL_OT_remove_marker(_OnMarker, bpy.types.Operator):
    """Take the marker off the list; the empty stays in the scene"""

    bl_idname = "footfall.remove_marker"
    bl_label = "Remove Marker"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it, and make the one before active."""
        wish, at = wish_of(context), _index(context)
        wish.markers.remove(at)
        wish.marker_index = max(at - 1, 0)
        return {"FINISHED"}


class FOOTFALL_OT_move_marker(_OnMarker, bpy.types.Operator):
    """Have the character go to this marker sooner or later"""

    bl_idname = "footfall.move_marker"
    bl_label = "Move Marker"

    direction: EnumProperty(items=[("UP", "Up", "Sooner"), ("DOWN", "Down", "Later")], options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change places with its neighbour."""
        wish, at = wish_of(context), _index(context)
        to = at + (1 if self.direction == "DOWN" else -1)
        if not 0 <= to < len(wish.markers):
            return {"CANCELLED"}
        wish.markers.move(at, to)
        wish.marker_index = to
        return {"FINISHED"}


class FOOTFALL_OT_sort_markers(_OnMarker, bpy.types.Operator):
    """Sort the list by name, Marker 9 before Marker 10"""

    bl_idname = "footfall.sort_markers"
    bl_label = "Sort Markers by Name"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Those that were deleted come last."""
        wish = wish_of(context)
        for to in range(len(wish.markers)):
            rest = range(to, len(wish.markers))
            wish.markers.move(min(rest, key=lambda k: _rank(wish.markers[k].thing)), to)
        return {"FINISHED"}


def _rank(thing: bpy.types.Object | None) -> tuple[bool, object]:
    return thing is None, () if thing is None else by_name(thing)


CLASSES = (FOOTFALL_OT_add_markers, FOOTFALL_OT_remove_marker, FOOTFALL_OT_move_marker, FOOTFALL_OT_sort_markers)

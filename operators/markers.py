"""Editing of the list of markers that define a path."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import EnumProperty

from ..addon.scene.active import find_active_settings
from ..addon.scene.path import make_natural_sort_key
from .common import PollWithReason


def _get_active_index(context: bpy.types.Context) -> int:
    """Return the index of the active entry; -1 for an empty list."""
    settings = find_active_settings(context)
    return min(settings.marker_index, len(settings.markers) - 1)


class FOOTFALL_OT_add_markers(bpy.types.Operator):
    """Add the selected empties to the list, sorted by name"""

    bl_idname = "footfall.add_markers"
    bl_label = "Add Selected Empties"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Insert the empties after the active entry."""
        settings = find_active_settings(context)
        selected = [obj for obj in context.selected_objects if obj.type == "EMPTY"]
        in_list = {marker.thing for marker in settings.markers}
        added = sorted((obj for obj in selected if obj not in in_list), key=make_natural_sort_key)
        if not added:
            message = (
                "The selected empties are already in the list."
                if selected
                else (
                    "No empty is selected. Add empties with Shift+A, select them and then the "
                    "character, and try again."
                )
            )
            self.report({"ERROR"}, message)
            return {"CANCELLED"}
        for obj in added:
            index = _get_active_index(context) + 1
            settings.markers.add().thing = obj
            settings.markers.move(len(settings.markers) - 1, index)
            settings.marker_index = index
        return {"FINISHED"}


class _NeedsMarker(PollWithReason):
    """Base of operators on the active entry of the list."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require an entry."""
        return "" if _get_active_index(context) >= 0 else "There are no markers in the list"


class FOOTFALL_OT_remove_marker(_NeedsMarker, bpy.types.Operator):
    """Remove the marker from the list; the empty stays in the scene"""

    bl_idname = "footfall.remove_marker"
    bl_label = "Remove Marker"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the entry and make the previous one active."""
        settings = find_active_settings(context)
        index = _get_active_index(context)
        settings.markers.remove(index)
        settings.marker_index = max(index - 1, 0)
        return {"FINISHED"}


class FOOTFALL_OT_move_marker(_NeedsMarker, bpy.types.Operator):
    """Move this marker to an earlier or later position in the list"""

    bl_idname = "footfall.move_marker"
    bl_label = "Move Marker"

    direction: EnumProperty(
        items=[("UP", "Up", "Earlier"), ("DOWN", "Down", "Later")], options={"HIDDEN"}
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Swap the entry with its neighbor."""
        settings = find_active_settings(context)
        index = _get_active_index(context)
        new_index = index + (1 if self.direction == "DOWN" else -1)
        if not 0 <= new_index < len(settings.markers):
            return {"CANCELLED"}
        settings.markers.move(index, new_index)
        settings.marker_index = new_index
        return {"FINISHED"}


class FOOTFALL_OT_sort_markers(_NeedsMarker, bpy.types.Operator):
    """Sort the list by name, with numbers in numerical order"""

    bl_idname = "footfall.sort_markers"
    bl_label = "Sort Markers by Name"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Sort the list; deleted markers come last."""
        settings = find_active_settings(context)
        for new_index in range(len(settings.markers)):
            remaining = range(new_index, len(settings.markers))
            settings.markers.move(
                min(remaining, key=lambda k: _get_sort_key(settings.markers[k].thing)), new_index
            )
        return {"FINISHED"}


def _get_sort_key(obj: bpy.types.Object | None) -> tuple[bool, object]:
    return obj is None, () if obj is None else make_natural_sort_key(obj)


CLASSES = (
    FOOTFALL_OT_add_markers,
    FOOTFALL_OT_remove_marker,
    FOOTFALL_OT_move_marker,
    FOOTFALL_OT_sort_markers,
)

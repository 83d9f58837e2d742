"""Property group of a marker on the path."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy
from bpy.props import BoolProperty, PointerProperty


def _is_empty(_: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return obj.type == "EMPTY"


class FootfallMarker(bpy.types.PropertyGroup):
    """A point of the path."""

    thing: PointerProperty(
        type=bpy.types.Object,
        name="Marker",
        poll=_is_empty,
        description="Empty that the path leads through",
    )
    faces: BoolProperty(
        name="Face Along Y",
        description=(
            "Face along the Y axis of the marker there, whatever the direction of the path; from "
            "one such marker to the next the body turns evenly by the smaller angle. Without it "
            "the character faces along its path"
        ),
    )

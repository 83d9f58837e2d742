"""Property group of a marker on the path."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy
from bpy.props import BoolProperty, PointerProperty


def _is_empty(_: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return obj.type == "EMPTY"


class FootfallMarker(bpy.types.PropertyGroup):
    """A place on the way."""

    thing: PointerProperty(
        type=bpy.types.Object,
        name="Marker",
        poll=_is_empty,
        description="Empty that the character goes to",
    )
    faces: BoolProperty(
        name="Face Its Way",
        description=(
            "Face along the marker's own Y axis there, whichever way the path leads; from one "
            "such marker to the next the body turns evenly, the short way. Without it the "
            "character faces along its path"
        ),
    )

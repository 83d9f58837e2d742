"""What a scene keeps of how it is driven."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import BoolProperty, EnumProperty


class FootfallDrive(bpy.types.PropertyGroup):
    """Settings of the live drive."""

    start: EnumProperty(
        name="Start",
        default="HERE",
        description="Where the drive begins",
        items=[
            (
                "HERE",
                "Here",
                (
                    "Where the character stands at the current frame, in the direction that it "
                    "faces. The keys begin at the current frame"
                ),
            ),
            (
                "PATH",
                "Path",
                (
                    "At the path's first point, in the path's direction. The keys begin at the "
                    "scene's first frame"
                ),
            ),
        ],
    )
    follow: BoolProperty(
        name="View Follows",
        default=False,
        description="Have the 3D view go along with the character while it is driven",
    )

"""Settings of the live drive in a scene."""

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
                    "At the character's position and heading in the current frame. The keys begin "
                    "at the current frame"
                ),
            ),
            (
                "PATH",
                "Path",
                (
                    "At the first point of the path, in its direction. The keys begin at the "
                    "first frame of the scene"
                ),
            ),
        ],
    )
    follow: BoolProperty(
        name="View Follows",
        default=False,
        description="Move the 3D view along with the driven character",
    )

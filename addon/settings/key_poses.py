"""Property group of a key pose."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty


class FootfallKeyPose(bpy.types.PropertyGroup):
    """A pose of chest, arms and head at a frame."""

    frame: IntProperty(
        name="Frame",
        default=1,
        description="Frame at which the pose is struck, the middle of how long it is held",
    )
    hold: IntProperty(
        name="Hold", default=0, min=0, soft_max=100, description="Frames for which it is held"
    )
    blend: IntProperty(
        name="Blend",
        default=10,
        min=2,
        soft_max=60,
        description="Frames in which the body goes over to it, and leaves it again",
    )
    part: EnumProperty(
        name="Part",
        items=[
            ("UPPER", "Chest, Arms, Head", "All above the hips"),
            ("ARMS", "Arms", "Both arms"),
            ("LEFT", "Left Arm", ""),
            ("RIGHT", "Right Arm", ""),
            ("HEAD", "Head", ""),
        ],
        default="ARMS",
        description="What of the pose is struck; the rest goes on as it would",
    )
    turns: StringProperty(name="Pose", description="Orientation of the body's links, as JSON")


def format_part_label(pose: FootfallKeyPose) -> str:
    """Return the label of the part that a key pose holds, in lower case."""
    return str(pose.bl_rna.properties["part"].enum_items[pose.part].name).lower()

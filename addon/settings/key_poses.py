"""Property group of a key pose."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty


class FootfallKeyPose(bpy.types.PropertyGroup):
    """A pose of chest, arms and head at a frame."""

    frame: IntProperty(
        name="Frame",
        default=1,
        description="Frame of the pose, the middle of the time for which it is held",
    )
    hold: IntProperty(
        name="Hold",
        default=0,
        min=0,
        soft_max=100,
        description="Number of frames for which the pose is held",
    )
    blend: IntProperty(
        name="Blend",
        default=10,
        min=2,
        soft_max=60,
        description="Number of frames in which the body moves into the pose, and out of it",
    )
    part: EnumProperty(
        name="Part",
        items=[
            ("UPPER", "Chest, Arms, Head", "Everything above the hips"),
            ("ARMS", "Arms", "Both arms"),
            ("LEFT", "Left Arm", ""),
            ("RIGHT", "Right Arm", ""),
            ("HEAD", "Head", ""),
        ],
        default="ARMS",
        description="Part of the body that takes the pose; the rest moves as without it",
    )
    turns: StringProperty(name="Pose", description="Orientation of the body's links, as JSON")


def format_part_label(pose: FootfallKeyPose) -> str:
    """Return the label of the part that a key pose holds, in lower case."""
    return str(pose.bl_rna.properties["part"].enum_items[pose.part].name).lower()

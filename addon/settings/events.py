"""What happens to a character at a frame: pushes, jumps and waits, as a scene keeps them."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty, PointerProperty

from ...core.task.jump import MAX_FLIPS, MAX_TURN
from ...core.task.push import BODY_PARTS, MAX_DURATION, MIN_DURATION

BODY_PART_LABELS = {
    "com": "Body",
    "head": "Head",
    "chest": "Chest",
    "pelvis": "Pelvis",
    "hand.L": "Left Hand",
    "hand.R": "Right Hand",
    "foot.L": "Left Foot",
    "foot.R": "Right Foot",
}


def _is_empty(_: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return obj.type == "EMPTY"


class FootfallPush(bpy.types.PropertyGroup):
    """A force on the body for a short time."""

    frame: IntProperty(name="Frame", default=1, description="Frame at which the push begins")
    strength: FloatProperty(
        name="Newtons",
        default=250.0,
        min=0.0,
        soft_max=800.0,
        step=1000,
        precision=0,
        description="Force at its height",
    )
    direction: FloatProperty(
        name="Direction",
        default=1.5707963,
        subtype="ANGLE",
        description=(
            "Where it pushes to, seen from above: 0 along the world's X, 90 degrees along Y"
        ),
    )
    arrow: PointerProperty(
        type=bpy.types.Object,
        name="Arrow",
        poll=_is_empty,
        description=(
            "Empty along whose Z axis it pushes, up and down too, as it stands at that frame; in "
            "place of the direction"
        ),
    )
    moment: FloatProperty(
        name="Moment",
        default=0.0,
        soft_min=-100.0,
        soft_max=100.0,
        step=100,
        precision=1,
        description=(
            "Newton metres that turn the body beside the force, or alone where that is 0: about "
            "the arrow's Z axis, or about the upright without an arrow, counterclockwise seen "
            "from its tip. 20 for a fifth of a second twists somebody who walks by some ten "
            "degrees"
        ),
    )
    at: EnumProperty(
        name="At",
        items=[(place, BODY_PART_LABELS[place], "") for place in BODY_PARTS],
        description="What is pushed",
    )
    seconds: FloatProperty(
        name="Seconds",
        default=0.2,
        min=MIN_DURATION,
        max=MAX_DURATION,
        description="How long it lasts",
    )


class FootfallJump(bpy.types.PropertyGroup):
    """A jump from both feet, and down on both."""

    frame: IntProperty(
        name="Take-Off", default=1, description="Frame at which the feet leave the ground"
    )
    height: FloatProperty(
        name="Height",
        default=0.3,
        min=0.0,
        soft_max=2.0,
        unit="LENGTH",
        description="How far the body rises in the air; how long it is there follows from it",
    )
    distance: FloatProperty(
        name="Distance",
        default=0.5,
        soft_min=-2.0,
        soft_max=4.0,
        unit="LENGTH",
        description="How far along the path it lands; below 0 is backward, 0 on the spot",
    )
    turn: FloatProperty(
        name="Turn",
        default=0.0,
        min=-MAX_TURN,
        max=MAX_TURN,
        subtype="ANGLE",
        description=(
            "How far the body turns in the air, to the left; it turns with the path besides"
        ),
    )
    flips: IntProperty(
        name="Flips",
        default=0,
        min=-MAX_FLIPS,
        max=MAX_FLIPS,
        soft_min=-3,
        soft_max=3,
        description=(
            "Somersaults in the air; below 0 is backward. One needs a height of about 0.8 m for "
            "an adult"
        ),
    )


class FootfallWait(bpy.types.PropertyGroup):
    """A stop on the way."""

    frame: IntProperty(
        name="Frame",
        default=1,
        description="Frame at which it has come to a halt; it slows down before",
    )
    frames: IntProperty(
        name="Hold", default=48, min=1, soft_max=500, description="Frames for which it stands"
    )

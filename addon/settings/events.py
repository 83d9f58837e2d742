"""Property groups of events at a frame: pushes, jumps and waits."""

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
        description="Peak of the force",
    )
    direction: FloatProperty(
        name="Direction",
        default=1.5707963,
        subtype="ANGLE",
        description=(
            "Direction of the force seen from above: 0 along the X axis of the world, 90 degrees "
            "along Y"
        ),
    )
    arrow: PointerProperty(
        type=bpy.types.Object,
        name="Arrow",
        poll=_is_empty,
        description=(
            "Empty whose Z axis at that frame is the direction of the force, also up and down; "
            "it replaces Direction"
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
            "Moment on the body in newton meters, with the force or alone if that is 0. It acts "
            "about the Z axis of the arrow, or about the vertical without an arrow, "
            "counterclockwise seen from its tip. 20 for a fifth of a second twists a walking "
            "character by about ten degrees"
        ),
    )
    at: EnumProperty(
        name="At",
        items=[(place, BODY_PART_LABELS[place], "") for place in BODY_PARTS],
        description="Part of the body that is pushed",
    )
    seconds: FloatProperty(
        name="Seconds",
        default=0.2,
        min=MIN_DURATION,
        max=MAX_DURATION,
        description="Duration of the push",
    )


class FootfallJump(bpy.types.PropertyGroup):
    """A jump that takes off and lands on both feet."""

    frame: IntProperty(
        name="Take-Off", default=1, description="Frame at which the feet leave the ground"
    )
    height: FloatProperty(
        name="Height",
        default=0.3,
        min=0.0,
        soft_max=2.0,
        unit="LENGTH",
        description="Rise of the body in the air, which also sets the time of flight",
    )
    distance: FloatProperty(
        name="Distance",
        default=0.5,
        soft_min=-2.0,
        soft_max=4.0,
        unit="LENGTH",
        description="Distance to the landing along the path; negative is backward, 0 on the spot",
    )
    turn: FloatProperty(
        name="Turn",
        default=0.0,
        min=-MAX_TURN,
        max=MAX_TURN,
        subtype="ANGLE",
        description=(
            "Turn of the body in the air, positive to the left, in addition to that of the path"
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
            "Somersaults in the air; negative is backward. An adult needs a height of about 0.8 m "
            "for one"
        ),
    )


class FootfallWait(bpy.types.PropertyGroup):
    """A stop on the path."""

    frame: IntProperty(
        name="Frame",
        default=1,
        description="Frame at which the character has stopped; it slows down before",
    )
    frames: IntProperty(
        name="Hold",
        default=48,
        min=1,
        soft_max=500,
        description="Number of frames for which the character stands",
    )

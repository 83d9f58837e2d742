"""Settings of bakes, and the record of the last bake on an armature."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from .options import HAS_ACTION_SLOTS, BakeOptions

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}  # option of properties that library overrides may change
SLOT_ITEM = (
    "SLOT",
    "New Slot",
    "A new slot of the action that plays now, in addition to its other slots",
    "NONE",
    1,
)
INTO_ITEMS = [
    ("ACTION", "New Action", "A new action; the one that plays now stays in the file", "NONE", 0),
    *([SLOT_ITEM] if HAS_ACTION_SLOTS else []),
    (
        "STRIP",
        "NLA Strip",
        (
            "A strip on a new NLA track above all others; the action that plays now moves to a "
            "strip below it"
        ),
        "NONE",
        2,
    ),
]


def _on_last_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.last < self.first:
        self.first = self.last


def _on_first_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.first > self.last:
        self.last = self.first


class FootfallBake(bpy.types.PropertyGroup):
    """Settings of bakes."""

    into: EnumProperty(name="Into", items=INTO_ITEMS, description="Destination of the keys")
    strip: StringProperty(
        name="Strip",
        description="Name of the strip and its track; the name of the action if empty",
    )
    frames: EnumProperty(
        name="Frames",
        items=[
            ("ALL", "All", "All of the motion"),
            (
                "SPAN",
                "From\u2013To",
                "Some of its frames; the existing animation continues around them",
            ),
        ],
        description="Which frames get keys",
    )
    first: IntProperty(
        name="First", default=1, update=_on_first_changed, description="First frame that is baked"
    )
    last: IntProperty(
        name="Last", default=60, update=_on_last_changed, description="Last frame that is baked"
    )
    spacing: EnumProperty(
        name="Keys",
        items=[
            ("EVERY", "Every Frame", "A key on each frame: exactly the plan"),
            ("STEPS", "On Twos", "Keys at even steps of a few frames"),
            (
                "FEW",
                "Reduced",
                "Few keys with handles, within a tolerance; more where standing feet need them",
            ),
        ],
        description="Number of keys",
    )
    step: IntProperty(
        name="Step", default=2, min=2, soft_max=8, description="Frames from key to key"
    )
    held: BoolProperty(
        name="Hold Poses",
        default=True,
        description=(
            "Hold every pose until the next key, as in animation on twos. Otherwise the body moves "
            "evenly between keys, and legs get more keys where feet would slide"
        ),
    )
    feet: FloatProperty(
        name="Feet",
        default=0.002,
        min=0.0002,
        soft_max=0.02,
        unit="LENGTH",
        precision=4,
        step=0.1,
        description="Distance that a standing foot may move. Smaller values take more keys",
    )
    body: FloatProperty(
        name="Body",
        default=0.01,
        min=0.001,
        soft_max=0.1,
        unit="LENGTH",
        precision=3,
        step=0.5,
        description=(
            "Distance from the plan of anything that is off the ground. Smaller values take more "
            "keys"
        ),
    )
    bones: EnumProperty(
        name="Bones",
        items=[
            ("ALL", "All", "The whole body"),
            (
                "SELECTED",
                "Selected",
                "Selected pose bones; the others keep their animation",
            ),
            ("UPPER", "Upper Body", "Trunk, head and arms; legs and root keep their animation"),
            (
                "LEGS",
                "Legs & Root",
                "Legs, hips and root motion; the upper body keeps its animation",
            ),
        ],
        description="Bones that get keys",
    )
    blend_in: IntProperty(
        name="Blend In",
        min=0,
        soft_max=50,
        description="Number of frames over which the existing animation blends into the bake",
    )
    blend_out: IntProperty(
        name="Blend Out",
        min=0,
        soft_max=50,
        description="Number of frames over which the bake blends into the existing animation",
    )
    replace: BoolProperty(
        name="Replace Last Bake",
        description=(
            "Generate replaces the last bake on this armature. An action that you changed, marked "
            "as an asset or gave a fake user stays in the file"
        ),
    )

    def to_options(self, armature: bpy.types.Object, meters_per_unit: float) -> BakeOptions:
        """Return the options of a bake onto an armature.

        Args:
            meters_per_unit: length of a unit of the scene [m].
        """
        selected_names = frozenset(bone.name for bone in armature.pose.bones if _is_selected(bone))
        frame_range = (self.first, self.last) if self.frames == "SPAN" else None
        return BakeOptions(
            self.into,
            self.strip.strip(),
            frame_range,
            keys=self.spacing,
            step=self.step,
            held=self.held,
            feet=self.feet * meters_per_unit,
            body=self.body * meters_per_unit,
            bones=self.bones,
            chosen=selected_names,
            blend_in=self.blend_in,
            blend_out=self.blend_out,
        )


def _is_selected(bone: bpy.types.PoseBone) -> bool:
    """Return whether a bone is selected and visible; from Blender 5.0 on the pose bone has the
    state.
    """
    return bool(bone.select if hasattr(bone, "select") else bone.bone.select)


class FootfallLastBake(bpy.types.PropertyGroup):
    """The last bake on an armature, and what the armature played before."""

    there: BoolProperty(name="Can Be Reverted", override=OVERRIDABLE)
    action: PointerProperty(type=bpy.types.Action, name="Baked", override=OVERRIDABLE)
    slot: StringProperty(name="Slot", override=OVERRIDABLE)
    own: BoolProperty(
        name="Separate Action",
        override=OVERRIDABLE,
        description="Whether the action holds only the bake",
    )
    before: PointerProperty(type=bpy.types.Action, name="Before", override=OVERRIDABLE)
    before_slot: StringProperty(name="Slot Before", override=OVERRIDABLE)
    pose: StringProperty(
        name="Pose Before", override=OVERRIDABLE, description="Values by path, as JSON"
    )
    track: StringProperty(name="Track", override=OVERRIDABLE)
    pushed: StringProperty(name="Track Below", override=OVERRIDABLE)
    report: StringProperty(
        name="Report", override=OVERRIDABLE, description="Report on the motion, as JSON"
    )

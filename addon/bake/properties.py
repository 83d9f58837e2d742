"""What is asked of bakes, and what Footfall remembers of the last one on an armature."""

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

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}  # of characters in library overrides too
SLOT_ITEM = (
    "SLOT",
    "New Slot",
    "A new slot of the action that plays now, beside what it holds",
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
            "A strip on a new NLA track above all others; the action that plays now goes to a "
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
    """How motions are baked."""

    into: EnumProperty(name="Into", items=INTO_ITEMS, description="Where the keys go")
    strip: StringProperty(
        name="Strip",
        description="Name of the strip and its track; that of its action where this is empty",
    )
    frames: EnumProperty(
        name="Frames",
        items=[
            ("ALL", "All", "All of the motion"),
            (
                "SPAN",
                "From\u2013To",
                "Some frames of it; what was there before goes on around them",
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
            ("STEPS", "On Twos", "A key every so many frames"),
            (
                "FEW",
                "Reduced",
                "Few keys with handles, within a tolerance; more where standing feet need them",
            ),
        ],
        description="How many keys there are",
    )
    step: IntProperty(
        name="Step", default=2, min=2, soft_max=8, description="Frames from key to key"
    )
    held: BoolProperty(
        name="Hold Poses",
        default=True,
        description=(
            "Every pose stands until the next key, as in animation on twos. Otherwise the body "
            "moves evenly between keys, and legs get more of them where feet would slide"
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
        description="How far a foot may move while it stands. Smaller takes more keys",
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
            "How far any bone may move what hangs on it, off the ground. Smaller takes more keys"
        ),
    )
    bones: EnumProperty(
        name="Bones",
        items=[
            ("ALL", "All", "The whole body"),
            (
                "SELECTED",
                "Selected",
                "Pose bones that are selected; the others keep what they have",
            ),
            ("UPPER", "Upper Body", "Trunk, head and arms; legs and root keep what they have"),
            (
                "LEGS",
                "Legs & Root",
                "Legs, hips and what carries the body; the upper body keeps what it has",
            ),
        ],
        description="Which bones get keys",
    )
    blend_in: IntProperty(
        name="Blend In",
        min=0,
        soft_max=50,
        description="Frames over which what was there before goes over into the bake",
    )
    blend_out: IntProperty(
        name="Blend Out",
        min=0,
        soft_max=50,
        description="Frames over which the bake goes over into what was there",
    )
    replace: BoolProperty(
        name="Replace Last Bake",
        description=(
            "Generate takes the place of the last bake on this armature, if its keys were not "
            "edited since. Otherwise that one stays in the file"
        ),
    )

    def to_options(self, armature: bpy.types.Object, meters_per_unit: float) -> BakeOptions:
        """All of it, for one armature.

        Args:
            meters_per_unit: m in one of the scene's units.
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
    """Whether a bone is selected and can be seen; poses tell it themselves from Blender 5.0 on."""
    return bool(bone.select if hasattr(bone, "select") else bone.bone.select)


class FootfallLastBake(bpy.types.PropertyGroup):
    """The last bake on an armature, and what it played before."""

    there: BoolProperty(name="Can Be Reverted", override=OVERRIDABLE)
    action: PointerProperty(type=bpy.types.Action, name="Baked", override=OVERRIDABLE)
    slot: StringProperty(name="Slot", override=OVERRIDABLE)
    own: BoolProperty(
        name="Own Action",
        override=OVERRIDABLE,
        description="Whether the action holds nothing else than the bake",
    )
    before: PointerProperty(type=bpy.types.Action, name="Before", override=OVERRIDABLE)
    before_slot: StringProperty(name="Slot Before", override=OVERRIDABLE)
    pose: StringProperty(
        name="Pose Before", override=OVERRIDABLE, description="Values by path, as JSON"
    )
    track: StringProperty(name="Track", override=OVERRIDABLE)
    pushed: StringProperty(name="Track Below", override=OVERRIDABLE)

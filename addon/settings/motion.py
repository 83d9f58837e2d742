"""What is asked of a character: its path, how it goes, and what happens on the way."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
from math import pi

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
)

from ...core.engine import ENGINES
from ...core.sketch.gait.fixed_gaits import list_gait_names
from .events import FootfallJump, FootfallPush, FootfallWait
from .key_poses import FootfallKeyPose
from .knobs import FootfallKnobs
from .markers import FootfallMarker
from .polls import has_meshes
from .style import StyleSettings, list_quadruped_style_items, on_quadruped_style_changed


def _is_curve(_: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return obj.type == "CURVE"


def _on_speed_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    self.natural_speed = False


def _can_be_bars(self: bpy.types.PropertyGroup, collection: bpy.types.Collection) -> bool:
    scene_settings = self.id_data.footfall
    return has_meshes(collection) and collection not in (
        scene_settings.hurdles,
        scene_settings.stones,
    )


class MotionSettings(StyleSettings):
    """What is asked of a character."""

    path_from: EnumProperty(
        name="Path",
        items=[
            ("CURVE", "Curve", "Along a curve"),
            ("MARKERS", "Markers", "From one empty to the next, facing as they do if asked to"),
        ],
        description="What the path is told by",
    )
    markers: CollectionProperty(
        type=FootfallMarker, name="Markers", description="Empties to go along, one after the other"
    )
    marker_index: IntProperty(
        name="Active Marker", min=0, description="The marker that the list's buttons are about"
    )
    path: PointerProperty(
        type=bpy.types.Object,
        name="Path",
        poll=_is_curve,
        description="Curve to follow, from its first point on, seen from above",
    )
    bars: PointerProperty(
        type=bpy.types.Collection,
        name="Bars",
        poll=_can_be_bars,
        description=(
            "Collection whose meshes are rungs overhead: the character goes along them hand over "
            "hand, and needs no path"
        ),
    )
    tread: EnumProperty(
        name="Treads",
        items=[
            ("whole", "Whole Foot", "Feet stand only where there is room for all of the sole"),
            (
                "forefoot",
                "Forefoot",
                "Where there is no room for the heel, ball and toes stand alone",
            ),
        ],
        description="How feet stand on stairs that are narrower than they are long",
    )
    natural_speed: BoolProperty(
        name="Natural Speed",
        default=True,
        description=(
            "As fast as the style goes of itself on legs of this length; at hurdles that a walk "
            "cannot step over it runs"
        ),
    )
    speed: FloatProperty(
        name="Speed",
        default=1.2,
        soft_min=0.1,
        soft_max=8.0,
        unit="VELOCITY",
        update=_on_speed_changed,
        description="Along the path, in metres a second",
    )
    arrive: BoolProperty(
        name="Arrive in Time",
        description=(
            "As fast as it must go to be at the path's end at the last frame, whatever the speed "
            "is set to"
        ),
    )
    radius_speed: BoolProperty(
        name="Speed by Radius",
        description=(
            "The radius of the curve's points (Alt S in edit mode) multiplies the speed there: "
            "half as fast at 0.5"
        ),
    )
    waits: CollectionProperty(type=FootfallWait, name="Waits", description="Stops on the way")
    engine: EnumProperty(
        name="Engine",
        items=[(info.name, info.label, info.about) for info in ENGINES.values()],
        description="How the motion comes about",
    )
    legs_used: EnumProperty(
        name="Legs",
        items=[
            ("both", "Both", "Walks, or runs where it is to go faster"),
            ("left", "Left", "Hops on the left leg"),
            ("right", "Right", "Hops on the right leg"),
        ],
        description="Which legs a simulated body goes on",
    )
    quadruped_style: EnumProperty(
        name="Style",
        items=list_quadruped_style_items(),
        default="natural",
        update=on_quadruped_style_changed,
        description=(
            "How a body on four legs goes and carries neck, head and tail; the natural one goes "
            "as the speed asks"
        ),
    )
    knobs: PointerProperty(
        type=FootfallKnobs, name="Knobs", description="What is turned on the style"
    )
    gait: EnumProperty(
        name="Gait",
        items=[
            (
                "natural",
                "Natural",
                "The one that the speed brings about: walk, trot, canter, gallop",
            )
        ]
        + [(name, name.title(), "Kept at all speeds") for name in list_gait_names()],
        description="Of bodies of another build than people's",
    )
    natural_stride: BoolProperty(
        name="Natural Stride", default=True, description="Strides as long as the speed makes them"
    )
    stride: FloatProperty(
        name="Stride",
        default=1.4,
        min=0.001,
        soft_min=0.3,
        soft_max=3.0,
        unit="LENGTH",
        description="Length of two steps, in metres; how long they take follows from the speed",
    )
    width: FloatProperty(
        name="Step Width",
        default=1.0,
        min=0.0,
        soft_max=3.0,
        description="Multiple of the style's own width; 0 puts the feet on one line",
    )
    facing: FloatProperty(
        name="Facing",
        default=0.0,
        soft_min=-pi,
        soft_max=pi,
        subtype="ANGLE",
        description=(
            "Which way the body faces against its path, to the left of it: at 90 degrees it goes "
            "sidewards, at 180 backward. Keyframes are followed, round and round if they say so"
        ),
    )
    start: EnumProperty(
        name="Start",
        items=[
            ("moving", "Moving", "Already under way at the first frame"),
            ("standing", "Standing", "From standing at the first frame"),
        ],
        description="What the character does at the first frame",
    )
    pushes: CollectionProperty(
        type=FootfallPush, name="Pushes", description="What pushes the character"
    )
    jumps: CollectionProperty(
        type=FootfallJump,
        name="Jumps",
        description="Jumps of the character, which stands in between",
    )
    struck: CollectionProperty(
        type=FootfallKeyPose,
        name="Key Poses",
        description="Poses that the character strikes on its way",
    )
    look_at: PointerProperty(
        type=bpy.types.Object,
        name="Look At",
        description="What the head turns to, as far as the neck lets it; it may move",
    )
    controls: EnumProperty(
        name="Controls",
        items=[
            ("FK", "FK", "Every joint is keyed by its own control"),
            ("IK", "IK", "Legs are keyed by their feet, with a pole that the knee points to"),
        ],
        description="Of control rigs, such as Rigify's: which controls of the legs get the keys",
    )
    root_motion: EnumProperty(
        name="Root Motion",
        items=[
            ("BODY", "Body", "The hips, or the control of the torso, go all the way"),
            (
                "ROOT",
                "Root Bone",
                (
                    "The root bone goes over the ground below the body, without the sway of "
                    "single steps"
                ),
            ),
            ("OBJECT", "Object", "The armature's object goes over the ground below the body"),
            (
                "PLACE",
                "In Place",
                "Nothing does: the body stays where the armature rests, as on a treadmill",
            ),
        ],
        description="What carries the way over the ground",
    )
    seed: IntProperty(name="Seed", min=0, description="The same seed gives the same motion")

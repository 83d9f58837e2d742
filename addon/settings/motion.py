"""Settings of a character: its path, its gait and the events on the path."""

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
    """Settings of the motion of a character."""

    path_from: EnumProperty(
        name="Path",
        items=[
            ("CURVE", "Curve", "Along a curve"),
            ("MARKERS", "Markers", "From one empty to the next, with the facing that they set"),
        ],
        description="Objects that define the path",
    )
    markers: CollectionProperty(
        type=FootfallMarker, name="Markers", description="Empties to follow, one after the other"
    )
    marker_index: IntProperty(
        name="Active Marker", min=0, description="The marker that the buttons of the list act on"
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
            "Collection whose meshes are rungs overhead: the character swings along them hand "
            "over hand, and needs no path"
        ),
    )
    tread: EnumProperty(
        name="Treads",
        items=[
            ("whole", "Whole Foot", "Feet stand only where there is room for all of the sole"),
            (
                "forefoot",
                "Forefoot",
                "Feet stand on ball and toes alone where there is no room for the heel",
            ),
        ],
        description="How feet stand on stairs that are narrower than a foot is long",
    )
    natural_speed: BoolProperty(
        name="Natural Speed",
        default=True,
        description=(
            "Move at the preferred speed of the style on legs of this length, and run at hurdles "
            "that a walk cannot step over"
        ),
    )
    speed: FloatProperty(
        name="Speed",
        default=1.2,
        soft_min=0.1,
        soft_max=8.0,
        unit="VELOCITY",
        update=_on_speed_changed,
        description="Speed along the path, in meters per second",
    )
    arrive: BoolProperty(
        name="Arrive in Time",
        description=(
            "Move as fast as it takes to reach the end of the path at the last frame, whatever "
            "the speed is set to"
        ),
    )
    radius_speed: BoolProperty(
        name="Speed by Radius",
        description=(
            "Multiply the speed by the radius of the points of the curve (Alt S in edit mode): "
            "half as fast at 0.5"
        ),
    )
    waits: CollectionProperty(type=FootfallWait, name="Waits", description="Stops on the path")
    engine: EnumProperty(
        name="Engine",
        items=[(info.name, info.label, info.about) for info in ENGINES.values()],
        description="How the motion is generated",
    )
    legs_used: EnumProperty(
        name="Legs",
        items=[
            ("both", "Both", "Walk, or run at higher speeds"),
            ("left", "Left", "Hop on the left leg"),
            ("right", "Right", "Hop on the right leg"),
        ],
        description="Legs that a simulated body uses",
    )
    quadruped_style: EnumProperty(
        name="Style",
        items=list_quadruped_style_items(),
        default="natural",
        update=on_quadruped_style_changed,
        description=(
            "How a quadruped moves and holds neck, head and tail; with Natural the speed sets "
            "the gait"
        ),
    )
    knobs: PointerProperty(type=FootfallKnobs, name="Knobs", description="Changes to the style")
    gait: EnumProperty(
        name="Gait",
        items=[
            (
                "natural",
                "Natural",
                "The gait that fits the speed: walk, trot, canter, gallop",
            )
        ]
        + [(name, name.title(), "Kept at all speeds") for name in list_gait_names()],
        description="Gait of a body that is not a humanoid",
    )
    natural_stride: BoolProperty(
        name="Natural Stride", default=True, description="Strides of the length that fits the speed"
    )
    stride: FloatProperty(
        name="Stride",
        default=1.4,
        min=0.001,
        soft_min=0.3,
        soft_max=3.0,
        unit="LENGTH",
        description="Length of two steps, in meters; their duration follows from the speed",
    )
    width: FloatProperty(
        name="Step Width",
        default=1.0,
        min=0.0,
        soft_max=3.0,
        description="Multiple of the step width of the style; 0 puts the feet on one line",
    )
    facing: FloatProperty(
        name="Facing",
        default=0.0,
        soft_min=-pi,
        soft_max=pi,
        subtype="ANGLE",
        description=(
            "Angle from the path to where the body faces, positive to the left: the body moves "
            "sideways at 90 degrees and backward at 180. It can be keyframed, over any number of "
            "turns"
        ),
    )
    start: EnumProperty(
        name="Start",
        items=[
            ("moving", "Moving", "Already in motion at the first frame"),
            ("standing", "Standing", "At rest at the first frame"),
        ],
        description="What the character does at the first frame",
    )
    pushes: CollectionProperty(
        type=FootfallPush, name="Pushes", description="Pushes on the character"
    )
    jumps: CollectionProperty(
        type=FootfallJump,
        name="Jumps",
        description="Jumps of the character, which stands between them",
    )
    struck: CollectionProperty(
        type=FootfallKeyPose,
        name="Key Poses",
        description="Poses that the character takes on the path",
    )
    look_at: PointerProperty(
        type=bpy.types.Object,
        name="Look At",
        description="Object that the head turns to as far as the neck allows; it may move",
    )
    controls: EnumProperty(
        name="Controls",
        items=[
            ("FK", "FK", "Keys on one control for each joint"),
            ("IK", "IK", "Keys on the feet, with a pole that the knee points to"),
        ],
        description="Controls of the legs that get keys in a control rig, such as Rigify's",
    )
    root_motion: EnumProperty(
        name="Root Motion",
        items=[
            ("BODY", "Body", "The hips, or the control of the torso, move over the ground"),
            (
                "ROOT",
                "Root Bone",
                (
                    "The root bone moves over the ground below the body, without the sway of "
                    "single steps"
                ),
            ),
            ("OBJECT", "Object", "The armature object moves over the ground below the body"),
            (
                "PLACE",
                "In Place",
                "Nothing moves over the ground: the body stays in place, as on a treadmill",
            ),
        ],
        description="What moves over the ground with the body",
    )
    seed: IntProperty(name="Seed", min=0, description="The same seed gives the same motion")

"""What Footfall keeps in the .blend file, and what it keeps only while it works."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
from math import pi

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from ..core.engine import ENGINES
from ..core.sketch.fixed_gaits import gait_names
from ..core.task.jump import LARGEST_TURN, MOST_FLIPS
from ..core.task.push import LONGEST, PLACES, SHORTEST
from .knobs import FootfallKnobs
from .mapping import part_was_set
from .shelves import quadruped_items
from .struck import FootfallStruck
from .style_properties import StyleWish, quadruped_style_was_set

# What characters in library overrides have of their own; it would be lost when the file is saved otherwise.
KEPT, LIST = {"LIBRARY_OVERRIDABLE"}, {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}
PLACE_NAMES = {"com": "Body", "head": "Head", "chest": "Chest", "pelvis": "Pelvis", "hand.L": "Left Hand", "hand.R": "Right Hand",
               "foot.L": "Left Foot", "foot.R": "Right Foot"}


def _is_curve(_: bpy.types.PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "CURVE"


def _is_mesh(_: bpy.types.PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "MESH"


def _terrain_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """Keep the two fields of the panel, one a kind, in step with what counts."""
    collection = self.terrain if isinstance(self.terrain, bpy.types.Collection) else None
    thing = self.terrain if isinstance(self.terrain, bpy.types.Object) else None
    if self.terrain is not None:
        self.terrain_kind = "OBJECT" if collection is None else "COLLECTION"
    if self.terrain_object != thing:
        self.terrain_object = thing
    if self.terrain_collection != collection:
        self.terrain_collection = collection


def _object_was_picked(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.terrain_kind == "OBJECT" and self.terrain != self.terrain_object:
        self.terrain = self.terrain_object


def _collection_was_picked(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.terrain_kind == "COLLECTION" and self.terrain != self.terrain_collection:
        self.terrain = self.terrain_collection


def _speed_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    self.natural_speed = False


def _part_was_set(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """Say at once what is wrong with a correction."""
    part_was_set(self.id_data)


class FootfallPart(bpy.types.PropertyGroup):
    """A part of the body, by its name, and the bone that it is. Names, since references do not outlive an undo."""

    bone: StringProperty(
        name="Bone", update=_part_was_set, override=KEPT, description="The bone that is this part; choose another to correct it")
    found: StringProperty(name="Found", description="The bone that Detect found; empty where it found none", override=KEPT)


class FootfallFinding(bpy.types.PropertyGroup):
    """A group of parts, such as a leg, by its name: how sure it is, and why not."""

    confidence: FloatProperty(name="Confidence", min=0.0, max=1.0, override=KEPT)
    sure: BoolProperty(name="Sure", override=KEPT)
    reason: StringProperty(name="Reason", description="What speaks against what was found", override=KEPT)
    shown: BoolProperty(name="Bones", description="Show the bones of this part, to correct them", override=KEPT)


class FootfallCharacter(bpy.types.PropertyGroup):
    """What was found in an armature."""

    anatomy: StringProperty(name="Anatomy", description="Bones by the part of the body that they are, as JSON", override=KEPT)
    parts: CollectionProperty(
        type=FootfallPart, name="Parts", override=LIST, description="Bones by part, as the user may correct them")
    findings: CollectionProperty(
        type=FootfallFinding, name="Findings", override=LIST, description="Groups of parts, as they are listed")
    problem: StringProperty(name="Problem", description="What is wrong with the corrections", override=KEPT)
    told: StringProperty(name="Character", description="What kind of body it is", override=KEPT)
    notes: StringProperty(name="Notes", description="What was found and what was not, a line each", override=KEPT)
    leg_length: FloatProperty(name="Leg Length", unit="LENGTH", override=KEPT,
                              description="Height of the hips above the soles, in metres")
    gait_speed: FloatProperty(
        name="Own Speed", description="Metres a second at which a body of another build than people's goes of itself on earth; "
                                      "0 for people, whose style tells", override=KEPT)
    four_legged: BoolProperty(name="Four Legs", description="Whether it goes on two pairs of legs", override=KEPT)


class FootfallPush(bpy.types.PropertyGroup):
    """A force on the body for a short time."""

    frame: IntProperty(name="Frame", default=1, description="Frame at which the push begins")
    strength: FloatProperty(
        name="Newtons", default=250.0, min=0.0, soft_max=800.0, step=1000, precision=0, description="Force at its height")
    direction: FloatProperty(
        name="Direction", default=1.5707963, subtype="ANGLE",
        description="Where it pushes to, seen from above: 0 along the world's X, 90 degrees along Y")
    at: EnumProperty(name="At", items=[(place, PLACE_NAMES[place], "") for place in PLACES], description="What is pushed")
    seconds: FloatProperty(
        name="Seconds", default=0.2, min=SHORTEST, max=LONGEST, description="How long it lasts")


class FootfallJump(bpy.types.PropertyGroup):
    """A jump from both feet, and down on both."""

    frame: IntProperty(name="Take-Off", default=1, description="Frame at which the feet leave the ground")
    height: FloatProperty(
        name="Height", default=0.3, min=0.0, soft_max=2.0, unit="LENGTH",
        description="How far the body rises in the air; how long it is there follows from it")
    distance: FloatProperty(
        name="Distance", default=0.5, soft_min=-2.0, soft_max=4.0, unit="LENGTH",
        description="How far along the path it lands; below 0 is backward, 0 on the spot")
    turn: FloatProperty(
        name="Turn", default=0.0, min=-LARGEST_TURN, max=LARGEST_TURN, subtype="ANGLE",
        description="How far the body turns in the air, to the left; it turns with the path besides")
    flips: IntProperty(
        name="Flips", default=0, min=-MOST_FLIPS, max=MOST_FLIPS, soft_min=-3, soft_max=3,
        description="Somersaults in the air; below 0 is backward. One needs a height of about 0.8 m for an adult")


def _has_meshes(collection: bpy.types.Collection) -> bool:
    return any(thing.type == "MESH" or thing.instance_type == "COLLECTION" for thing in collection.all_objects)


def _may_be_hurdles(self: bpy.types.PropertyGroup, collection: bpy.types.Collection) -> bool:
    return _has_meshes(collection) and collection != self.stones


def _may_be_stones(self: bpy.types.PropertyGroup, collection: bpy.types.Collection) -> bool:
    return _has_meshes(collection) and collection != self.hurdles


def _may_be_bars(self: bpy.types.PropertyGroup, collection: bpy.types.Collection) -> bool:
    return _has_meshes(collection) and collection not in (self.hurdles, self.stones)


class FootfallScene(StyleWish, bpy.types.PropertyGroup):
    """What is asked for."""

    path: PointerProperty(
        type=bpy.types.Object, name="Path", poll=_is_curve,
        description="Curve to follow, from its first point on, seen from above")
    terrain: PointerProperty(
        type=bpy.types.ID, name="Terrain", update=_terrain_was_set,
        description="Mesh object or collection of meshes to walk on; without one the ground is level at height 0")
    terrain_kind: EnumProperty(
        name="Terrain", items=[("OBJECT", "Object", "Walk on one mesh object"),
                               ("COLLECTION", "Collection", "Walk on all meshes of a collection")],
        description="What to walk on")
    terrain_object: PointerProperty(
        type=bpy.types.Object, name="Ground", poll=_is_mesh, update=_object_was_picked,
        description="Mesh object to walk on; without one the ground is level at height 0")
    terrain_collection: PointerProperty(
        type=bpy.types.Collection, name="Ground", update=_collection_was_picked,
        description="Collection whose meshes are walked on; without one the ground is level at height 0")
    hurdles: PointerProperty(
        type=bpy.types.Collection, name="Hurdles", poll=_may_be_hurdles,
        description="Collection whose meshes are leapt over where the path crosses them: each visible mesh is one hurdle, as "
                    "high as its highest point")
    stones: PointerProperty(
        type=bpy.types.Collection, name="Stones", poll=_may_be_stones,
        description="Collection whose meshes are stepping stones: from the first to the last, feet stand on them and on "
                    "nothing else")
    bars: PointerProperty(
        type=bpy.types.Collection, name="Bars", poll=_may_be_bars,
        description="Collection whose meshes are rungs overhead: the character goes along them hand over hand, and needs no path")
    tread: EnumProperty(
        name="Treads", items=[("whole", "Whole Foot", "Feet stand only where there is room for all of the sole"),
                              ("forefoot", "Forefoot", "Where there is no room for the heel, ball and toes stand alone")],
        description="How feet stand on stairs that are narrower than they are long")
    natural_speed: BoolProperty(
        name="Natural Speed", default=True,
        description="As fast as the style goes of itself on legs of this length; at hurdles that a walk cannot step over it runs")
    speed: FloatProperty(
        name="Speed", default=1.2, soft_min=0.1, soft_max=8.0, unit="VELOCITY", update=_speed_was_set,
        description="Along the path, in metres a second")
    engine: EnumProperty(
        name="Engine", items=[(name, name.title(), "") for name in ENGINES], description="How the motion is planned")
    quadruped_style: EnumProperty(
        name="Style", items=quadruped_items(), default="natural", update=quadruped_style_was_set,
        description="How a body on four legs goes and carries neck, head and tail; the natural one goes as the speed asks")
    knobs: PointerProperty(type=FootfallKnobs, name="Knobs", description="What is turned on the style")
    gait: EnumProperty(
        name="Gait", items=[("natural", "Natural", "The one that the speed brings about: walk, trot, canter, gallop")]
        + [(name, name.title(), "Kept at all speeds") for name in gait_names()],
        description="Of bodies of another build than people's")
    natural_stride: BoolProperty(
        name="Natural Stride", default=True, description="Strides as long as the speed makes them")
    stride: FloatProperty(
        name="Stride", default=1.4, min=0.001, soft_min=0.3, soft_max=3.0, unit="LENGTH",
        description="Length of two steps, in metres; how long they take follows from the speed")
    width: FloatProperty(
        name="Step Width", default=1.0, min=0.0, soft_max=3.0,
        description="Multiple of the style's own width; 0 puts the feet on one line")
    facing: FloatProperty(
        name="Facing", default=0.0, soft_min=-pi, soft_max=pi, subtype="ANGLE",
        description="Which way the body faces against its path, to the left of it: at 90 degrees it goes sidewards, at 180 "
                    "backward. Keyframes are followed, round and round if they say so")
    start: EnumProperty(
        name="Start", items=[("moving", "Moving", "Already under way at the first frame"),
                             ("standing", "Standing", "From standing at the first frame")],
        description="What the character does at the first frame")
    pushes: CollectionProperty(type=FootfallPush, name="Pushes", description="What pushes the character")
    jumps: CollectionProperty(type=FootfallJump, name="Jumps", description="Jumps of the character, which stands in between")
    struck: CollectionProperty(type=FootfallStruck, name="Key Poses", description="Poses that the character strikes on its way")
    look_at: PointerProperty(
        type=bpy.types.Object, name="Look At", description="What the head turns to, as far as the neck lets it; it may move")
    controls: EnumProperty(
        name="Controls", items=[("FK", "FK", "Every joint is keyed by its own control"),
                                ("IK", "IK", "Legs are keyed by their feet, with a pole that the knee points to")],
        description="Of control rigs, such as Rigify's: which controls of the legs get the keys")
    root_motion: EnumProperty(
        name="Root Motion", items=[
            ("BODY", "Body", "The hips, or the control of the torso, go all the way"),
            ("ROOT", "Root Bone", "The root bone goes over the ground below the body, without the sway of single steps"),
            ("OBJECT", "Object", "The armature's object goes over the ground below the body"),
            ("PLACE", "In Place", "Nothing does: the body stays where the armature rests, as on a treadmill")],
        description="What carries the way over the ground")
    seed: IntProperty(
        name="Seed", min=0, description="The same seed gives the same motion")


class FootfallProgress(bpy.types.PropertyGroup):
    """How far the work is; never saved."""

    working: BoolProperty(options={"SKIP_SAVE"})
    stop: BoolProperty(options={"SKIP_SAVE"})
    stage: StringProperty(options={"SKIP_SAVE"})
    share: FloatProperty(min=0.0, max=1.0, options={"SKIP_SAVE"})

"""Property groups of a character and its parts."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, StringProperty

from . import hooks

# What characters in library overrides have of their own;
# it would be lost when the file is saved otherwise.
OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}
OVERRIDABLE_LIST = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


def _on_part_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """Say at once what is wrong with a correction."""
    hooks.part_changed(self.id_data)


class FootfallPart(bpy.types.PropertyGroup):
    """A part of the body, by its name, and the bone that it is.
    Names, since references do not outlive an undo.
    """

    bone: StringProperty(
        name="Bone",
        update=_on_part_changed,
        override=OVERRIDABLE,
        description="The bone that is this part; choose another to correct it",
    )
    found: StringProperty(
        name="Found",
        description="The bone that Detect found; empty where it found none",
        override=OVERRIDABLE,
    )


class FootfallFinding(bpy.types.PropertyGroup):
    """A group of parts, such as a leg, by its name: how sure it is, and why not."""

    confidence: FloatProperty(name="Confidence", min=0.0, max=1.0, override=OVERRIDABLE)
    sure: BoolProperty(name="Sure", override=OVERRIDABLE)
    reason: StringProperty(
        name="Reason", description="What speaks against what was found", override=OVERRIDABLE
    )
    shown: BoolProperty(
        name="Bones",
        description="Show the bones of this part, to correct them",
        override=OVERRIDABLE,
    )


class FootfallCharacter(bpy.types.PropertyGroup):
    """What was found in an armature."""

    anatomy: StringProperty(
        name="Anatomy",
        description="Bones by the part of the body that they are, as JSON",
        override=OVERRIDABLE,
    )
    parts: CollectionProperty(
        type=FootfallPart,
        name="Parts",
        override=OVERRIDABLE_LIST,
        description="Bones by part, as the user may correct them",
    )
    findings: CollectionProperty(
        type=FootfallFinding,
        name="Findings",
        override=OVERRIDABLE_LIST,
        description="Groups of parts, as they are listed",
    )
    problem: StringProperty(
        name="Problem", description="What is wrong with the corrections", override=OVERRIDABLE
    )
    told: StringProperty(
        name="Character", description="What kind of body it is", override=OVERRIDABLE
    )
    notes: StringProperty(
        name="Notes",
        description="What was found and what was not, a line each",
        override=OVERRIDABLE,
    )
    leg_length: FloatProperty(
        name="Leg Length",
        unit="LENGTH",
        override=OVERRIDABLE,
        description="Height of the hips above the soles, in metres",
    )
    mass: FloatProperty(
        name="Mass",
        min=0.0,
        override=OVERRIDABLE,
        description=(
            "Kilograms of the whole body; 0 for what a body of this size has. A heavy one gives "
            "way to pushes less"
        ),
    )
    gait_speed: FloatProperty(
        name="Own Speed",
        description=(
            "Metres a second at which a body of another build than people's goes of itself on "
            "earth; 0 for people, whose style tells"
        ),
        override=OVERRIDABLE,
    )
    four_legged: BoolProperty(
        name="Four Legs", description="Whether it goes on two pairs of legs", override=OVERRIDABLE
    )

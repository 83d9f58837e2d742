"""Property groups of a character and its parts."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, StringProperty

from . import hooks

# Options of properties that characters in library overrides keep when the file is saved
OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}
OVERRIDABLE_LIST = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


def _on_part_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """Check a correction at once."""
    hooks.part_changed(self.id_data)


class FootfallPart(bpy.types.PropertyGroup):
    """A part of the body, by its name, and the name of its bone.

    Names are stored because references do not survive an undo.
    """

    bone: StringProperty(
        name="Bone",
        update=_on_part_changed,
        override=OVERRIDABLE,
        description="The bone that is this part; choose another to correct it",
    )
    found: StringProperty(
        name="Found",
        description="The bone that Detect recognized; empty if it recognized none",
        override=OVERRIDABLE,
    )


class FootfallFinding(bpy.types.PropertyGroup):
    """A group of parts, such as a leg: how sure its detection is, and the reason for doubt."""

    confidence: FloatProperty(name="Confidence", min=0.0, max=1.0, override=OVERRIDABLE)
    sure: BoolProperty(name="Sure", override=OVERRIDABLE)
    reason: StringProperty(
        name="Reason", description="Why the detection may be wrong", override=OVERRIDABLE
    )
    question: StringProperty(
        name="Question",
        description="Key of the question that settles the doubt",
        override=OVERRIDABLE,
    )
    shown: BoolProperty(
        name="Bones",
        description="Show the bones of this part, to correct them",
        override=OVERRIDABLE,
    )


class FootfallCharacter(bpy.types.PropertyGroup):
    """The result of the detection in an armature."""

    anatomy: StringProperty(
        name="Anatomy",
        description="Names of bones by part of the body, as JSON",
        override=OVERRIDABLE,
    )
    parts: CollectionProperty(
        type=FootfallPart,
        name="Parts",
        override=OVERRIDABLE_LIST,
        description="Bones by part of the body, which can be corrected",
    )
    findings: CollectionProperty(
        type=FootfallFinding,
        name="Findings",
        override=OVERRIDABLE_LIST,
        description="Groups of parts in the order of their list",
    )
    answers: StringProperty(
        name="Answers",
        description="Answers of the user to questions about the body, as JSON",
        override=OVERRIDABLE,
    )
    problem: StringProperty(
        name="Problem", description="What is wrong with the corrections", override=OVERRIDABLE
    )
    told: StringProperty(name="Character", description="Kind of body", override=OVERRIDABLE)
    notes: StringProperty(
        name="Notes",
        description="Recognized and missing parts, one a line",
        override=OVERRIDABLE,
    )
    leg_length: FloatProperty(
        name="Leg Length",
        unit="LENGTH",
        override=OVERRIDABLE,
        description="Height of the hips above the soles, in meters",
    )
    com_height: FloatProperty(
        name="Height of Center of Mass",
        unit="LENGTH",
        override=OVERRIDABLE,
        description="Height of the center of mass above the soles, in meters",
    )
    mass: FloatProperty(
        name="Mass",
        min=0.0,
        override=OVERRIDABLE,
        description=(
            "Mass of the whole body in kilograms; 0 for the usual mass of a body of this size. "
            "Pushes move a heavy body less"
        ),
    )
    gait_speed: FloatProperty(
        name="Natural Speed",
        description=(
            "Speed on Earth of a body that moves by gaits, in meters per second; 0 for a "
            "humanoid, whose style sets it"
        ),
        override=OVERRIDABLE,
    )
    four_legged: BoolProperty(
        name="Four Legs", description="Whether it walks on two pairs of legs", override=OVERRIDABLE
    )

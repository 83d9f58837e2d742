"""Detection of the parts of a character in an armature."""

from __future__ import annotations

from contextlib import suppress

import bpy

from ..addon.rigs.armature import read_skeleton
from ..addon.rigs.constraints import describe_constraints, find_body_constraints
from ..addon.rigs.known_rigs import find_control_rig
from ..addon.rigs.part_list import PART_NOTE_PREFIXES, fill_parts
from ..addon.rigs.skin import describe_unweighted_vertices, read_surfaces
from ..addon.scene.active import active_armature
from ..addon.scene.rig import describe_connected_bones, read_rig
from ..addon.worker.process import warm_up
from ..core.character.body_size import BodySize
from ..core.character.from_rig.binding import Binding
from ..core.character.recognition.anatomy import Anatomy
from ..core.character.recognition.describe import describe_anatomy
from ..core.character.recognition.parts import describe_part
from ..core.character.recognition.reading_parts import read_anatomy
from ..core.errors import FootfallError
from ..core.sketch.gait.gait_law import compute_default_speed
from .common import reports_errors


class FOOTFALL_OT_detect_character(bpy.types.Operator):
    """Find legs, feet, spine, head, arms and tails in the active armature by its structure and its
    bone names"""

    bl_idname = "footfall.detect_character"
    bl_label = "Detect"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Store the detected parts on the object."""
        armature = active_armature(context)
        surfaces = read_surfaces(armature)
        skeleton = read_skeleton(armature, context.scene, with_corrections=False, surfaces=surfaces)
        anatomy = read_anatomy(skeleton)
        rig = read_rig(armature, skeleton)
        character = armature.footfall
        fill_parts(armature, anatomy, list(skeleton.names))
        unweighted = describe_unweighted_vertices(armature, surfaces)
        connected = describe_connected_bones(armature, rig.binding)
        notes = [
            *rig.character.notes,
            *_describe_constraints(armature, rig.binding),
            *unweighted,
            *connected,
            f"legs {rig.character.leg_length:.2f} m, mass {rig.character.mass:.0f} kg",
        ]
        character.notes = "\n".join(notes)
        size = BodySize.from_character(rig.character)
        character.leg_length = size.leg_length
        character.com_height = size.com_height
        character.gait_speed = compute_default_speed(rig.character)
        character.four_legged = rig.character.is_quadruped
        character.problem = ""
        # Without a process the first job reports the error.
        with suppress(FootfallError):
            warm_up()
        # The panel lists the bones.
        reported_notes = [
            note for note in notes if note.partition(":")[0] not in PART_NOTE_PREFIXES
        ]
        level = "WARNING" if anatomy.uncertain_findings or unweighted or connected else "INFO"
        summary = f"{armature.name}: {describe_anatomy(anatomy)}"
        if not bpy.app.background:  # the panel shows the rest
            count = len(anatomy.uncertain_findings)
            to_check = f"; {count} to check in the panel Character" if count else ""
            self.report({level}, summary + to_check)
            return {"FINISHED"}
        self.report({level}, "; ".join([summary, *_list_uncertain_parts(anatomy), *reported_notes]))
        return {"FINISHED"}


def _describe_constraints(armature: bpy.types.Object, binding: Binding) -> list[str]:
    """Return a note about constraints on keyed bones.

    A control rig has constraints by design, so it gets no note.
    """
    if find_control_rig(armature, binding) is not None:
        return []
    constraints = [
        constraint
        for constraint in find_body_constraints(armature, binding)
        if constraint.off_setting is None
    ]
    return (
        [
            (
                f"active in addition to the keys: {describe_constraints(constraints)}; mute those "
                "that should not move the body"
            )
        ]
        if constraints
        else []
    )


def _list_uncertain_parts(anatomy: Anatomy) -> list[str]:
    """Return notes about parts that the user should check, with reasons."""
    return [
        f"check the {describe_part(finding.part)}: {finding.reason}"
        for finding in anatomy.uncertain_findings
    ]

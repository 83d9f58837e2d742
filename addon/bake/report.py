"""Bake of a finished motion, and its report to the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy

from ...core.errors import CharacterError
from ...core.motion import Motion
from ..scene.task import TaskRequest
from ..units import read_unit_scale
from .history import bake_and_record
from .stored_plan import StoredPlan

MAX_REPORTED_VIOLATIONS = 2  # violated constraints in one message


@dataclass(frozen=True)
class BakeReport:
    """Report of a bake in words; `has_warnings` if the rig may deviate from the plan."""

    text: str
    has_warnings: bool


def bake_request(scene: bpy.types.Scene, request: TaskRequest, motion: Motion) -> BakeReport:
    """Bake a motion onto the character that it was requested for, with its plan.

    Raises:
        CharacterError: the character was deleted.
    """
    armature = scene.objects.get(request.armature)
    if armature is None or armature.type != "ARMATURE":
        raise CharacterError(
            f"The armature {request.armature!r} is no longer in the scene, so there was nothing "
            "to bake onto."
        )
    stored_plan = StoredPlan(
        request.task,
        motion,
        request.placement,
        request.first_frame,
        request.rig_options,
        request.style,
    )
    bake_settings = scene.footfall_bake
    recorded = bake_and_record(
        armature,
        stored_plan,
        request.rig.binding,
        bake_settings.to_options(armature, read_unit_scale(scene)),
        replaces_last=bake_settings.replace,
    )
    result = recorded.result
    notes = [
        *([recorded.note] if recorded.note else []),
        *result.warnings,
        *request.notes,
        *_list_motion_notes(motion, request.rig.character.notes),
    ]
    summary = (
        f"{result.action.name}: {result.frame_count} frames on {result.bone_count} bones, "
        f"planned in {motion.report.seconds['total']:.1f} s"
    )
    return BakeReport("; ".join([summary, *result.remarks, *notes]), bool(notes))


def _list_motion_notes(motion: Motion, character_notes: Sequence[str]) -> list[str]:
    """Return the notes and the violations of a motion, without notes on the character alone."""
    report = motion.report
    notes = [note for note in report.notes if note not in character_notes]
    notes += [violation.describe() for violation in report.violations[:MAX_REPORTED_VIOLATIONS]]
    if len(report.violations) > MAX_REPORTED_VIOLATIONS:
        share = 100 * float(motion.relaxed.mean())
        notes.append(f"constraints were relaxed in {share:.0f} % of all frames")
    return notes

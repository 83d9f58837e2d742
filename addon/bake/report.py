"""Bake of a finished motion, and its report to the user."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import bpy

from ...core.errors import CharacterError
from ...core.motion import Motion
from ..references import ArmatureReference
from ..scene.task import TaskRequest
from ..units import read_unit_scale
from .character_report import CharacterReport, FrameRange, make_lines, store_report
from .history import RecordedBake, iterate_recorded_bake
from .stored_plan import StoredPlan


def bake_request(
    scene: bpy.types.Scene, request: TaskRequest, motion: Motion
) -> Generator[float, None, CharacterReport]:
    """Bake a motion onto the character that it was requested for, with its plan; yield the
    completed share from time to time.

    The armature keeps the report that is returned.

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
    reference = ArmatureReference(armature)
    recorded = yield from iterate_recorded_bake(
        armature,
        stored_plan,
        request.rig.binding,
        bake_settings.to_options(armature, read_unit_scale(scene)),
        replaces_last=bake_settings.replace,
    )
    report = make_bake_report(
        recorded,
        stored_plan,
        f", planned in {motion.report.seconds['total']:.1f} s",
        scene_notes=(*request.notes, *_list_body_doubts(request)),
        character_notes=request.rig.character.notes,
    )
    store_report(reference.find(), report)
    return report


def _list_body_doubts(request: TaskRequest) -> list[str]:
    """Return what is uncertain about the facing and the stance of a character."""
    texts = {
        "facing": "it may walk backward: {}. If it does, swap its left and right bones in the "
        "panel Character",
        "stance": "it may not stand: {}",
    }
    return [
        texts[finding.part].format(finding.reason)
        for finding in request.rig.anatomy.uncertain_findings
        if finding.part in texts
    ]


def make_bake_report(
    recorded: RecordedBake,
    stored_plan: StoredPlan,
    duration_text: str = "",
    scene_notes: Sequence[str] = (),
    character_notes: Sequence[str] = (),
) -> CharacterReport:
    """Return the report on a bake, with the problems of its motion in frames of the scene.

    Args:
        duration_text: end of the summary.
        scene_notes: problems of the scene.
        character_notes: notes of the motion on the character alone, which are left out.
    """
    result = recorded.result
    motion = stored_plan.motion
    frames = FrameRange(stored_plan.first_frame, motion.fps)
    problems = [
        *([recorded.note] if recorded.note else []),
        *result.warnings,
        *scene_notes,
        *(note for note in motion.report.notes if note not in character_notes),
        *(violation.describe() for violation in motion.report.violations),
    ]
    summary = (
        f"{result.action.name}: {result.frame_count} frames on {result.bone_count} bones"
        f"{duration_text}"
    )
    return CharacterReport(
        summary, (*make_lines(problems, "WARNING", frames), *make_lines(result.remarks, "INFO"))
    )


def store_failure(scene: bpy.types.Scene, request: TaskRequest, message: str) -> CharacterReport:
    """Let the armature of a request keep the report on its failure, and return the report."""
    frames = FrameRange(request.first_frame, request.task.fps)
    lines = make_lines([message], "ERROR", frames)
    report = CharacterReport("No motion was made; the scene is as it was", tuple(lines))
    armature = scene.objects.get(request.armature)
    if armature is not None and armature.type == "ARMATURE":
        store_report(armature, report)
    return report

"""Bake the plan of an action again, or revert the last bake."""

# No `from __future__ import annotations` here: Blender reads the annotations
# of operators as they are.
from collections.abc import Generator
from dataclasses import replace

import bpy

from ..addon.bake.character_report import CharacterReport, show_report, store_report
from ..addon.bake.history import (
    find_plan_to_rebake,
    is_last_bake_playing,
    iterate_recorded_bake,
    revert_last_bake,
)
from ..addon.bake.options import BakeOptions
from ..addon.bake.report import make_bake_report
from ..addon.bake.stored_plan import StoredPlan, has_plan
from ..addon.references import ArmatureReference
from ..addon.rigs.armature import read_skeleton
from ..addon.scene.active import active_armature, find_active_settings, find_armature
from ..addon.scene.rig import read_rig
from ..addon.scene.task_fields import read_rig_options
from ..addon.units import read_unit_scale
from ..core.character.from_rig.rig import Rig
from ..core.clip import QuadrupedStyle, has_tail_motion
from ..core.errors import CharacterError
from .common import PollWithReason, explain_blocking_mode, get_busy_reason, reports_errors
from .sliced import SlicedOperator


def has_planned_tail(stored_plan: StoredPlan) -> bool:
    """Return whether a plan contains motion of a tail."""
    style = stored_plan.style
    return (
        style.has_tail_motion
        if isinstance(style, QuadrupedStyle)
        else has_tail_motion(stored_plan.task.style)
    )


class FOOTFALL_OT_bake_again(PollWithReason, SlicedOperator, bpy.types.Operator):
    """Bake the planned motion of this armature again with the current settings of Bake, Controls
    and Root Motion. It takes the place of the last bake, also in a strip; an action that you
    changed stays in the file"""

    bl_idname = "footfall.bake_again"
    bl_label = "Bake Again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a plan."""
        armature = find_armature(context.object)
        if armature is None:
            return "Select an armature"
        if not has_plan(armature) and armature.footfall_baked.action is None:
            return "No motion was planned for this armature; press Generate first"
        return get_busy_reason(context) or explain_blocking_mode(context)

    def start_work(self, context: bpy.types.Context) -> Generator[float, None, CharacterReport]:
        """Return the bake of the stored plan, without planning."""
        armature = active_armature(context)
        stored_plan = find_plan_to_rebake(armature)
        if stored_plan is None:
            raise CharacterError(
                f"The action of {armature.name!r} no longer has a plan; generate the motion again."
            )
        stored_plan = replace(
            stored_plan, rig_options=read_rig_options(find_active_settings(context))
        )
        rig = read_rig(
            armature, read_skeleton(armature, context.scene), has_planned_tail(stored_plan)
        )
        _check_same_body(armature, stored_plan, tuple(link.name for link in rig.character.links))
        bake_settings = context.scene.footfall_bake
        options = bake_settings.to_options(armature, read_unit_scale(context.scene))
        return _bake_and_report(armature, stored_plan, rig, options)

    def report_result(self, context: bpy.types.Context, result: CharacterReport) -> None:
        """Report what was baked."""
        show_report(self.report, result)


def _bake_and_report(
    armature: bpy.types.Object, stored_plan: StoredPlan, rig: Rig, options: BakeOptions
) -> Generator[float, None, CharacterReport]:
    """Bake a plan in place of the last bake; the armature keeps the report that is returned."""
    reference = ArmatureReference(armature)
    recorded = yield from iterate_recorded_bake(
        armature, stored_plan, rig.binding, options=options, replaces_last=True
    )
    report = make_bake_report(recorded, stored_plan, character_notes=rig.character.notes)
    store_report(reference.find(), report)
    return report


class FOOTFALL_OT_revert_bake(PollWithReason, bpy.types.Operator):
    """Restore the action, slot and strips that the armature played before its last bake. The baked
    action stays in the file"""

    bl_idname = "footfall.revert_bake"
    bl_label = "Revert Last Bake"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require that the armature plays its last bake."""
        armature = find_armature(context.object)
        if armature is None or not is_last_bake_playing(armature):
            return "Select an armature that plays its last bake"
        return get_busy_reason(context) or explain_blocking_mode(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Restore the previous action."""
        armature = active_armature(context)
        action_name = armature.footfall_baked.action.name
        notes = revert_last_bake(armature)
        context.view_layer.update()
        self.report(
            {"WARNING" if notes else "INFO"},
            "; ".join([f"{action_name} is no longer played and stays in the file", *notes]),
        )
        return {"FINISHED"}


def _check_same_body(
    armature: bpy.types.Object, stored_plan: StoredPlan, link_names: tuple[str, ...]
) -> None:
    """Check that a plan is for the current body.

    Raises:
        CharacterError: the body has changed since the motion was planned.
    """
    if link_names != stored_plan.motion.link_names:
        raise CharacterError(
            f"The body of {armature.name!r} has changed since the motion was planned; generate the "
            "motion again."
        )

"""Bake the plan that an action carries once more, or take the last bake back."""
# No `from __future__ import annotations` here: Blender reads the annotations of operators as they are.
from dataclasses import replace

import bpy

from ..addon.bake.history import bake_onto, plays_last, revert, source_of
from ..addon.bake.stored_plan import Planned, has_plan
from ..addon.rigs.armature import read_skeleton
from ..addon.scene.active import active_armature, armature_of, wish_of
from ..addon.scene.rig import read_rig
from ..addon.scene.task import read_way
from ..addon.units import unit_scale
from ..core.clip import QuadrupedStyle, carries_tail
from ..core.errors import CharacterError
from .common import Greyed, at_work, hindering, tells_errors


def _tailed(planned: Planned) -> bool:
    """Whether a plan tells of a tail."""
    style = planned.style
    return style.carries_tail if isinstance(style, QuadrupedStyle) else carries_tail(planned.task.style)


class FOOTFALL_OT_bake_again(Greyed, bpy.types.Operator):
    """Bake the motion that was planned for this armature once more, as Bake, Controls and Root Motion are set now. It takes the
    place of the last bake, unless its keys were edited"""

    bl_idname = "footfall.bake_again"
    bl_label = "Bake Again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only where there is a plan."""
        armature = armature_of(context.object)
        if armature is None:
            return "Select an armature"
        if not has_plan(armature) and armature.footfall_baked.action is None:
            return "No motion was planned for this armature yet; Generate one first"
        return at_work(context) or hindering(context)

    @tells_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """No planning: seconds at most."""
        armature = active_armature(context)
        planned = source_of(armature)
        if planned is None:
            raise CharacterError(f"The action of {armature.name!r} carries no plan any more; generate the motion again.")
        planned = replace(planned, way=read_way(wish_of(context)))
        rig = read_rig(armature, read_skeleton(armature, context.scene), _tailed(planned))
        _refuse_others(armature, planned, tuple(link.name for link in rig.character.links))
        wish = context.scene.footfall_bake
        options = wish.options(armature, unit_scale(context.scene))
        baked, kept = bake_onto(armature, planned, rig.binding, options, again=True)
        notes = [*([kept] if kept else []), *baked.warnings]
        self.report({"WARNING" if notes else "INFO"}, "; ".join(
            [f"{baked.action.name}: {baked.frames} frames on {baked.bones} bones", *baked.asides, *notes]))
        return {"FINISHED"}


class FOOTFALL_OT_revert_bake(Greyed, bpy.types.Operator):
    """Let the armature play what it did before its last bake: action, slot and strips. The bake's action stays in the file, and
    Bake Again makes it anew"""

    bl_idname = "footfall.revert_bake"
    bl_label = "Revert Last Bake"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Only where the last bake plays."""
        armature = armature_of(context.object)
        if armature is None or not plays_last(armature):
            return "Select an armature that plays its last bake"
        return at_work(context) or hindering(context)

    @tells_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """At once."""
        armature = active_armature(context)
        made = armature.footfall_baked.action.name
        told = revert(armature)
        context.view_layer.update()
        self.report({"WARNING" if told else "INFO"}, "; ".join([f"{made} stays in the file and is played no more", *told]))
        return {"FINISHED"}


def _refuse_others(armature: bpy.types.Object, planned: Planned, links: tuple[str, ...]) -> None:
    """Make sure that the plan is for this body.

    Raises:
        CharacterError: it is for another one.
    """
    if links != planned.motion.link_names:
        raise CharacterError(f"The motion was planned for another body than {armature.name!r} has now; generate it again.")

"""Scaling of a character to a usual size."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy

from ..addon.scene.active import active_armature, find_armature
from ..addon.scene.scale import ScaleProblem, find_scale_problem
from ..core.errors import CharacterError
from .common import PollWithReason, get_busy_reason, reports_errors


class FOOTFALL_OT_apply_scale(PollWithReason, bpy.types.Operator):
    """Scale the character to a usual size by a power of ten and apply the scale, or set the unit of
    the scene to 1 m if that is at fault"""

    bl_idname = "footfall.apply_scale"
    bl_label = "Apply Scale"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a character of an unusual size, in object mode."""
        armature = find_armature(context.object)
        if armature is None:
            return "Select an armature"
        problem = find_scale_problem(armature.footfall.leg_length, context.scene)
        if problem is None or problem.factor == 1:
            return "The size of the character is usual"
        if context.mode != "OBJECT":
            return "Leave the mode for Object Mode first"
        return get_busy_reason(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Scale the character, or the unit, and detect the character again."""
        armature = active_armature(context)
        problem = find_scale_problem(armature.footfall.leg_length, context.scene)
        if problem is None:
            raise CharacterError(f"The size of {armature.name!r} is usual.")
        text = _apply_scale(context, armature, problem)
        context.view_layer.update()
        bpy.ops.footfall.detect_character()
        self.report({"INFO"}, f"{text}; legs {armature.footfall.leg_length:.2f} m")
        return {"FINISHED"}


def _apply_scale(
    context: bpy.types.Context, armature: bpy.types.Object, problem: ScaleProblem
) -> str:
    """Scale a character or the unit of the scene, and return what was done."""
    if problem.is_unit:
        context.scene.unit_settings.scale_length = 1.0
        return "A unit of the scene is 1 m"
    root = armature
    while root.parent is not None:
        root = root.parent
    root.scale = [problem.factor * size for size in root.scale]
    context.view_layer.update()
    parts = [armature, *armature.children_recursive]
    if root != armature or not all(_is_scale_applicable(part) for part in parts):
        return f"{root.name} was scaled by {problem.factor:g}"
    with context.temp_override(
        active_object=armature,
        object=armature,
        selected_objects=parts,
        selected_editable_objects=parts,
    ):
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    return f"{armature.name} was scaled by {problem.factor:g} and its scale applied"


def _is_scale_applicable(obj: bpy.types.Object) -> bool:
    """Return whether the scale of an object can go into its data without a change of its motion."""
    data = obj.data
    is_single = data is None or (data.users == 1 and data.library is None)
    return is_single and obj.library is None and obj.animation_data is None

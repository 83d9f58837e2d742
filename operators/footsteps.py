"""Display and edits of footsteps, and solution of the motion around them."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
from collections.abc import Generator
from contextlib import suppress

import bpy
from bpy.props import EnumProperty, FloatProperty

from ..addon.bake.stored_plan import has_plan, read_played_plan
from ..addon.footsteps import follow
from ..addon.footsteps.add import add_step
from ..addon.footsteps.objects import (
    explain_not_editable,
    has_current_steps,
    has_shown_steps,
    hide_steps,
    show_steps,
    update_appearance,
)
from ..addon.footsteps.sole_mesh import measure_soles
from ..addon.footsteps.solve import (
    NoEditsError,
    SolveRequest,
    make_solve_request,
    read_pending_edits,
    solve_and_apply,
)
from ..addon.scene.active import find_armature
from ..addon.scene.forbidden import add_forbidden
from ..addon.scene.owners import find_step_owner
from ..addon.units import read_unit_scale
from ..addon.worker.process import warm_up
from ..core.errors import FootfallError
from .common import PollWithReason, reports_errors
from .sliced import SlicedOperator


def _find_selected_steps(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected footsteps, or the active one if none is selected."""
    selected = [o for o in context.selected_objects if o.footfall_step.number]
    if not selected and context.object is not None and context.object.footfall_step.number:
        selected = [context.object]
    return selected


class _NeedsShownSteps(PollWithReason):
    """Base of operators that need footsteps in the scene."""

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require that the footsteps of the character are shown."""
        if not has_shown_steps(find_armature(context.object)):
            return "Press Show Footsteps first"
        return ""


class _NeedsSelectedSteps(PollWithReason):
    """Base of operators on selected footsteps."""

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a selected footstep."""
        if not _find_selected_steps(context):
            return "Select a footstep first"
        return ""


class FOOTFALL_OT_show_steps(PollWithReason, bpy.types.Operator):
    """Show the planned footsteps as objects that can be moved, turned, copied and deleted. Edits
    that were not solved are lost"""

    bl_idname = "footfall.show_steps"
    bl_label = "Show Footsteps"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def get_disabled_reason(cls, context: bpy.types.Context) -> str:
        """Require a plan."""
        if not has_plan(find_armature(context.object)):
            return "Generate a motion first; only actions made by Footfall have footsteps"
        return ""

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Show the footsteps."""
        armature = find_armature(context.object)
        context.view_layer.update()
        stored_plan = read_played_plan(armature)
        follow.cancel_solve()
        steps = show_steps(armature, stored_plan, context.scene)
        follow.update_step_counts()
        if context.scene.footfall_steps.live:
            # Without a process the next job reports the error.
            with suppress(FootfallError):
                warm_up()
        context.window_manager.footfall_steps.message = ""
        self.report({"INFO"}, f"{len(steps)} footsteps of {armature.name}")
        return {"FINISHED"}


class FOOTFALL_OT_hide_steps(_NeedsShownSteps, bpy.types.Operator):
    """Remove the footsteps from the scene; the motion keeps the pinned ones"""

    bl_idname = "footfall.hide_steps"
    bl_label = "Hide Footsteps"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the footsteps."""
        armature = find_armature(context.object)
        follow.cancel_solve()
        hide_steps(armature)
        follow.update_step_counts()
        if context.view_layer.objects.active is None:
            context.view_layer.objects.active = armature
            armature.select_set(True)
        return {"FINISHED"}


class FOOTFALL_OT_update_steps(_NeedsShownSteps, SlicedOperator, bpy.types.Operator):
    """Solve the motion around the edited footsteps again and replace its keys there; the other keys
    stay unchanged"""

    bl_idname = "footfall.update_steps"
    bl_label = "Update"
    bl_options = {"REGISTER", "UNDO"}

    _request: SolveRequest | None = None

    def start_work(self, context: bpy.types.Context) -> Generator[float, None, str]:
        """Return the solution and bake of the motion around the edited footsteps."""
        armature = find_armature(context.object)
        follow.cancel_solve()
        context.view_layer.update()
        try:
            self._request = make_solve_request(armature, context.scene)
        except FootfallError:
            with suppress(FootfallError):  # a plan that cannot be read has no edits
                follow.ignore_change(read_pending_edits(armature).mark)
            raise
        if self._request is None:
            raise NoEditsError("No footstep was changed.")
        return solve_and_apply(self._request, context.scene)

    def handle_error(self, context: bpy.types.Context, error: FootfallError) -> None:
        """Report an error, and do not solve for the edits again until they change."""
        if self._request is not None:
            follow.ignore_change(self._request.mark)
        self.report({"INFO" if isinstance(error, NoEditsError) else "ERROR"}, str(error))

    def report_result(self, context: bpy.types.Context, result: str) -> None:
        """Report what was solved again."""
        request = self._request
        assert request is not None
        follow.update_step_counts()
        follow.ignore_change(request.mark)
        context.window_manager.footfall_steps.message = result
        summary = (
            f"Solved again from frame {request.stored_plan.frame_at(request.begin):.0f} to "
            f"{request.stored_plan.frame_at(request.end):.0f}"
        )
        self.report(
            {"WARNING" if result else "INFO"}, f"{summary}; {result}" if result else summary
        )


class FOOTFALL_OT_pin_steps(_NeedsSelectedSteps, bpy.types.Operator):
    """Keep place and time of the selected footsteps when the motion changes"""

    bl_idname = "footfall.pin_steps"
    bl_label = "Pin"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Pin the footsteps."""
        return _set_pinned(context, True)


class FOOTFALL_OT_unpin_steps(_NeedsSelectedSteps, bpy.types.Operator):
    """Let the motion change the selected footsteps; moved ones return to their planned places"""

    bl_idname = "footfall.unpin_steps"
    bl_label = "Unpin"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Unpin the footsteps."""
        return _set_pinned(context, False)


def _set_pinned(context: bpy.types.Context, pinned: bool) -> set[str]:
    for obj in _find_selected_steps(context):
        owner = find_step_owner(obj)
        stored_plan = None if owner is None else read_played_plan(owner)
        obj.footfall_step.kept = pinned
        if stored_plan is not None:
            update_appearance(obj, measure_soles(stored_plan.motion)[obj.footfall_step.leg])
    follow.mark_changed()
    return {"FINISHED"}


class FOOTFALL_OT_add_step(_NeedsShownSteps, bpy.types.Operator):
    """Add a footstep at the 3D cursor and the current frame"""

    bl_idname = "footfall.add_step"
    bl_label = "Add Step"
    bl_options = {"REGISTER", "UNDO"}

    foot: EnumProperty(
        name="Foot",
        items=[
            ("NEAR", "Nearer", "The foot on the same side of the path as the cursor"),
            ("LEFT", "Left", ""),
            ("RIGHT", "Right", ""),
        ],
        default="NEAR",
        description="Foot of the new footstep",
    )

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the footstep and make it the active object."""
        armature = find_armature(context.object)
        stored_plan = read_played_plan(armature)
        if stored_plan is None or not has_current_steps(armature):
            raise FootfallError(
                "The footsteps belong to another motion. Press Show Footsteps again."
            )
        if explain_not_editable(armature, stored_plan):
            raise FootfallError(f"{explain_not_editable(armature, stored_plan)}.")
        obj = add_step(armature, stored_plan, context.scene, self.foot)
        for other in context.selected_objects:
            other.select_set(False)
        obj.select_set(True)
        context.view_layer.objects.active = obj
        follow.mark_changed()
        return {"FINISHED"}


class FOOTFALL_OT_delete_steps(_NeedsSelectedSteps, bpy.types.Operator):
    """Delete the selected footsteps, and the following one if the feet could not alternate
    otherwise. Pinned ones are only unpinned"""

    bl_idname = "footfall.delete_steps"
    bl_label = "Delete"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Delete the footsteps and make the character active."""
        step_objects = _find_selected_steps(context)
        owner = find_step_owner(step_objects[0])
        for obj in step_objects:
            bpy.data.objects.remove(obj)
        if owner is not None and owner.name in context.view_layer.objects:
            context.view_layer.objects.active = owner
        follow.mark_changed()
        return {"FINISHED"}


class FOOTFALL_OT_forbid_ground(bpy.types.Operator):
    """Add a disc at the 3D cursor that no foot may step on"""

    bl_idname = "footfall.forbid_ground"
    bl_label = "Forbid Ground"
    bl_options = {"REGISTER", "UNDO"}

    radius: FloatProperty(
        name="Radius",
        default=0.2,
        min=0.01,
        soft_max=2.0,
        unit="LENGTH",
        description="Radius of the disc",
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the disc; the character stays active, so that the panel does not change."""
        disc = add_forbidden(context.scene, self.radius / read_unit_scale(context.scene))
        follow.mark_changed()
        self.report({"INFO"}, f"No foot may step on {disc.name!r}")
        return {"FINISHED"}


CLASSES = (
    FOOTFALL_OT_show_steps,
    FOOTFALL_OT_hide_steps,
    FOOTFALL_OT_update_steps,
    FOOTFALL_OT_pin_steps,
    FOOTFALL_OT_unpin_steps,
    FOOTFALL_OT_add_step,
    FOOTFALL_OT_delete_steps,
    FOOTFALL_OT_forbid_ground,
)

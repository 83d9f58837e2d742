"""Footsteps in the scene: shown, pinned, added, deleted, and the motion solved again around them."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import time
from contextlib import suppress

import bpy
from bpy.props import EnumProperty, FloatProperty

from ..addon.bake.stored_plan import has_plan, planned_of
from ..addon.footsteps import follow
from ..addon.footsteps.add import add_step
from ..addon.footsteps.objects import are_current, are_shown, cannot_keep, hide_steps, look_as, show_steps
from ..addon.footsteps.sole_mesh import soles_of
from ..addon.footsteps.solve import pending, take_in, wish_of
from ..addon.scene.active import armature_of
from ..addon.scene.forbidden import add_forbidden
from ..addon.scene.owners import owner_of
from ..addon.units import unit_scale
from ..addon.worker.process import warm_up
from ..core.errors import FootfallError
from .common import Greyed, tells_errors

TICK = 0.02           # s between two looks at the worker


def _steps_selected(context: bpy.types.Context) -> list[bpy.types.Object]:
    chosen = [o for o in context.selected_objects if o.footfall_step.number]
    if not chosen and context.object is not None and context.object.footfall_step.number:
        chosen = [context.object]
    return chosen


class _OfShown(Greyed):
    """Operators that need footsteps in the scene."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Where a character's footsteps are in the scene."""
        if not are_shown(armature_of(context.object)):
            return "Press Show Footsteps first"
        return ""


class _OfChosen(Greyed):
    """Operators on footsteps that are selected."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Where one is selected."""
        if not _steps_selected(context):
            return "Select a footstep first"
        return ""


class FOOTFALL_OT_show_steps(Greyed, bpy.types.Operator):
    """Show the planned footsteps as objects that can be moved, turned, copied and deleted. What was not solved yet is lost"""

    bl_idname = "footfall.show_steps"
    bl_label = "Show Footsteps"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Where there is a plan."""
        if not has_plan(armature_of(context.object)):
            return "Generate a motion first; actions that Footfall made carry their footsteps"
        return ""

    @tells_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Show them."""
        armature = armature_of(context.object)
        context.view_layer.update()
        planned = planned_of(armature)
        follow.stop()
        steps = show_steps(armature, planned, context.scene)
        follow.watch()
        if context.scene.footfall_steps.live:
            with suppress(FootfallError):      # whoever needs the process later is told why there is none
                warm_up()
        context.window_manager.footfall_steps.message = ""
        self.report({"INFO"}, f"{len(steps)} footsteps of {armature.name}")
        return {"FINISHED"}


class FOOTFALL_OT_hide_steps(_OfShown, bpy.types.Operator):
    """Take the footsteps out of the scene. The motion keeps those that are pinned"""

    bl_idname = "footfall.hide_steps"
    bl_label = "Hide Footsteps"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove them."""
        armature = armature_of(context.object)
        follow.stop()
        hide_steps(armature)
        follow.watch()
        if context.view_layer.objects.active is None:
            context.view_layer.objects.active = armature
            armature.select_set(True)
        return {"FINISHED"}


class FOOTFALL_OT_update_steps(_OfShown, bpy.types.Operator):
    """Solve the motion around the changed footsteps anew and replace its keys there; the rest of the motion stays as it is"""

    bl_idname = "footfall.update_steps"
    bl_label = "Update"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Work until it is done."""
        armature = armature_of(context.object)
        follow.stop()
        context.view_layer.update()
        try:
            wish = wish_of(armature, context.scene)
            if wish is None:
                self.report({"INFO"}, "No footstep was changed.")
                return {"CANCELLED"}
            job = wish.start()
            try:
                binding = wish.binding(context.scene)
                while job.poll().motion is None:
                    time.sleep(TICK)
                said = take_in(wish, job.result(), binding, context.scene)
            finally:
                job.stop()
        except FootfallError as error:
            follow.settle(pending(armature).mark)
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        follow.watch()
        follow.settle(wish.mark)
        context.window_manager.footfall_steps.message = said
        told = f"Solved again from frame {wish.planned.frame_at(wish.begin):.0f} to {wish.planned.frame_at(wish.end):.0f}"
        self.report({"WARNING" if said else "INFO"}, f"{told}; {said}" if said else told)
        return {"FINISHED"}


class FOOTFALL_OT_pin_steps(_OfChosen, bpy.types.Operator):
    """Keep the selected footsteps where and when they are, whatever else changes"""

    bl_idname = "footfall.pin_steps"
    bl_label = "Pin"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Pin them."""
        return _pin(context, True)


class FOOTFALL_OT_unpin_steps(_OfChosen, bpy.types.Operator):
    """Let the selected footsteps be planned again; those that were moved go back to where the plan has them"""

    bl_idname = "footfall.unpin_steps"
    bl_label = "Unpin"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Unpin them."""
        return _pin(context, False)


def _pin(context: bpy.types.Context, kept: bool) -> set[str]:
    for thing in _steps_selected(context):
        owner = owner_of(thing)
        planned = None if owner is None else planned_of(owner)
        thing.footfall_step.kept = kept
        if planned is not None:
            look_as(thing, soles_of(planned.motion)[thing.footfall_step.leg])
    follow.edited()
    return {"FINISHED"}


class FOOTFALL_OT_add_step(_OfShown, bpy.types.Operator):
    """Add a footstep at the 3D cursor, at the current frame"""

    bl_idname = "footfall.add_step"
    bl_label = "Add Step"
    bl_options = {"REGISTER", "UNDO"}

    foot: EnumProperty(
        name="Foot", items=[("NEAR", "Nearer", "The one on whose side of the way the cursor is"), ("LEFT", "Left", ""),
                            ("RIGHT", "Right", "")], default="NEAR", description="Which foot steps there")

    @tells_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add it and make it the active object."""
        armature = armature_of(context.object)
        planned = planned_of(armature)
        if planned is None or not are_current(armature):
            raise FootfallError("The footsteps are not those of the motion. Press Show Footsteps again.")
        if cannot_keep(armature, planned):
            raise FootfallError(f"{cannot_keep(armature, planned)}.")
        thing = add_step(armature, planned, context.scene, self.foot)
        for other in context.selected_objects:
            other.select_set(False)
        thing.select_set(True)
        context.view_layer.objects.active = thing
        follow.edited()
        return {"FINISHED"}


class FOOTFALL_OT_delete_steps(_OfChosen, bpy.types.Operator):
    """Delete the selected footsteps; feet take turns, so the one after goes as well where it must. Pinned ones are only let go"""

    bl_idname = "footfall.delete_steps"
    bl_label = "Delete"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Delete them; the character stays at hand."""
        things = _steps_selected(context)
        owner = owner_of(things[0])
        for thing in things:
            bpy.data.objects.remove(thing)
        if owner is not None and owner.name in context.view_layer.objects:
            context.view_layer.objects.active = owner
        follow.edited()
        return {"FINISHED"}


class FOOTFALL_OT_forbid_ground(bpy.types.Operator):
    """Put a disc at the 3D cursor that no foot may step on; move and scale it as any object"""

    bl_idname = "footfall.forbid_ground"
    bl_label = "Forbid Ground"
    bl_options = {"REGISTER", "UNDO"}

    radius: FloatProperty(name="Radius", default=0.2, min=0.01, soft_max=2.0, unit="LENGTH", description="In metres")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add it; the active object stays what it was, so that the panel stays the character's."""
        disc = add_forbidden(context.scene, self.radius / unit_scale(context.scene))
        follow.edited()
        self.report({"INFO"}, f"No foot steps on {disc.name!r}")
        return {"FINISHED"}


CLASSES = (
    FOOTFALL_OT_show_steps, FOOTFALL_OT_hide_steps, FOOTFALL_OT_update_steps, FOOTFALL_OT_pin_steps, FOOTFALL_OT_unpin_steps,
    FOOTFALL_OT_add_step, FOOTFALL_OT_delete_steps, FOOTFALL_OT_forbid_ground)

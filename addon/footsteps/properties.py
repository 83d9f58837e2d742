"""Properties of footsteps in the .blend file: of each object, of the armature and of the scene."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import (
    BoolProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..settings import hooks

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}  # an armature in a library override has separate footsteps


def _on_steps_changed(self: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    hooks.footstep_changed()


def _on_live_changed(self: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    if self.live:
        hooks.following_changed()


def _on_labels_changed(self: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    for obj in self.id_data.objects:
        if obj.footfall_step.number:
            obj.show_name = self.labels


class FootfallStep(bpy.types.PropertyGroup):
    """Properties of a footstep's object; the number of any other object is 0."""

    number: IntProperty(
        name="Number",
        options={"HIDDEN"},
        description="Number of the planned footstep, counted from 1; -1 for an added one",
    )
    leg: IntProperty(name="Leg", options={"HIDDEN"}, description="Number of the leg")
    frame: FloatProperty(
        name="Frame",
        precision=1,
        step=100,
        update=_on_steps_changed,
        options=set(),
        description=(
            "Frame in the middle of the contact; an earlier or later frame moves the contact in "
            "time"
        ),
    )
    kept: BoolProperty(
        name="Pinned",
        update=_on_steps_changed,
        options=set(),
        description="Keep place and time of this footstep and plan the others around it",
    )
    planned_frame: FloatProperty(options={"HIDDEN"})
    planned_kept: BoolProperty(options={"HIDDEN"})
    planned_place: FloatVectorProperty(
        size=16, options={"HIDDEN"}, description="Planned transform, row by row"
    )
    label: StringProperty(options={"HIDDEN"}, description="Generated name")


class FootfallSteps(bpy.types.PropertyGroup):
    """Footsteps of an armature."""

    collection: PointerProperty(
        type=bpy.types.Collection,
        override=OVERRIDABLE,
        description="Objects of the footsteps",
    )
    stamp: StringProperty(
        override=OVERRIDABLE, description="Identifier of the plan that the footsteps show"
    )
    matrix: FloatVectorProperty(
        size=16,
        override=OVERRIDABLE,
        description="Transform from the motion in meters to the scene, row by row",
    )


class FootfallStepDisplay(bpy.types.PropertyGroup):
    """Display and live update of footsteps in a scene."""

    live: BoolProperty(
        name="Live Update",
        default=True,
        options=set(),
        update=_on_live_changed,
        description="Solve the motion around a footstep again as soon as an edit of it ends",
    )
    labels: BoolProperty(
        name="Names",
        default=True,
        update=_on_labels_changed,
        options=set(),
        description="Show number and frame next to each footstep",
    )
    forbidden: PointerProperty(
        type=bpy.types.Collection,
        name="Forbidden Ground",
        update=_on_steps_changed,
        description=(
            "Collection of objects that no foot may step on: empties are discs of their displayed "
            "size, meshes are areas seen from above"
        ),
    )


class FootfallStepStatus(bpy.types.PropertyGroup):
    """State of the live update; not saved."""

    working: BoolProperty(options={"SKIP_SAVE"})
    message: StringProperty(options={"SKIP_SAVE"}, description="Result of the latest live update")


CLASSES = (FootfallStep, FootfallSteps, FootfallStepDisplay, FootfallStepStatus)


def register() -> None:
    """Register the properties of objects, scenes and the window manager."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.footfall_step = PointerProperty(type=FootfallStep, name="Footfall Step")
    bpy.types.Object.footfall_steps = PointerProperty(
        type=FootfallSteps, name="Footfall Steps", override=OVERRIDABLE
    )
    bpy.types.Scene.footfall_steps = PointerProperty(
        type=FootfallStepDisplay, name="Footfall Steps"
    )
    bpy.types.WindowManager.footfall_steps = PointerProperty(
        type=FootfallStepStatus, name="Footfall Steps"
    )


def unregister() -> None:
    """Remove the properties."""
    del bpy.types.WindowManager.footfall_steps, bpy.types.Scene.footfall_steps
    del bpy.types.Object.footfall_steps, bpy.types.Object.footfall_step
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)

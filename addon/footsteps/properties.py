"""What footsteps in the scene keep in the .blend file: each, the armature whose they are, and
the scene that shows them.
"""

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

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}  # armatures in library overrides have footsteps of their own


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
    """A footstep that is an object of the scene; on all other objects its number is 0."""

    number: IntProperty(
        name="Number",
        options={"HIDDEN"},
        description="Of the planned step, counted from 1; below 0 for an added one",
    )
    leg: IntProperty(
        name="Leg", options={"HIDDEN"}, description="Number of the leg whose foot it is"
    )
    frame: FloatProperty(
        name="Frame",
        precision=1,
        step=100,
        update=_on_steps_changed,
        options=set(),
        description=(
            "Frame in the middle of the contact; change it and the foot stands there earlier or "
            "later"
        ),
    )
    kept: BoolProperty(
        name="Pinned",
        update=_on_steps_changed,
        options=set(),
        description="It stays where and when it is; others are planned around it",
    )
    planned_frame: FloatProperty(options={"HIDDEN"})
    planned_kept: BoolProperty(options={"HIDDEN"})
    planned_place: FloatVectorProperty(
        size=16, options={"HIDDEN"}, description="Where it was planned: its matrix, row by row"
    )
    label: StringProperty(options={"HIDDEN"}, description="The name that Footfall gave it")


class FootfallSteps(bpy.types.PropertyGroup):
    """Of an armature: its footsteps."""

    collection: PointerProperty(
        type=bpy.types.Collection,
        override=OVERRIDABLE,
        description="The objects that are its footsteps",
    )
    stamp: StringProperty(override=OVERRIDABLE, description="The plan that they show")
    matrix: FloatVectorProperty(
        size=16,
        override=OVERRIDABLE,
        description="From the motion's metres to the scene, row by row",
    )


class FootfallStepDisplay(bpy.types.PropertyGroup):
    """Of a scene: how footsteps are shown and followed."""

    live: BoolProperty(
        name="Live Update",
        default=True,
        options=set(),
        update=_on_live_changed,
        description="Solve the motion around a footstep anew as soon as it is let go",
    )
    labels: BoolProperty(
        name="Names",
        default=True,
        update=_on_labels_changed,
        options=set(),
        description="Show number and frame beside each footstep",
    )
    forbidden: PointerProperty(
        type=bpy.types.Collection,
        name="Forbidden Ground",
        update=_on_steps_changed,
        description=(
            "Collection whose empties are discs that no foot may step on, each as large as it is "
            "drawn, and whose meshes are areas, seen from above"
        ),
    )


class FootfallStepStatus(bpy.types.PropertyGroup):
    """How far the work is; never saved."""

    working: BoolProperty(options={"SKIP_SAVE"})
    message: StringProperty(
        options={"SKIP_SAVE"}, description="Why the last change could not be followed"
    )


CLASSES = (FootfallStep, FootfallSteps, FootfallStepDisplay, FootfallStepStatus)


def register() -> None:
    """Hang the properties on objects, scenes and windows."""
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
    """Take them away."""
    del bpy.types.WindowManager.footfall_steps, bpy.types.Scene.footfall_steps
    del bpy.types.Object.footfall_steps, bpy.types.Object.footfall_step
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)

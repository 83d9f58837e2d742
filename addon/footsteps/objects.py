"""Planned footsteps as objects of the scene, which the user can move, turn, copy and delete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.engine import ENGINES
from ...core.motion import Footstep, Motion
from ...core.task import PinnedStep
from ..bake.stored_plan import StoredPlan, get_played_stamp
from ..scene.owners import find_collection_owner
from ..units import read_unit_scale
from .sole_mesh import SoleOutline, get_sole_mesh, measure_soles, remove_unused_meshes

Array = NDArray[np.float64]

DEFAULT_NAME = "Footstep"
# Minimum time between the middles of successive contacts [s]. A footstep less than that from a
# pinned one of its side realizes it, since the next one of that side is two such times away.
MIN_STEP_INTERVAL = 0.12


def list_shown_steps(motion: Motion) -> tuple[Footstep, ...]:
    """Return the footsteps within the clip, sorted by time; contacts of hands are left out."""
    clip_length = (motion.frames - 1) / motion.fps
    return tuple(
        sorted(
            (f for f in motion.footsteps if f.lift > 0 and f.strike < clip_length and not f.grip),
            key=lambda f: f.time,
        )
    )


def explain_not_editable(armature: bpy.types.Object, stored_plan: StoredPlan) -> str:
    """Return why the footsteps of a motion cannot be edited; empty if they can."""
    if armature.footfall.gait_speed > 0 or sorted(
        s.side for s in measure_soles(stored_plan.motion)
    ) != [-1, 1]:
        return "Footsteps of this kind of body can be shown, but not edited"
    task = stored_plan.task
    engine = ENGINES.get(task.engine)
    if engine is None or not engine.can_edit_footsteps:
        return (
            "Footsteps can be shown, but not edited: "
            f"{engine.label if engine else task.engine} does not plan them"
        )
    if task.jumps or task.monkey_bars:
        return f"Footsteps of a clip with {'jumps' if task.jumps else 'bars'} cannot be edited"
    return ""


def list_step_objects(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the objects of an armature's footsteps."""
    collection = armature.footfall_steps.collection
    return (
        [] if collection is None else [o for o in collection.all_objects if o.footfall_step.number]
    )


def has_shown_steps(armature: bpy.types.Object | None) -> bool:
    """Return whether an armature's footsteps are shown, even if all were deleted since."""
    if armature is None:
        return False
    collection = armature.footfall_steps.collection
    return (
        collection is not None
        and bool(collection.users)
        and any(collection in s.collection.children_recursive[:] for s in armature.users_scene)
    )


def has_current_steps(armature: bpy.types.Object) -> bool:
    """Return whether the footsteps are those of the plan in the armature's action."""
    data = armature.animation_data
    return bool(
        data and data.action and get_played_stamp(armature) == armature.footfall_steps.stamp
    )


def show_steps(
    armature: bpy.types.Object, stored_plan: StoredPlan, scene: bpy.types.Scene
) -> list[bpy.types.Object]:
    """Show the footsteps of a plan.

    Existing objects are reused for the footsteps nearest to them in time.

    Returns:
        One object per footstep.
    """
    step_settings = armature.footfall_steps
    if step_settings.collection is None or not has_shown_steps(armature):
        step_settings.collection = _create_collection(armature, scene)
    matrix = compute_world_matrix(armature, stored_plan, scene)
    step_settings.matrix = matrix.ravel().tolist()
    step_settings.stamp = get_played_stamp(armature)
    soles = measure_soles(stored_plan.motion)
    steps = list_shown_steps(stored_plan.motion)
    old_objects = list_step_objects(armature)
    used_meshes = {o.data for o in old_objects if o.type == "MESH"}
    matched = _match_objects(old_objects, steps, stored_plan)
    # Reset all generated names first, so that none of them blocks a new name.
    for obj in old_objects:
        if obj.name.split(".")[0] == obj.footfall_step.label:
            obj.name = DEFAULT_NAME
    step_objects = []
    for k, step in enumerate(steps):
        sole = soles[step.leg]
        obj = matched.get(k) or _create_step_object(step_settings.collection, scene, sole)
        _update_step_object(
            obj,
            k + 1,
            step,
            stored_plan=stored_plan,
            world_matrix=matrix @ _make_step_matrix(step),
            sole=sole,
        )
        step_objects.append(obj)
    for obj in step_objects:
        if obj.name.startswith(DEFAULT_NAME):
            label = obj.footfall_step.label
            obj.name = label if label not in bpy.data.objects else f"{label} ({armature.name})"
            obj.footfall_step.label = obj.name
    reused = set(matched.values())
    for obj in old_objects:
        if obj not in reused:
            bpy.data.objects.remove(obj)
    remove_unused_meshes({mesh for mesh in used_meshes if mesh is not None})
    return step_objects


def hide_steps(armature: bpy.types.Object) -> None:
    """Remove the footsteps of an armature from the scene.

    Other objects in their collection stay.
    """
    step_settings = armature.footfall_steps
    meshes = {o.data for o in list_step_objects(armature) if o.type == "MESH"}
    for obj in list_step_objects(armature):
        bpy.data.objects.remove(obj)
    remove_unused_meshes(meshes)
    collection = step_settings.collection
    step_settings.collection = None
    step_settings.stamp = ""
    if (
        collection is not None
        and not collection.all_objects
        and find_collection_owner(collection) is None
    ):
        bpy.data.collections.remove(collection)


def compute_world_matrix(
    armature: bpy.types.Object, stored_plan: StoredPlan, scene: bpy.types.Scene
) -> Array:
    """Return the transform from the motion [m] to the scene [scene units], (4, 4)."""
    # The motion moves the object itself, so the object's transform is not a placement.
    if stored_plan.rig_options.root_motion == "OBJECT":
        return np.diag([1 / read_unit_scale(scene)] * 3 + [1.0])
    return np.array(armature.matrix_world) @ np.linalg.inv(stored_plan.placement)


def is_pinned_step(step: Footstep, pinned_steps: Iterable[PinnedStep]) -> bool:
    """Return whether a footstep realizes one of the pinned footsteps."""
    return (
        any(
            ("L", "R")[step.leg] == k.side and abs(step.time - k.time) < MIN_STEP_INTERVAL
            for k in pinned_steps
        )
        if step.leg < 2
        else False
    )


def set_viewport_display(obj: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Draw a footstep and its name in front of other objects.

    A footstep lies flat on the ground, so a click would otherwise select the ground.
    """
    obj.show_name = scene.footfall_steps.labels
    obj.show_in_front = True
    obj.hide_render = True


def update_appearance(obj: bpy.types.Object, sole: SoleOutline) -> None:
    """Show a pinned footstep filled and any other as a rim."""
    if obj.type == "MESH":
        obj.data = get_sole_mesh(sole, obj.footfall_step.kept)


def _make_step_matrix(step: Footstep) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3] = step.rotation
    matrix[:3, 3] = step.position
    return matrix


def _create_collection(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Collection:
    collection = bpy.data.collections.new(f"Footfall Steps {armature.name}")
    collection.hide_render = True
    scene.collection.children.link(collection)
    return collection


def _create_step_object(
    collection: bpy.types.Collection, scene: bpy.types.Scene, sole: SoleOutline
) -> bpy.types.Object:
    obj = bpy.data.objects.new(DEFAULT_NAME, get_sole_mesh(sole, filled=False))
    collection.objects.link(obj)
    set_viewport_display(obj, scene)
    return obj


def _update_step_object(
    obj: bpy.types.Object,
    number: int,
    step: Footstep,
    stored_plan: StoredPlan,
    world_matrix: Array,
    sole: SoleOutline,
) -> None:
    step_settings = obj.footfall_step
    obj.matrix_world = Matrix(world_matrix.tolist())
    step_settings.number = number
    step_settings.leg = step.leg
    step_settings.planned_place = world_matrix.ravel().tolist()
    step_settings.planned_frame = stored_plan.frame_at(step.time)
    step_settings.planned_kept = is_pinned_step(step, stored_plan.task.pinned_steps)
    step_settings.frame = step_settings.planned_frame
    step_settings.kept = step_settings.planned_kept
    step_settings.label = f"{number} {sole.side_letter} f{step_settings.frame:.0f}"
    update_appearance(obj, sole)


def _match_objects(
    objects: Sequence[bpy.types.Object], steps: Sequence[Footstep], stored_plan: StoredPlan
) -> dict[int, bpy.types.Object]:
    """Return objects by index of the footstep that each is nearest to in time."""
    pairs = sorted(
        (abs(obj.footfall_step.frame - stored_plan.frame_at(step.time)), k, n)
        for k, step in enumerate(steps)
        for n, obj in enumerate(objects)
        if obj.footfall_step.leg == step.leg
    )
    matched: dict[int, bpy.types.Object] = {}
    used: set[int] = set()
    for _, k, n in pairs:
        if k not in matched and n not in used:
            matched[k] = objects[n]
            used.add(n)
    return matched

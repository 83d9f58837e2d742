"""Planned footsteps as objects of the scene, which the user moves, turns, copies and deletes as any other."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.motion import Footstep, Motion
from ...core.task import KeptStep
from ..bake.stored_plan import Planned, stamp_played
from ..scene.owners import owner_of_collection
from ..units import unit_scale
from .sole_mesh import Sole, drop_unused, sole_mesh, soles_of

Array = NDArray[np.float64]

NAMELESS = "Footstep"
NEAR = 0.12               # s between a footstep and one that is kept, within which it is that one


def shown_steps(motion: Motion) -> tuple[Footstep, ...]:
    """The footsteps that can be shown: feet that stand within the clip, in the order of their strikes."""
    length = (motion.frames - 1) / motion.fps
    return tuple(sorted((f for f in motion.footsteps if f.lift > 0 and f.strike < length and not f.grip), key=lambda f: f.time))


def cannot_keep(armature: bpy.types.Object, planned: Planned) -> str:
    """Why footsteps of a motion cannot be moved; empty where they can."""
    if armature.footfall.gait_speed > 0 or sorted(s.side for s in soles_of(planned.motion)) != [-1, 1]:
        return "Footsteps of this kind of body can be looked at, but not moved as yet"
    task = planned.task
    if task.engine != "centroidal":
        return f"Footsteps of a simulated body can be looked at; with {task.engine.title()} nobody plans them"
    return f"Footsteps of {'jumps' if task.jumps else 'hands on bars'} cannot be moved as yet" if task.jumps or task.bars else ""


def steps_of(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """The footsteps of an armature that are in the scene."""
    collection = armature.footfall_steps.collection
    return [] if collection is None else [o for o in collection.all_objects if o.footfall_step.number]


def are_shown(armature: bpy.types.Object | None) -> bool:
    """Whether an armature has footsteps in the scene, all deleted ones included."""
    if armature is None:
        return False
    collection = armature.footfall_steps.collection
    return collection is not None and bool(collection.users) and any(collection in s.collection.children_recursive[:]
                                                                     for s in armature.users_scene)


def are_current(armature: bpy.types.Object) -> bool:
    """Whether they show the plan that the armature's action carries."""
    data = armature.animation_data
    return bool(data and data.action and stamp_played(armature) == armature.footfall_steps.stamp)


def show_steps(armature: bpy.types.Object, planned: Planned, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Put a plan's footsteps into the scene; objects that there are already are taken for the footsteps nearest to them."""
    told = armature.footfall_steps
    if told.collection is None or not are_shown(armature):
        told.collection = _collection(armature, scene)
    matrix = world_of(armature, planned, scene)
    told.matrix, told.stamp = matrix.ravel().tolist(), stamp_played(armature)
    soles, steps = soles_of(planned.motion), shown_steps(planned.motion)
    old = steps_of(armature)
    used = {o.data for o in old if o.type == "MESH"}
    pairs = _matched(old, steps, planned)
    for thing in old:                          # names that Footfall gave are given anew, all at once
        if thing.name.split(".")[0] == thing.footfall_step.label:
            thing.name = NAMELESS
    out = []
    for k, step in enumerate(steps):
        sole = soles[step.leg]
        thing = pairs.get(k) or _new(told.collection, scene, sole)
        _place(thing, k + 1, step, planned, matrix @ _frame_of(step), sole)
        out.append(thing)
    for thing in out:
        if thing.name.startswith(NAMELESS):
            label = thing.footfall_step.label
            thing.name = label if label not in bpy.data.objects else f"{label} ({armature.name})"
            thing.footfall_step.label = thing.name
    kept = set(pairs.values())
    for thing in old:
        if thing not in kept:
            bpy.data.objects.remove(thing)
    drop_unused({mesh for mesh in used if mesh is not None})
    return out


def hide_steps(armature: bpy.types.Object) -> None:
    """Take the footsteps of an armature out of the scene; what else the user put into their collection stays there."""
    told = armature.footfall_steps
    meshes = {o.data for o in steps_of(armature) if o.type == "MESH"}
    for thing in steps_of(armature):
        bpy.data.objects.remove(thing)
    drop_unused(meshes)
    collection = told.collection
    told.collection, told.stamp = None, ""
    if collection is not None and not collection.all_objects and owner_of_collection(collection) is None:
        bpy.data.collections.remove(collection)


def world_of(armature: bpy.types.Object, planned: Planned, scene: bpy.types.Scene) -> Array:
    """From the motion's metres to where it is on the armature now, in the scene's units. (4, 4)."""
    if planned.way.root == "OBJECT":          # the object itself goes along: where it is now tells nothing
        return np.diag([1 / unit_scale(scene)] * 3 + [1.0])
    return np.array(armature.matrix_world) @ np.linalg.inv(planned.placement)


def is_kept(step: Footstep, kept: Iterable[KeptStep]) -> bool:
    """Whether a footstep is one of those that were asked for."""
    return any(("L", "R")[step.leg] == k.side and abs(step.time - k.time) < NEAR for k in kept) if step.leg < 2 else False


def look_in_view(thing: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Have a footstep with its name in front of all else: flat on the ground as it is, a click would meet the ground."""
    thing.show_name, thing.show_in_front, thing.hide_render = scene.footfall_steps.labels, True, True


def look_as(thing: bpy.types.Object, sole: Sole) -> None:
    """Have a footstep look as it is: pinned ones are filled, others a rim."""
    if thing.type == "MESH":
        thing.data = sole_mesh(sole, thing.footfall_step.kept)


def _frame_of(step: Footstep) -> Array:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = step.rotation, step.position
    return out


def _collection(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Collection:
    collection = bpy.data.collections.new(f"Footfall Steps {armature.name}")
    collection.hide_render = True
    scene.collection.children.link(collection)
    return collection


def _new(collection: bpy.types.Collection, scene: bpy.types.Scene, sole: Sole) -> bpy.types.Object:
    thing = bpy.data.objects.new(NAMELESS, sole_mesh(sole, filled=False))
    collection.objects.link(thing)
    look_in_view(thing, scene)
    return thing


def _place(thing: bpy.types.Object, number: int, step: Footstep, planned: Planned, at: Array, sole: Sole) -> None:
    told = thing.footfall_step
    thing.matrix_world = Matrix(at.tolist())
    told.number, told.leg, told.planned_place = number, step.leg, at.ravel().tolist()
    told.planned_frame, told.planned_kept = planned.frame_at(step.time), is_kept(step, planned.task.kept)
    told.frame, told.kept = told.planned_frame, told.planned_kept
    told.label = f"{number} {sole.letter} f{told.frame:.0f}"
    look_as(thing, sole)


def _matched(things: Sequence[bpy.types.Object], steps: Sequence[Footstep], planned: Planned) -> dict[int, bpy.types.Object]:
    """Objects by the number of the footstep that each is nearest to in time, each used once."""
    pairs = sorted((abs(thing.footfall_step.frame - planned.frame_at(step.time)), k, n)
                   for k, step in enumerate(steps) for n, thing in enumerate(things) if thing.footfall_step.leg == step.leg)
    out: dict[int, bpy.types.Object] = {}
    taken: set[int] = set()
    for _, k, n in pairs:
        if k not in out and n not in taken:
            out[k] = things[n]
            taken.add(n)
    return out

"""Order in which the controls of a rig are posed, with as few evaluations as possible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import bpy

from ..animation.action_builder import bone_of
from .dependencies import compute_evaluation_levels, find_direct_dependencies

# Constraints that change the size of a bone only; controls and their parents are never scaled
SCALE_CONSTRAINTS = frozenset({"COPY_SCALE", "LIMIT_SCALE", "MAINTAIN_VOLUME"})
CHAIN_CONSTRAINTS = frozenset({"IK", "SPLINE_IK"})
MAX_PASSES = 100  # of the search for levels; a rig that takes more has a cycle


@dataclass(frozen=True)
class EvaluationOrder:
    """Levels of controls. The rig is evaluated before each level.

    Args:
        levels: level by control.
        rigid_bones: bones whose pose follows from their channels and the pose of their parent
            without an evaluation.
    """

    levels: dict[str, int]
    rigid_bones: frozenset[str]


@dataclass
class _Stage:
    """When the pose of a bone is available, in numbers of evaluations.

    Args:
        usable: level in which it is usable, evaluated or by its parent.
        evaluated: evaluation that has it.
    """

    usable: int = 0
    evaluated: int = 0


def compute_evaluation_order(
    armature: bpy.types.Object, controls: Iterable[str]
) -> EvaluationOrder:
    """Return the levels of controls and the bones that need no evaluation.

    A control may be in the level of a control above it if all bones between are rigid.
    """
    names = set(controls)
    rigid = find_rigid_bones(armature)
    levels = _find_levels(armature, names, rigid)
    if levels is None:
        return EvaluationOrder(compute_evaluation_levels(armature, names), frozenset())
    return EvaluationOrder(levels, rigid)


def find_rigid_bones(armature: bpy.types.Object) -> frozenset[str]:
    """Return the bones without a driver, a constraint that moves them, or a chain through them."""
    pose = armature.pose.bones
    moved = {bone_of(curve.data_path) for curve in _list_drivers(armature)}
    for bone in pose:
        for constraint in bone.constraints:
            if constraint.type not in SCALE_CONSTRAINTS:
                moved.add(bone.name)
            if constraint.type in CHAIN_CONSTRAINTS:
                above = bone.parent_recursive
                count = constraint.chain_count - 1 if constraint.chain_count else len(above)
                moved |= {member.name for member in above[:count]}
    return frozenset(bone.name for bone in pose if bone.name not in moved)


def _list_drivers(armature: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Return the drivers of the channels of bones; other properties of a bone do not move it."""
    data = armature.animation_data
    channels = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")
    return [
        curve
        for curve in (data.drivers if data else ())
        if curve.data_path.rpartition(".")[2] in channels
    ]


def _find_levels(
    armature: bpy.types.Object, controls: set[str], rigid: frozenset[str]
) -> dict[str, int] | None:
    """Return the level of each control; None for a rig with a cycle."""
    pose = armature.pose.bones
    parents = {bone.name: bone.parent.name if bone.parent else "" for bone in pose}
    sources = find_direct_dependencies(armature)
    stages = {"": _Stage(), **{name: _Stage() for name in parents}}
    levels = dict.fromkeys(controls, 0)
    for _ in range(MAX_PASSES):
        is_changed = False
        for name, parent in parents.items():
            stage = _compute_stage(name, parent, sources[name], stages, rigid, name in controls)
            if stage != stages[name]:
                stages[name] = stage
                is_changed = True
        if not is_changed:
            for name in controls:
                needed = {parents[name], *sources[name]}
                levels[name] = max(stages[source].usable for source in needed)
            return levels
    return None


def _compute_stage(
    name: str,
    parent: str,
    sources: set[str],
    stages: dict[str, _Stage],
    rigid: frozenset[str],
    is_control: bool,
) -> _Stage:
    """Return when the pose of a bone is available, from the stages of the bones that move it."""
    if is_control:
        level = max(stages[source].usable for source in {parent, *sources})
        return _Stage(level if name in rigid else level + 1, level + 1)
    if name in rigid:
        return _Stage(stages[parent].usable, stages[parent].evaluated)
    evaluated = max((stages[source].evaluated for source in sources), default=0)
    return _Stage(evaluated, evaluated)

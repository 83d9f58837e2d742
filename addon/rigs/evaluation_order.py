"""Order in which the controls of a rig are posed, with as few evaluations as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import bpy

from ..animation.action_builder import TRANSFORM_CHANNELS, bone_of
from .dependencies import (
    CHAIN_CONSTRAINTS,
    compute_evaluation_levels,
    find_direct_dependencies,
    list_chain_parents,
)

# Constraints that change the size of a bone only; controls and their parents are never scaled
SCALE_CONSTRAINTS = frozenset({"COPY_SCALE", "LIMIT_SCALE", "MAINTAIN_VOLUME"})
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


@dataclass(frozen=True)
class _Stage:
    """When the pose of a bone is available.

    Args:
        usable: first level in which it is, by an evaluation or in closed form from its parent.
        evaluated: first level whose evaluation has it.
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
                moved |= {member.name for member in list_chain_parents(bone, constraint)}
    return frozenset(bone.name for bone in pose if bone.name not in moved)


def _list_drivers(armature: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Return the drivers of the channels of bones; other properties of a bone do not move it."""
    data = armature.animation_data
    return [
        curve
        for curve in (data.drivers if data else ())
        if curve.data_path.rpartition(".")[2] in TRANSFORM_CHANNELS
    ]


def _find_levels(
    armature: bpy.types.Object, controls: set[str], rigid: frozenset[str]
) -> dict[str, int] | None:
    """Return the level of each control; None for a rig with a cycle."""
    sources = find_direct_dependencies(armature)
    stages = dict.fromkeys(sources, _Stage())
    for _ in range(MAX_PASSES):
        previous = dict(stages)
        for bone in armature.pose.bones:
            stages[bone.name] = _compute_stage(
                [stages[source] for source in sources[bone.name]],
                stages[bone.parent.name] if bone.parent else _Stage(),
                is_rigid=bone.name in rigid,
                is_control=bone.name in controls,
            )
        if stages == previous:
            # a control is posed in the level before the first one whose evaluation has its pose
            return {name: stages[name].evaluated - 1 for name in controls}
    return None


def _compute_stage(
    sources: Sequence[_Stage], parent: _Stage, is_rigid: bool, is_control: bool
) -> _Stage:
    """Return when the pose of a bone is available.

    Args:
        sources: stages of all bones that move it, including its parent.
        parent: stage of its parent; that of a bone at rest if it has none.
    """
    if is_control:
        level = max((source.usable for source in sources), default=0)
        return _Stage(level if is_rigid else level + 1, level + 1)
    if is_rigid:
        return parent
    evaluated = max((source.evaluated for source in sources), default=0)
    return _Stage(evaluated, evaluated)

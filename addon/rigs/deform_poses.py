"""Planned poses of all deform bones of a control rig, including those not planned."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.character.recognition.deform_skeleton import extract_deform_skeleton
from .armature import read_skeleton

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DeformPoses:
    """Planned poses of deform bones over n frames in the space of the armature.

    Args:
        orientations: orientations by bone (n, 3, 3).
        heads: positions of the heads by bone (n, 3).
        rest_matrices: matrices of all bones of the armature at rest (4, 4).
    """

    orientations: dict[str, Array]
    heads: dict[str, Array]
    rest_matrices: dict[str, Array]

    def compute_control_orientation(self, bone: str, control: str) -> Array:
        """Return the orientations of a control that moves rigidly with a bone (n, 3, 3)."""
        return (
            self.orientations[bone]
            @ self.rest_matrices[bone][:3, :3].T
            @ self.rest_matrices[control][:3, :3]
        )

    def compute_control_position(self, bone: str, control: str) -> Array:
        """Return the positions of a control that moves rigidly with a bone (n, 3)."""
        offset = self.rest_matrices[bone][:3, :3].T @ (
            self.rest_matrices[control][:3, 3] - self.rest_matrices[bone][:3, 3]
        )
        return self.heads[bone] + self.orientations[bone] @ offset


def propagate_poses(
    armature: bpy.types.Object,
    binding: Binding,
    planned_orientations: dict[str, Array],
    root_head: Array,
) -> DeformPoses:
    """Return the poses of all bones of the body, those without a plan fixed to the nearest planned
    bone.

    Args:
        planned_orientations: orientations by planned bone (n, 3, 3).
        root_head: positions of the head of the root bone (n, 3).
    """
    body = extract_deform_skeleton(
        read_skeleton(armature, bpy.context.scene, with_skin=False, with_corrections=False)
    ).skeleton
    rest_matrices = {b.name: np.array(b.matrix_local) for b in armature.data.bones}
    root = binding.bones[0]
    orientations = {root: planned_orientations[root]}
    heads = {root: root_head}
    for k, name in _order_outward(body.names, binding):
        parent = binding.parent_bones.get(name, "")
        if parent not in orientations:
            parent = body.names[body.parents[k]] if body.parents[k] >= 0 else ""
        if name == root or parent not in orientations:
            continue
        rest_to_pose = orientations[parent] @ rest_matrices[parent][:3, :3].T
        orientations[name] = planned_orientations.get(
            name, rest_to_pose @ rest_matrices[name][:3, :3]
        )
        rest_head = rest_matrices[name][:3, 3]
        rest_joint = (
            np.array(armature.data.bones[name].tail_local)
            if name in binding.reversed_bones
            else rest_head
        )
        heads[name] = heads[parent] + rest_to_pose @ (rest_joint - rest_matrices[parent][:3, 3])
        if name in binding.reversed_bones:
            heads[name] = heads[name] + orientations[name] @ (
                rest_matrices[name][:3, :3].T @ (rest_head - rest_joint)
            )
    return DeformPoses(orientations, heads, rest_matrices)


def _order_outward(names: tuple[str, ...], binding: Binding) -> list[tuple[int, str]]:
    """Return bones with their indices, each after its parent; reversed bones come in opposite
    order.
    """

    def depth(name: str) -> int:
        return (
            0
            if name not in binding.reversed_bones
            else 1 + depth(binding.parent_bones.get(name, ""))
        )

    return sorted(enumerate(names), key=lambda pair: (depth(pair[1]), pair[0]))


def compute_knee_offset(hip: Array, knee: Array, ankle: Array) -> Array:
    """Return the offsets of knees from the lines from hip to ankle (..., 3)."""
    along = ankle - hip
    along = along / np.linalg.norm(along, axis=-1, keepdims=True)
    offset: Array = knee - hip
    return offset - along * (along * offset).sum(-1, keepdims=True)

"""A motion as keys on the controls of a rig, such that its deforming bones come out as planned."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..core.character.binding import Binding
from ..core.errors import CharacterError
from .keys import NewAction
from .rotations import channel_name, channels
from .targets import Target

Array = NDArray[np.float64]


def bake_controls(armature: bpy.types.Object, target: Target, binding: Binding, wished: dict[str, Array], head: Array,
                  new: NewAction, frames: Array) -> int:
    """Key the controls; returns how many.

    The rig's own constraints and drivers tell where a control hangs, so each frame is posed and looked at, level by level.

    Args:
        wished: (n, 3, 3) orientation by deforming bone, in the armature's space.
        head: (n, 3) place of the root bone's head there.

    Raises:
        CharacterError: the rig lacks the controls that the planned bones need.
    """
    levels = target.controls(binding, armature)
    moved = {bone for level in levels for bone, _ in level} | {target.carrier[0]}
    missing = [bone for bone in binding.bones if bone not in moved]
    if missing:
        raise CharacterError(f"The {target.name} rig {armature.name!r} has no control that Footfall knows for the bone "
                             f"{missing[0]!r}. Generate the rig anew, or bake onto its metarig.")
    work = _Controls(armature, target, levels, binding.bones[0], wished, head)
    with _at_rest(armature, target):
        local, places = work.pose_all(len(frames))
    for name, matrices in local.items():
        mode = armature.pose.bones[name].rotation_mode
        _key(new, name, channel_name(mode), frames, channels(matrices, mode))
    _key(new, target.carrier[1], "location", frames, places)
    for bone, key, value in target.switched(armature):
        new.add(f'{_path(bone)}["{bpy.utils.escape_identifier(key)}"]', bone, frames[:1], np.array([[value]]))
    _key_others(armature, new, frames, set(local))
    return len(local)


class _Controls:
    """Finds the controls' own channels, frame by frame."""

    def __init__(self, armature: bpy.types.Object, target: Target, levels: list[list[tuple[str, str]]], root: str,
                 wished: dict[str, Array], head: Array) -> None:
        self.armature, self.levels, self.wished, self.carrier = armature, levels, wished, target.carrier
        self.rest = {b.name: np.array(b.matrix_local) for b in armature.data.bones}
        bone, control = target.carrier
        bone = bone if bone in wished else root
        # head of the carrier's bone: where the root bone has it; then the control, which goes with it as one piece
        at = head + wished[root] @ (self.rest[root][:3, :3].T @ (self.rest[bone][:3, 3] - self.rest[root][:3, 3]))
        offset = self.rest[bone][:3, :3].T @ (self.rest[control][:3, 3] - self.rest[bone][:3, 3])
        self.place = at + wished[bone] @ offset
        self.bone = bone

    def pose_all(self, count: int) -> tuple[dict[str, Array], Array]:
        """Rotations (n, 3, 3) by control in its own channels, and the carrier's locations (n, 3)."""
        pose, carrier = self.armature.pose.bones, self.carrier[1]
        controls = [(self.bone, carrier), *(pair for level in self.levels for pair in level)]
        local = {control: np.empty((count, 3, 3)) for _, control in controls}
        places = np.empty((count, 3))
        for k in range(count):
            for level in ([(self.bone, carrier)], *self.levels):
                bpy.context.view_layer.update()
                for bone, control in level:
                    matrix = self._wish(bone, control, k)
                    if control != carrier:
                        matrix.translation = pose[control].matrix.translation      # it hangs where it hangs
                    pose[control].matrix = matrix
                    basis = pose[control].matrix_basis
                    if control == carrier:
                        places[k] = basis.translation
                    local[control][k] = np.array(basis.to_quaternion().to_matrix())
                    at = basis.translation if control == carrier else (0.0, 0.0, 0.0)
                    pose[control].matrix_basis = Matrix.LocRotScale(at, basis.to_quaternion(), None)
        return local, places

    def _wish(self, bone: str, control: str, k: int) -> Matrix:
        """Where a control must be in the armature's space for its bone to be as planned."""
        turn = self.wished[bone][k] @ self.rest[bone][:3, :3].T @ self.rest[control][:3, :3]
        matrix = Matrix(turn.tolist()).to_4x4()
        matrix.translation = self.place[k].tolist()
        return matrix


@contextmanager
def _at_rest(armature: bpy.types.Object, target: Target) -> Iterator[None]:
    """All of a rig at rest, its switches set, nothing animated; as it was afterwards."""
    pose, data = armature.pose.bones, armature.animation_data
    before = {bone.name: bone.matrix_basis.copy() for bone in pose}
    switches = [(bone, key, pose[bone][key]) for bone, key, _ in target.switched(armature)]
    action: Any = data.action if data else None
    slot: Any = getattr(data, "action_slot", None)
    layers = data.use_nla if data else False
    try:
        if data:
            data.action, data.use_nla = None, False
        for bone in pose:
            bone.matrix_basis = Matrix.Identity(4)
        for name, key, value in target.switched(armature):
            pose[name][key] = value
        armature.update_tag()
        yield
    finally:
        for name, key, value in switches:
            pose[name][key] = value
        for bone in pose:
            bone.matrix_basis = before[bone.name]
        if data:
            data.use_nla, data.action = layers, action
            if slot is not None:
                data.action_slot = slot
        armature.update_tag()
        bpy.context.view_layer.update()


def _key_others(armature: bpy.types.Object, new: NewAction, frames: Array, done: set[str]) -> None:
    """Key other controls at rest that are posed, since they would turn the body away from the plan."""
    for bone in armature.pose.bones:
        if bone.name in done or np.abs(np.array(bone.matrix_basis) - np.eye(4)).max() < 1e-6:
            continue
        _key(new, bone.name, "location", frames[:1], np.zeros((1, 3)))
        _key(new, bone.name, channel_name(bone.rotation_mode), frames[:1], channels(np.eye(3)[None], bone.rotation_mode))
        _key(new, bone.name, "scale", frames[:1], np.ones((1, 3)))


def _path(bone: str) -> str:
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"]'


def _key(new: NewAction, bone: str, channel: str, frames: Array, values: Array) -> None:
    new.add(f"{_path(bone)}.{channel}", bone, frames[:len(values)], values)

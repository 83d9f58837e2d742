"""Channels of the controls of a level in closed form, for all frames at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.geometry import so3
from ..rigs.control_rig import ControlLink
from ..rigs.locks import lock_frames
from ..rigs.stage import RigStage
from .bone_frames import compute_bases, compute_poses
from .control_channels import ControlChannels
from .control_targets import ControlTargets

Array = NDArray[np.float64]


class LevelPoser:
    """Poser of controls whose parents are evaluated, or move rigidly with controls posed before.

    Args:
        targets: planned poses of the controls.
        channels: receives the channels.
        stage: the rig at rest.
        rigid_bones: bones whose pose follows from their channels and the pose of their parent.
    """

    def __init__(
        self,
        targets: ControlTargets,
        channels: ControlChannels,
        stage: RigStage,
        rigid_bones: Set[str],
    ) -> None:
        self._targets = targets
        self._channels = channels
        self._pose_bones = stage.provide().armature.pose.bones
        self._rigid_bones = rigid_bones
        self._frames: NDArray[np.int64] = np.empty(0, int)
        self._evaluated: Mapping[str, Array] = {}
        self._bases: dict[str, Array] = {}  # channels of the controls posed since the evaluation
        self._new_poses: dict[str, Array | None] = {}

    def pose(
        self,
        links: Sequence[ControlLink],
        frames: NDArray[np.int64],
        evaluated: Mapping[str, Array],
    ) -> None:
        """Solve the channels of the controls of some links, those of parents first.

        Args:
            frames: frames to solve (n,).
            evaluated: evaluated poses (n, 4, 4) by bone.
        """
        self._frames = frames
        self._evaluated = evaluated
        self._bases = {}
        self._new_poses = {}
        for link in links:
            bases = self._solve_control(link)
            self._channels.rotations[link.control][frames] = bases[:, :3, :3]
            self._channels.positions[link.control][frames] = bases[:, :3, 3]
            self._bases[link.control] = bases

    def _solve_control(self, link: ControlLink) -> Array:
        """Return the channels of a control as matrices (n, 4, 4)."""
        name = link.control
        bone = self._pose_bones[name]
        initial_basis = self._channels.initial_bases[name]
        parents = self._find_poses(bone.parent)
        positions = (
            self._compute_pole_positions(link)
            if link.pole_bones
            else self._targets.positions[name][self._frames]
        )
        rotations = self._targets.rotations[name][self._frames]
        if link.drives_roll:
            # the rig points the axis of the bone at the next control by the shortest rotation,
            # which is undone here
            axes = self._find_axes(bone, np.array(initial_basis), parents)
            rotations = so3.rotations_between(rotations[:, :, 1], axes) @ rotations
        bases = compute_bases(bone.bone, _to_matrices(rotations, positions), parents)
        bases[:, :3, :3] = (
            _normalize(bases[:, :3, :3])
            if link.drives_rotation or link.drives_roll
            else initial_basis.to_quaternion().to_matrix()
        )
        if not link.drives_position:
            bases[:, :3, 3] = initial_basis.translation
        if name not in self._targets.locked_controls:
            return bases
        locked = lock_frames(bone, bases, initial_basis)
        self._record_lock_errors(name, bases, locked)
        return locked

    def _find_axes(
        self, bone: bpy.types.PoseBone, initial_basis: Array, parents: Array | None
    ) -> Array:
        """Return the directions that the rig gives a control with its initial channels (n, 3)."""
        if self._find_new_poses(bone.parent) is None:
            return self._evaluated[bone.name][:, :3, 1]
        bases = np.tile(initial_basis, (len(self._frames), 1, 1))
        return compute_poses(bone.bone, bases, parents)[:, :3, 1]

    def _find_poses(self, bone: bpy.types.PoseBone | None) -> Array | None:
        """Return the poses of a parent (n, 4, 4); None if there is none."""
        if bone is None:
            return None
        poses = self._find_new_poses(bone)
        return self._evaluated[bone.name] if poses is None else poses

    def _find_new_poses(self, bone: bpy.types.PoseBone | None) -> Array | None:
        """Return the poses of a bone that moves rigidly with a control posed since the evaluation.

        Returns:
            The poses (n, 4, 4); None if the evaluation has them.
        """
        if bone is None or bone.name not in self._rigid_bones:
            return None
        if bone.name not in self._new_poses:
            parents = self._find_new_poses(bone.parent)
            if parents is None and bone.name not in self._bases:
                self._new_poses[bone.name] = None
                return None
            bases = self._bases.get(bone.name)
            if bases is None:
                bases = np.tile(np.array(bone.matrix_basis), (len(self._frames), 1, 1))
            self._new_poses[bone.name] = compute_poses(
                bone.bone, bases, self._find_poses(bone.parent)
            )
        return self._new_poses[bone.name]

    def _compute_pole_positions(self, link: ControlLink) -> Array:
        """Return the positions of a pole (n, 3): fixed to the thigh, then rotated about the line
        from hip to ankle.
        """
        assert link.pole_bones is not None
        heads = self._targets.deform_poses.heads
        hips = heads[link.bone][self._frames]
        axes = heads[link.pole_bones[1]][self._frames] - hips
        angles = self._channels.pole_angles[link.control][self._frames]
        rotations = so3.exp((angles / np.linalg.norm(axes, axis=1))[:, None] * axes)
        offsets = self._targets.positions[link.control][self._frames] - hips
        return np.asarray(hips + (rotations @ offsets[..., None])[..., 0])

    def _record_lock_errors(self, control: str, bases: Array, locked: Array) -> None:
        """Record how far locks keep a control from the channels that it should have (n, 4, 4)."""
        cosines = 0.5 * (np.einsum("nij,nij->n", bases[:, :3, :3], locked[:, :3, :3]) - 1)
        distances = np.linalg.norm(locked[:, :3, 3] - bases[:, :3, 3], axis=1)
        self._channels.lock_rotation_errors[control][self._frames] = np.arccos(
            np.clip(cosines, -1, 1)
        )
        self._channels.lock_position_errors[control][self._frames] = distances


def _to_matrices(rotations: Array, positions: Array) -> Array:
    """Return rotations (n, 3, 3) and positions (n, 3) as matrices (n, 4, 4)."""
    matrices = np.tile(np.eye(4), (len(rotations), 1, 1))
    matrices[:, :3, :3] = rotations
    matrices[:, :3, 3] = positions
    return matrices


def _normalize(matrices: Array) -> Array:
    """Return the rotations of matrices (n, 3, 3) without their scales."""
    directions = matrices / np.linalg.norm(matrices, axis=1, keepdims=True)
    return np.asarray(so3.quat_to_matrix(so3.quat_from_matrix(directions)))

"""Solver for the channels of the controls of a rig."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ...core.geometry import so3
from ..rigs.control_rig import ControlLink, RigControls
from ..rigs.deform_poses import DeformPoses, compute_knee_offset
from ..rigs.dependencies import compute_evaluation_levels
from ..rigs.locks import apply_locks, make_lock_warnings

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ControlSolverParameters:
    """Tolerances of the bake onto controls.

    Args:
        position_tolerance: displacement of a control below which it gets no keys of its position,
            as a share of the rig's size.
        pole_angle_tolerance: error of a knee about the line from hip to ankle that is left [rad].
        min_knee_bend: least distance of a knee from the line from hip to ankle at which it defines
            a plane of bending, as a share of the length of the line.
        max_pole_passes: most corrections of the poles in a frame.
        lock_position_warning: error of the position because of a lock above which there is a
            warning, as a share of the rig's size.
        lock_rotation_warning: error of the rotation because of a lock above which there is a
            warning [rad].
    """

    position_tolerance: float = 5e-5
    pole_angle_tolerance: float = float(np.radians(0.02))
    min_knee_bend: float = 0.02
    max_pole_passes: int = 4
    lock_position_warning: float = 1e-3
    lock_rotation_warning: float = float(np.radians(0.5))


SOLVER = ControlSolverParameters()


class ControlSolver:
    """Solver for the channels of the controls, frame by frame."""

    def __init__(
        self,
        armature: bpy.types.Object,
        rig_controls: RigControls,
        binding: Binding,
        deform_poses: DeformPoses,
        root_trajectory: Array | None,
    ) -> None:
        self.pose_bones = armature.pose.bones
        self.deform_poses = deform_poses
        self.planned_bones = {*binding.bones, *binding.rest_bones}
        self.links = self._select_links(rig_controls, binding)
        self.target_rotations = {
            m.control: deform_poses.compute_control_orientation(m.bone, m.control)
            for m in self.links
        }
        self.target_positions = {
            m.control: deform_poses.compute_control_position(m.bone, m.control) for m in self.links
        }
        if root_trajectory is not None:
            self._add_root(armature, rig_controls, binding, root_trajectory)
        level = compute_evaluation_levels(armature, [link.control for link in self.links])
        self.levels = [
            [m for m in self.links if level[m.control] == k] for k in range(1 + max(level.values()))
        ]
        self.rig_size = float(
            np.ptp([m[:3, 3] for m in deform_poses.rest_matrices.values()], axis=0).max()
        )
        self.pole_links = [m for m in self.links if m.pole_bones]
        # Angles of the poles about the line from hip to ankle [rad], kept from frame to frame
        self.pole_angles = {m.control: 0.0 for m in self.pole_links}
        # Channels of the controls: rotations (n, 3, 3) and positions (n, 3)
        self.rotations: dict[str, Array] = {}
        self.positions: dict[str, Array] = {}
        # Largest deviations from the plan because of locks, in units of the rig and [rad]
        self.lock_position_errors: dict[str, float] = {}
        self.lock_rotation_errors: dict[str, float] = {}

    def _select_links(self, rig_controls: RigControls, binding: Binding) -> list[ControlLink]:
        """Return one link for each control, with a planned bone if the control has one."""
        orientations = self.deform_poses.orientations
        candidates = [
            rig_controls.body_link,
            *(
                m
                for m in rig_controls.links
                if m.bone in (orientations if m.drives_rotation else self.planned_bones)
            ),
        ]
        link_by_control = {
            m.control: m for m in sorted(candidates, key=lambda m: m.bone in binding.bones)
        }
        return [link_by_control[name] for name in dict.fromkeys(m.control for m in candidates)]

    def _add_root(
        self,
        armature: bpy.types.Object,
        rig_controls: RigControls,
        binding: Binding,
        root_trajectory: Array,
    ) -> None:
        """Add the root control, which follows the trajectory.

        Raises:
            CharacterError: the rig has no root control.
        """
        root_name = rig_controls.control_rig.root_control
        if root_name not in self.pose_bones:
            raise CharacterError(
                f"The {rig_controls.control_rig.name} rig {armature.name!r} has no bone "
                f"{root_name!r} that could move over the ground. Choose another Root Motion."
            )
        self.links.insert(0, ControlLink(binding.bones[0], root_name))
        root_matrices = root_trajectory @ self.deform_poses.rest_matrices[root_name]
        self.target_rotations[root_name] = root_matrices[:, :3, :3]
        self.target_positions[root_name] = root_matrices[:, :3, 3]

    def check_knee_direction(self) -> None:
        """Check that every leg posed by its foot bends in the same direction as at rest.

        Raises:
            CharacterError: a leg bends in the opposite direction, which inverse kinematics cannot
                reach.
        """
        for link in self.pole_links:
            bones = (link.bone, *link.pole_bones)
            hip, knee, ankle = (self.deform_poses.heads[name] for name in bones)
            offset = compute_knee_offset(hip, knee, ankle)
            rest_offset = self.deform_poses.rest_matrices[link.bone][
                :3, :3
            ].T @ compute_knee_offset(
                *(self.deform_poses.rest_matrices[name][:3, 3] for name in bones)
            )
            is_bent = np.linalg.norm(offset, axis=1) > SOLVER.min_knee_bend * np.linalg.norm(
                ankle - hip, axis=1
            )
            if (
                is_bent
                & (((self.deform_poses.orientations[link.bone] @ rest_offset) * offset).sum(1) < 0)
            ).any():
                raise CharacterError(
                    f"The knee of {link.bone!r} bends in the opposite direction in the plan than "
                    "at rest, which inverse kinematics cannot follow. Choose FK under Controls."
                )

    def pose_all(self, frame_count: int) -> None:
        """Compute `rotations` and `positions` of all frames."""
        initial_bases = {
            m.control: self.pose_bones[m.control].matrix_basis.copy() for m in self.links
        }
        for link in self.links:
            self.rotations[link.control], self.positions[link.control] = (
                np.empty((frame_count, 3, 3)),
                np.empty((frame_count, 3)),
            )
            self.lock_position_errors[link.control] = self.lock_rotation_errors[link.control] = 0.0
        for k in range(frame_count):
            self._pose_frame(k, initial_bases)
            for _ in range(SOLVER.max_pole_passes if self.pole_links else 0):
                if not self._correct_poles(k):
                    break
                self._pose_frame(k, initial_bases)
        for link in self.links:
            displacement = self.positions[link.control] - np.array(
                initial_bases[link.control].translation
            )
            if (
                np.linalg.norm(displacement, axis=1).max()
                < SOLVER.position_tolerance * self.rig_size
            ):
                # the control is in place without keys
                self.positions[link.control] -= displacement

    def _pose_frame(self, k: int, initial_bases: dict[str, Matrix]) -> None:
        for level in self.levels:
            bpy.context.view_layer.update()
            for link in level:
                basis = self._pose_control(link, k, initial_bases[link.control])
                self.rotations[link.control][k] = np.array(basis.to_3x3())
                self.positions[link.control][k] = basis.translation

    def _correct_poles(self, k: int) -> bool:
        """Rotate the poles about the line from hip to ankle by the errors of their knees.

        Returns whether a pole was rotated.
        """
        bpy.context.view_layer.update()
        is_corrected = False
        for link in self.pole_links:
            angle = self._measure_pole_error(link, k)
            if abs(angle) > SOLVER.pole_angle_tolerance:
                self.pole_angles[link.control] += angle
                is_corrected = True
        return is_corrected

    def _measure_pole_error(self, link: ControlLink, k: int) -> float:
        """Return the angle about the line from hip to ankle between the actual and the planned knee
        [rad]; for a straight leg the twist of the shin.
        """
        shin, foot = link.pole_bones
        hip, knee, ankle = (self.deform_poses.heads[name][k] for name in (link.bone, shin, foot))
        axis = (ankle - hip) / np.linalg.norm(ankle - hip)
        planned_offset = compute_knee_offset(hip, knee, ankle)
        actual_offset = compute_knee_offset(hip, np.array(self.pose_bones[shin].head), ankle)
        if np.linalg.norm(planned_offset) > SOLVER.min_knee_bend * np.linalg.norm(ankle - hip):
            return float(
                np.arctan2(
                    axis @ np.cross(actual_offset, planned_offset), actual_offset @ planned_offset
                )
            )
        return self._measure_twist(shin, k, axis)

    def _measure_twist(self, bone: str, k: int, axis: Array) -> float:
        actual = np.array(self.pose_bones[bone].matrix.to_3x3().normalized())
        w, *v = so3.quat_from_matrix(self.deform_poses.orientations[bone][k] @ actual.T)
        angle = 2 * float(np.arctan2(axis @ v, w))
        return float(so3.wrap_angle(angle))

    def _compute_pole_position(self, link: ControlLink, k: int) -> Array:
        """Return the position of a pole (3,): fixed to the thigh, then rotated about the line from
        hip to ankle.
        """
        hip = self.deform_poses.heads[link.bone][k]
        ankle = self.deform_poses.heads[link.pole_bones[1]][k]
        rotation = so3.exp(
            self.pole_angles[link.control] * (ankle - hip) / np.linalg.norm(ankle - hip)
        )
        return hip + rotation @ (self.target_positions[link.control][k] - hip)

    def find_moved_links(self) -> list[ControlLink]:
        """Return the links whose controls move, or rotate a planned bone; the others stay in
        place.
        """
        return [
            m
            for m in self.links
            if (m.drives_rotation and m.bone in self.planned_bones)
            or is_rotated(self.rotations[m.control])
            or np.abs(self.positions[m.control]).max() > 0
        ]

    def find_end_controls(self) -> list[str]:
        """Return the controls that rotate bones without a plan, such as hands."""
        moved_controls = {link.control for link in self.find_moved_links()}
        return [
            m.control
            for m in self.links
            if m.drives_rotation
            and m.bone not in self.planned_bones
            and m.control not in moved_controls
        ]

    def _pose_control(self, link: ControlLink, k: int, initial_basis: Matrix) -> Matrix:
        """Pose a control in frame `k` and return its channels as a matrix."""
        bone = self.pose_bones[link.control]
        bone.matrix_basis = initial_basis
        target = bone.matrix.copy()
        if link.drives_rotation or link.drives_roll:
            rotation = self.target_rotations[link.control][k]
            # the rig points the axis of the bone at the next control by the shortest rotation,
            # which is undone here
            if link.drives_roll:
                rotation = (
                    so3.rotation_between(rotation[:, 1], np.array(target.col[1].xyz)) @ rotation
                )
            target = Matrix(rotation.tolist()).to_4x4()
        target.translation = (
            self._compute_pole_position(link, k)
            if link.pole_bones
            else self.target_positions[link.control][k]
        ).tolist()
        bone.matrix = target
        basis = bone.matrix_basis.copy()
        if not (link.drives_rotation or link.drives_roll):
            basis = Matrix.LocRotScale(basis.translation, initial_basis.to_quaternion(), None)
        if not link.drives_position:
            basis.translation = initial_basis.translation
        locked_basis = apply_locks(bone, basis, initial_basis)
        self.lock_position_errors[link.control] = max(
            self.lock_position_errors[link.control],
            (locked_basis.translation - basis.translation).length,
        )
        angle = locked_basis.to_quaternion().rotation_difference(basis.to_quaternion()).angle
        self.lock_rotation_errors[link.control] = max(
            self.lock_rotation_errors[link.control], min(angle, 2 * np.pi - angle)
        )
        bone.matrix_basis = locked_basis
        return locked_basis

    def find_lock_warnings(self) -> list[str]:
        """Return warnings about controls that locks keep from the plan."""
        locked = [
            name
            for name in self.lock_position_errors
            if self.lock_position_errors[name] > SOLVER.lock_position_warning * self.rig_size
            or self.lock_rotation_errors[name] > SOLVER.lock_rotation_warning
        ]
        return make_lock_warnings(locked)


def is_rotated(rotations: Array) -> bool:
    """Return whether the channels of a control (n, 3, 3) rotate it."""
    return bool(np.abs(rotations - np.eye(3)).max() > SOLVER.pole_angle_tolerance)

"""A motion as keys on the controls of a rig, such that its deforming bones come out as planned."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ...core.geometry import so3
from ..animation.action_builder import ActionBuilder
from ..animation.rotations import get_channel_name, to_channels
from ..rigs.constraints import ExpectedPose
from ..rigs.control_rig import ControlLink, RigControls
from ..rigs.deform_poses import DeformPoses, compute_knee_offset, propagate_poses
from ..rigs.dependencies import collect_movers, compute_evaluation_levels, find_free_controls
from ..rigs.locks import apply_locks, get_channel_locks, make_lock_warnings
from ..rigs.rest_pose import hold_rest_pose

Array = NDArray[np.float64]

# of the rig's size: how far from its place a control may hang before it is moved
POSITION_TOLERANCE = 5e-5
# by which a knee may be off the plane that it should bend in
POLE_ANGLE_TOLERANCE = np.radians(0.02)
# of the way from hip to ankle: how far off that line a knee tells the plane that it bends in
MIN_KNEE_BEND = 0.02
MAX_POLE_PASSES = 4  # at most, until the knees of a frame are where they should be
# of the rig's size, from which on it is told that a lock keeps a control from its place
LOCK_POSITION_WARNING = 1e-3
LOCK_ROTATION_WARNING = np.radians(0.5)


@dataclass(frozen=True)
class ControlBake:
    """The controls that were keyed, what the user should know, controls that may be turned in any
    way besides, and the plan.

    `bone_by_control` is the deforming bone that each control goes with.
    """

    controls: tuple[str, ...]
    warnings: list[str]
    free_bones: set[str]
    deform_poses: DeformPoses
    bone_by_control: dict[str, str]

    def to_expected_pose(self, binding: Binding, meters_per_unit: float) -> ExpectedPose:
        """Where the deforming bones that are planned for should be; `meters_per_unit` in m of one
        of the armature's units.
        """
        orientations, heads = (
            {name: values[name] for name in binding.bones}
            for values in (self.deform_poses.orientations, self.deform_poses.heads)
        )
        return ExpectedPose(orientations, heads, meters_per_unit, axis_only=True)


@dataclass(frozen=True)
class PlannedPoses:
    """Planned poses in the space of the armature.

    Args:
        orientations: orientations by deform bone, (n, 3, 3) each.
        root_head: positions of the head of the root bone (n, 3).
        root_trajectory: transforms of the rig's root (n, 4, 4); None if it stays at rest.
    """

    orientations: dict[str, Array]
    root_head: Array
    root_trajectory: Array | None = None


def bake_controls(
    armature: bpy.types.Object,
    rig_controls: RigControls,
    binding: Binding,
    planned: PlannedPoses,
    builder: ActionBuilder,
    frames: Array,
) -> ControlBake:
    """Key the controls.

    The rig's own constraints and drivers tell where a control hangs, so each frame is posed and
    looked at, level by level.

    Args:
        planned_orientations: (n, 3, 3) orientation by deforming bone, in the armature's space.
        root_head: (n, 3) place of the root bone's head there.
        root_trajectory: (n, 4, 4) that the rig's root goes there; it stays at rest without.

    Raises:
        CharacterError: the rig lacks the controls that the planned bones need.
    """
    missing = [bone for bone in binding.bones if bone not in rig_controls.moved_bones]
    if missing:
        raise CharacterError(
            f"The {rig_controls.control_rig.name} rig {armature.name!r} has no control that "
            f"Footfall knows for the bone {missing[0]!r}. Generate the rig anew, or bake onto its "
            "metarig."
        )
    solver = _ControlSolver(
        armature,
        rig_controls,
        binding,
        deform_poses=propagate_poses(armature, binding, planned.orientations, planned.root_head),
        root_trajectory=planned.root_trajectory,
    )
    solver.check_knee_direction()
    with hold_rest_pose(armature, rig_controls):
        solver.pose_all(len(frames))
        free_bones = find_free_controls(armature, solver.find_end_controls(), solver.planned_bones)
    moved_links = solver.find_moved_links()
    bone_by_control = {link.control: link.bone for link in moved_links}
    for link in moved_links:
        rotations = solver.rotations[link.control]
        _key_control(
            armature.pose.bones[link.control],
            builder,
            frames,
            rotations=rotations,
            positions=solver.positions[link.control],
            needs_rotation=link.drives_rotation or _is_rotated(rotations),
        )
    for switch in rig_controls.settings:
        builder.add(switch.data_path, switch.bone, frames[:1], np.array([[switch.value]]))
    _key_others(
        armature,
        builder,
        frames,
        other_bones=collect_movers(armature, solver.planned_bones) - set(bone_by_control),
        free_bones=free_bones,
    )
    return ControlBake(
        tuple(bone_by_control),
        solver.find_lock_warnings(),
        free_bones,
        deform_poses=solver.deform_poses,
        bone_by_control=bone_by_control,
    )


class _ControlSolver:
    """Finds the controls' own channels, frame by frame."""

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
        """Make sure that every leg that is posed by its foot bends the way it does at rest:
        no other can be reached.

        Raises:
            CharacterError: one bends the other way.
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
            is_bent = np.linalg.norm(offset, axis=1) > MIN_KNEE_BEND * np.linalg.norm(
                ankle - hip, axis=1
            )
            if (
                is_bent
                & (((self.deform_poses.orientations[link.bone] @ rest_offset) * offset).sum(1) < 0)
            ).any():
                raise CharacterError(
                    f"The knee of {link.bone!r} bends the other way in the plan than at rest, "
                    "which inverse kinematics cannot follow. Choose FK under Controls."
                )

    def pose_all(self, frame_count: int) -> None:
        """Fill `rotations` and `positions`."""
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
            for _ in range(MAX_POLE_PASSES if self.pole_links else 0):
                if not self._correct_poles(k):
                    break
                self._pose_frame(k, initial_bases)
        for link in self.links:
            displacement = self.positions[link.control] - np.array(
                initial_bases[link.control].translation
            )
            if np.linalg.norm(displacement, axis=1).max() < POSITION_TOLERANCE * self.rig_size:
                # it hangs where it should; keys would only be in the way
                self.positions[link.control] -= displacement

    def _pose_frame(self, k: int, initial_bases: dict[str, Matrix]) -> None:
        for level in self.levels:
            bpy.context.view_layer.update()
            for link in level:
                basis = self._pose_control(link, k, initial_bases[link.control])
                self.rotations[link.control][k] = np.array(basis.to_3x3())
                self.positions[link.control][k] = basis.translation

    def _correct_poles(self, k: int) -> bool:
        """Turn poles about the line from hip to ankle by as much as their knees
        are off; whether any was.
        """
        bpy.context.view_layer.update()
        is_corrected = False
        for link in self.pole_links:
            angle = self._measure_pole_error(link, k)
            if abs(angle) > POLE_ANGLE_TOLERANCE:
                self.pole_angles[link.control] += angle
                is_corrected = True
        return is_corrected

    def _measure_pole_error(self, link: ControlLink, k: int) -> float:
        """Angle about the line from hip to ankle by which a knee is off its place;
        of a straight leg that of the shin.
        """
        shin, foot = link.pole_bones
        hip, knee, ankle = (self.deform_poses.heads[name][k] for name in (link.bone, shin, foot))
        axis = (ankle - hip) / np.linalg.norm(ankle - hip)
        planned_offset = compute_knee_offset(hip, knee, ankle)
        actual_offset = compute_knee_offset(hip, np.array(self.pose_bones[shin].head), ankle)
        if np.linalg.norm(planned_offset) > MIN_KNEE_BEND * np.linalg.norm(ankle - hip):
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
        """Place of a pole, which goes with the thigh but for what it is turned about the line
        from hip to ankle. (3,).
        """
        hip = self.deform_poses.heads[link.bone][k]
        ankle = self.deform_poses.heads[link.pole_bones[1]][k]
        rotation = so3.exp(
            self.pole_angles[link.control] * (ankle - hip) / np.linalg.norm(ankle - hip)
        )
        return hip + rotation @ (self.target_positions[link.control][k] - hip)

    def find_moved_links(self) -> list[ControlLink]:
        """The controls that move, or turn a bone that is planned for;
        others hang where they should.
        """
        return [
            m
            for m in self.links
            if (m.drives_rotation and m.bone in self.planned_bones)
            or _is_rotated(self.rotations[m.control])
            or np.abs(self.positions[m.control]).max() > 0
        ]

    def find_end_controls(self) -> list[str]:
        """Controls that turn bones that are not planned, such as hands."""
        moved_controls = {link.control for link in self.find_moved_links()}
        return [
            m.control
            for m in self.links
            if m.drives_rotation
            and m.bone not in self.planned_bones
            and m.control not in moved_controls
        ]

    def _pose_control(self, link: ControlLink, k: int, initial_basis: Matrix) -> Matrix:
        """Pose a control in a frame; returns its own channels."""
        bone = self.pose_bones[link.control]
        bone.matrix_basis = initial_basis
        target = bone.matrix.copy()
        if link.drives_rotation or link.drives_roll:
            rotation = self.target_rotations[link.control][k]
            # the rig leads the bone's axis to the next control by the shortest way,
            # so back from there by it
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
        """Controls that their locks keep from the plan, in words."""
        locked = [
            name
            for name in self.lock_position_errors
            if self.lock_position_errors[name] > LOCK_POSITION_WARNING * self.rig_size
            or self.lock_rotation_errors[name] > LOCK_ROTATION_WARNING
        ]
        return make_lock_warnings(locked)


def _is_rotated(rotations: Array) -> bool:
    """Whether a control's own channels (n, 3, 3) turn it at all."""
    return bool(np.abs(rotations - np.eye(3)).max() > POLE_ANGLE_TOLERANCE)


def _key_control(
    bone: bpy.types.PoseBone,
    builder: ActionBuilder,
    frames: Array,
    rotations: Array | None,
    positions: Array,
    needs_rotation: bool = False,
) -> None:
    """Key the channels that are free and that move, or are posed in another way now;
    without turns no rotation.
    """
    mode = bone.rotation_mode
    path = _format_bone_path(bone.name)

    def key(channel: str, values: Array) -> None:
        builder.add(
            f"{path}.{channel}",
            bone.name,
            frames[: len(values)],
            values,
            skip=get_channel_locks(bone, channel),
        )

    if rotations is not None and (needs_rotation or bone.matrix_basis.to_quaternion().angle > 1e-6):
        key(get_channel_name(mode), to_channels(rotations, mode))
    if np.abs(positions).max() > 0 or np.abs(np.array(bone.location)).max() > 1e-9:
        key("location", positions)
    if np.abs(np.array(bone.scale) - 1).max() > 1e-6:
        key("scale", np.ones((1, 3)))


def _key_others(
    armature: bpy.types.Object,
    builder: ActionBuilder,
    frames: Array,
    other_bones: set[str],
    free_bones: set[str],
) -> None:
    """Key other controls at rest that are posed and would turn the body away from the plan; those
    that are free may be turned.
    """
    for bone in armature.pose.bones:
        if (
            bone.name not in other_bones
            or np.abs(np.array(bone.matrix_basis) - np.eye(4)).max() < 1e-6
        ):
            continue
        _key_control(
            bone,
            builder,
            frames[:1],
            rotations=None if bone.name in free_bones else np.eye(3)[None],
            positions=np.zeros((1, 3)),
            needs_rotation=True,
        )


def _format_bone_path(bone: str) -> str:
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"]'

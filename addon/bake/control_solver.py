"""Solver for the channels of the controls of a rig."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.geometry import so3
from ..animation.duplicate import ArmatureDuplicate
from ..rigs.control_rig import ControlLink
from ..rigs.locks import apply_locks, make_lock_warnings
from ..rigs.stage import RigStage
from .control_levels import ControlLevels, arrange_levels
from .control_targets import ControlTargets
from .pole_error import is_straight, measure_pole_error

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ControlSolverParameters:
    """Tolerances of the bake onto controls.

    Args:
        position_tolerance: displacement of a control below which it gets no keys of its position,
            as a share of the rig's size.
        pole_angle_tolerance: error of a knee about the line from hip to ankle that is left [rad].
        max_pole_passes: most corrections of the poles in a frame.
        lock_position_warning: error of the position because of a lock above which there is a
            warning, as a share of the rig's size.
        lock_rotation_warning: error of the rotation because of a lock above which there is a
            warning [rad].
    """

    position_tolerance: float = 5e-5
    pole_angle_tolerance: float = float(np.radians(0.02))
    max_pole_passes: int = 4
    lock_position_warning: float = 1e-3
    lock_rotation_warning: float = float(np.radians(0.5))


SOLVER = ControlSolverParameters()
# Least cosine of the angle between directions for which the closed form of a rotation is exact
MIN_COSINE = -0.9


class ControlSolver:
    """Solver for the channels of the controls, frame by frame, on a duplicate of the rig.

    Args:
        targets: planned poses of the controls.
        frame_count: number of frames.

    Attributes:
        rotations: channels of the controls, as rotations by control (n, 3, 3).
        positions: channels of the controls, as positions by control (n, 3).
    """

    def __init__(self, targets: ControlTargets, frame_count: int) -> None:
        self.targets = targets
        self.frame_count = frame_count
        controls = [link.control for link in targets.links]
        self.rotations: dict[str, Array] = {c: np.empty((frame_count, 3, 3)) for c in controls}
        self.positions: dict[str, Array] = {c: np.empty((frame_count, 3)) for c in controls}
        # Angles of the poles about the line from hip to ankle [rad], kept from frame to frame
        self.pole_angles = {link.control: 0.0 for link in targets.pole_links}
        # Channels of the controls at rest, where locks may hold them
        self.initial_bases: dict[str, Matrix] = {}
        self.pole_angles_by_frame = {c: np.zeros(frame_count) for c in self.pole_angles}
        # Deviations from the plan because of locks (n,), in units of the rig and [rad]
        self.lock_position_errors = {c: np.zeros(frame_count) for c in controls}
        self.lock_rotation_errors = {c: np.zeros(frame_count) for c in controls}
        self._is_solved = np.zeros(frame_count, bool)

    def reuse(self, previous: ControlSolver) -> None:
        """Take the frames of another solver for the same rig whose targets are the same."""
        if previous.rotations.keys() != self.rotations.keys():
            return
        count = min(self.frame_count, previous.frame_count)
        is_same = previous._is_solved[:count].copy()
        for here, there in zip(
            self.targets.list_arrays(), previous.targets.list_arrays(), strict=True
        ):
            is_same &= (here[:count] == there[:count]).reshape(count, -1).all(1)
        for here_by_name, there_by_name in zip(
            self._list_results(), previous._list_results(), strict=True
        ):
            for name, values in here_by_name.items():
                values[:count][is_same] = there_by_name[name][:count][is_same]
        self._is_solved[:count] = is_same
        self.initial_bases = previous.initial_bases

    def _list_results(self) -> list[dict[str, Array]]:
        return [
            self.rotations,
            self.positions,
            self.pole_angles_by_frame,
            self.lock_position_errors,
            self.lock_rotation_errors,
        ]

    def solve(self, stage: RigStage) -> Iterator[float]:
        """Solve the remaining frames and yield the completed share after each.

        Args:
            stage: the rig at rest. It may be created anew between frames.
        """
        pending = np.flatnonzero(~self._is_solved)
        if not len(pending):
            return
        order = stage.compute_order(link.control for link in self.targets.links)
        levels = arrange_levels(stage.provide().armature, self.targets.links, order)
        yield 0.0
        for count, k in enumerate(pending, 1):
            if k:
                self.pole_angles = {
                    c: float(angles[k - 1]) for c, angles in self.pole_angles_by_frame.items()
                }
            _FrameSolver(self, levels, stage.provide(), int(k)).solve()
            for control, angle in self.pole_angles.items():
                self.pole_angles_by_frame[control][k] = angle
            self._is_solved[k] = True
            yield count / len(pending)

    def get_positions(self, control: str) -> Array:
        """Return the channels of the position of a control (n, 3).

        Controls that barely move stay in place, so that they need no keys of their position.
        """
        positions = self.positions[control]
        displacement = positions - np.array(self.initial_bases[control].translation)
        if (
            np.linalg.norm(displacement, axis=1).max()
            < SOLVER.position_tolerance * self.targets.rig_size
        ):
            return positions - displacement
        return positions

    def find_moved_links(self) -> list[ControlLink]:
        """Return the links whose controls move, or rotate a planned bone; the others stay in
        place.
        """
        return [
            m
            for m in self.targets.links
            if (m.drives_rotation and m.bone in self.targets.planned_bones)
            or is_rotated(self.rotations[m.control])
            or np.abs(self.get_positions(m.control)).max() > 0
        ]

    def find_end_controls(self) -> list[str]:
        """Return the controls that rotate bones without a plan, such as hands."""
        moved_controls = {link.control for link in self.find_moved_links()}
        return [
            m.control
            for m in self.targets.links
            if m.drives_rotation
            and m.bone not in self.targets.planned_bones
            and m.control not in moved_controls
        ]

    def find_lock_warnings(self) -> list[str]:
        """Return warnings about controls that locks keep from the plan."""
        max_position_error = SOLVER.lock_position_warning * self.targets.rig_size
        locked = [
            name
            for name, errors in self.lock_position_errors.items()
            if errors.max() > max_position_error
            or self.lock_rotation_errors[name].max() > SOLVER.lock_rotation_warning
        ]
        return make_lock_warnings(locked)


class _FrameSolver:
    """Solver of one frame: controls are posed level by level, each on the pose of those before."""

    def __init__(
        self, solver: ControlSolver, levels: ControlLevels, duplicate: ArmatureDuplicate, k: int
    ) -> None:
        self.solver = solver
        self.levels = levels
        self.targets = solver.targets
        self.pose_bones = duplicate.armature.pose.bones
        self.view_layer = duplicate.view_layer
        self.k = k
        self._posed: set[str] = set()  # controls that the last evaluation does not have
        if not solver.initial_bases:
            solver.initial_bases = {
                m.control: self.pose_bones[m.control].matrix_basis.copy()
                for m in self.targets.links
            }

    def solve(self) -> None:
        """Pose the controls; rotate poles until the knees are where they are planned."""
        first = 0
        for _ in range(SOLVER.max_pole_passes):
            if self._pose_levels(first):
                return
            first = self.levels.first_pole
        self._pose_levels(first, checks_knees=False)

    def _pose_levels(self, first: int, checks_knees: bool = True) -> bool:
        """Pose the controls from a level on.

        Returns whether it reached the end; it does not if a pole was rotated.
        """
        levels = self.levels.links
        has_poles = checks_knees and bool(self.targets.pole_links)
        knees = self.levels.knees if self._has_bent_legs() else len(levels)
        for k in range(first, len(levels)):
            self._evaluate(k)
            if has_poles and k == knees and self._correct_poles():
                return False
            for link in levels[k]:
                basis = self._pose_control(link)
                self.solver.rotations[link.control][self.k] = np.array(basis.to_3x3())
                self.solver.positions[link.control][self.k] = basis.translation
        if has_poles and knees == len(levels):
            self._evaluate(len(levels))
            return not self._correct_poles()
        return True

    def _evaluate(self, level: int) -> None:
        """Evaluate the rig for the controls of a level; those of the first depend on no others.

        Inverse kinematics is left out where no control of the level depends on it.
        """
        if level == 0:
            return
        is_active = level >= self.levels.first_chain
        for chain in self.levels.chains:
            constraint = self.pose_bones[chain.bone].constraints[chain.constraint]
            influence = chain.influence if is_active else 0.0
            if constraint.influence != influence:
                constraint.influence = influence
        self.view_layer.update()
        self._posed.clear()

    def _has_bent_legs(self) -> bool:
        """Return whether the knees of all legs show where their poles are."""
        return not any(is_straight(self.targets, link, self.k) for link in self.targets.pole_links)

    def _correct_poles(self) -> bool:
        """Rotate the poles about the line from hip to ankle by the errors of their knees.

        Returns whether a pole was rotated.
        """
        is_corrected = False
        for link in self.targets.pole_links:
            angle = measure_pole_error(self.targets, link, self.pose_bones, self.k)
            if abs(angle) > SOLVER.pole_angle_tolerance:
                self.solver.pole_angles[link.control] += angle
                is_corrected = True
        return is_corrected

    def _compute_pole_position(self, link: ControlLink) -> Array:
        """Return the position of a pole (3,): fixed to the thigh, then rotated about the line from
        hip to ankle.
        """
        hip = self.targets.deform_poses.heads[link.bone][self.k]
        ankle = self.targets.deform_poses.heads[link.pole_bones[1]][self.k]
        rotation = so3.exp(
            self.solver.pole_angles[link.control] * (ankle - hip) / np.linalg.norm(ankle - hip)
        )
        return hip + rotation @ (self.targets.positions[link.control][self.k] - hip)

    def _pose_control(self, link: ControlLink) -> Matrix:
        """Pose a control and return its channels as a matrix."""
        bone = self.pose_bones[link.control]
        initial_basis = self.solver.initial_bases[link.control]
        bone.matrix_basis = initial_basis
        parent_matrix = self._find_new_pose(bone.parent)
        target = (
            bone.matrix.copy()
            if parent_matrix is None
            else _to_pose(bone, initial_basis, parent_matrix)
        )
        if link.drives_rotation or link.drives_roll:
            rotation = self.targets.rotations[link.control][self.k]
            # the rig points the axis of the bone at the next control by the shortest rotation,
            # which is undone here
            if link.drives_roll:
                rotation = (
                    _compute_rotation_between(rotation[:, 1], np.array(target.col[1].xyz))
                    @ rotation
                )
            target = Matrix(rotation.tolist()).to_4x4()
        target.translation = (
            self._compute_pole_position(link)
            if link.pole_bones
            else self.targets.positions[link.control][self.k]
        ).tolist()
        basis = self._compute_basis(bone, target, parent_matrix)
        if not (link.drives_rotation or link.drives_roll):
            basis = Matrix.LocRotScale(basis.translation, initial_basis.to_quaternion(), None)
        if not link.drives_position:
            basis.translation = initial_basis.translation
        if link.control in self.targets.locked_controls:
            locked_basis = apply_locks(bone, basis, initial_basis)
            self._record_lock_errors(link.control, basis, locked_basis)
        else:
            locked_basis = Matrix.LocRotScale(basis.translation, basis.to_quaternion(), None)
        bone.matrix_basis = locked_basis
        self._posed.add(link.control)
        return locked_basis

    def _find_new_pose(self, bone: bpy.types.PoseBone | None) -> Matrix | None:
        """Return the pose of a bone that moves rigidly with a control posed since the evaluation.

        Returns:
            The pose; None if the evaluation has it.
        """
        if bone is None or bone.name not in self.levels.rigid_bones:
            return None
        parent_matrix = self._find_new_pose(bone.parent)
        if parent_matrix is None and bone.name not in self._posed:
            return None
        if parent_matrix is None and bone.parent is not None:
            parent_matrix = bone.parent.matrix
        return _to_pose(bone, bone.matrix_basis, parent_matrix)

    def _compute_basis(
        self, bone: bpy.types.PoseBone, target: Matrix, parent_matrix: Matrix | None
    ) -> Matrix:
        """Return the channels with which a bone has a pose.

        Args:
            parent_matrix: pose of the parent; None if the evaluation has it.
        """
        if parent_matrix is None:
            bone.matrix = target
            return bone.matrix_basis.copy()
        rest = bone.bone
        return rest.convert_local_to_pose(
            target,
            rest.matrix_local,
            parent_matrix=parent_matrix,
            parent_matrix_local=rest.parent.matrix_local,
            invert=True,
        )

    def _record_lock_errors(self, control: str, basis: Matrix, locked_basis: Matrix) -> None:
        angle = locked_basis.to_quaternion().rotation_difference(basis.to_quaternion()).angle
        for errors, error in (
            (
                self.solver.lock_position_errors,
                (locked_basis.translation - basis.translation).length,
            ),
            (self.solver.lock_rotation_errors, min(angle, 2 * np.pi - angle)),
        ):
            errors[control][self.k] = max(errors[control][self.k], error)


def _to_pose(bone: bpy.types.PoseBone, basis: Matrix, parent_matrix: Matrix | None) -> Matrix:
    """Return the pose of a bone from its channels and the pose of its parent, if it has one."""
    rest = bone.bone
    if rest.parent is None or parent_matrix is None:
        return rest.convert_local_to_pose(basis, rest.matrix_local)
    return rest.convert_local_to_pose(
        basis,
        rest.matrix_local,
        parent_matrix=parent_matrix,
        parent_matrix_local=rest.parent.matrix_local,
    )


def _compute_rotation_between(a: Array, b: Array) -> Array:
    """Return the smallest rotation from direction a to direction b. (3,), (3,) -> (3, 3).

    Same as `so3.rotation_between`, but several times as fast for a single pair: in closed form and
    with scalars instead of arrays.
    """
    (ax, ay, az), (bx, by, bz) = (v / math.sqrt(float(v @ v)) for v in (a, b))
    x = ay * bz - az * by
    y = az * bx - ax * bz
    z = ax * by - ay * bx
    cosine = ax * bx + ay * by + az * bz
    if cosine < MIN_COSINE:
        return so3.rotation_between(a, b)
    k = 1.0 / (1.0 + cosine)
    return np.array(
        [
            [k * x * x + cosine, k * x * y - z, k * x * z + y],
            [k * x * y + z, k * y * y + cosine, k * y * z - x],
            [k * x * z - y, k * y * z + x, k * z * z + cosine],
        ]
    )


def is_rotated(rotations: Array) -> bool:
    """Return whether the channels of a control (n, 3, 3) rotate it."""
    return bool(np.abs(rotations - np.eye(3)).max() > SOLVER.pole_angle_tolerance)

"""A character compiled into a MuJoCo model, asked for many poses at once.

A pose is MuJoCo's `qpos`: root position (3) and orientation (4), then a quaternion for each ball
joint and an angle for each hinge. A change of pose is MuJoCo's `qvel` (n, nv): root translation
along world axes, rotations about the joint's own, turned axes. A pose changed by d is
`pose * exp(d)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from ..geometry import so3
from .capsule import Capsule, make_capsules
from .character import Character
from .to_mujoco import compile_character

Array = NDArray[np.float64]

# where MuJoCo keeps an inertia's entries: xx yy zz xy xz yz
SYMMETRIC_INDEX = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])
REST_WEIGHT = 1e-4  # of joints that nothing is known of, against rotations
POSE_ROUNDS = 2  # searches for a pose from rotations; the second is about the first one's find


@dataclass(frozen=True)
class LinkPoses:
    """Where the links of n poses are."""

    origin: Array  # (n, l, 3) joints
    link_com: Array  # (n, l, 3) centres of mass
    rotation: Array  # (n, l, 3, 3)
    com: Array  # (n, 3) of the whole body


@dataclass(frozen=True)
class CentroidalDynamics:
    """Momentum of n poses as linear maps of their velocities, and the feet with their Jacobians."""

    com: Array  # (n, 3)
    com_jacobian: Array  # (n, 3, nv)
    angular_map: Array  # (n, 3, nv) velocity -> angular momentum about the centre of mass, kg m^2/s
    inertia: Array  # (n, 3, 3) composite, about the centre of mass, world axes
    foot_origin: Array  # (n, f, 3)
    foot_rotation: Array  # (n, f, 3, 3)
    # (n, f, 6, nv) linear velocity of the foot's origin, then angular, world axes
    foot_jacobian: Array
    hand_grip: Array  # (n, h, 3) of the hands that can hold
    hand_jacobian: Array  # (n, h, 3, nv) of the grip's velocity


class KinematicModel:
    """Answers about poses of a character, each for a whole batch."""

    def __init__(self, character: Character) -> None:
        self.character = character
        self.mj_model = compile_character(character)
        self._mj_data = mujoco.MjData(self.mj_model)
        self.nq = int(self.mj_model.nq)
        self.nv = int(self.mj_model.nv)
        self.neutral = self.mj_model.qpos0.copy()  # (nq,)
        # MuJoCo sorts bodies by depth; links keep the character's order
        self._link_bodies = np.array([self.mj_model.body(link.name).id for link in character.links])
        self.link_mass = self.mj_model.body_mass[self._link_bodies]  # (l,)
        inertial_rotation = so3.quat_to_matrix(self.mj_model.body_iquat[self._link_bodies])
        # (l, 3, 3)
        self.link_inertia = inertial_rotation @ (
            self.mj_model.body_inertia[self._link_bodies, :, None]
            * np.swapaxes(inertial_rotation, 1, 2)
        )
        types = self.mj_model.jnt_type
        q = self.mj_model.jnt_qposadr
        v = self.mj_model.jnt_dofadr
        rotating_joints = [
            i for i in range(self.mj_model.njnt) if types[i] != mujoco.mjtJoint.mjJNT_HINGE
        ]
        root_offset = [int(types[i] == mujoco.mjtJoint.mjJNT_FREE) * 3 for i in rotating_joints]
        # (j, 4)
        self._quat_coordinates = np.array(
            [q[i] + s for i, s in zip(rotating_joints, root_offset, strict=True)]
        )[:, None] + np.arange(4)
        # (j, 3)
        self.rotation_dofs = np.array(
            [v[i] + s for i, s in zip(rotating_joints, root_offset, strict=True)]
        )[:, None] + np.arange(3)
        # degrees of freedom of no block
        self.scalar_dofs = np.setdiff1d(np.arange(self.nv), self.rotation_dofs)
        hinges = [i for i in range(self.mj_model.njnt) if types[i] == mujoco.mjtJoint.mjJNT_HINGE]
        self._hinge_coordinates = q[hinges]
        self._hinge_dofs = v[hinges]

        self._foot_bodies = self._link_bodies[[foot.link for foot in character.feet]]
        self._hand_bodies = self._link_bodies[
            np.array([hand.link for hand in character.hands], np.int64)
        ]
        is_ancestor = self._ancestor_table()  # (bodies, bodies)
        dof_body = self.mj_model.dof_bodyid
        # (nv, bodies) which bodies a degree of freedom moves
        self._dof_bodies = is_ancestor[:, dof_body].T.astype(float)
        # which degrees of freedom move a foot or, after them, a hand (f + h, nv)
        self._end_effector_dofs = is_ancestor[
            np.concatenate([self._foot_bodies, self._hand_bodies])
        ][:, dof_body].astype(float)

    def _ancestor_table(self) -> NDArray[np.bool_]:
        """Whether a body, by its row, hangs on another or is it. (bodies, bodies)."""
        out = np.eye(self.mj_model.nbody, dtype=bool)
        for body in range(1, self.mj_model.nbody):  # parents come first
            out[body] |= out[self.mj_model.body_parentid[body]]
        return out

    @cached_property
    def capsules(self) -> tuple[Capsule, ...]:
        """Of the character's shapes."""
        return make_capsules(self.character)

    def joint_dofs(self, joint: str) -> NDArray[np.int64]:
        """Indices into a velocity of all degrees of freedom of a joint."""
        return self._dofs[joint]

    def joint_coordinates(self, joint: str) -> NDArray[np.int64]:
        """Indices into a pose of all coordinates of a joint."""
        return self._coordinates[joint]

    @cached_property
    def _dofs(self) -> dict[str, NDArray[np.int64]]:
        return self._joint_indices(self.mj_model.jnt_dofadr, {"ball": 3, "free": 6})

    @cached_property
    def _coordinates(self) -> dict[str, NDArray[np.int64]]:
        return self._joint_indices(self.mj_model.jnt_qposadr, {"ball": 4, "free": 7})

    def _joint_indices(
        self, table: NDArray[np.int64], sizes: dict[str, int]
    ) -> dict[str, NDArray[np.int64]]:
        """Of each joint by its name, from MuJoCo's table of the first one."""
        out = {}
        for joint in (link.joint for link in self.character.links):
            if joint.kind == "hinges":
                out[joint.name] = np.array(
                    [
                        table[self.mj_model.joint(f"{joint.name}.{k}").id]
                        for k in range(len(joint.axes))
                    ]
                )
            else:
                out[joint.name] = table[self.mj_model.joint(joint.name).id] + np.arange(
                    sizes[joint.kind]
                )
        return out

    def difference(self, start: Array, end: Array) -> Array:
        """Change that leads from one pose to the other: `integrate(start, d) == end`.
        (n, nq), (n, nq) -> (n, nv).
        """
        d = np.zeros(end.shape[:-1] + (self.nv,))
        d[..., :3] = end[..., :3] - start[..., :3]
        d[..., self._hinge_dofs] = (
            end[..., self._hinge_coordinates] - start[..., self._hinge_coordinates]
        )
        relative = so3.quat_multiply(
            so3.quat_conjugate(start[..., self._quat_coordinates]), end[..., self._quat_coordinates]
        )
        d[..., self.rotation_dofs] = so3.quat_log(relative)
        return d

    def integrate(self, pose: Array, change: Array) -> Array:
        """Poses after a change. (n, nq), (n, nv) -> (n, nq)."""
        out = pose.copy()
        out[..., :3] += change[..., :3]
        out[..., self._hinge_coordinates] += change[..., self._hinge_dofs]
        rotated = so3.quat_multiply(
            pose[..., self._quat_coordinates], so3.quat_exp(change[..., self.rotation_dofs])
        )
        out[..., self._quat_coordinates] = rotated / np.linalg.norm(rotated, axis=-1, keepdims=True)
        return out

    def difference_jacobian_blocks(self, change: Array) -> Array:
        """Derivative of `difference(start, end)` by a change of `end`, at a difference of `change`.
        (n, nv) -> (n, j, 3, 3).

        Only the degrees of freedom of balls and of the root's rotation, `rotation_dofs` (j, 3), mix
        with each other, each joint's with its own; all others pass through. By a change of `start`
        it is minus the transposed blocks.
        """
        return so3.right_jacobian_inverse(change[..., self.rotation_dofs])

    def multiply_blocks(self, rows: Array, blocks: Array) -> Array:
        """Linear maps of velocities (n, r, nv) times the blocks (n, j, 3, 3) of a
        block-diagonal matrix. (n, r, nv).
        """
        out = rows.copy()
        rotated = np.swapaxes(rows[..., self.rotation_dofs], 1, 2) @ blocks  # (n, j, r, 3)
        out[..., self.rotation_dofs] = np.swapaxes(rotated, 1, 2)
        return out

    def add_blocks(self, matrix: Array, blocks: Array, diagonal: Array) -> None:
        """Add a block-diagonal matrix in place: `blocks` (n, j, 3, 3), and of `diagonal`
        (..., nv) what no block covers.
        """
        v = self.rotation_dofs
        scalar = self.scalar_dofs
        matrix[..., v[:, :, None], v[:, None, :]] += blocks
        matrix[..., scalar, scalar] += diagonal[..., scalar]

    def solve_pose(self, position: Array, rotations: dict[int, Array]) -> Array:
        """The pose whose links are turned as given, as nearly as the joints allow. (nq,).

        Args:
            position: (3,) of the root.
            rotations: (3, 3) of links by number; others follow their parents.
        """
        pose = self.neutral.copy()
        links = np.array(sorted(rotations), np.int64)
        pose[:3] = position
        if not links.size:
            return pose
        targets = np.stack([rotations[k] for k in links])  # (k, 3, 3)

        def compute_residual(change: Array) -> Array:
            current = self.compute_link_poses(self.integrate(pose[None], change[None])).rotation[
                0, links
            ]
            regularization = REST_WEIGHT * change[3:]  # what no rotation tells about stays at rest
            return np.concatenate(
                [so3.log(targets @ np.swapaxes(current, 1, 2)).ravel(), regularization]
            )

        for _ in range(POSE_ROUNDS):  # each linear in the joints' own, turned axes
            step = np.zeros(self.nv)
            step[3:] = least_squares(
                lambda x: compute_residual(np.concatenate([np.zeros(3), x])), np.zeros(self.nv - 3)
            ).x
            pose = self.integrate(pose[None], step[None])[0]
        return pose

    def compute_link_poses(self, poses: Array) -> LinkPoses:
        """Where the links are. (n, nq)."""
        n = len(poses)
        count = len(self._link_bodies)
        body = self._link_bodies
        origin = np.empty((n, count, 3))
        link_com = np.empty((n, count, 3))
        rotation = np.empty((n, count, 9))
        com = np.empty((n, 3))
        model = self.mj_model
        data = self._mj_data
        qpos = data.qpos
        xpos = data.xpos
        xipos = data.xipos
        xmat = data.xmat
        body_com = data.subtree_com[1]
        for k in range(n):
            qpos[:] = poses[k]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            origin[k] = xpos[body]
            link_com[k] = xipos[body]
            rotation[k] = xmat[body]
            com[k] = body_com
        return LinkPoses(origin, link_com, rotation.reshape(n, count, 3, 3), com)

    def compute_centroidal_dynamics(self, poses: Array) -> CentroidalDynamics:
        """Momentum maps, feet and hands. (n, nq).

        MuJoCo gives the joints' axes and the bodies' inertias, all about the whole body's centre of
        mass; what follows from them is done for all poses at once.
        """
        model = self.mj_model
        data = self._mj_data
        nv = self.nv
        bodies = self.mj_model.nbody
        n = len(poses)
        com = np.empty((n, 3))
        axes = np.empty((n, nv, 6))
        inertias = np.empty((n, bodies, 10))
        position = np.empty((n, bodies, 3))
        rotation = np.empty((n, bodies, 9))
        qpos = data.qpos
        views = (data.subtree_com[1], data.cdof, data.cinert, data.xpos, data.xmat)
        for k in range(n):
            qpos[:] = poses[k]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            com[k], axes[k], inertias[k], position[k], rotation[k] = views
        # (n, 3, nv)
        rotation_axes = np.swapaxes(axes[..., :3], 1, 2)
        translation_axes = np.swapaxes(axes[..., 3:], 1, 2)
        composite = self._dof_bodies @ inertias  # (n, nv, 10) that each one carries
        rotational_inertia = np.swapaxes(composite[..., :6], 1, 2)
        mass_moment = np.swapaxes(composite[..., 6:9], 1, 2)
        mass = composite[:, None, :, 9]
        linear = mass * translation_axes - _cross(mass_moment, rotation_axes)
        angular = _multiply_symmetric(rotational_inertia, rotation_axes) + _cross(
            mass_moment, translation_axes
        )
        body_rotation = rotation.reshape(n, bodies, 3, 3)
        hands = self.character.hands
        origin = position[:, self._foot_bodies]
        grip = np.empty((n, len(hands), 3))
        for k, hand in enumerate(hands):
            grip[:, k] = (
                position[:, self._hand_bodies[k]]
                + body_rotation[:, self._hand_bodies[k]] @ hand.grip
            )
        points = np.concatenate([origin, grip], 1)
        lever = (points - com[:, None])[..., None]  # (n, f + h, 3, 1)
        point_jacobian = (
            translation_axes[:, None] - _cross(lever, rotation_axes[:, None])
        ) * self._end_effector_dofs[:, None]
        foot_count = len(self._foot_bodies)
        foot_jacobian = np.concatenate(
            [
                point_jacobian[:, :foot_count],
                rotation_axes[:, None] * self._end_effector_dofs[:foot_count, None],
            ],
            2,
        )
        return CentroidalDynamics(
            com,
            linear / self.character.mass,
            angular,
            inertia=inertias.sum(1)[:, SYMMETRIC_INDEX],
            foot_origin=origin,
            foot_rotation=body_rotation[:, self._foot_bodies],
            foot_jacobian=foot_jacobian,
            hand_grip=grip,
            hand_jacobian=point_jacobian[:, foot_count:],
        )


def _cross(a: Array, b: Array) -> Array:
    """Cross products along the last axis but one. (..., 3, k), (..., 3, k) -> (..., 3, k)."""
    x = a[..., 0, :]
    y = a[..., 1, :]
    z = a[..., 2, :]
    u = b[..., 0, :]
    v = b[..., 1, :]
    w = b[..., 2, :]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], -2)


def _multiply_symmetric(m: Array, b: Array) -> Array:
    """Symmetric matrices, by their entries xx, yy, zz, xy, xz, yz, times vectors.
    (n, 6, k), (n, 3, k) -> (n, 3, k).
    """
    u = b[:, 0]
    v = b[:, 1]
    w = b[:, 2]
    return np.stack(
        [
            m[:, 0] * u + m[:, 3] * v + m[:, 4] * w,
            m[:, 3] * u + m[:, 1] * v + m[:, 5] * w,
            m[:, 4] * u + m[:, 5] * v + m[:, 2] * w,
        ],
        1,
    )

"""Kinematics and centroidal dynamics of a character in batches of poses, by MuJoCo.

A pose is MuJoCo's `qpos`: root position (3) and orientation (4), then a quaternion for each ball
joint and an angle for each hinge. A change of pose is MuJoCo's `qvel` (nv,): root translation along
world axes, and rotations in the frame of the joint. A pose changed by d is `pose * exp(d)`.
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
from .momentum import (
    SYMMETRIC_INDEX,
    PlacementDynamics,
    SpatialQuantities,
    compute_momentum_maps,
    cross_columns,
)
from .to_mujoco import compile_character

Array = NDArray[np.float64]

# Weight of the change of all joints against the errors of orientations, for joints that no
# orientation determines. Numerical: it bends others by less than files round.
REST_WEIGHT = 1e-4
# Least squares solutions in `solve_pose`, each about the result of the last one. Numerical: the
# second one removes what the weight above has left.
POSE_ROUNDS = 2


@dataclass(frozen=True)
class LinkPoses:
    """Positions and orientations of the links in n poses.

    Args:
        origin: (n, l, 3) joints of the links [m].
        link_com: (n, l, 3) centers of mass of the links [m].
        rotation: (n, l, 3, 3) link to world.
        com: (n, 3) center of mass of the body [m].
    """

    origin: Array
    link_com: Array
    rotation: Array
    com: Array


@dataclass(frozen=True)
class CentroidalDynamics(PlacementDynamics):
    """Centroidal momentum and end effectors of n poses as linear maps of the velocity.

    Args:
        angular_map: (n, 3, nv) velocity to angular momentum about the center of mass [kg m^2/s].
        inertia: (n, 3, 3) composite inertia about the center of mass, world axes [kg m^2].
        hand_grip: (n, h, 3) grips of the hands [m].
        hand_jacobian: (n, h, 3, nv) velocity to velocity of a grip.
    """

    angular_map: Array
    inertia: Array
    hand_grip: Array
    hand_jacobian: Array


class KinematicModel:
    """Kinematics of a character; methods take batches of poses."""

    def __init__(self, character: Character) -> None:
        self.character = character
        self.mj_model = compile_character(character)
        self._mj_data = mujoco.MjData(self.mj_model)
        self.nq = int(self.mj_model.nq)
        self.nv = int(self.mj_model.nv)
        self.neutral = self.mj_model.qpos0.copy()  # (nq,)
        # MuJoCo sorts bodies depth-first; arrays of links keep the order of the character
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
        # indices of the degrees of freedom outside the 3 x 3 blocks of rotations
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
        # (nv, bodies): 1 where a degree of freedom moves a body
        self._dof_bodies = is_ancestor[:, dof_body].T.astype(float)
        # (f + h, nv): 1 where a degree of freedom moves a foot or hand
        self._end_effector_dofs = is_ancestor[
            np.concatenate([self._foot_bodies, self._hand_bodies])
        ][:, dof_body].astype(float)

    def _ancestor_table(self) -> NDArray[np.bool_]:
        """Return whether the body of a column is the body of the row or an ancestor of it."""
        out = np.eye(self.mj_model.nbody, dtype=bool)
        for body in range(1, self.mj_model.nbody):  # parents come first
            out[body] |= out[self.mj_model.body_parentid[body]]
        return out

    @cached_property
    def capsules(self) -> tuple[Capsule, ...]:
        """Capsules of all shapes of the character."""
        return make_capsules(self.character)

    def joint_dofs(self, joint: str) -> NDArray[np.int64]:
        """Return the indices into a velocity of the degrees of freedom of a joint."""
        return self._dofs[joint]

    def joint_coordinates(self, joint: str) -> NDArray[np.int64]:
        """Return the indices into a pose of the coordinates of a joint."""
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
        """Return the indices of each joint by name.

        Args:
            table: MuJoCo's first index of each joint.
            sizes: number of indices by kind of joint.
        """
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
        """Return the change d (n, nv) between poses (n, nq): `integrate(start, d) == end`."""
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
        """Return the poses (n, nq) after changes (n, nv)."""
        out = pose.copy()
        out[..., :3] += change[..., :3]
        out[..., self._hinge_coordinates] += change[..., self._hinge_dofs]
        rotated = so3.quat_multiply(
            pose[..., self._quat_coordinates], so3.quat_exp(change[..., self.rotation_dofs])
        )
        out[..., self._quat_coordinates] = rotated / np.linalg.norm(rotated, axis=-1, keepdims=True)
        return out

    def difference_jacobian_blocks(self, change: Array) -> Array:
        """Return the derivative of `difference(start, end)` by `end` as blocks (n, j, 3, 3).

        The derivative is block-diagonal: a block for each row of `rotation_dofs` (j, 3), which are
        the ball joints and the rotation of the root, and 1 for every other degree of freedom. The
        derivative by `start` has the negative transposed blocks.

        Args:
            change: (n, nv) the difference.
        """
        return so3.right_jacobian_inverse(change[..., self.rotation_dofs])

    def multiply_blocks(self, rows: Array, blocks: Array) -> Array:
        """Return rows (n, r, nv) times a block-diagonal matrix with blocks (n, j, 3, 3)."""
        out = rows.copy()
        rotated = np.swapaxes(rows[..., self.rotation_dofs], 1, 2) @ blocks  # (n, j, r, 3)
        out[..., self.rotation_dofs] = np.swapaxes(rotated, 1, 2)
        return out

    def add_blocks(self, matrix: Array, blocks: Array, diagonal: Array) -> None:
        """Add a block-diagonal matrix in place.

        Args:
            matrix: (n, nv, nv) modified in place.
            blocks: (n, j, 3, 3) for `rotation_dofs`.
            diagonal: (..., nv) of which the entries at `scalar_dofs` are added.
        """
        v = self.rotation_dofs
        scalar = self.scalar_dofs
        matrix[..., v[:, :, None], v[:, None, :]] += blocks
        matrix[..., scalar, scalar] += diagonal[..., scalar]

    def solve_pose(self, position: Array, rotations: dict[int, Array]) -> Array:
        """Return the pose (nq,) with the orientations of links nearest to those given.

        Args:
            position: (3,) of the root [m].
            rotations: orientation (3, 3) by index of the link; other links follow their parents.
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
            # joints that no orientation determines keep their neutral angle
            regularization = REST_WEIGHT * change[3:]
            return np.concatenate(
                [so3.log(targets @ np.swapaxes(current, 1, 2)).ravel(), regularization]
            )

        for _ in range(POSE_ROUNDS):
            step = np.zeros(self.nv)
            step[3:] = least_squares(
                lambda x: compute_residual(np.concatenate([np.zeros(3), x])), np.zeros(self.nv - 3)
            ).x
            pose = self.integrate(pose[None], step[None])[0]
        return pose

    def compute_link_poses(self, poses: Array) -> LinkPoses:
        """Return positions and orientations of the links in poses (n, nq)."""
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
        """Return momentum maps, feet and hands of poses (n, nq).

        MuJoCo provides joint axes and inertias of the bodies about the center of mass; the rest is
        computed for all poses at once.
        """
        spatial = self._compute_spatial_quantities(poses)
        momentum = compute_momentum_maps(spatial, self._dof_bodies)
        origin = spatial.position[:, self._foot_bodies]
        grip = self._compute_grips(spatial)
        lever = (np.concatenate([origin, grip], 1) - spatial.com[:, None])[..., None]
        rotation_axes = spatial.rotation_axes
        point_jacobian = (
            spatial.translation_axes[:, None] - cross_columns(lever, rotation_axes[:, None])
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
            spatial.com,
            momentum.linear / self.character.mass,
            angular_map=momentum.angular,
            inertia=spatial.inertias.sum(1)[:, SYMMETRIC_INDEX],
            foot_origin=origin,
            foot_rotation=spatial.rotation[:, self._foot_bodies],
            foot_jacobian=foot_jacobian,
            hand_grip=grip,
            hand_jacobian=point_jacobian[:, foot_count:],
        )

    def compute_placement(self, poses: Array, dofs: NDArray[np.int64]) -> PlacementDynamics:
        """Return centers of mass and feet of poses, and their maps for some degrees of freedom.

        The columns of the maps are those of `compute_centroidal_dynamics`.

        Args:
            poses: shape (n, nq).
            dofs: k degrees of freedom in whose order the maps have their columns.
        """
        spatial = self._compute_spatial_quantities(poses)
        rotation_axes = spatial.rotation_axes[..., dofs]
        translation_axes = spatial.translation_axes[..., dofs]
        # Mass and mass moment of the bodies that a degree of freedom moves
        composite = self._dof_bodies[dofs] @ spatial.inertias[..., 6:]  # (n, k, 4)
        momentum = composite[:, None, :, 3] * translation_axes - cross_columns(
            np.swapaxes(composite[..., :3], 1, 2), rotation_axes
        )
        feet = self._foot_bodies
        moves_foot = self._end_effector_dofs[: len(feet), None, dofs]
        origin = spatial.position[:, feet]
        lever = (origin - spatial.com[:, None])[..., None]
        turning = rotation_axes[:, None] * moves_foot
        moving = translation_axes[:, None] * moves_foot - cross_columns(lever, turning)
        return PlacementDynamics(
            spatial.com,
            momentum / self.character.mass,
            foot_origin=origin,
            foot_rotation=spatial.rotation[:, feet],
            foot_jacobian=np.concatenate([moving, turning], 2),
        )

    def _compute_spatial_quantities(self, poses: Array) -> SpatialQuantities:
        model = self.mj_model
        data = self._mj_data
        bodies = self.mj_model.nbody
        n = len(poses)
        com = np.empty((n, 3))
        axes = np.empty((n, self.nv, 6))
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
        return SpatialQuantities(
            com,
            np.swapaxes(axes[..., :3], 1, 2),
            np.swapaxes(axes[..., 3:], 1, 2),
            inertias=inertias,
            position=position,
            rotation=rotation.reshape(n, bodies, 3, 3),
        )

    def _compute_grips(self, spatial: SpatialQuantities) -> Array:
        """Return the positions of the grips of all hands (n, h, 3) [m]."""
        hands = self.character.hands
        grip = np.empty((len(spatial.com), len(hands), 3))
        for k, hand in enumerate(hands):
            body = self._hand_bodies[k]
            grip[:, k] = spatial.position[:, body] + spatial.rotation[:, body] @ hand.grip
        return grip

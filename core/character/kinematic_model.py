"""A character compiled into a MuJoCo model, asked for many poses at once.

A pose is MuJoCo's `qpos`: root position (3) and orientation (4), then a quaternion for each ball joint and an angle for each
hinge. A change of pose is MuJoCo's `qvel` (n, nv): root translation along world axes, rotations about the joint's own, turned
axes. A pose changed by d is `pose * exp(d)`.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from ..geometry import so3
from .capsule import Capsule, capsules
from .character import Character
from .to_mujoco import compile_character

Array = NDArray[np.float64]

SYMMETRIC = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])     # where MuJoCo keeps an inertia's entries: xx yy zz xy xz yz
REST_WEIGHT = 1e-4  # of joints that nothing is known of, against rotations
POSE_ROUNDS = 2     # searches for a pose from rotations; the second is about the first one's find


@dataclass(frozen=True)
class Placed:
    """Where the links of n poses are."""

    origin: Array         # (n, l, 3) joints
    centre: Array         # (n, l, 3) centres of mass
    rotation: Array       # (n, l, 3, 3)
    com: Array            # (n, 3) of the whole body


@dataclass(frozen=True)
class Centroidal:
    """Momentum of n poses as linear maps of their velocities, and the feet with their Jacobians."""

    com: Array            # (n, 3)
    com_jacobian: Array   # (n, 3, nv)
    angular_map: Array    # (n, 3, nv) velocity -> angular momentum about the centre of mass, kg m^2/s
    inertia: Array        # (n, 3, 3) composite, about the centre of mass, world axes
    foot_origin: Array    # (n, f, 3)
    foot_rotation: Array  # (n, f, 3, 3)
    foot_jacobian: Array  # (n, f, 6, nv) linear velocity of the foot's origin, then angular, world axes
    hand_grip: Array      # (n, h, 3) of the hands that can hold
    hand_jacobian: Array  # (n, h, 3, nv) of the grip's velocity


class KinematicModel:
    """Answers about poses of a character, each for a whole batch."""

    def __init__(self, character: Character) -> None:
        self.character = character
        self.mujoco = compile_character(character)
        self._data = mujoco.MjData(self.mujoco)
        self.nq, self.nv = int(self.mujoco.nq), int(self.mujoco.nv)
        self.neutral = self.mujoco.qpos0.copy()                       # (nq,)
        # MuJoCo sorts bodies by depth; links keep the character's order
        self._body = np.array([self.mujoco.body(link.name).id for link in character.links])
        self.link_mass = self.mujoco.body_mass[self._body]            # (l,)
        turn = so3.quat_to_matrix(self.mujoco.body_iquat[self._body])
        self.link_inertia = turn @ (self.mujoco.body_inertia[self._body, :, None] * np.swapaxes(turn, 1, 2))  # (l, 3, 3)
        types, q, v = self.mujoco.jnt_type, self.mujoco.jnt_qposadr, self.mujoco.jnt_dofadr
        turning = [i for i in range(self.mujoco.njnt) if types[i] != mujoco.mjtJoint.mjJNT_HINGE]
        free = [int(types[i] == mujoco.mjtJoint.mjJNT_FREE) * 3 for i in turning]
        self._quat_q = np.array([q[i] + s for i, s in zip(turning, free, strict=True)])[:, None] + np.arange(4)   # (j, 4)
        self.turning = np.array([v[i] + s for i, s in zip(turning, free, strict=True)])[:, None] + np.arange(3)   # (j, 3)
        self.single = np.setdiff1d(np.arange(self.nv), self.turning)                      # degrees of freedom of no block
        hinges = [i for i in range(self.mujoco.njnt) if types[i] == mujoco.mjtJoint.mjJNT_HINGE]
        self._hinge_q, self._hinge_v = q[hinges], v[hinges]

        self._feet = self._body[[foot.link for foot in character.feet]]
        self._hands = self._body[np.array([hand.link for hand in character.hands], np.int64)]
        above = self._carriers()                                                          # (bodies, bodies)
        own = self.mujoco.dof_bodyid
        self._subtree = above[:, own].T.astype(float)          # (nv, bodies) which bodies a degree of freedom moves
        # which degrees of freedom move a foot or, after them, a hand (f + h, nv)
        self._carries = above[np.concatenate([self._feet, self._hands])][:, own].astype(float)

    def _carriers(self) -> NDArray[np.bool_]:
        """Whether a body, by its row, hangs on another or is it. (bodies, bodies)."""
        out = np.eye(self.mujoco.nbody, dtype=bool)
        for body in range(1, self.mujoco.nbody):                    # parents come first
            out[body] |= out[self.mujoco.body_parentid[body]]
        return out

    @cached_property
    def capsules(self) -> tuple[Capsule, ...]:
        """Of the character's shapes."""
        return capsules(self.character)

    def joint_dofs(self, joint: str) -> NDArray[np.int64]:
        """Indices into a velocity of all degrees of freedom of a joint."""
        return self._dofs[joint]

    def joint_coordinates(self, joint: str) -> NDArray[np.int64]:
        """Indices into a pose of all coordinates of a joint."""
        return self._coordinates[joint]

    @cached_property
    def _dofs(self) -> dict[str, NDArray[np.int64]]:
        return self._indices(self.mujoco.jnt_dofadr, {"ball": 3, "free": 6})

    @cached_property
    def _coordinates(self) -> dict[str, NDArray[np.int64]]:
        return self._indices(self.mujoco.jnt_qposadr, {"ball": 4, "free": 7})

    def _indices(self, table: NDArray[np.int64], sizes: dict[str, int]) -> dict[str, NDArray[np.int64]]:
        """Of each joint by its name, from MuJoCo's table of the first one."""
        out = {}
        for joint in (link.joint for link in self.character.links):
            if joint.kind == "hinges":
                out[joint.name] = np.array([table[self.mujoco.joint(f"{joint.name}.{k}").id] for k in range(len(joint.axes))])
            else:
                out[joint.name] = table[self.mujoco.joint(joint.name).id] + np.arange(sizes[joint.kind])
        return out

    def difference(self, start: Array, end: Array) -> Array:
        """Change that leads from one pose to the other: `integrate(start, d) == end`. (n, nq), (n, nq) -> (n, nv)."""
        d = np.zeros(end.shape[:-1] + (self.nv,))
        d[..., :3] = end[..., :3] - start[..., :3]
        d[..., self._hinge_v] = end[..., self._hinge_q] - start[..., self._hinge_q]
        relative = so3.quat_multiply(so3.quat_conjugate(start[..., self._quat_q]), end[..., self._quat_q])
        d[..., self.turning] = so3.quat_log(relative)
        return d

    def integrate(self, pose: Array, change: Array) -> Array:
        """Poses after a change. (n, nq), (n, nv) -> (n, nq)."""
        out = pose.copy()
        out[..., :3] += change[..., :3]
        out[..., self._hinge_q] += change[..., self._hinge_v]
        turned = so3.quat_multiply(pose[..., self._quat_q], so3.quat_exp(change[..., self.turning]))
        out[..., self._quat_q] = turned / np.linalg.norm(turned, axis=-1, keepdims=True)
        return out

    def difference_blocks(self, change: Array) -> Array:
        """Derivative of `difference(start, end)` by a change of `end`, at a difference of `change`. (n, nv) -> (n, j, 3, 3).

        Only the degrees of freedom of balls and of the root's rotation, `turning` (j, 3), mix with each other, each joint's
        with its own; all others pass through. By a change of `start` it is minus the transposed blocks.
        """
        return so3.right_jacobian_inverse(change[..., self.turning])

    def times_blocks(self, rows: Array, blocks: Array) -> Array:
        """Linear maps of velocities (n, r, nv) times the blocks (n, j, 3, 3) of a block-diagonal matrix. (n, r, nv)."""
        out = rows.copy()
        turned = np.swapaxes(rows[..., self.turning], 1, 2) @ blocks                        # (n, j, r, 3)
        out[..., self.turning] = np.swapaxes(turned, 1, 2)
        return out

    def add_blocks(self, matrix: Array, blocks: Array, diagonal: Array) -> None:
        """Add a block-diagonal matrix in place: `blocks` (n, j, 3, 3), and of `diagonal` (..., nv) what no block covers."""
        v, single = self.turning, self.single
        matrix[..., v[:, :, None], v[:, None, :]] += blocks
        matrix[..., single, single] += diagonal[..., single]

    def pose_of(self, position: Array, rotations: dict[int, Array]) -> Array:
        """The pose whose links are turned as given, as nearly as the joints allow. (nq,).

        Args:
            position: (3,) of the root.
            rotations: (3, 3) of links by number; others follow their parents.
        """
        pose, links = self.neutral.copy(), np.array(sorted(rotations), np.int64)
        pose[:3] = position
        if not links.size:
            return pose
        wanted = np.stack([rotations[k] for k in links])                                  # (k, 3, 3)

        def off(change: Array) -> Array:
            got = self.place(self.integrate(pose[None], change[None])).rotation[0, links]
            slack = REST_WEIGHT * change[3:]                    # what no rotation tells about stays at rest
            return np.concatenate([so3.log(wanted @ np.swapaxes(got, 1, 2)).ravel(), slack])

        for _ in range(POSE_ROUNDS):                            # each linear in the joints' own, turned axes
            step = np.zeros(self.nv)
            step[3:] = least_squares(lambda x: off(np.concatenate([np.zeros(3), x])), np.zeros(self.nv - 3)).x
            pose = self.integrate(pose[None], step[None])[0]
        return pose

    def place(self, poses: Array) -> Placed:
        """Where the links are. (n, nq)."""
        n, count, body = len(poses), len(self._body), self._body
        origin, centre = np.empty((n, count, 3)), np.empty((n, count, 3))
        rotation, com = np.empty((n, count, 9)), np.empty((n, 3))
        model, data = self.mujoco, self._data
        qpos, xpos, xipos, xmat, middle = data.qpos, data.xpos, data.xipos, data.xmat, data.subtree_com[1]
        for k in range(n):
            qpos[:] = poses[k]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            origin[k], centre[k], rotation[k], com[k] = xpos[body], xipos[body], xmat[body], middle
        return Placed(origin, centre, rotation.reshape(n, count, 3, 3), com)

    def centroidal(self, poses: Array) -> Centroidal:
        """Momentum maps, feet and hands. (n, nq).

        MuJoCo gives the joints' axes and the bodies' inertias, all about the whole body's centre of mass; what follows from
        them is done for all poses at once.
        """
        model, data, nv, bodies = self.mujoco, self._data, self.nv, self.mujoco.nbody
        n = len(poses)
        com, axes, inertias = np.empty((n, 3)), np.empty((n, nv, 6)), np.empty((n, bodies, 10))
        position, rotation = np.empty((n, bodies, 3)), np.empty((n, bodies, 9))
        qpos, views = data.qpos, (data.subtree_com[1], data.cdof, data.cinert, data.xpos, data.xmat)
        for k in range(n):
            qpos[:] = poses[k]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            com[k], axes[k], inertias[k], position[k], rotation[k] = views
        turn, move = np.swapaxes(axes[..., :3], 1, 2), np.swapaxes(axes[..., 3:], 1, 2)     # (n, 3, nv)
        below = self._subtree @ inertias                                                  # (n, nv, 10) that each one carries
        i, arm, mass = np.swapaxes(below[..., :6], 1, 2), np.swapaxes(below[..., 6:9], 1, 2), below[:, None, :, 9]
        linear = mass * move - _cross(arm, turn)
        angular = _times_symmetric(i, turn) + _cross(arm, move)
        turned, hands = rotation.reshape(n, bodies, 3, 3), self.character.hands
        origin, grip = position[:, self._feet], np.empty((n, len(hands), 3))
        for k, hand in enumerate(hands):
            grip[:, k] = position[:, self._hands[k]] + turned[:, self._hands[k]] @ hand.grip
        points = np.concatenate([origin, grip], 1)
        away = (points - com[:, None])[..., None]                                          # (n, f + h, 3, 1)
        moved = (move[:, None] - _cross(away, turn[:, None])) * self._carries[:, None]
        feet = len(self._feet)
        jacobian = np.concatenate([moved[:, :feet], turn[:, None] * self._carries[:feet, None]], 2)
        return Centroidal(com, linear / self.character.mass, angular, inertias.sum(1)[:, SYMMETRIC], origin,
                          turned[:, self._feet], jacobian, grip, moved[:, feet:])


def _cross(a: Array, b: Array) -> Array:
    """Cross products along the last axis but one. (..., 3, k), (..., 3, k) -> (..., 3, k)."""
    x, y, z = a[..., 0, :], a[..., 1, :], a[..., 2, :]
    u, v, w = b[..., 0, :], b[..., 1, :], b[..., 2, :]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], -2)


def _times_symmetric(m: Array, b: Array) -> Array:
    """Symmetric matrices, by their entries xx, yy, zz, xy, xz, yz, times vectors. (n, 6, k), (n, 3, k) -> (n, 3, k)."""
    u, v, w = b[:, 0], b[:, 1], b[:, 2]
    return np.stack([m[:, 0] * u + m[:, 3] * v + m[:, 4] * w, m[:, 3] * u + m[:, 1] * v + m[:, 5] * w,
                     m[:, 4] * u + m[:, 5] * v + m[:, 2] * w], 1)

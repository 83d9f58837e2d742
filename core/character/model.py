"""A character compiled into a MuJoCo model, asked for many poses at once.

A pose is MuJoCo's `qpos`: root position (3) and orientation (4), then a quaternion for each ball joint and an angle for each
hinge. A change of pose is MuJoCo's `qvel` (n, nv): root translation along world axes, rotations about the joint's own, turned
axes. A pose changed by d is `pose * exp(d)`.
"""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from .. import so3
from .character import Character, Shape

Array = NDArray[np.float64]

REST_WEIGHT = 1e-4  # of joints that nothing is known of, against rotations
POSE_ROUNDS = 2     # searches for a pose from rotations; the second is about the first one's find
WATER = 1000.0      # kg/m^3; the total mass is set afterwards, so only the share of each link depends on it


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


def _add_shape(body: mujoco.MjsBody, shape: Shape) -> None:
    start, end = np.asarray(shape.start, float), np.asarray(shape.end, float)
    axis = end - start
    half = 0.5 * float(np.linalg.norm(axis))
    z = axis / (2 * half)
    y = np.array([0.0, 1.0, 0.0]) - z[1] * z if abs(z[1]) < 0.9 else np.array([1.0, 0.0, 0.0]) - z[0] * z
    y /= np.linalg.norm(y)
    frame = np.stack([np.cross(y, z), y, z], -1)
    sideways, across = shape.radii
    kind, size = {
        "capsule": (mujoco.mjtGeom.mjGEOM_CAPSULE, [sideways, max(half - 0.5 * sideways, 1e-3 * half), 0]),
        "ellipsoid": (mujoco.mjtGeom.mjGEOM_ELLIPSOID, [across, sideways, half]),
        "box": (mujoco.mjtGeom.mjGEOM_BOX, [across, sideways, half]),
    }[shape.kind]
    body.add_geom(type=kind, size=size, pos=0.5 * (start + end), quat=so3.quat_from_matrix(frame), density=WATER,
                  contype=0, conaffinity=0)


def compile_character(character: Character) -> mujoco.MjModel:
    """MuJoCo model of a character: its links, joints, and masses from the volumes of its shapes, scaled to its total mass."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0, 0, -9.81]
    bodies: list[mujoco.MjsBody] = []
    for link in character.links:
        parent = spec.worldbody if link.parent < 0 else bodies[link.parent]
        body = parent.add_body(name=link.name, pos=link.offset)
        if link.joint.kind == "free":
            body.add_freejoint(name=link.joint.name)
        elif link.joint.kind == "ball":
            body.add_joint(name=link.joint.name, type=mujoco.mjtJoint.mjJNT_BALL)
        else:
            for k, axis in enumerate(link.joint.axes):
                body.add_joint(name=f"{link.joint.name}.{k}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
        for shape in link.shapes:
            _add_shape(body, shape)
        bodies.append(body)
    model = spec.compile()
    mujoco.mj_setTotalmass(model, character.mass)
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


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
        self._quat_v = np.array([v[i] + s for i, s in zip(turning, free, strict=True)])[:, None] + np.arange(3)   # (j, 3)
        hinges = [i for i in range(self.mujoco.njnt) if types[i] == mujoco.mjtJoint.mjJNT_HINGE]
        self._hinge_q, self._hinge_v = q[hinges], v[hinges]

    def joint_dofs(self, joint: str) -> NDArray[np.int64]:
        """Indices into a velocity of all degrees of freedom of a joint."""
        return self._indices(joint, "jnt_dofadr", {"ball": 3, "free": 6})

    def joint_coordinates(self, joint: str) -> NDArray[np.int64]:
        """Indices into a pose of all coordinates of a joint."""
        return self._indices(joint, "jnt_qposadr", {"ball": 4, "free": 7})

    def _indices(self, joint: str, address: str, sizes: dict[str, int]) -> NDArray[np.int64]:
        found = next(link.joint for link in self.character.links if link.joint.name == joint)
        table = getattr(self.mujoco, address)
        if found.kind == "hinges":
            return np.array([table[self.mujoco.joint(f"{joint}.{k}").id] for k in range(len(found.axes))])
        return table[self.mujoco.joint(joint).id] + np.arange(sizes[found.kind])

    def difference(self, start: Array, end: Array) -> Array:
        """Change that leads from one pose to the other: `integrate(start, d) == end`. (n, nq), (n, nq) -> (n, nv)."""
        d = np.zeros(end.shape[:-1] + (self.nv,))
        d[..., :3] = end[..., :3] - start[..., :3]
        d[..., self._hinge_v] = end[..., self._hinge_q] - start[..., self._hinge_q]
        relative = so3.quat_multiply(so3.quat_conjugate(start[..., self._quat_q]), end[..., self._quat_q])
        d[..., self._quat_v] = so3.quat_log(relative)
        return d

    def integrate(self, pose: Array, change: Array) -> Array:
        """Poses after a change. (n, nq), (n, nv) -> (n, nq)."""
        out = pose.copy()
        out[..., :3] += change[..., :3]
        out[..., self._hinge_q] += change[..., self._hinge_v]
        turned = so3.quat_multiply(pose[..., self._quat_q], so3.quat_exp(change[..., self._quat_v]))
        out[..., self._quat_q] = turned / np.linalg.norm(turned, axis=-1, keepdims=True)
        return out

    def difference_jacobian(self, change: Array) -> Array:
        """Derivative of `difference(start, end)` by a change of `end`, at a difference of `change`. (n, nv) -> (n, nv, nv).

        By a change of `start` it is minus the same at `-change`.
        """
        out = np.zeros(change.shape + (self.nv,))
        diagonal = np.arange(self.nv)
        out[..., diagonal, diagonal] = 1.0
        blocks = so3.right_jacobian_inverse(change[..., self._quat_v])                    # (n, j, 3, 3)
        out[..., self._quat_v[:, :, None], self._quat_v[:, None, :]] = blocks
        return out

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
        for k in range(n):
            data.qpos[:] = poses[k]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            origin[k], centre[k], rotation[k], com[k] = data.xpos[body], data.xipos[body], data.xmat[body], data.subtree_com[1]
        return Placed(origin, centre, rotation.reshape(n, count, 3, 3), com)

    def centroidal(self, poses: Array) -> Centroidal:
        """Momentum maps, feet and hands. (n, nq)."""
        model, data, nv = self.mujoco, self._data, self.nv
        feet = self._body[[foot.link for foot in self.character.feet]]
        n, f = len(poses), len(feet)
        com, mass_matrix = np.empty((n, 3)), np.empty((n, nv, nv))
        offset, root, crb = np.empty((n, 3)), np.empty((n, 9)), np.empty((n, 6))
        origin, rotation, jacobian = np.empty((n, f, 3)), np.empty((n, f, 9)), np.empty((n, f, 6, nv))
        hands = [(int(self._body[hand.link]), hand.grip) for hand in self.character.hands]
        grip, grip_jacobian = np.empty((n, len(hands), 3)), np.empty((n, len(hands), 3, nv))
        for k in range(n):
            data.qpos[:] = poses[k]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_crb(model, data)
            mujoco.mj_fullM(model, data, mass_matrix[k])
            com[k], root[k], crb[k] = data.subtree_com[1], data.xmat[1], data.crb[1, :6]
            offset[k] = data.xpos[1]
            origin[k], rotation[k] = data.xpos[feet], data.xmat[feet]
            for j, body in enumerate(feet):
                mujoco.mj_jacBody(model, data, jacobian[k, j, :3], jacobian[k, j, 3:], int(body))
            for j, (body, point) in enumerate(hands):
                grip[k, j] = data.xpos[body] + data.xmat[body].reshape(3, 3) @ point
                mujoco.mj_jac(model, data, grip_jacobian[k, j], None, grip[k, j], body)
        linear = mass_matrix[:, :3]                                                       # (n, 3, nv)
        # rows 3-5 of the mass matrix are the momentum about the root's origin, in the root's axes
        angular = root.reshape(n, 3, 3) @ mass_matrix[:, 3:6] - so3.hat(com - offset) @ linear
        i = crb
        inertia = np.stack([np.stack([i[:, 0], i[:, 3], i[:, 4]], -1), np.stack([i[:, 3], i[:, 1], i[:, 5]], -1),
                            np.stack([i[:, 4], i[:, 5], i[:, 2]], -1)], -2)
        return Centroidal(com, linear / self.character.mass, angular, inertia, origin, rotation.reshape(n, f, 3, 3), jacobian,
                          grip, grip_jacobian)

"""A MuJoCo model's links and joints in Bullet, and how coordinates go from one to the other."""
from __future__ import annotations

from types import ModuleType

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .falling import FASTEST

Array = NDArray[np.float64]

BALL, HINGE = int(mujoco.mjtJoint.mjJNT_BALL), int(mujoco.mjtJoint.mjJNT_HINGE)
NONE, UNTURNED = -1, np.array([1.0, 0.0, 0.0, 0.0])
COLUMNS = ("linkMasses", "linkCollisionShapeIndices", "linkPositions", "linkOrientations", "linkInertialFramePositions",
           "linkInertialFrameOrientations", "linkParentIndices", "linkJointTypes", "linkJointAxis")
CLAMP = 10 * FASTEST  # m/s and rad/s; Bullet holds a body back above it, and nobody would hear that it is lost
WXYZ, XYZW = [3, 0, 1, 2], [1, 2, 3, 0]


class BulletBody:
    """A body of a free root with hinges and balls.

    Bullet turns links about the principal axes of their inertia: balls' coordinates are told in those, the root's by its centre of
    mass. A link with several hinges is several links, all but the last without mass, and so is each solid that touches.

    Args:
        bullet: the module of PyBullet.
        client: number of the simulation.
        model: without reflected inertia and damping, which Bullet does not know.
        shapes: Bullet's shapes by the model's geoms; others touch nothing.
    """

    def __init__(self, bullet: ModuleType, client: int, model: mujoco.MjModel, shapes: dict[int, int]) -> None:
        self._bullet, self._client, self._model = bullet, client, model
        self._link_of: dict[int, int] = {1: -1}            # link of Bullet that carries a body
        self._joints: list[int] = []                       # of MuJoCo by link of Bullet; -1 where it is fixed
        self._inertias: list[list[float]] = []             # by link of Bullet
        self.geoms: list[int] = []                         # by link of Bullet; -1 where it carries none
        self._rows: list[tuple[object, ...]] = []
        self.number = self._build(shapes)
        self._settle()
        kinds = np.array([model.jnt_type[j] if j >= 0 else -1 for j in self._joints])
        self._moved = [int(k) for k in np.flatnonzero(kinds >= 0)]
        joints = np.array(self._joints)
        self._balls, self._hinges = np.flatnonzero(kinds[self._moved] == BALL), np.flatnonzero(kinds[self._moved] == HINGE)
        moved = joints[self._moved]
        self._ball_pose = model.jnt_qposadr[moved[self._balls], None] + np.arange(4)
        self._ball_velocity = model.jnt_dofadr[moved[self._balls], None] + np.arange(3)
        self._hinge_pose, self._hinge_velocity = model.jnt_qposadr[moved[self._hinges]], model.jnt_dofadr[moved[self._hinges]]
        self._principal = model.body_iquat[model.jnt_bodyid[moved[self._balls]]]            # (balls, 4)
        self._axes = so3.quat_to_matrix(self._principal)                                  # (balls, 3, 3)
        self._root_axes, self._root_centre = model.body_iquat[1], model.body_ipos[1]

    def _build(self, shapes: dict[int, int]) -> int:
        m, p = self._model, self._bullet
        for body in range(2, m.nbody):
            if m.body_rootid[body] == 1:
                self._add_body(body)
        for geom, shape in shapes.items():
            body = int(m.geom_bodyid[geom])
            self._add(body, m.geom_pos[geom], p.JOINT_FIXED, orientation=m.geom_quat[geom], shape=shape, geom=geom)
        columns = [list(column) for column in zip(*self._rows, strict=True)]
        n = len(self._rows)
        return int(p.createMultiBody(
            baseMass=m.body_mass[1], baseCollisionShapeIndex=NONE, basePosition=[0.0, 0.0, 0.0],
            baseInertialFramePosition=m.body_ipos[1].tolist(), baseInertialFrameOrientation=m.body_iquat[1][XYZW].tolist(),
            linkVisualShapeIndices=[NONE] * n, flags=p.URDF_MAINTAIN_LINK_ORDER, physicsClientId=self._client,
            **dict(zip(COLUMNS, columns, strict=True))))

    def _add_body(self, body: int) -> None:
        """One link for each of its joints; the last one has its mass."""
        m, p = self._model, self._bullet
        first, count = int(m.body_jntadr[body]), int(m.body_jntnum[body])
        kinds = {BALL: p.JOINT_SPHERICAL, HINGE: p.JOINT_REVOLUTE}
        parent, place = int(m.body_parentid[body]), m.body_pos[body]
        for joint in range(first, first + count - 1):
            self._add(parent, place, kinds[int(m.jnt_type[joint])], joint)
            parent, place, self._link_of[body] = body, np.zeros(3), len(self._rows) - 1
        last = first + count - 1 if count else NONE
        self._add(parent, place, kinds[int(m.jnt_type[last])] if count else p.JOINT_FIXED, last, body)
        self._link_of[body] = len(self._rows) - 1

    def _add(self, parent: int, place: Array, kind: int, joint: int = NONE, body: int | None = None,
             orientation: Array = UNTURNED, shape: int = NONE, geom: int = NONE) -> None:
        """A link of Bullet on the one that carries a body, with the mass of another body or none."""
        m = self._model
        mass, centre, axes, inertia = 0.0, np.zeros(3), UNTURNED, np.zeros(3)
        if body is not None:
            mass, centre, axes, inertia = m.body_mass[body], m.body_ipos[body], m.body_iquat[body], m.body_inertia[body]
        self._rows.append((float(mass), shape, place.tolist(), orientation[XYZW].tolist(), centre.tolist(), axes[XYZW].tolist(),
                           self._link_of[parent] + 1, kind, m.jnt_axis[joint].tolist() if joint >= 0 else [0.0, 0.0, 1.0]))
        self._joints.append(joint)
        self._inertias.append(inertia.tolist())
        self.geoms.append(geom)

    def _settle(self) -> None:
        """Inertias and ranges as in the model; none of the damping and none of the motors that Bullet begins with."""
        m, p, own = self._model, self._bullet, {"physicsClientId": self._client}
        p.changeDynamics(self.number, -1, localInertiaDiagonal=m.body_inertia[1].tolist(), **own)
        for link, (joint, inertia) in enumerate(zip(self._joints, self._inertias, strict=True)):
            p.changeDynamics(self.number, link, localInertiaDiagonal=inertia, **own)
            if joint >= 0 and m.jnt_type[joint] == HINGE:
                p.setJointMotorControl2(self.number, link, p.VELOCITY_CONTROL, force=0.0, **own)
                if m.jnt_limited[joint]:
                    low, high = m.jnt_range[joint].tolist()
                    p.changeDynamics(self.number, link, jointLowerLimit=low, jointUpperLimit=high, **own)
            elif joint >= 0:
                p.setJointMotorControlMultiDof(self.number, link, p.POSITION_CONTROL, targetPosition=[0.0, 0.0, 0.0, 1.0],
                                               targetVelocity=[0.0] * 3, positionGain=0.0, velocityGain=0.0, force=[0.0] * 3, **own)
        # apart from the others: what is said of damping is taken for the root whichever link is told with it
        p.changeDynamics(self.number, -1, linearDamping=0.0, angularDamping=0.0, maxJointVelocity=CLAMP, **own)

    def put(self, pose: Array, velocity: Array) -> None:
        """Into a pose (nq,) with a velocity (nv,), both MuJoCo's."""
        p, own = self._bullet, {"physicsClientId": self._client}
        turned = so3.quat_to_matrix(pose[3:7])
        centre, spin = turned @ self._root_centre, turned @ velocity[3:6]
        axes = so3.quat_multiply(pose[3:7], self._root_axes)
        p.resetBasePositionAndOrientation(self.number, (pose[:3] + centre).tolist(), axes[XYZW].tolist(), **own)
        p.resetBaseVelocity(self.number, (velocity[:3] + np.cross(spin, centre)).tolist(), spin.tolist(), **own)
        places: list[list[float]] = [[0.0]] * len(self._moved)
        speeds: list[list[float]] = [[0.0]] * len(self._moved)
        turns = so3.quat_multiply(so3.quat_conjugate(self._principal), so3.quat_multiply(pose[self._ball_pose], self._principal))
        for k, turn, rate in zip(self._balls, turns, self._to_axes(velocity), strict=True):
            places[k], speeds[k] = turn[XYZW].tolist(), rate.tolist()
        for k, angle, rate in zip(self._hinges, pose[self._hinge_pose], velocity[self._hinge_velocity], strict=True):
            places[k], speeds[k] = [float(angle)], [float(rate)]
        for link, place, speed in zip(self._moved, places, speeds, strict=True):
            p.resetJointStateMultiDof(self.number, link, targetValue=place, targetVelocity=speed, **own)

    def read(self) -> tuple[Array, Array]:
        """Pose (nq,) and velocity (nv,) as MuJoCo has them."""
        p, own = self._bullet, {"physicsClientId": self._client}
        pose, velocity = self._model.qpos0.copy(), np.zeros(self._model.nv)
        place, axes = p.getBasePositionAndOrientation(self.number, **own)
        linear, spin = (np.array(part) for part in p.getBaseVelocity(self.number, **own))
        turn = so3.quat_multiply(np.array(axes)[WXYZ], so3.quat_conjugate(self._root_axes))
        turned = so3.quat_to_matrix(turn)
        centre = turned @ self._root_centre
        pose[:3], pose[3:7] = place - centre, turn
        velocity[:3], velocity[3:6] = linear - np.cross(spin, centre), turned.T @ spin
        states = p.getJointStatesMultiDof(self.number, self._moved, **own)
        if len(self._balls):
            turns = np.array([states[k][0] for k in self._balls])[:, WXYZ]
            rates = np.array([states[k][1] for k in self._balls])
            back = so3.quat_conjugate(self._principal)
            pose[self._ball_pose] = so3.quat_multiply(so3.quat_multiply(self._principal, turns), back)
            velocity[self._ball_velocity] = (self._axes @ rates[..., None])[..., 0]
        pose[self._hinge_pose] = [states[k][0][0] for k in self._hinges]
        velocity[self._hinge_velocity] = [states[k][1][0] for k in self._hinges]
        return pose, velocity

    def drive(self, forces: Array, pose: Array) -> None:
        """Apply generalized forces (nv,) during the next step, the root's as MuJoCo has them: force, torque in its own axes."""
        p, own = self._bullet, {"physicsClientId": self._client}
        torques: list[list[float]] = [[0.0]] * len(self._moved)
        for k, torque in zip(self._balls, self._to_axes(forces), strict=True):
            torques[k] = torque.tolist()
        for k, value in zip(self._hinges, forces[self._hinge_velocity], strict=True):
            torques[k] = [float(value)]
        p.setJointMotorControlMultiDofArray(self.number, self._moved, p.TORQUE_CONTROL, forces=torques, **own)
        turned = so3.quat_to_matrix(pose[3:7])
        self.push(1, forces[:3], pose[:3])
        p.applyExternalTorque(self.number, -1, (turned @ forces[3:6]).tolist(), p.WORLD_FRAME, **own)

    def push(self, body: int, force: Array, place: Array) -> None:
        """Apply a force (3,) at a place (3,) of a body during the next step, world axes."""
        self._bullet.applyExternalForce(self.number, self._link_of[body], force.tolist(), place.tolist(), self._bullet.WORLD_FRAME,
                                        physicsClientId=self._client)

    def _to_axes(self, values: Array) -> Array:
        """Of degrees of freedom (nv,) those of balls, in the axes that Bullet turns them about. (balls, 3)."""
        return (values[self._ball_velocity][:, None] @ self._axes)[:, 0]

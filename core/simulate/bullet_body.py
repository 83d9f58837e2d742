"""Links and joints of a MuJoCo model in Bullet, and conversion of their coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .falling import MAX_VELOCITY

Array = NDArray[np.float64]

BALL = int(mujoco.mjtJoint.mjJNT_BALL)
HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)
NO_INDEX = -1  # Bullet's index of nothing, and of the base of a body
IDENTITY_QUATERNION = np.array([1.0, 0.0, 0.0, 0.0])
LINK_COLUMNS = (
    "linkMasses",
    "linkCollisionShapeIndices",
    "linkPositions",
    "linkOrientations",
    "linkInertialFramePositions",
    "linkInertialFrameOrientations",
    "linkParentIndices",
    "linkJointTypes",
    "linkJointAxis",
)
# Velocity to which Bullet limits joints [m/s] or [rad/s]. It is far above the one at which a body
# is reported as lost, since Bullet would hide it.
MAX_JOINT_VELOCITY = 10 * MAX_VELOCITY
WXYZ = [3, 0, 1, 2]  # Order of a quaternion of Bullet in MuJoCo
XYZW = [1, 2, 3, 0]  # Order of a quaternion of MuJoCo in Bullet


@dataclass(frozen=True)
class GeneralizedState:
    """Pose and velocity in MuJoCo's generalized coordinates."""

    pose: Array  # (nq,)
    velocity: Array  # (nv,)


@dataclass(frozen=True)
class _LinkSpec:
    """Link of Bullet to create."""

    parent: int  # MuJoCo's body that the link is attached to
    place: Array  # (3,) [m] in the frame of the parent
    kind: int  # Bullet's type of joint
    joint: int = NO_INDEX  # MuJoCo's joint, if the link is not fixed
    body: int | None = None  # MuJoCo's body whose mass the link has, None for a massless link
    # Orientation (4,), as a quaternion (w, x, y, z)
    orientation: Array = field(default_factory=IDENTITY_QUATERNION.copy)
    shape: int = NO_INDEX  # Bullet's collision shape
    geom: int = NO_INDEX  # MuJoCo's geom of that shape


class BulletBody:
    """A body with a free root, hinges and ball joints in Bullet.

    Bullet has links in the principal axes of their inertia: coordinates of balls are relative to
    these axes, those of the root to its center of mass. A link with several hinges becomes several
    links, of which only the last has mass. Each solid in contact becomes a massless link.

    Args:
        bullet: module of PyBullet.
        client: index of the simulation.
        model: without reflected inertia and damping, which Bullet does not support.
        shapes: Bullet's shapes by geoms of the model. Other geoms touch nothing.
    """

    def __init__(
        self, bullet: ModuleType, client: int, model: mujoco.MjModel, shapes: dict[int, int]
    ) -> None:
        self._bullet = bullet
        self._client = client
        self._model = model
        self._link_by_body: dict[int, int] = {1: -1}  # Bullet's link of each body
        self._joints: list[int] = []  # MuJoCo's joint of each link of Bullet, -1 for a fixed one
        self._inertias: list[list[float]] = []  # Principal inertia of each link [kg m^2]
        self.geoms: list[int] = []  # MuJoCo's geom of each link of Bullet, -1 for none
        self._rows: list[tuple[object, ...]] = []
        self.body_id = self._build(shapes)
        self._configure_dynamics()
        kinds = np.array([model.jnt_type[j] if j >= 0 else -1 for j in self._joints])
        self._moving_links = [int(k) for k in np.flatnonzero(kinds >= 0)]
        joints = np.array(self._joints)
        self._ball_indices = np.flatnonzero(kinds[self._moving_links] == BALL)
        self._hinge_indices = np.flatnonzero(kinds[self._moving_links] == HINGE)
        moving_joints = joints[self._moving_links]
        self._ball_pose = model.jnt_qposadr[moving_joints[self._ball_indices], None] + np.arange(4)
        self._ball_velocity = model.jnt_dofadr[moving_joints[self._ball_indices], None] + np.arange(
            3
        )
        self._hinge_pose = model.jnt_qposadr[moving_joints[self._hinge_indices]]
        self._hinge_velocity = model.jnt_dofadr[moving_joints[self._hinge_indices]]
        # (balls, 4)
        self._ball_quaternions = model.body_iquat[
            model.jnt_bodyid[moving_joints[self._ball_indices]]
        ]
        self._ball_axes = so3.quat_to_matrix(self._ball_quaternions)  # (balls, 3, 3)
        self._root_axes = model.body_iquat[1]
        self._root_center = model.body_ipos[1]

    def _build(self, shapes: dict[int, int]) -> int:
        """Create the body, and return its index."""
        model = self._model
        bullet = self._bullet
        for body in range(2, model.nbody):
            if model.body_rootid[body] == 1:
                self._add_body(body)
        for geom, shape in shapes.items():
            body = int(model.geom_bodyid[geom])
            self._add_link(
                _LinkSpec(
                    body,
                    model.geom_pos[geom],
                    bullet.JOINT_FIXED,
                    orientation=model.geom_quat[geom],
                    shape=shape,
                    geom=geom,
                )
            )
        columns = [list(column) for column in zip(*self._rows, strict=True)]
        n = len(self._rows)
        return int(
            bullet.createMultiBody(
                baseMass=model.body_mass[1],
                baseCollisionShapeIndex=NO_INDEX,
                basePosition=[0.0, 0.0, 0.0],
                baseInertialFramePosition=model.body_ipos[1].tolist(),
                baseInertialFrameOrientation=model.body_iquat[1][XYZW].tolist(),
                linkVisualShapeIndices=[NO_INDEX] * n,
                flags=bullet.URDF_MAINTAIN_LINK_ORDER,
                physicsClientId=self._client,
                **dict(zip(LINK_COLUMNS, columns, strict=True)),
            )
        )

    def _add_body(self, body: int) -> None:
        """Add a link for each joint of a body. The last link has the mass of the body."""
        model = self._model
        bullet = self._bullet
        first = int(model.body_jntadr[body])
        count = int(model.body_jntnum[body])
        kinds = {BALL: bullet.JOINT_SPHERICAL, HINGE: bullet.JOINT_REVOLUTE}
        parent = int(model.body_parentid[body])
        place = model.body_pos[body]
        for joint in range(first, first + count - 1):
            self._add_link(_LinkSpec(parent, place, kinds[int(model.jnt_type[joint])], joint))
            parent = body
            place = np.zeros(3)
            self._link_by_body[body] = len(self._rows) - 1
        last = first + count - 1 if count else NO_INDEX
        kind = kinds[int(model.jnt_type[last])] if count else bullet.JOINT_FIXED
        self._add_link(_LinkSpec(parent, place, kind, joint=last, body=body))
        self._link_by_body[body] = len(self._rows) - 1

    def _add_link(self, link: _LinkSpec) -> None:
        """Add a link to those that Bullet creates."""
        body = link.body
        model = self._model
        mass = 0.0
        center = np.zeros(3)
        axes = IDENTITY_QUATERNION
        inertia = np.zeros(3)
        if body is not None:
            mass = model.body_mass[body]
            center = model.body_ipos[body]
            axes = model.body_iquat[body]
            inertia = model.body_inertia[body]
        self._rows.append(
            (
                float(mass),
                link.shape,
                link.place.tolist(),
                link.orientation[XYZW].tolist(),
                center.tolist(),
                axes[XYZW].tolist(),
                self._link_by_body[link.parent] + 1,
                link.kind,
                model.jnt_axis[link.joint].tolist() if link.joint >= 0 else [0.0, 0.0, 1.0],
            )
        )
        self._joints.append(link.joint)
        self._inertias.append(inertia.tolist())
        self.geoms.append(link.geom)

    def _configure_dynamics(self) -> None:
        """Set inertias and ranges of the model, and remove Bullet's default damping and motors."""
        model = self._model
        bullet = self._bullet
        client_arguments = {"physicsClientId": self._client}
        bullet.changeDynamics(
            self.body_id,
            -1,
            localInertiaDiagonal=model.body_inertia[1].tolist(),
            **client_arguments,
        )
        for link, (joint, inertia) in enumerate(zip(self._joints, self._inertias, strict=True)):
            bullet.changeDynamics(
                self.body_id, link, localInertiaDiagonal=inertia, **client_arguments
            )
            if joint >= 0 and model.jnt_type[joint] == HINGE:
                self._configure_hinge(link, joint)
            elif joint >= 0:
                self._configure_ball(link)
        # In a separate call: Bullet applies damping to the root, whichever link is given.
        bullet.changeDynamics(
            self.body_id,
            -1,
            linearDamping=0.0,
            angularDamping=0.0,
            maxJointVelocity=MAX_JOINT_VELOCITY,
            **client_arguments,
        )

    def _configure_hinge(self, link: int, joint: int) -> None:
        """Set the range of a hinge, and disable its motor."""
        bullet = self._bullet
        client_arguments = {"physicsClientId": self._client}
        bullet.setJointMotorControl2(
            self.body_id, link, bullet.VELOCITY_CONTROL, force=0.0, **client_arguments
        )
        if self._model.jnt_limited[joint]:
            low, high = self._model.jnt_range[joint].tolist()
            bullet.changeDynamics(
                self.body_id,
                link,
                jointLowerLimit=low,
                jointUpperLimit=high,
                **client_arguments,
            )

    def _configure_ball(self, link: int) -> None:
        """Disable the motor of a ball joint."""
        self._bullet.setJointMotorControlMultiDof(
            self.body_id,
            link,
            self._bullet.POSITION_CONTROL,
            targetPosition=[0.0, 0.0, 0.0, 1.0],
            targetVelocity=[0.0] * 3,
            positionGain=0.0,
            velocityGain=0.0,
            force=[0.0] * 3,
            physicsClientId=self._client,
        )

    def set_state(self, pose: Array, velocity: Array) -> None:
        """Set a pose (nq,) and a velocity (nv,) in MuJoCo's coordinates."""
        bullet = self._bullet
        client_arguments = {"physicsClientId": self._client}
        rotation = so3.quat_to_matrix(pose[3:7])
        center = rotation @ self._root_center
        spin = rotation @ velocity[3:6]
        axes = so3.quat_multiply(pose[3:7], self._root_axes)
        bullet.resetBasePositionAndOrientation(
            self.body_id, (pose[:3] + center).tolist(), axes[XYZW].tolist(), **client_arguments
        )
        bullet.resetBaseVelocity(
            self.body_id,
            (velocity[:3] + np.cross(spin, center)).tolist(),
            spin.tolist(),
            **client_arguments,
        )
        places: list[list[float]] = [[0.0]] * len(self._moving_links)
        speeds: list[list[float]] = [[0.0]] * len(self._moving_links)
        turns = so3.quat_multiply(
            so3.quat_conjugate(self._ball_quaternions),
            so3.quat_multiply(pose[self._ball_pose], self._ball_quaternions),
        )
        for k, turn, rate in zip(
            self._ball_indices, turns, self._to_principal_axes(velocity), strict=True
        ):
            places[k] = turn[XYZW].tolist()
            speeds[k] = rate.tolist()
        for k, angle, rate in zip(
            self._hinge_indices, pose[self._hinge_pose], velocity[self._hinge_velocity], strict=True
        ):
            places[k] = [float(angle)]
            speeds[k] = [float(rate)]
        for link, place, speed in zip(self._moving_links, places, speeds, strict=True):
            bullet.resetJointStateMultiDof(
                self.body_id, link, targetValue=place, targetVelocity=speed, **client_arguments
            )

    def read_state(self) -> GeneralizedState:
        """Return the current state in MuJoCo's coordinates."""
        bullet = self._bullet
        client_arguments = {"physicsClientId": self._client}
        pose = self._model.qpos0.copy()
        velocity = np.zeros(self._model.nv)
        place, axes = bullet.getBasePositionAndOrientation(self.body_id, **client_arguments)
        linear, spin = (
            np.array(part) for part in bullet.getBaseVelocity(self.body_id, **client_arguments)
        )
        quaternion = so3.quat_multiply(np.array(axes)[WXYZ], so3.quat_conjugate(self._root_axes))
        rotation = so3.quat_to_matrix(quaternion)
        center = rotation @ self._root_center
        pose[:3] = place - center
        pose[3:7] = quaternion
        velocity[:3] = linear - np.cross(spin, center)
        velocity[3:6] = rotation.T @ spin
        states = bullet.getJointStatesMultiDof(self.body_id, self._moving_links, **client_arguments)
        if len(self._ball_indices):
            turns = np.array([states[k][0] for k in self._ball_indices])[:, WXYZ]
            rates = np.array([states[k][1] for k in self._ball_indices])
            inverse_principal = so3.quat_conjugate(self._ball_quaternions)
            pose[self._ball_pose] = so3.quat_multiply(
                so3.quat_multiply(self._ball_quaternions, turns), inverse_principal
            )
            velocity[self._ball_velocity] = (self._ball_axes @ rates[..., None])[..., 0]
        pose[self._hinge_pose] = [states[k][0][0] for k in self._hinge_indices]
        velocity[self._hinge_velocity] = [states[k][1][0] for k in self._hinge_indices]
        return GeneralizedState(pose, velocity)

    def apply_forces(self, forces: Array, pose: Array) -> None:
        """Apply generalized forces during the next step.

        Args:
            forces: (nv,). Those of the root are a force [N] in world axes, and a torque [Nm] in the
                axes of the root.
            pose: (nq,) current pose.
        """
        bullet = self._bullet
        client_arguments = {"physicsClientId": self._client}
        torques: list[list[float]] = [[0.0]] * len(self._moving_links)
        for k, torque in zip(self._ball_indices, self._to_principal_axes(forces), strict=True):
            torques[k] = torque.tolist()
        for k, value in zip(self._hinge_indices, forces[self._hinge_velocity], strict=True):
            torques[k] = [float(value)]
        bullet.setJointMotorControlMultiDofArray(
            self.body_id,
            self._moving_links,
            bullet.TORQUE_CONTROL,
            forces=torques,
            **client_arguments,
        )
        rotation = so3.quat_to_matrix(pose[3:7])
        self.apply_force(1, forces[:3], pose[:3])
        bullet.applyExternalTorque(
            self.body_id,
            -1,
            (rotation @ forces[3:6]).tolist(),
            bullet.WORLD_FRAME,
            **client_arguments,
        )

    def apply_force(self, body: int, force: Array, place: Array) -> None:
        """Apply a force to a body during the next step.

        Args:
            body: MuJoCo's body.
            force: (3,) [N] in world axes.
            place: (3,) [m] in world coordinates.
        """
        self._bullet.applyExternalForce(
            self.body_id,
            self._link_by_body[body],
            force.tolist(),
            place.tolist(),
            self._bullet.WORLD_FRAME,
            physicsClientId=self._client,
        )

    def _to_principal_axes(self, values: Array) -> Array:
        """Return the values of ball joints in their principal axes. (nv,) -> (balls, 3)."""
        return (values[self._ball_velocity][:, None] @ self._ball_axes)[:, 0]

"""Simulation with PyBullet."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..errors import TaskError
from .bullet_body import XYZW, BulletBody
from .bullet_shapes import BulletPlanes, compute_shape_place, create_shape
from .falling import FallDetector
from .loads import LoadAverager
from .model import SUBSTEP, SimulatedModel
from .physics import BodyForce, FootLoad, PhysicsState, create_unloaded_foot
from .pushes import ActivePushes
from .rotors import Rotors, remove_rotors
from .soles import CONTACT

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BulletParameters:
    """Properties of contacts in Bullet, and of its solver."""

    # Number of iterations of the solver of contacts. Numerical: twice Bullet's 50, since two feet
    # of six points each share the weight.
    solver_iterations: int = 100
    # Stiffness of a contact by the mass of the body [1/s^2], for an adult 100 kN/m as human heels
    # have. tuned: where contacts stop a foot within one millisecond, the ground reaction force
    # jumps between the corners of the sole, and the body falls in its first steps
    contact_stiffness: float = 1400.0
    # [1/s] damping of a contact by the mass of the body: 0.28 of critical damping
    contact_damping: float = 21.0


BULLET = BulletParameters()

# Indices of the entries of a contact point of Bullet
LINK_FIELD = 3
PLACE_FIELD = 6
NORMAL_FIELD = 7
NORMAL_FORCE_FIELD = 9
FRICTION_FORCE_1_FIELD = 10
FRICTION_DIRECTION_1_FIELD = 11
FRICTION_FORCE_2_FIELD = 12
FRICTION_DIRECTION_2_FIELD = 13


def _import_pybullet() -> ModuleType:
    """Return the module of PyBullet.

    Raises:
        TaskError: it is not installed.
    """
    try:
        return import_module("pybullet")
    except ImportError as error:
        raise TaskError(
            "The physics 'bullet' needs PyBullet, which is not installed: pip install pybullet "
            "(there are wheels for Linux and Python 3.11), or take the physics 'mujoco'."
        ) from error


@dataclass(frozen=True)
class _Contact:
    """Contact of the body with the ground in one step."""

    geom: int  # of the body
    force: Array  # (3,) [N] on the body
    place: Array  # (3,) [m]


class BulletPhysics:
    """Simulation of a model with Bullet (see `Physics`).

    Torques, states and loads are in MuJoCo's coordinates.

    Args:
        model: of the body, with its ground.

    Raises:
        TaskError: PyBullet is not installed.
        TerrainError: a solid is of a kind that is not supported.
    """

    def __init__(self, model: SimulatedModel) -> None:
        self.model = model
        self._bullet = _import_pybullet()
        self._client = int(self._bullet.connect(self._bullet.DIRECT))
        self._finalizer = weakref.finalize(self, self._bullet.disconnect, self._client)
        self._client_arguments = {"physicsClientId": self._client}
        self._bullet.setPhysicsEngineParameter(
            numSolverIterations=BULLET.solver_iterations, numSubSteps=0, **self._client_arguments
        )
        self._bullet.setGravity(*model.mujoco.opt.gravity.tolist(), **self._client_arguments)
        # (geoms,) index of the sole point, -1 for other geoms
        self._corner_by_geom = np.full(model.mujoco.ngeom, -1)
        corners = [point.geom for sole in model.soles for point in sole]
        self._corner_by_geom[corners] = np.arange(len(corners))
        ground = self._add_ground()
        bare = remove_rotors(model.mujoco)
        self._body = self._add_body(bare)
        self._rotors = Rotors(model.mujoco, bare)
        self._planes = BulletPlanes(
            self._bullet, self._client, model, body=self._body, ground=ground
        )
        for plane in self._planes.planes:
            self._set_contact_properties(plane, -1)
        self._pushes = ActivePushes(model)
        self._load_averager = LoadAverager(model)
        self._fall_detector = FallDetector(model)
        self._feet = self._no_loads = tuple(create_unloaded_foot(len(sole)) for sole in model.soles)
        self._time = 0.0
        self._contact_forces = list[BodyForce]()
        self.reset(model.mujoco.qpos0)

    @property
    def state(self) -> PhysicsState:
        """Current state."""
        return PhysicsState(
            self._time,
            self._pose.copy(),
            self._velocity.copy(),
            foot_loads=self._feet,
            trouble=self._fall_detector.trouble,
        )

    def reset(self, pose: Array, velocity: Array | None = None, time: float = 0.0) -> PhysicsState:
        """Set the state (see `Physics.reset`). Loads are zero until the first step."""
        self._pose = np.array(pose, float)
        self._velocity = (
            np.zeros(self.model.mujoco.nv) if velocity is None else np.array(velocity, float)
        )
        self._body.set_state(self._pose, self._velocity)
        self._rotors.set_state(self._pose, self._velocity)
        self._pushes.clear()
        self._fall_detector.reset()
        self._time = time
        self._contact_forces = []
        self._feet = self._no_loads
        return self.state

    def push(self, link: int, force: Array, seconds: float, point: Array | None = None) -> None:
        """Push a link from now on (see `Physics.push`)."""
        self._pushes.add(link, force, seconds, point)

    def step(self, torques: Array, seconds: float) -> PhysicsState:
        """Simulate under constant torques (see `Physics.step`)."""
        fall_detector = self._fall_detector
        fall_detector.check_torques(torques, self._time)
        if fall_detector.is_lost:
            return self.state
        count = max(round(seconds / SUBSTEP), 1)
        limit = self.model.torque_limit
        clamped = np.clip(torques, -limit, limit)
        self._bullet.setPhysicsEngineParameter(
            fixedTimeStep=seconds / count, **self._client_arguments
        )
        contacts = list[_Contact]()
        self._planes.update(self._rotors.data)
        for _ in range(count):
            self._step_engine(clamped, seconds / count)
            self._time += seconds / count
            state = self._body.read_state()
            fall_detector.check_velocity(state.velocity, self._time)
            if fall_detector.is_lost:
                return self.state
            self._pose = state.pose
            self._velocity = state.velocity
            self._rotors.set_state(state.pose, state.velocity)
            contacts += self._read_contacts()
        self._feet = self._average_loads(contacts, count)
        fall_detector.check_head(self._rotors.data.xpos[fall_detector.head], self._time)
        return self.state

    def _step_engine(self, torques: Array, seconds: float) -> None:
        """Advance the engine by one substep [s]."""
        data = self._rotors.data
        pushes = [
            replace(
                push,
                point=data.xpos[push.body] + data.xmat[push.body].reshape(3, 3) @ push.point,
            )
            for push in self._pushes.consume(seconds)
        ]
        self._body.apply_forces(
            self._rotors.compute_link_forces(torques, pushes + self._contact_forces), self._pose
        )
        for push in pushes:
            self._body.apply_force(push.body, push.force, push.point)
        self._bullet.stepSimulation(**self._client_arguments)

    def _read_contacts(self) -> list[_Contact]:
        """Return the contacts with the ground in the last substep."""
        contacts = []
        for contact in self._bullet.getContactPoints(
            bodyA=self._body.body_id, **self._client_arguments
        ):
            if contact[NORMAL_FORCE_FIELD] > 0:
                force = (
                    contact[NORMAL_FORCE_FIELD] * np.array(contact[NORMAL_FIELD])
                    + contact[FRICTION_FORCE_1_FIELD]
                    * np.array(contact[FRICTION_DIRECTION_1_FIELD])
                    + contact[FRICTION_FORCE_2_FIELD]
                    * np.array(contact[FRICTION_DIRECTION_2_FIELD])
                )
                geom = self._body.geoms[contact[LINK_FIELD]]
                contacts.append(_Contact(geom, force, np.array(contact[PLACE_FIELD])))
        bodies = self.model.mujoco.geom_bodyid
        self._contact_forces = [
            BodyForce(int(bodies[contact.geom]), contact.force, contact.place)
            for contact in contacts
        ]
        return contacts

    def _average_loads(self, contacts: list[_Contact], count: int) -> tuple[FootLoad, ...]:
        """Return the loads of the feet, averaged over `count` substeps.

        A contact of any other part with the ground is reported as a fall.
        """
        if not contacts:
            return self._no_loads
        geoms = np.array([contact.geom for contact in contacts])
        forces = np.array([contact.force for contact in contacts])
        places = np.array([contact.place for contact in contacts])
        corner = self._corner_by_geom[geoms]
        if corner.min() < 0:
            self._fall_detector.report_touch(
                int(self.model.mujoco.geom_bodyid[geoms[np.argmin(corner)]]), self._time
            )
        on_sole = corner >= 0
        return self._load_averager.average(corner[on_sole], forces[on_sole], places[on_sole], count)

    def _add_ground(self) -> list[int]:
        """Add the solids of the ground, and return their bodies in Bullet."""
        model = self.model.mujoco
        bullet = self._bullet
        ground_bodies = []
        for geom in np.flatnonzero(model.geom_bodyid == 0):
            ground_bodies.append(
                int(
                    bullet.createMultiBody(
                        baseMass=0.0,
                        baseCollisionShapeIndex=create_shape(
                            bullet, self._client, model, int(geom)
                        ),
                        basePosition=compute_shape_place(model, int(geom)),
                        baseOrientation=model.geom_quat[geom][XYZW].tolist(),
                        **self._client_arguments,
                    )
                )
            )
            self._set_contact_properties(ground_bodies[-1], -1)
        return ground_bodies

    def _add_body(self, bare: mujoco.MjModel) -> BulletBody:
        """Add the body.

        Args:
            bare: model without reflected inertia and damping.
        """
        model = self.model.mujoco
        contact_geoms = [
            geom
            for geom in range(model.ngeom)
            if model.body_rootid[model.geom_bodyid[geom]] == 1
            and (model.geom_contype[geom] or self._corner_by_geom[geom] >= 0)
        ]
        shapes = {
            geom: create_shape(self._bullet, self._client, model, geom) for geom in contact_geoms
        }
        body = BulletBody(self._bullet, self._client, bare, shapes)
        mass = self.model.character.mass
        for link in (link for link, geom in enumerate(body.geoms) if geom >= 0):
            self._set_contact_properties(body.body_id, link)
            self._bullet.changeDynamics(
                body.body_id,
                link,
                contactStiffness=BULLET.contact_stiffness * mass,
                contactDamping=BULLET.contact_damping * mass,
                **self._client_arguments,
            )
        return body

    def _set_contact_properties(self, body: int, link: int) -> None:
        """Let contacts of a link slide, but neither rebound nor resist rolling."""
        self._bullet.changeDynamics(
            body,
            link,
            # Bullet multiplies the coefficients of both bodies.
            lateralFriction=np.sqrt(CONTACT.friction[0] * self.model.friction),
            rollingFriction=0.0,
            spinningFriction=0.0,
            restitution=0.0,
            **self._client_arguments,
        )

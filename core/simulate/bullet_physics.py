"""Physics by PyBullet: another engine's contacts under the same body."""
from __future__ import annotations

import weakref
from importlib import import_module
from types import ModuleType

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..errors import TaskError
from .bullet_body import XYZW, BulletBody
from .bullet_planes import BulletPlanes
from .bullet_shapes import place_of, shape_of
from .falling import Falling
from .loads import Loads
from .model import FRICTION, SUBSTEP, SimulatedModel
from .physics import FootLoad, State, no_load
from .pushes import Pushes
from .rotors import Force, Rotors, without_rotors

Array = NDArray[np.float64]

ITERATIONS = 100      # of the solver of contacts
# 1/s^2 and 1/s, of a contact, times the body's mass: of an adult 100 kN/m, as heels have. Where contacts stop a foot within one
# millisecond the ground's forces leap from corner to corner of the sole, and the body falls in its first steps
STIFFNESS, DAMPING = 1400.0, 21.0
# where contacts are in what Bullet tells of each
LINK, PLACE, NORMAL, BEARS, ACROSS, ACROSS_WAY, ASIDE, ASIDE_WAY = 3, 6, 7, 9, 10, 11, 12, 13


def _pybullet() -> ModuleType:
    try:
        return import_module("pybullet")
    except ImportError as error:
        raise TaskError("The physics 'bullet' needs PyBullet, which is not installed: pip install pybullet (there are wheels for "
                        "Linux and Python 3.11), or take the physics 'mujoco'.") from error


class BulletPhysics:
    """The body of a model, moved by Bullet in steps of about a millisecond. Torques, states and loads are as MuJoCo's.

    Args:
        model: with its ground.

    Raises:
        TaskError: PyBullet is not installed.
        TerrainError: a solid is of a kind that Bullet is not told of.
    """

    def __init__(self, model: SimulatedModel) -> None:
        self.model, self._bullet = model, _pybullet()
        self._client = int(self._bullet.connect(self._bullet.DIRECT))
        self._end = weakref.finalize(self, self._bullet.disconnect, self._client)
        self._own = {"physicsClientId": self._client}
        self._bullet.setPhysicsEngineParameter(numSolverIterations=ITERATIONS, numSubSteps=0, **self._own)
        self._bullet.setGravity(*model.mujoco.opt.gravity.tolist(), **self._own)
        self._points = np.full(model.mujoco.ngeom, -1)                 # by geom: which corner of all soles it is
        corners = [point.geom for sole in model.soles for point in sole]
        self._points[corners] = np.arange(len(corners))
        ground, bare = self._put_ground(), without_rotors(model.mujoco)
        self._body, self._rotors = self._put_body(bare), Rotors(model.mujoco, bare)
        self._planes = BulletPlanes(self._bullet, self._client, model, self._body, ground)
        for plane in self._planes.planes:
            self._set_contacts(plane, -1)
        self._pushes, self._means, self._falling = Pushes(model), Loads(model), Falling(model)
        self._feet = self._no_loads = tuple(no_load(len(sole)) for sole in model.soles)
        self._time, self._touching = 0.0, list[Force]()
        self.reset(model.mujoco.qpos0)

    @property
    def state(self) -> State:
        """As it is now."""
        return State(self._time, self._pose.copy(), self._velocity.copy(), self._feet, self._falling.trouble)

    def reset(self, pose: Array, velocity: Array | None = None, time: float = 0.0) -> State:
        """Put the body into a pose (nq,), at rest unless a velocity (nv,) is given. Loads are not known before the first step."""
        self._pose = np.array(pose, float)
        self._velocity = np.zeros(self.model.mujoco.nv) if velocity is None else np.array(velocity, float)
        self._body.put(self._pose, self._velocity)
        self._rotors.place(self._pose, self._velocity)
        self._pushes.clear()
        self._falling.begin()
        self._time, self._touching, self._feet = time, [], self._no_loads
        return self.state

    def push(self, link: int, force: Array, seconds: float, at: Array | None = None) -> None:
        """From now on push a link of the character with a force (3,) N, world axes, for a time."""
        self._pushes.add(link, force, seconds, at)

    def step(self, torques: Array, seconds: float) -> State:
        """Hold torques (nv - 6,) Nm for a time, in steps of about a millisecond, and tell what came of it."""
        falling = self._falling
        falling.check_torques(torques, self._time)
        if falling.is_lost:
            return self.state
        count = max(round(seconds / SUBSTEP), 1)
        limit = self.model.torque_limit
        held = np.clip(torques, -limit, limit)
        self._bullet.setPhysicsEngineParameter(fixedTimeStep=seconds / count, **self._own)
        contacts = []
        self._planes.follow(self._rotors.data)
        for _ in range(count):
            self._move(held, seconds / count)
            self._time += seconds / count
            pose, velocity = self._body.read()
            falling.check_velocity(velocity, self._time)
            if falling.is_lost:
                return self.state
            self._pose, self._velocity = pose, velocity
            self._rotors.place(pose, velocity)
            contacts += self._contacts()
        self._feet = self._loads(contacts, count)
        falling.check_head(self._rotors.data.xpos[falling.head], self._time)
        return self.state

    def _move(self, torques: Array, seconds: float) -> None:
        """One step of the engine."""
        data = self._rotors.data
        pushes = [(body, force, data.xpos[body] + data.xmat[body].reshape(3, 3) @ at)
                  for body, force, at in self._pushes.during(seconds)]
        self._body.drive(self._rotors.forces(torques, pushes + self._touching), self._pose)
        for body, force, place in pushes:
            self._body.push(body, force, place)
        self._bullet.stepSimulation(**self._own)

    def _contacts(self) -> list[tuple[int, Array, Array]]:
        """Geoms of the body that touched the ground in the last step, forces on them (3,) and where (3,)."""
        out = []
        for c in self._bullet.getContactPoints(bodyA=self._body.number, **self._own):
            if c[BEARS] > 0:
                force = (c[BEARS] * np.array(c[NORMAL]) + c[ACROSS] * np.array(c[ACROSS_WAY]) + c[ASIDE] * np.array(c[ASIDE_WAY]))
                out.append((self._body.geoms[c[LINK]], force, np.array(c[PLACE])))
        bodies = self.model.mujoco.geom_bodyid
        self._touching = [(int(bodies[geom]), force, place) for geom, force, place in out]
        return out

    def _loads(self, contacts: list[tuple[int, Array, Array]], count: int) -> tuple[FootLoad, ...]:
        """Of each foot, in the mean over some steps. What else touches the ground is a fall, and is remembered."""
        if not contacts:
            return self._no_loads
        geoms, forces, places = (np.array([contact[k] for contact in contacts]) for k in range(3))
        corner = self._points[geoms]
        if corner.min() < 0:
            self._falling.touches(int(self.model.mujoco.geom_bodyid[geoms[np.argmin(corner)]]), self._time)
        on_sole = corner >= 0
        return self._means.mean(corner[on_sole], forces[on_sole], places[on_sole], count)

    def _put_ground(self) -> list[int]:
        """Bullet's bodies of the ground's solids."""
        m, p, out = self.model.mujoco, self._bullet, []
        for geom in np.flatnonzero(m.geom_bodyid == 0):
            out.append(int(p.createMultiBody(
                baseMass=0.0, baseCollisionShapeIndex=shape_of(p, self._client, m, int(geom)), basePosition=place_of(m, int(geom)),
                baseOrientation=m.geom_quat[geom][XYZW].tolist(), **self._own)))
            self._set_contacts(out[-1], -1)
        return out

    def _put_body(self, bare: mujoco.MjModel) -> BulletBody:
        m = self.model.mujoco
        touching = [geom for geom in range(m.ngeom)
                    if m.body_rootid[m.geom_bodyid[geom]] == 1 and (m.geom_contype[geom] or self._points[geom] >= 0)]
        shapes = {geom: shape_of(self._bullet, self._client, m, geom) for geom in touching}
        body, mass = BulletBody(self._bullet, self._client, bare, shapes), self.model.character.mass
        for link in (link for link, geom in enumerate(body.geoms) if geom >= 0):
            self._set_contacts(body.number, link)
            self._bullet.changeDynamics(body.number, link, contactStiffness=STIFFNESS * mass, contactDamping=DAMPING * mass,
                                        **self._own)
        return body

    def _set_contacts(self, body: int, link: int) -> None:
        """Contacts of a link neither rebound nor resist rolling."""
        self._bullet.changeDynamics(body, link, lateralFriction=FRICTION[0], rollingFriction=0.0, spinningFriction=0.0,
                                    restitution=0.0, **self._own)

"""Physics by MuJoCo."""
from __future__ import annotations

import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

from .falling import Falling
from .ground_planes import GroundPlanes
from .loads import Loads
from .model import SUBSTEP, SimulatedModel
from .physics import FootLoad, State, no_load
from .pushes import Pushes

Array = NDArray[np.float64]
Contacts = tuple[NDArray[np.int32], Array, Array, Array]

AXES = np.arange(3)


class MujocoPhysics:
    """The body of a model, moved by MuJoCo in steps of about a millisecond.

    Args:
        model: with its ground.
    """

    def __init__(self, model: SimulatedModel) -> None:
        self.model = model
        self._model, self._data = model.mujoco, mujoco.MjData(model.mujoco)
        self._pushes = Pushes(model)
        self._points = np.full(self._model.ngeom, -1)                  # by geom: which corner of all soles it is
        geoms = [point.geom for sole in model.soles for point in sole]
        self._points[geoms] = np.arange(len(geoms))
        self._is_ground = self._model.body_rootid[self._model.geom_bodyid] != 1
        self._planes = GroundPlanes(self._model, model.ground)
        self._means, self._falling = Loads(model), Falling(model)
        self._no_loads = self._feet = tuple(no_load(len(sole)) for sole in model.soles)
        self.reset(self._model.qpos0)

    @property
    def state(self) -> State:
        """As it is now."""
        data = self._data
        return State(data.time, data.qpos.copy(), data.qvel.copy(), self._feet, self._falling.trouble)

    def __deepcopy__(self, known: dict[int, object]) -> MujocoPhysics:
        """The same body in the same state, moved for itself; the model and its ground are one."""
        other = copy.copy(self)
        known.update({id(thing): thing for thing in (self.model, self._model, self.model.ground)})
        other._data, other._pushes, other._falling = copy.copy(self._data), *copy.deepcopy((self._pushes, self._falling), known)
        return other

    def reset(self, pose: Array, velocity: Array | None = None, time: float = 0.0) -> State:
        """Put the body into a pose (nq,), at rest unless a velocity (nv,) is given."""
        mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:], self._data.time = pose, time
        if velocity is not None:
            self._data.qvel[:] = velocity
        mujoco.mj_kinematics(self._model, self._data)
        self._planes.follow(self._data)
        mujoco.mj_forward(self._model, self._data)
        self._pushes.clear()
        self._falling.begin()
        self._feet = self._loads([self._contacts()])
        return self.state

    def push(self, link: int, force: Array, seconds: float, at: Array | None = None) -> None:
        """From now on push a link of the character with a force (3,) N, world axes, for a time."""
        self._pushes.add(link, force, seconds, at)

    def step(self, torques: Array, seconds: float) -> State:
        """Hold torques (nv - 6,) Nm for a time, in steps of about a millisecond, and tell what came of it."""
        falling, model, data = self._falling, self._model, self._data
        falling.check_torques(torques, data.time)
        if falling.is_lost:
            return self.state
        count = max(round(seconds / SUBSTEP), 1)
        model.opt.timestep = seconds / count
        data.ctrl[:] = torques
        contacts = []
        self._planes.follow(data)
        for _ in range(count):
            self._apply_pushes(model.opt.timestep)
            mujoco.mj_step(model, data)
            # before MuJoCo itself finds numbers too large to go on with, and writes a log where the user is
            falling.check_velocity(data.qvel, data.time)
            if falling.is_lost:
                return self.state
            contacts.append(self._contacts())
        self._feet = self._loads(contacts)
        falling.check_head(data.xpos[falling.head], data.time)
        return self.state

    def _apply_pushes(self, seconds: float) -> None:
        data = self._data
        data.qfrc_applied[:] = 0.0                            # also after the last one has ended
        for body, force, at in self._pushes.during(seconds):
            place = data.xpos[body] + data.xmat[body].reshape(3, 3) @ at
            mujoco.mj_applyFT(self._model, data, force, np.zeros(3), place, body, data.qfrc_applied)

    def _contacts(self) -> Contacts:
        """What touches what, and how hard: geoms (c, 2), forces (c, 3) along the axes (c, 3, 3), places (c, 3)."""
        contact, data = self._data.contact, self._data
        address = contact.efc_address
        count = len(address)
        if count and address[0] >= 0 and address[-1] - address[0] == 3 * (count - 1):       # all bear, one after the other
            local = data.efc_force[address[0]:address[-1] + 3].copy().reshape(-1, 3)
            return contact.geom.copy(), local, contact.frame.copy().reshape(-1, 3, 3), contact.pos.copy()
        bearing = np.flatnonzero(address >= 0)
        local = data.efc_force[address[bearing, None] + AXES]                               # (c, 3) normal, then across
        return contact.geom[bearing], local, contact.frame[bearing].reshape(-1, 3, 3), contact.pos[bearing]

    def _loads(self, contacts: list[Contacts]) -> tuple[FootLoad, ...]:
        """Of each foot, from the contacts at several instants. What else touches the ground is a fall, and is remembered."""
        geoms, local, frames, place = (np.concatenate([c[k] for c in contacts]) for k in range(4))
        if not len(geoms):
            return self._no_loads
        second = ~self._is_ground[geoms[:, 1]]
        own = np.where(second, geoms[:, 1], geoms[:, 0])
        world = (local[:, None] @ frames)[:, 0] * np.where(second, 1.0, -1.0)[:, None]
        point = self._points[own]
        if point.min() < 0:
            self._falling.touches(int(self._model.geom_bodyid[own[np.argmin(point)]]), self._data.time)
            on_sole = point >= 0
            point, world, place = point[on_sole], world[on_sole], place[on_sole]
        return self._means.mean(point, world, place, len(contacts))

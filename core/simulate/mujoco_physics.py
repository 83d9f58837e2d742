"""Physics by MuJoCo."""
from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from .ground_planes import GroundPlanes
from .model import SUBSTEP, SimulatedModel
from .physics import FootLoad, State, no_load

Array = NDArray[np.float64]
Contacts = tuple[NDArray[np.int32], Array, Array, Array]

FASTEST = 1e5         # m/s and rad/s, of all degrees of freedom together; beyond it there is no body any more
AXES = np.arange(3)


@dataclass
class _Push:
    body: int
    force: Array
    at: Array                 # (3,) in the body's frame
    left: float               # s


class MujocoPhysics:
    """The body of a model, moved by MuJoCo in steps of about a millisecond.

    Args:
        model: with its ground.
    """

    def __init__(self, model: SimulatedModel) -> None:
        self.model = model
        self._model, self._data = model.mujoco, mujoco.MjData(model.mujoco)
        self._pushes: list[_Push] = []
        self._points = np.full(self._model.ngeom, -1)                  # by geom: which corner of all soles it is
        geoms = [point.geom for sole in model.soles for point in sole]
        self._points[geoms] = np.arange(len(geoms))
        self._is_ground = self._model.body_rootid[self._model.geom_bodyid] != 1
        self._planes = GroundPlanes(self._model, model.ground)
        self._of_leg = np.cumsum([0, *(len(sole) for sole in model.soles)])
        self._no_loads = self._feet = tuple(no_load(len(sole)) for sole in model.soles)
        self._trouble = ""
        character = model.character
        head = character.head if character.head is not None else (character.trunk or (0,))[-1]
        self._head, self._head_height = int(model.links[head]), float(character.origin(head)[2]) + character.root_height
        self._ground, self._last_ground = model.ground, 0.0
        self.reset(self._model.qpos0)

    @property
    def state(self) -> State:
        """As it is now."""
        data = self._data
        return State(data.time, data.qpos.copy(), data.qvel.copy(), self._feet, self._trouble)

    def __deepcopy__(self, known: dict[int, object]) -> MujocoPhysics:
        """The same body in the same state, moved for itself; the model is one."""
        other = copy.copy(self)
        other._data, other._pushes = copy.copy(self._data), [replace(push) for push in self._pushes]
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
        self._pushes, self._trouble = [], ""
        self._feet = self._loads([self._contacts()])
        return self.state

    def push(self, link: int, force: Array, seconds: float, at: Array | None = None) -> None:
        """From now on push a link of the character with a force (3,) N, world axes, for a time."""
        body = int(self.model.links[link])
        place = self._model.body_ipos[body].copy() if at is None else np.asarray(at, float)
        self._pushes.append(_Push(body, np.asarray(force, float), place, seconds))

    def step(self, torques: Array, seconds: float) -> State:
        """Hold torques (nv - 6,) Nm for a time, in steps of about a millisecond, and tell what came of it."""
        if self._trouble.startswith("not finite"):
            return self.state
        count = max(round(seconds / SUBSTEP), 1)
        model, data = self._model, self._data
        model.opt.timestep = seconds / count
        data.ctrl[:] = torques
        if not np.isfinite(torques).all():
            self._lost("the torques are no numbers")
            return self.state
        contacts = []
        self._planes.follow(data)
        for _ in range(count):
            self._apply_pushes(model.opt.timestep)
            mujoco.mj_step(model, data)
            # before MuJoCo itself finds numbers too large to go on with, and writes a log where the user is
            if not data.qvel @ data.qvel < FASTEST**2:
                self._lost("the physics engine lost the body")
                return self.state
            contacts.append(self._contacts())
        self._feet = self._loads(contacts)
        if not self._trouble and self._head_is_low():
            self._trouble = f"fallen: the head is below half its height at {data.time:.3f} s"
        return self.state

    def _lost(self, why: str) -> None:
        self._trouble = f"not finite: {why} at {self._data.time:.3f} s"

    def _head_is_low(self) -> bool:
        """Whether the head, or what stands for it, is nearer to the ground than half of where it is in the neutral pose."""
        top = self._data.xpos[self._head]
        ground = float(self._ground.height(top[:2]))
        if np.isnan(ground):
            ground = self._last_ground
        self._last_ground = ground
        return bool(top[2] - ground < 0.5 * self._head_height)

    def _apply_pushes(self, seconds: float) -> None:
        data = self._data
        data.qfrc_applied[:] = 0.0                            # also after the last one has ended
        for push in self._pushes:
            place = data.xpos[push.body] + data.xmat[push.body].reshape(3, 3) @ push.at
            share = min(push.left / seconds, 1.0)             # the last step of a push may be a part of one
            mujoco.mj_applyFT(self._model, data, push.force * share, np.zeros(3), place, push.body, data.qfrc_applied)
            push.left -= seconds
        self._pushes = [push for push in self._pushes if push.left > 1e-9]

    def _contacts(self) -> Contacts:
        """What touches what, and how hard: geoms (c, 2), forces (c, 3) along the axes (c, 3, 3), places (c, 3)."""
        contact, data = self._data.contact, self._data
        address = contact.efc_address
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
            self._fallen(int(own[np.argmin(point)]))
        on_sole = point >= 0
        shares = np.zeros((self._of_leg[-1], 6))             # of each point its force, and places times the upward parts
        np.add.at(shares, point[on_sole], np.concatenate([world, world[:, 2:] * place], 1)[on_sole] / len(contacts))
        out = []
        for begin, end in zip(self._of_leg[:-1], self._of_leg[1:], strict=True):
            total = shares[begin:end].sum(0)
            pressure = total[3:] / total[2] if total[2] > 1e-6 else np.full(3, np.nan)
            out.append(FootLoad(float(total[2]), total[:3], pressure, shares[begin:end, :3]))
        return tuple(out)

    def _fallen(self, geom: int) -> None:
        if not self._trouble:
            name = self._model.body(self._model.geom_bodyid[geom]).name
            self._trouble = f"fallen: {name} touches the ground at {self._data.time:.3f} s"

"""Simulation with MuJoCo."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from .falling import FallDetector
from .ground_planes import GroundPlanes
from .loads import LoadAverager
from .model import SUBSTEP, SimulatedModel
from .physics import FootLoad, PhysicsState, create_unloaded_foot
from .pushes import ActivePushes

Array = NDArray[np.float64]

# Offsets of a contact's forces in MuJoCo's constraint forces: normal, then two tangents
CONTACT_AXES = np.arange(3)


@dataclass(frozen=True)
class _Contacts:
    """c contacts of one instant."""

    geoms: NDArray[np.int32]  # (c, 2)
    local_forces: Array  # (c, 3) [N] along the axes
    frames: Array  # (c, 3, 3) whose rows are the axes: normal and two tangents
    places: Array  # (c, 3) [m]


class MujocoPhysics:
    """Simulation of a model with MuJoCo (see `Physics`).

    Args:
        model: of the body, with its ground.
    """

    def __init__(self, model: SimulatedModel) -> None:
        self.model = model
        self._model = model.mujoco
        self._data = mujoco.MjData(model.mujoco)
        self._pushes = ActivePushes(model)
        # (geoms,) number of the sole point, -1 for other geoms
        self._corner_by_geom = np.full(self._model.ngeom, -1)
        geoms = [point.geom for sole in model.soles for point in sole]
        self._corner_by_geom[geoms] = np.arange(len(geoms))
        self._is_ground = self._model.body_rootid[self._model.geom_bodyid] != 1
        self._planes = GroundPlanes(self._model, model.ground)
        self._load_averager = LoadAverager(model)
        self._fall_detector = FallDetector(model)
        self._no_loads = self._feet = tuple(create_unloaded_foot(len(sole)) for sole in model.soles)
        self.reset(self._model.qpos0)

    @property
    def state(self) -> PhysicsState:
        """Current state."""
        data = self._data
        return PhysicsState(
            data.time,
            data.qpos.copy(),
            data.qvel.copy(),
            foot_loads=self._feet,
            trouble=self._fall_detector.trouble,
        )

    def __deepcopy__(self, memo: dict[int, object]) -> MujocoPhysics:
        """Copy the state; model and ground are shared."""
        other = copy.copy(self)
        memo.update({id(thing): thing for thing in (self.model, self._model, self.model.ground)})
        other._data, other._pushes, other._fall_detector = (
            copy.copy(self._data),
            *copy.deepcopy((self._pushes, self._fall_detector), memo),
        )
        return other

    def reset(self, pose: Array, velocity: Array | None = None, time: float = 0.0) -> PhysicsState:
        """Set the state (see `Physics.reset`)."""
        mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:] = pose
        self._data.time = time
        if velocity is not None:
            self._data.qvel[:] = velocity
        mujoco.mj_kinematics(self._model, self._data)
        self._planes.update(self._data)
        mujoco.mj_forward(self._model, self._data)
        self._pushes.clear()
        self._fall_detector.reset()
        self._feet = self._average_loads([self._read_contacts()])
        return self.state

    def push(self, link: int, force: Array, seconds: float, point: Array | None = None) -> None:
        """Push a link from now on (see `Physics.push`)."""
        self._pushes.add(link, force, seconds, point)

    def step(self, torques: Array, seconds: float) -> PhysicsState:
        """Simulate under constant torques (see `Physics.step`)."""
        fall_detector = self._fall_detector
        model = self._model
        data = self._data
        fall_detector.check_torques(torques, data.time)
        if fall_detector.is_lost:
            return self.state
        count = max(round(seconds / SUBSTEP), 1)
        model.opt.timestep = seconds / count
        data.ctrl[:] = torques
        contacts = []
        self._planes.update(data)
        for _ in range(count):
            self._apply_pushes(model.opt.timestep)
            mujoco.mj_step(model, data)
            # Before MuJoCo detects the divergence, since it writes a log to the working folder
            fall_detector.check_velocity(data.qvel, data.time)
            if fall_detector.is_lost:
                return self.state
            contacts.append(self._read_contacts())
        self._feet = self._average_loads(contacts)
        fall_detector.check_head(data.xpos[fall_detector.head], data.time)
        return self.state

    def _apply_pushes(self, seconds: float) -> None:
        """Apply the pushes during the next `seconds` [s]."""
        data = self._data
        data.qfrc_applied[:] = 0.0  # removes pushes that have ended
        for push in self._pushes.consume(seconds):
            body = push.body
            place = data.xpos[body] + data.xmat[body].reshape(3, 3) @ push.point
            mujoco.mj_applyFT(
                self._model, data, push.force, np.zeros(3), place, body, data.qfrc_applied
            )

    def _read_contacts(self) -> _Contacts:
        """Return the contacts that carry load."""
        contact = self._data.contact
        data = self._data
        address = contact.efc_address
        count = len(address)
        # Fast path: all contacts carry load and are stored consecutively
        if count and address[0] >= 0 and address[-1] - address[0] == 3 * (count - 1):
            local = data.efc_force[address[0] : address[-1] + 3].copy().reshape(-1, 3)
            return _Contacts(
                contact.geom.copy(),
                local,
                contact.frame.copy().reshape(-1, 3, 3),
                contact.pos.copy(),
            )
        loaded = np.flatnonzero(address >= 0)
        local = data.efc_force[address[loaded, None] + CONTACT_AXES]
        return _Contacts(
            contact.geom[loaded],
            local,
            contact.frame[loaded].reshape(-1, 3, 3),
            contact.pos[loaded],
        )

    def _average_loads(self, contacts: list[_Contacts]) -> tuple[FootLoad, ...]:
        """Average the loads of the feet over several instants.

        A contact of any other part with the ground is reported as a fall.
        """
        geoms = np.concatenate([c.geoms for c in contacts])
        local_forces = np.concatenate([c.local_forces for c in contacts])
        frames = np.concatenate([c.frames for c in contacts])
        place = np.concatenate([c.places for c in contacts])
        if not len(geoms):
            return self._no_loads
        is_second_geom = ~self._is_ground[geoms[:, 1]]
        body_geoms = np.where(is_second_geom, geoms[:, 1], geoms[:, 0])
        world_forces = (local_forces[:, None] @ frames)[:, 0] * np.where(is_second_geom, 1.0, -1.0)[
            :, None
        ]
        corner = self._corner_by_geom[body_geoms]
        if corner.min() < 0:
            self._fall_detector.report_touch(
                int(self._model.geom_bodyid[body_geoms[np.argmin(corner)]]), self._data.time
            )
            on_sole = corner >= 0
            corner = corner[on_sole]
            world_forces = world_forces[on_sole]
            place = place[on_sole]
        return self._load_averager.average(corner, world_forces, place, len(contacts))

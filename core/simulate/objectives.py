"""The controller's objectives as rows: accelerations that are wanted of linear maps of the body's own."""
from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from .. import so3
from .body import Body
from .gains import Gains
from .physics import State
from .reading import Frames, Reading
from .reference import Reference
from .swinging import swing_acceleration

Array = NDArray[np.float64]

BEARS = 1.0           # N, below which a foot that is to stand is still in the air
LEVELLING = 100.0     # 1/s^2, stiffness with which a foot that bears nothing turns to the ground
TRAIL_FOLD = 0.62     # of the leg's length below the hips, and
TRAIL_BACK = 0.12     # of it behind them, where a foot is in flight that was the last to stand


class Objectives:
    """Rows `map @ qdd = wanted`, each with a weight, of one instant; and weights of single degrees of freedom."""

    def __init__(self, body: Body, gains: Gains, state: State, reading: Reading, reference: Reference) -> None:
        self.body, self.gains, self.state, self.now, self.reference = body, gains, state, reading, reference
        self._rows: list[Array] = []
        self._wanted: list[Array] = []
        self._weight: list[Array] = []
        self.own_weight, self.own_wanted = np.zeros(body.nv), np.zeros(body.nv)

    def stacked(self) -> tuple[Array, Array, Array]:
        """Maps (r, nv), what is wanted (r,) and weights (r,)."""
        return np.concatenate(self._rows), np.concatenate(self._wanted), np.concatenate(self._weight)

    def _add(self, rows: Array, wanted: Array, weight: float | Array) -> None:
        self._rows.append(rows)
        self._wanted.append(wanted)
        self._weight.append(np.broadcast_to(np.asarray(weight, float), wanted.shape))

    def all_of(self) -> None:
        """Every objective of section 6."""
        if self.reference.com_acceleration is not None:
            self._com(self.reference.com_acceleration)
            self._momentum()
        self._pelvis()
        self._upper()
        self._hips()
        self._rest()
        for leg in range(len(self.body.character.legs)):
            if leg in self.reference.stance:
                self._stance(leg)
            elif self.reference.swing is not None and self.reference.swing.leg == leg:
                self._swing(leg)
            else:
                self._trail(leg)

    def _com(self, wanted: Array) -> None:
        """E_com: the centre of mass accelerates as planned."""
        self._add(self.now.com_jacobian, wanted - self.now.com_drift, self.gains.com)

    def _momentum(self) -> None:
        """E_AM: angular momentum fades."""
        wanted = -self.gains.momentum_rate * self.now.angular_momentum - self.now.angular_drift
        self._add(self.now.angular_map, wanted, self.gains.momentum * np.array([1.0, 1.0, 0.3]))

    def _pelvis(self) -> None:
        """E_heading: the pelvis turns as planned, and stays level."""
        pelvis, k = self.now.pelvis, self.gains.upright
        level = so3.about("z", self.now.heading)
        wanted = k * _turn(level, pelvis.rotation[0]) - 2 * np.sqrt(k) * pelvis.velocity[0, 3:]
        wanted[2] = self.reference.heading_acceleration
        weight = np.array([self.gains.tilt, self.gains.tilt, self.gains.heading])
        self._add(pelvis.jacobian[0, 3:], wanted - pelvis.drift[0, 3:], weight)

    def _upper(self) -> None:
        """E_head, and the same of the chest: both look ahead and stay upright."""
        facing, spin = so3.about("z", self.reference.heading), np.array([0.0, 0.0, self.now.heading_rate])
        weights = (self.gains.chest, self.gains.head)[-len(self.now.upper.place):] if len(self.now.upper.place) else ()
        for k, weight in enumerate(weights):
            self._orientation(self.now.upper, k, facing, self.gains.upright, weight, spin)

    def _orientation(self, frames: Frames, k: int, wanted: Array, stiffness: float, weight: float,
                     spin: Array | float = 0.0) -> None:
        """A set point of a rotation, that itself turns with a spin."""
        turn = stiffness * _turn(wanted, frames.rotation[k]) - 2 * np.sqrt(stiffness) * (frames.velocity[k, 3:] - spin)
        self._add(frames.jacobian[k, 3:], turn - frames.drift[k, 3:], weight)

    def _hips(self) -> None:
        """E_hip: the hips keep their place about the centre of mass, seen in the direction of heading."""
        pelvis, k = self.now.pelvis, self.gains.hip_stiffness
        away = self.now.com + so3.about("z", self.now.heading) @ self.body.hips_from_com - pelvis.place[0]
        speed = self.now.com_velocity - pelvis.velocity[0, :3]
        wanted = k * away + 2 * np.sqrt(k) * speed
        rows = pelvis.jacobian[0, :3] - self.now.com_jacobian
        self._add(rows, wanted - pelvis.drift[0, :3] + self.now.com_drift, self.gains.hip)

    def _rest(self) -> None:
        """E_rest: joints return to how the body rests; toes lie on the ground or straight."""
        away, k = np.zeros(self.body.nv), self.gains.rest_stiffness
        mujoco.mj_differentiatePos(self.body.model.mujoco, away, 1.0, self.now.pose, self.body.rest)
        self.own_wanted[6:] = k * away[6:] - 2 * np.sqrt(k) * self.now.velocity[6:]
        self.own_weight[6:] = self.gains.rest
        toes = [toe for toe in self.body.model.toes if toe is not None]
        k = self.gains.toe_stiffness
        self.own_wanted[toes] = k * away[toes] - 2 * np.sqrt(k) * self.now.velocity[toes]
        self.own_weight[toes] = self.gains.toe

    def _stance(self, leg: int) -> None:
        """E_contact: a standing foot stays where it is; one that bears nothing comes down and turns to the ground."""
        feet, rate = self.now.feet, self.gains.stance_rate
        velocity, bears = feet.velocity[leg], bearing(self.state, leg)
        move, turn = -rate * velocity[:3], -rate * velocity[3:]
        if not bears:
            move = move - rate * self.gains.seek * self.body.normal(feet.place[leg])
            turn = turn + LEVELLING * _turn(self._laid(leg), feet.rotation[leg])
        self._add(feet.jacobian[leg, :3], move - feet.drift[leg, :3], self.gains.stance)
        self._add(feet.jacobian[leg, 3:], turn - feet.drift[leg, 3:], self.gains.stance_turn)

    def _laid(self, leg: int) -> Array:
        """The foot's rotation with its sole on the ground, heading as it does."""
        feet = self.now.feet
        return laid(float(so3.yaw_of(feet.rotation[leg])), self.body.normal(feet.place[leg]))

    def _swing(self, leg: int) -> None:
        """E_swing: a foot in the air is on its way to its next place."""
        feet, target = self.now.feet, self.reference.swing
        assert target is not None
        wanted = swing_acceleration(target, feet.place[leg], feet.velocity[leg, :3])
        self._add(feet.jacobian[leg, :3], wanted - feet.drift[leg, :3], self.gains.swing)
        self._orientation(feet, leg, laid(target.heading, target.normal), self.gains.swing_stiffness, self.gains.swing_turn)

    def _trail(self, leg: int) -> None:
        """A foot in the air that is not to come down yet hangs below the body."""
        feet, length = self.now.feet, self.body.character.leg_length
        facing = so3.about("z", self.now.heading)
        hip = self.body.character.hips[leg] - self.body.character.hips.mean(0)
        place = self.now.pelvis.place[0] + facing @ (hip - length * np.array([TRAIL_BACK, 0.0, TRAIL_FOLD]))
        wanted = 300.0 * (place - feet.place[leg]) + 35.0 * (self.now.com_velocity - feet.velocity[leg, :3])
        self._add(feet.jacobian[leg, :3], wanted - feet.drift[leg, :3], self.gains.trailing)
        self._orientation(feet, leg, facing, self.gains.swing_stiffness, self.gains.swing_turn)


def bearing(state: State, leg: int) -> bool:
    """Whether the ground bears a foot."""
    return state.feet[leg].normal > BEARS


def laid(heading: float, normal: Array) -> Array:
    """Rotation of a foot that lies on ground with that normal and heads as told. (3, 3)."""
    return so3.between(np.array([0.0, 0.0, 1.0]), normal) @ so3.about("z", heading)


def _turn(wanted: Array, now: Array) -> Array:
    """Rotation vector, world axes, from one rotation to another. (3,)."""
    return so3.log((wanted @ now.T)[None])[0]

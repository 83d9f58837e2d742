"""The controller's objectives as rows: accelerations that are wanted of linear maps of the body's own."""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..geometry.curves import smooth
from .arms import Nearness
from .body import Body
from .body_state import Reading
from .foot_on_ground import laid
from .gains import Gains
from .physics import State
from .reference import Reference
from .swinging import LAST, drags, peeled, swing_acceleration

Array = NDArray[np.float64]

BEARS = 1.0           # N, below which a foot that is to stand is still in the air
LEVELLING = 100.0     # 1/s^2, stiffness with which a standing foot lies down on the ground
TRAIL_FOLD = 0.62     # of the leg's length below the hips, and
TRAIL_BACK = 0.12     # of it behind them, where a foot is in flight that was the last to stand
TRAIL = (300.0, 35.0)            # 1/s^2 and 1/s with which it gets there
ALIKE = np.ones(3)
FADING = np.array([1.0, 1.0, 0.3])     # of angular momentum: about the vertical it is the heading's matter


def bearing(state: State, leg: int) -> bool:
    """Whether the ground bears a foot."""
    return state.feet[leg].normal > BEARS


@dataclass(frozen=True)
class Rows:
    """`maps @ qdd` is to be `wanted`; so are single accelerations, each with a weight of its square."""

    maps: Array               # (r, nv)
    wanted: Array             # (r,)
    weight: Array             # (r,)
    own_wanted: Array         # (nv,)
    own_weight: Array         # (nv,)


class Objectives:
    """All objectives of section 6 at one instant.

    What the frames of the body are to do, pelvis, chest and head, feet, is gathered for all of them first: linear and angular
    accelerations with their weights, and rotations as set points.
    """

    def __init__(self, body: Body, gains: Gains, state: State, reading: Reading, reference: Reference) -> None:
        self.body, self.gains, self.state, self.now, self.reference = body, gains, state, reading, reference
        frames = reading.frames
        count = len(frames.place)
        self._facing = so3.about("z", np.array([reading.heading, reference.heading]))       # (2, 3, 3) pelvis, what is wanted
        self._lean = so3.about("y", np.array(reference.lean))
        self._move, self._move_weight = np.zeros((count, 3)), np.zeros((count, 3))
        self._rotation, self._turn_weight = np.empty((count, 3, 3)), np.zeros((count, 3))
        self._rotation[:] = np.eye(3)
        self._stiffness, self._damping = np.zeros(count), np.zeros(count)
        self._spin = np.zeros((count, 3))
        self._swinging: int | None = None
        self._lands = False

    def rows(self) -> Rows:
        """Every objective."""
        self._pelvis()
        self._upper()
        for leg in range(len(self.body.character.legs)):
            if leg in self.reference.stance:
                self._stance(leg)
            elif self.reference.swing is not None and self.reference.swing.leg == leg:
                self._swing(leg)
            else:
                self._trail(leg)
        now, maps, wanted, weight = self.now, *self._of_frames()
        parts = [(maps, wanted, weight), self._hips()]
        parts += [self._roll(leg) for leg in self.reference.rolls if leg in self.reference.stance]
        if now.arms is not None and self.gains.arms_apart > 0:
            parts.append(self._apart(now.arms))
        if self.reference.com_acceleration is not None:
            # E_com: the centre of mass accelerates as planned; E_AM: angular momentum fades
            parts.append((now.com_jacobian, self.reference.com_acceleration - now.com_drift, self.gains.com * ALIKE))
            momentum = self.reference.momentum if self.reference.momentum is not None else 0.0
            fading = self.gains.momentum_rate * (momentum - now.angular_momentum)
            parts.append((now.angular_map, fading - now.angular_drift, self.gains.momentum * FADING))
        return Rows(np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]),
                    np.concatenate([p[2] for p in parts]), *self._rest())

    def _of_frames(self) -> tuple[Array, Array, Array]:
        """Rows of what was gathered."""
        frames = self.now.frames
        away = so3.log(self._rotation @ np.swapaxes(frames.rotation, 1, 2))                 # (k, 3) world axes
        turn = self._stiffness[:, None] * away - self._damping[:, None] * (frames.velocity[:, 3:] - self._spin)
        # E_heading: the pelvis turns as planned
        turn[0, 2] = self.reference.heading_acceleration
        wanted = np.concatenate([self._move, turn], 1) - frames.drift
        jacobian, k = frames.jacobian, self._swinging
        if k is not None and self.reference.com_acceleration is not None:
            # as seen from the centre of mass on its planned way: else the leg that stands lifts the body, to raise a foot whose
            # knee is straight and cannot; but the ground that a foot comes down to stays where it is
            seen = slice(0, 2 if self._lands else 3)
            jacobian = jacobian.copy()
            jacobian[k, seen] -= self.now.com_jacobian[seen]
            wanted[k, seen] -= (self.reference.com_acceleration - self.now.com_drift)[seen]
        weight = np.concatenate([self._move_weight, self._turn_weight], 1)
        return jacobian.reshape(-1, self.body.nv), wanted.ravel(), weight.ravel()

    def _set_rotation(self, k: int, rotation: Array, stiffness: float, weight: float | tuple[float, float, float]) -> None:
        """A critically damped set point of a frame's rotation."""
        self._rotation[k], self._turn_weight[k] = rotation, weight
        self._stiffness[k], self._damping[k] = stiffness, 2 * np.sqrt(stiffness)

    def _pelvis(self) -> None:
        """The pelvis stays level, whatever its heading, or leans as told."""
        g = self.gains
        self._set_rotation(0, self._facing[0] @ self._lean, g.upright, (g.tilt, g.tilt, g.heading))

    def _upper(self) -> None:
        """E_head, and the same of the chest: both stay upright and look where they are to, turning with the pelvis."""
        upper, g = self.body.upper, self.gains
        for k, weight in zip(upper, (g.chest, g.head)[-len(upper):] if upper else (), strict=True):
            self._set_rotation(k, self._facing[1] @ self._lean, g.upright, weight)
            self._spin[k, 2] = self.now.heading_rate

    def _stance(self, leg: int) -> None:
        """E_contact: a standing foot stays where it is and lies on the ground; one that bears nothing comes down."""
        k, g = self.body.feet[leg], self.gains
        frames = self.now.frames
        normal = self.now.normals[leg]
        if leg in self.reference.rolls:
            return                            # held by its ball, see `_roll`
        self._set_rotation(k, laid(float(so3.yaw_of(frames.rotation[k])), normal), LEVELLING, g.stance_turn)
        self._damping[k], self._move_weight[k] = g.stance_rate, g.stance
        self._move[k] = -g.stance_rate * frames.velocity[k, :3]
        if not bearing(self.state, leg):
            self._move[k] -= g.stance_rate * g.seek * normal

    def _roll(self, leg: int) -> tuple[Array, Array, Array]:
        """E_contact of a foot whose heel may rise: the two ends of its ball stay where they are, and its toes do not turn."""
        g, now, k = self.gains, self.now, self.body.feet[leg]
        ball = self.body.ball_points(leg)
        jacobian = now.point_jacobians[leg][ball]                                           # (2, 3, nv)
        move = -g.stance_rate * (jacobian @ now.velocity) - now.point_drifts[leg][ball]
        if not bearing(self.state, leg):
            move -= g.stance_rate * g.seek * now.normals[leg]
        # the heel sinks again where nothing lifts it: without this a body on its toes goes on to rise
        foot = now.frames.rotation[k]
        pitch, drift = foot[:, 1] @ now.frames.jacobian[k, 3:], float(foot[:, 1] @ now.frames.drift[k, 3:])
        risen = float(np.arcsin(min(max(-foot[:, 0] @ now.normals[leg], -1.0), 1.0)))
        down = -g.roll_stiffness * risen - 2 * np.sqrt(g.roll_stiffness) * float(pitch @ now.velocity) - drift
        rows, wanted = [jacobian.reshape(-1, self.body.nv), pitch[None]], [*move.ravel(), down]
        weight = [0.5 * g.stance] * move.size + [g.roll]
        toe = self.body.model.toes[leg]
        if toe is not None:
            turn = pitch.copy()
            turn[toe] += 1.0
            rows.append(turn[None])
            wanted.append(-g.stance_rate * float(turn @ now.velocity) - drift)
            weight.append(g.stance_turn)
        return np.concatenate(rows), np.array(wanted), np.array(weight)

    def _swing(self, leg: int) -> None:
        """E_swing: a foot in the air is on its way to its next place."""
        k, target, frames = self.body.feet[leg], self.reference.swing, self.now.frames
        assert target is not None
        self._move[k] = swing_acceleration(target, frames.place[k], frames.velocity[k, :3])
        self._move_weight[k] = self.gains.swing
        self._swinging, self._lands = k, target.sure and target.arrives < LAST
        if self._lands:
            # a body that sinks keeps its leg up, as a weight that it throws: then its foot hovers while it falls
            self._move_weight[k, 2] = self.gains.land
        elif target.clears and drags(target, float(frames.place[k, 2]), self._move[k, :2]):
            # one that is late is pulled ahead so hard that nothing raises it: it scrapes along, and strikes as if it had landed
            self._move_weight[k, 2] = self.gains.clear
        # it peels off the ground over its toes: held level it could not follow a shin that leans over them, and no knee would bend
        foot = self.body.character.feet[leg]
        risen = float((frames.place[k] - target.left) @ target.left_normal) / max(float((foot.tip - foot.centre)[0]), 1e-3)
        share = target.since / max(target.since + target.arrives, 1e-6)
        peels = peeled(np.float64(share), np.float64(risen))
        # it turns from the ground that it leaves to that which it comes to, or its toes would strike the first
        gone_by = float(smooth(share))
        tilt = (1 - gone_by) * target.left_normal + gone_by * target.normal
        hangs = np.maximum(peels, target.points * gone_by)
        lies = laid(target.heading, tilt / np.linalg.norm(tilt)) @ so3.about("y", hangs)
        self._set_rotation(k, lies, self.gains.swing_stiffness, self.gains.swing_turn * min(max(2.5 * share, 0.1), 1.0))

    def _trail(self, leg: int) -> None:
        """A foot in the air that is not to come down yet hangs below the body."""
        k, frames, length = self.body.feet[leg], self.now.frames, self.body.character.leg_length
        hip = self.body.character.hips[leg] - self.body.character.hips.mean(0)
        place = frames.place[0] + self._facing[0] @ (hip - length * np.array([TRAIL_BACK, 0.0, TRAIL_FOLD]))
        if self.reference.hangs is not None:
            place = self.now.com + self.reference.hangs[leg]
        speed = self.now.com_velocity if self.reference.hanging is None else self.now.com_velocity + self.reference.hanging[leg]
        self._move[k] = TRAIL[0] * (place - frames.place[k]) + TRAIL[1] * (speed - frames.velocity[k, :3])
        self._move_weight[k] = self.gains.trailing
        lies = self._facing[0] @ so3.about("y", np.array(self.reference.points))
        self._set_rotation(k, lies, self.gains.swing_stiffness, self.gains.swing_turn)

    def _hips(self) -> tuple[Array, Array, Array]:
        """E_hip: the hips keep their place about the centre of mass, seen in the direction of heading."""
        now, frames, k = self.now, self.now.frames, self.gains.hip_stiffness
        away = now.com + self._facing[0] @ self.body.hips_from_com - frames.place[0]
        wanted = k * away + 2 * np.sqrt(k) * (now.com_velocity - frames.velocity[0, :3])
        return (frames.jacobian[0, :3] - now.com_jacobian, wanted - frames.drift[0, :3] + now.com_drift,
                self.gains.hip * ALIKE)

    def _apart(self, near: Nearness) -> tuple[Array, Array, Array]:
        """Arms that are nearer to something than they may be, or will be before they stop, part from it."""
        k = self.gains.apart_stiffness
        wanted = k * near.lacks - 2 * np.sqrt(k) * (near.jacobian @ self.now.velocity)
        part = wanted > 0
        return near.jacobian[part], wanted[part], np.full(np.count_nonzero(part), self.gains.arms_apart)

    def _rest(self) -> tuple[Array, Array]:
        """E_rest: joints return to how the body rests, toes to straight ones. Wanted and weights, each (nv,)."""
        body, g = self.body, self.gains
        away = np.zeros(body.nv)
        mujoco.mj_differentiatePos(body.model.mujoco, away, 1.0, self.now.pose, body.running if self.reference.runs else body.rest)
        stiffness, weight = np.full(body.nv, g.rest_stiffness), np.full(body.nv, g.rest)
        weight[body.legs] = g.rest_legs
        stiffness[body.toes], weight[body.toes], weight[:6] = g.toe_stiffness, g.toe, 0.0
        for leg in self.reference.rolls:
            toe = body.model.toes[leg]
            if toe is not None:
                weight[toe] = 0.0                     # they lie on the ground, whatever the foot does
        return stiffness * away - 2 * np.sqrt(stiffness) * self.now.velocity, weight

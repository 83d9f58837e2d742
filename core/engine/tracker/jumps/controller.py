"""Torques of a body that jumps: on flat feet, at toe-off, and in flight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..biped import ANKLE_1, CENTER, TOE_1, PlanarBiped
from ..controller import CONTROL, JointOffset
from .flight import JumpFlight
from .mirrored import TORQUES, MirroredState
from .parameters import JUMP_CONTROL, JumpGoal

Array = NDArray[np.float64]

NO_OFFSET = JointOffset(np.zeros(2), np.zeros(2), np.zeros(2))
# Row of the pitch of the trunk, and of that of the foot.
TRUNK_ROW = np.eye(6)[2]
FOOT_ROW = np.eye(6)[5]


@dataclass(frozen=True)
class ConstraintError:
    """Height of the center of mass and pitch of the trunk against their curves.

    Args:
        value: [m] and [rad], shape (2,).
        rate: [m/s] and [rad/s], shape (2,).
    """

    value: Array
    rate: Array


@dataclass(frozen=True)
class JumpControl:
    """What the body is to do in a time step.

    Args:
        acceleration: of hip, trunk, thigh, shin and foot, shape (6,).
        force: of the ground [N], shape (2,).
        point: row of the points at which it acts; None in the air.
    """

    acceleration: Array
    force: Array
    point: int | None


@dataclass(frozen=True)
class JumpController:
    """Controller of the jumps of a biped.

    Args:
        biped: body.
        goal: speed and curves.
    """

    biped: PlanarBiped
    goal: JumpGoal

    @property
    def weight(self) -> float:
        """Weight of the body [N]."""
        return self.biped.side_view.total_mass * self.biped.gravity

    def measure_error(self, state: MirroredState) -> ConstraintError:
        """Return how far a body on its feet is from its curves."""
        curves = self.goal.curves
        phase, rate = state.phase, state.rate
        height = state.place[CENTER].imag - self._measure_ground(state)
        slope = np.array([curves.height(phase, 1), curves.pitch(phase, 1)])
        rows = np.stack([state.jacobian[CENTER, 1], TRUNK_ROW])
        return ConstraintError(
            np.array([height - curves.height(phase), state.q[2] - curves.pitch(phase)]),
            rows @ state.v - slope * rate,
        )

    def _measure_ground(self, state: MirroredState) -> float:
        return float(state.place[TOE_1].imag - self.biped.side_view.toe_height)

    def stand(self, state: MirroredState, place: float, left: JointOffset) -> JumpControl:
        """Return how constraints and indicator are kept while the feet are flat.

        Args:
            state: body.
            place: of the indicator from the toes [m].
            left: what is left of the error of the landing.
        """
        curves = self.goal.curves
        gains = JUMP_CONTROL
        phase, rate = state.phase, state.rate
        error = self.measure_error(state)
        slope = np.array([curves.height(phase, 1), curves.pitch(phase, 1)])
        bend = np.array([curves.height(phase, 2), curves.pitch(phase, 2)])
        turning = np.array([state.turning[CENTER, 1], 0.0]) - slope * state.turning[CENTER, 0]
        wanted = bend * rate**2 - turning + left.acceleration
        wanted = wanted - gains.stiffness * (error.value - left.value)
        wanted = wanted - gains.damping * (error.rate - left.rate)
        toe = state.place[TOE_1].real
        moment = state.make_moment_row(complex(toe + place, self._measure_ground(state)))
        rest = np.vstack([state.jacobian[ANKLE_1], FOOT_ROW])
        still = -np.append(state.turning[ANKLE_1], 0.0) - gains.rest_damping * (rest @ state.v)
        joints = np.stack([state.jacobian[CENTER, 1], TRUNK_ROW])
        rows = np.vstack([rest, moment @ state.mass, joints - slope[:, None] * state.phase_row])
        values = np.concatenate([still, [-moment @ state.bias], wanted])
        acceleration = np.linalg.solve(rows, values)
        force = (state.mass @ acceleration + state.bias)[:2]
        lift = max(force[1], gains.least_load * self.weight)
        limit = CONTROL.friction * lift
        bounded = np.array([np.clip(force[0], -limit, limit), lift])
        if (bounded != force).any():  # Equation 13; what is left is determined by the force.
            rows = np.vstack([rows[:4], state.mass[:2]])
            values = np.concatenate([values[:4], bounded - state.bias[:2]])
            acceleration = np.linalg.lstsq(rows, values, rcond=None)[0]
        return JumpControl(acceleration, bounded, ANKLE_1)

    def push_off(self, state: MirroredState) -> JumpControl:
        """Return how the ground force follows the phase while the body is on its toes."""
        curves = self.goal.curves
        gains = JUMP_CONTROL
        phase, rate = state.phase, state.rate
        toe, center = state.place[TOE_1], state.place[CENTER]
        share = (phase - curves.toe_off) / (curves.takeoff - curves.toe_off)
        shape = self.goal.shape
        lift = shape.lift_force * (1 - shape.lift_drop * share**4)
        drive = lift * phase / (center.imag - toe.imag) + shape.drive
        force = self.weight * np.array([drive, lift])
        slope = float(curves.pitch(phase, 1))
        error = state.q[2] - float(curves.pitch(phase))
        error_rate = state.v[2] - slope * rate
        pitch = float(curves.pitch(phase, 2)) * rate**2 + slope * state.turning[CENTER, 0]
        moment = state.make_moment_row(complex(toe))
        rows = np.vstack(
            [
                state.jacobian[TOE_1],
                TRUNK_ROW - slope * state.jacobian[CENTER, 0],
                state.mass[:2],
                moment @ state.mass,
            ]
        )
        velocity = state.jacobian[TOE_1] @ state.v
        values = np.concatenate(
            [
                -state.turning[TOE_1] - gains.rest_damping * velocity,
                [pitch - gains.push_stiffness * error - gains.push_damping * error_rate],
                force - state.bias[:2],
                [-moment @ state.bias],
            ]
        )
        return JumpControl(np.linalg.lstsq(rows, values, rcond=None)[0], force, TOE_1)

    def fly(self, state: MirroredState, flight: JumpFlight, time: float) -> JumpControl:
        """Return how the legs move to their landing pose at a time [s] in the air."""
        turn = np.array([0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
        rows = np.vstack([np.eye(6)[3:], state.mass[:2], turn @ state.mass])
        free = -np.append(state.bias[:2], state.bias[2:].sum())
        legs = flight.accelerate(state, time)
        return JumpControl(np.linalg.solve(rows, np.append(legs, free)), np.zeros(2), None)

    def compute_torques(self, control: JumpControl, state: MirroredState) -> Array:
        """Return the torques of hip, knee and ankle of both legs together [N m], shape (3,)."""
        needed = state.mass @ control.acceleration + state.bias
        if control.point is not None:
            needed = needed - state.jacobian[control.point].T @ control.force
        # Below a flat foot the place of the force, and so the moment on the foot, is open.
        rows = [2, 3, 4] if control.point == ANKLE_1 else [2, 3, 4, 5]
        torque = np.linalg.lstsq(TORQUES[rows], needed[rows], rcond=None)[0]
        limit = JUMP_CONTROL.max_torque * self.weight
        return np.clip(torque, -limit, limit)

"""The planar biped with both legs alike: six coordinates instead of nine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..biped import CENTER, TOE_1, PlanarBiped
from ..side_view import ComplexArray
from .parameters import JumpCurves

Array = NDArray[np.float64]

# Coordinates of the biped from hip, and pitches of trunk, thigh, shin and foot; both legs are
# alike.
MIRROR = np.zeros((9, 6))
MIRROR[[0, 1, 2], [0, 1, 2]] = 1.0
MIRROR[[3, 4, 5, 6, 7, 8], [3, 4, 5, 3, 4, 5]] = 1.0
# Generalized forces of the torques of hip, knee and ankle: each acts on the two links at the joint,
# in opposite directions.
TORQUES = np.zeros((6, 3))
TORQUES[[2, 3, 3, 4, 4, 5], [0, 0, 1, 1, 2, 2]] = [-1, 1, -1, 1, -1, 1]
# Newton steps of a pose, and the largest change of a pitch in one [rad]. Numerical: ten
# such changes lead to any pose, and a few more steps converge; a longer one may bend a knee back.
POSE_ROUNDS = 60
MAX_POSE_STEP = 0.2
# Pitches of thigh and shin at which they begin [rad]. Numerical: knees that bend forward, from
# where both converge.
SQUAT = (0.9, -0.6)


@dataclass(frozen=True)
class MirroredState:
    """Dynamics and points of a body whose legs are alike, or of a batch.

    Args:
        q, v: coordinates and rates, shape (..., 6).
        mass, bias: of the equations of motion.
        place: of the points [m], shape (..., p).
        jacobian: velocity of the points by the rates, shape (..., p, 2, 6).
        turning: their acceleration at constant rates [m/s^2], shape (..., p, 2).
    """

    q: Array
    v: Array
    mass: Array
    bias: Array
    place: ComplexArray
    jacobian: Array
    turning: Array

    @staticmethod
    def compute(biped: PlanarBiped, q: Array, v: Array) -> MirroredState:
        """Return the state at coordinates and rates."""
        dynamics = biped.compute_dynamics(q @ MIRROR.T, v @ MIRROR.T)
        points = biped.move_points(q @ MIRROR.T, v @ MIRROR.T)
        return MirroredState(
            q,
            v,
            MIRROR.T @ dynamics.mass @ MIRROR,
            dynamics.bias @ MIRROR,
            points.position,
            points.jacobian @ MIRROR,
            points.bias,
        )

    @property
    def phase(self) -> float:
        """Distance of the center of mass in front of the joint of the toes [m]."""
        return float(self.place[CENTER].real - self.place[TOE_1].real)

    @property
    def phase_row(self) -> Array:
        """Rate of the phase by the rates, shape (6,)."""
        return np.asarray(self.jacobian[CENTER, 0] - self.jacobian[TOE_1, 0])

    @property
    def rate(self) -> float:
        """Rate of the phase [m/s]."""
        return float(self.phase_row @ self.v)

    def make_moment_row(self, place: complex) -> Array:
        """Return the velocity of a rigid turn about a place, shape (6,)."""
        arm = 1j * (self.q[0] + 1j * self.q[1] - place)
        return np.array([arm.real, arm.imag, 1.0, 1.0, 1.0, 1.0])


def average_legs(values: Array) -> Array:
    """Return coordinates or rates with the mean of both legs, (9,) -> (6,)."""
    return np.concatenate([values[:3], 0.5 * (values[3:6] + values[6:9])])


def find_poses(biped: PlanarBiped, curves: JumpCurves, phases: Array) -> Array:
    """Return the coordinates with flat feet at phases [m], shape (n, 6); toes are at x = 0."""
    view = biped.side_view
    q = np.zeros((len(phases), 6))
    q[:, 2] = curves.pitch(phases)
    q[:, 3], q[:, 4] = SQUAT
    ankle = -view.toe.real + 1j * view.ankle_height
    bones = np.array([view.thigh, view.shin])
    for _ in range(POSE_ROUNDS):
        turn = np.exp(1j * q[:, 3:5])
        hip = ankle - turn @ bones
        q[:, 0], q[:, 1] = hip.real, hip.imag
        state = MirroredState.compute(biped, q, 0 * q)
        center = state.place[:, CENTER]
        error = np.stack([center.real - phases, center.imag - curves.height(phases)], -1)
        moved = -1j * turn * bones
        slope = state.jacobian[:, CENTER, :, 3:5] + np.stack([moved.real, moved.imag], 1)
        change = np.linalg.solve(slope, error[..., None])[..., 0]
        q[:, 3:5] -= np.clip(change, -MAX_POSE_STEP, MAX_POSE_STEP)
    return q

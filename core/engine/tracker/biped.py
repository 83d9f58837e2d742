"""Dynamics of the planar biped: nine coordinates x, z of the hip and seven absolute pitches.

Every point of the body is the hip plus a sum of vectors that turn with the segments, so the mass
matrix and all Jacobians are products of complex numbers e^(i pitch).

Leg 1 stands, or is the front one in double support; leg 2 swings, or is the rear one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .side_view import ComplexArray, SideView

Array = NDArray[np.float64]

COORDINATES = 9
TRUNK, THIGH_1, SHIN_1, FOOT_1, THIGH_2, SHIN_2, FOOT_2 = range(7)
# Coordinates after legs 1 and 2 exchange their roles.
EXCHANGED = np.array([0, 1, 2, 6, 7, 8, 3, 4, 5])
# Rows of `PlanarBiped.points`.
HEEL_1, TOE_1, HEEL_2, TOE_2, ANKLE_1, ANKLE_2, CENTER = range(7)
# Segments that each of the torques hip, knee, ankle of leg 1 and of leg 2 turns: it acts on the
# second one, and against the first one.
TORQUE_SEGMENTS = (
    (TRUNK, THIGH_1),
    (THIGH_1, SHIN_1),
    (SHIN_1, FOOT_1),
    (TRUNK, THIGH_2),
    (THIGH_2, SHIN_2),
    (SHIN_2, FOOT_2),
)


@dataclass(frozen=True)
class PointMotion:
    """Points of the body in a state, or in a batch of states.

    Args:
        position: forward plus i up [m], shape (..., p).
        jacobian: velocity of the points by that of the coordinates, shape (..., p, 2, 9).
        bias: acceleration of the points at constant rates of the coordinates [m/s^2], (..., p, 2).
    """

    position: ComplexArray
    jacobian: Array
    bias: Array


@dataclass(frozen=True)
class Dynamics:
    """Equations of motion of a state: `mass @ acceleration + bias` is the generalized force.

    Args:
        mass: shape (..., 9, 9).
        bias: of gravity and of centrifugal forces, shape (..., 9).
    """

    mass: Array
    bias: Array


@dataclass(frozen=True)
class LegAngle:
    """Angle of the line from the ankle of leg 1 to the hip from the vertical, forward positive.

    Args:
        value: [rad], shape (...).
        rate: [rad/s], shape (...).
        jacobian: by the coordinates, shape (..., 9), or by the pitches of segments only.
        bias: its acceleration at constant rates of the coordinates [rad/s^2], shape (...).
    """

    value: Array
    rate: Array
    jacobian: Array
    bias: Array


def measure_line_angle(line: ComplexArray, vectors: ComplexArray, rates: Array) -> LegAngle:
    """Return the angle of a line from the vertical, with its Jacobian by the pitches of segments.

    Args:
        line: [m], shape (...).
        vectors: of the segments, which the line is the sum of but for a constant [m], shape
            (..., s).
        rates: of their pitches [rad/s], shape (..., s).
    """
    length2 = np.abs(line) ** 2
    speed = (1j * vectors * rates).sum(-1)
    turning = -(vectors * rates**2).sum(-1)
    # The angle from the vertical decreases counterclockwise.
    jacobian = -(line.conj()[..., None] * 1j * vectors).imag / length2[..., None]
    rate = -(line.conj() * speed).imag / length2
    stretch = (line.conj() * speed).real / length2
    bias = -(line.conj() * turning).imag / length2 - 2 * stretch * rate
    return LegAngle(-np.angle(line / 1j), rate, jacobian, bias)


@dataclass(frozen=True)
class PlanarBiped:
    """Dynamics of a side view. Methods take batches of coordinates (..., 9) [m] and [rad].

    Args:
        side_view: proportions and masses.
        gravity: [m/s^2].
        points: each point as a sum over segments of these vectors [m], shape (7, 7): heels, toes,
            ankles and the center of mass.
        torque_map: generalized forces of the six torques, shape (9, 6).
    """

    side_view: SideView
    gravity: float
    points: ComplexArray = field(init=False)
    torque_map: Array = field(init=False)

    def __post_init__(self) -> None:
        view = self.side_view
        points = np.zeros((7, 7), complex)
        for leg, thigh in enumerate((THIGH_1, THIGH_2)):
            rows = [2 * leg, 2 * leg + 1, ANKLE_1 + leg]
            points[rows, thigh] = view.thigh
            points[rows, thigh + 1] = view.shin
            points[2 * leg, thigh + 2] = view.heel
            points[2 * leg + 1, thigh + 2] = view.toe
        points[CENTER] = view.mass @ self.segment_centers / view.total_mass
        object.__setattr__(self, "points", points)
        torque_map = np.zeros((COORDINATES, len(TORQUE_SEGMENTS)))
        for k, (upper, lower) in enumerate(TORQUE_SEGMENTS):
            torque_map[2 + lower, k] = 1.0
            torque_map[2 + upper, k] = -1.0
        object.__setattr__(self, "torque_map", torque_map)

    @cached_property
    def torque_inverse(self) -> Array:
        """Torques by generalized forces, shape (6, 9).

        The rows of x, z and foot 1 are not needed: they hold the contact force on foot 1.
        """
        rows = [2 + s for s in range(COORDINATES - 2) if s != FOOT_1]
        inverse = np.zeros((len(TORQUE_SEGMENTS), COORDINATES))
        inverse[:, rows] = np.linalg.inv(self.torque_map[rows])
        return inverse

    @cached_property
    def segment_centers(self) -> ComplexArray:
        """Center of mass of each segment as a sum over segments [m], shape (7, 7)."""
        view = self.side_view
        out = np.diag(view.center)
        for thigh in (THIGH_1, THIGH_2):
            out[thigh + 1, thigh] = out[thigh + 2, thigh] = view.thigh
            out[thigh + 2, thigh + 1] = view.shin
        return out

    @cached_property
    def _products(self) -> ComplexArray:
        """Mass-weighted products of the vectors of segments [kg m^2], shape (7, 7)."""
        centers = self.segment_centers
        return np.einsum("i,ij,ik->jk", self.side_view.mass, centers.conj(), centers)

    @cached_property
    def _moments(self) -> ComplexArray:
        """Mass-weighted sums of the vectors of segments [kg m], shape (7,)."""
        return self.side_view.total_mass * self.points[CENTER]

    def compute_dynamics(self, q: Array, v: Array) -> Dynamics:
        """Return mass matrix and bias at coordinates q and rates v, both (..., 9)."""
        turn = np.exp(1j * q[..., 2:])
        rate2 = v[..., 2:] ** 2
        products = self._products * (turn.conj()[..., :, None] * turn[..., None, :])
        moments = self._moments * turn
        mass = np.zeros((*q.shape[:-1], COORDINATES, COORDINATES))
        total = self.side_view.total_mass
        mass[..., 0, 0] = mass[..., 1, 1] = total
        mass[..., 2:, 2:] = products.real
        segments = np.arange(2, COORDINATES)
        mass[..., segments, segments] += self.side_view.inertia
        mass[..., 0, 2:] = mass[..., 2:, 0] = -moments.imag
        mass[..., 1, 2:] = mass[..., 2:, 1] = moments.real
        bias = np.empty(q.shape)
        centrifugal = -(moments * rate2).sum(-1)
        bias[..., 0] = centrifugal.real
        bias[..., 1] = centrifugal.imag + total * self.gravity
        bias[..., 2:] = -(products.imag @ rate2[..., None])[..., 0] + self.gravity * moments.real
        return Dynamics(mass, bias)

    def locate(self, q: Array, points: ComplexArray | None = None) -> ComplexArray:
        """Return the places of points [m], by default of `points`. (..., 9) -> (..., p)."""
        chosen = self.points if points is None else points
        turn = np.exp(1j * q[..., 2:])
        hip = q[..., 0] + 1j * q[..., 1]
        return np.asarray(hip[..., None] + turn @ chosen.T)

    def move_points(self, q: Array, v: Array, points: ComplexArray | None = None) -> PointMotion:
        """Return places, Jacobians and biases of points, by default of `points`."""
        chosen = self.points if points is None else points
        turn = np.exp(1j * q[..., 2:])
        vectors = chosen * turn[..., None, :]
        position = q[..., 0, None] + 1j * q[..., 1, None] + vectors.sum(-1)
        jacobian = np.zeros((*vectors.shape[:-1], 2, COORDINATES))
        jacobian[..., 0, 0] = jacobian[..., 1, 1] = 1.0
        jacobian[..., 0, 2:] = -vectors.imag
        jacobian[..., 1, 2:] = vectors.real
        turning = -(vectors @ (v[..., 2:] ** 2)[..., None])[..., 0]
        return PointMotion(position, jacobian, np.stack([turning.real, turning.imag], -1))

    def measure_leg_angle(
        self, q: Array, v: Array, rest: float | Array = 0.0, resting: int = ANKLE_1
    ) -> LegAngle:
        """Return the phase variable: the angle of the line from the place of ankle 1 to the hip.

        The place is that of the ankle while foot 1 is flat, so that the phase increases as the hip
        advances, however far the ankle moves with a foot that rolls.

        Args:
            q, v: coordinates and rates, shape (..., 9).
            rest: pitch of foot 1 while it is flat [rad], shape (...).
            resting: point of foot 1 that rests: `HEEL_1`, `ANKLE_1` or `TOE_1`.
        """
        vectors = -self.points[resting] * np.exp(1j * q[..., 2:])
        rates = v[..., 2:]
        line = vectors.sum(-1) + self.points[resting, FOOT_1] * np.exp(1j * rest)
        angle = measure_line_angle(line, vectors, rates)
        jacobian = np.zeros(q.shape)
        jacobian[..., 2:] = angle.jacobian
        return replace(angle, jacobian=jacobian)

    def compute_force_map(self, q: Array, place: complex, dynamics: Dynamics) -> ForceMoment:
        """Return the moment of the ground force about a place as a function of accelerations."""
        arm = 1j * (q[0] + 1j * q[1] - place)
        rigid_turn = np.ones(COORDINATES)
        rigid_turn[:2] = arm.real, arm.imag
        return ForceMoment(rigid_turn @ dynamics.mass, float(rigid_turn @ dynamics.bias))

    def compute_energy(self, q: Array, v: Array) -> float:
        """Return the kinetic and potential energy of a state [J]."""
        kinetic = 0.5 * v @ self.compute_dynamics(q, v).mass @ v
        height = self.locate(q)[CENTER].imag
        return float(kinetic + self.side_view.total_mass * self.gravity * height)


@dataclass(frozen=True)
class ForceMoment:
    """Moment of the ground force about a place: `row @ acceleration + constant` [N m]."""

    row: Array
    constant: float

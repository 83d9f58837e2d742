"""Motion of the legs between takeoff and landing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly

from ..biped import CENTER, PlanarBiped
from ..path_ground import PathGround
from .mirrored import MirroredState, find_poses
from .parameters import JUMP_CONTROL, JumpGoal

Array = NDArray[np.float64]

# Least square of the vertical speed of a landing [m^2/s^2], of a body that is too low.
LEAST_FALL = 0.01
# Number of times that the place of the landing is predicted with the height of the ground there.
LANDING_ROUNDS = 3


@dataclass(frozen=True)
class JumpFlight:
    """Motion of the legs in the air, from their pose at takeoff to that of the landing.

    Args:
        begin: time of the takeoff [s].
        seconds: until the legs are in their landing pose [s].
        pitch, rate: of thigh, shin and foot at takeoff [rad], [rad/s], shape (3,).
        landing: their pitches in the landing pose [rad], shape (3,).
        tuck: added to them in the middle of the flight [rad], shape (3,).
    """

    begin: float
    seconds: float
    pitch: Array
    rate: Array
    landing: Array
    tuck: Array

    @staticmethod
    def from_takeoff(
        biped: PlanarBiped, goal: JumpGoal, state: MirroredState, time: float, ground: PathGround
    ) -> JumpFlight:
        """Return the flight that begins in a state at a time [s] and ends on a ground."""
        curves = goal.curves
        forward, rise = state.jacobian[CENTER] @ state.v
        center = state.place[CENTER]
        pose = find_poses(biped, curves, np.array([curves.landing]))[0, 3:]
        seconds = JUMP_CONTROL.shortest_flight
        for _ in range(LANDING_ROUNDS):
            below = ground.locate(float(center.real + forward * seconds - curves.landing))
            fall = center.imag - below.height - float(curves.height(curves.landing))
            squared = max(rise**2 + 2 * biped.gravity * fall, LEAST_FALL)
            seconds = float(rise + np.sqrt(squared)) / biped.gravity
            seconds = max(seconds, JUMP_CONTROL.shortest_flight)
        return JumpFlight(
            time,
            JUMP_CONTROL.flight_share * seconds,
            state.q[3:],
            state.v[3:],
            landing=pose + [0.0, 0.0, np.arctan(below.slope)],
            tuck=goal.shape.tuck * np.asarray(JUMP_CONTROL.tuck),
        )

    @cached_property
    def _swing(self) -> list[BPoly]:
        """Pitches from takeoff to landing by the time in the air, and two derivatives."""
        still = np.zeros(3)
        ends = np.stack([[self.pitch, self.rate, still], [self.landing, still, still]])
        curve = BPoly.from_derivatives([0.0, self.seconds], ends)
        return [curve, curve.derivative(1), curve.derivative(2)]

    @cached_property
    def _tucking(self) -> list[BPoly]:
        """Share of the tuck by the time in the air, and two derivatives."""
        curve = BPoly.from_derivatives(
            [0.0, 0.5 * self.seconds, self.seconds], [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]
        )
        return [curve, curve.derivative(1), curve.derivative(2)]

    def accelerate(self, state: MirroredState, time: float) -> Array:
        """Return the angular accelerations of thigh, shin and foot [rad/s^2], shape (3,)."""
        still = np.zeros(3)
        at = min(time - self.begin, self.seconds)
        angle, rate, bend = (
            swing(at) + self.tuck * tuck(at)
            for swing, tuck in zip(self._swing, self._tucking, strict=True)
        )
        if at >= self.seconds:
            rate, bend = still, still
        error = state.q[3:] - angle
        back = JUMP_CONTROL.air_stiffness * error + JUMP_CONTROL.air_damping * (state.v[3:] - rate)
        return np.asarray(bend - back)

"""Motion within one phase in closed form: equations 3-14, for many candidates at once.

Horizontal places are complex numbers, x + i y, so that a turn by an angle is a product. Candidates have any shape (...), and
times within their phases any that goes with it.
"""
from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Plane = NDArray[np.complex128]

SHORT = 2e-3          # s, length of phases below which their rates of change end to rise: a phase of 0 s is no jump
STILL = 1.0           # 1/s^2, least growth of the horizontal pendulum
LOW = 0.3             # m, least height of a pendulum


class Placed(NamedTuple):
    """Of the centre of mass, or its velocity or acceleration: along the ground and upward."""

    plane: Plane
    up: Array


class Moving(NamedTuple):
    """The centre of mass at times within a phase."""

    place: Placed
    velocity: Placed
    acceleration: Placed


@dataclass(frozen=True)
class Stance:
    """A phase on one or two feet. Symbols as in the paper; alpha of equation 7 is `growth`."""

    duration: Array           # T
    beta1: Plane
    beta2: Plane
    growth: Array             # alpha, 1/s
    cop: Plane                # p_0
    cop_rate: Plane
    d1: Array
    d2: Array
    level: Array              # r_0 - g / omega^2, above the world's zero
    climb: Array              # rate of r, m/s
    ground: Array             # height of the ground
    omega: float              # 1/s

    def at(self, t: Array) -> Moving:
        """Equations 7 and 9 and their derivatives."""
        up, phase = np.exp(self.growth * t), self.omega * t
        near, far = self.beta1 * up, self.beta2 / up
        cos, sin = np.cos(phase), np.sin(phase)
        swung = self.d1 * cos + self.d2 * sin
        away = near + far
        return Moving(Placed(away + (self.cop + self.cop_rate * t), swung + (self.level + self.climb * t)),
                      Placed(self.growth * (near - far) + self.cop_rate,
                             self.omega * (self.d2 * cos - self.d1 * sin) + self.climb),
                      Placed(self.growth * self.growth * away, -self.omega**2 * swung))

    def cop_at(self, t: Array) -> Plane:
        """Centre of pressure, equation 3."""
        return np.asarray(self.cop + self.cop_rate * t)

    def of(self, index: int) -> Stance:
        """One candidate's, of many in a row that hold (n, 1) each."""
        return Stance(*(v if np.ndim(v := getattr(self, f.name)) == 0 else v[index, 0] for f in fields(self)))


def stance(place: Placed, velocity: Placed, duration: Array, cop: tuple[Plane, Plane], rest: tuple[Array, Array],
           ground: Array | float, spring: float, gravity: float, coupled: bool = False) -> Stance:
    """Solve equations 6 and 8.

    Args:
        place, velocity: of the centre of mass at the beginning.
        duration: T, s.
        cop: p_0 and p_T.
        rest: rest lengths r_0 and r_T of the spring above the ground, m.
        ground: its height.
        spring: k / m, 1/s^2.
        gravity: m/s^2.
        coupled: the horizontal pendulum feels the mean of the vertical force instead of the weight alone, so that the spring
            pushes along its own line in runs and jumps too, where the paper's does not.
    """
    omega = float(np.sqrt(spring))
    rate = 1 / np.sqrt(duration**2 + SHORT**2)
    climb = (rest[1] - rest[0]) * rate
    level = ground + rest[0] - gravity / spring
    d1 = place.up - level                                                           # eq. 9
    d2 = (velocity.up - climb) / omega
    load: Array | float = gravity
    if coupled:
        half = 0.5 * omega * duration
        middle, last = d1 * np.cos(half) + d2 * np.sin(half), d1 * np.cos(2 * half) + d2 * np.sin(2 * half)
        load = gravity - spring * (d1 + 4 * middle + last) / 6                      # Simpson's mean of the acceleration
    growth = np.sqrt(np.maximum(load / np.maximum(place.up - ground, LOW), STILL))  # eq. 6
    cop_rate = (cop[1] - cop[0]) * rate
    near, drift = 0.5 * (place.plane - cop[0]), 0.5 * (velocity.plane - cop_rate) / growth
    return Stance(duration, near + drift, near - drift, growth, cop[0], cop_rate, d1, d2, level, climb, np.asarray(ground), omega)


@dataclass(frozen=True)
class Flight:
    """A phase without contact: equation 13."""

    duration: Array
    begin: Placed
    speed: Placed
    gravity: float

    def at(self, t: Array) -> Moving:
        """Equation 13 and its derivatives."""
        falls = self.gravity * t
        return Moving(Placed(self.begin.plane + self.speed.plane * t, self.begin.up + (self.speed.up - 0.5 * falls) * t),
                      Placed(self.speed.plane + 0 * t, self.speed.up - falls),
                      Placed(np.zeros(np.shape(t), complex), np.full(np.shape(t), -self.gravity)))

    def of(self, index: int) -> Flight:
        """One candidate's, of many in a row that hold (n, 1) each."""
        return Flight(self.duration[index, 0], _one(self.begin, index), _one(self.speed, index), self.gravity)


def _one(placed: Placed, index: int) -> Placed:
    """One candidate's, of many in a row or of all alike."""
    plane, up = placed
    return Placed(plane if np.ndim(plane) == 0 else plane[index, 0], up if np.ndim(up) == 0 else up[index, 0])


Phase = Stance | Flight


def turned(heading: Array, turning: Array, acceleration: Array | float, t: Array) -> tuple[Array, Array]:
    """Heading and its rate after t s of a constant angular acceleration: equation 10, and with none 14."""
    return heading + (turning + 0.5 * acceleration * t) * t, turning + acceleration * t

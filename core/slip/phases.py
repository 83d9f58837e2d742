"""Motion within one phase in closed form: equations 3-14, for many candidates at once.

Arrays of candidates have any shape (...); times within a phase have one axis more, (..., q).
"""
from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SHORT = 2e-3          # s, length of phases below which their rates of change end to rise: a phase of 0 s is no jump
STILL = 1.0           # 1/s^2, least growth of the horizontal pendulum


@dataclass(frozen=True)
class Stance:
    """A phase on one or two feet. Symbols as in the paper; alpha of equation 7 is `growth`."""

    duration: Array           # (...,) T
    beta1: Array              # (..., 2)
    beta2: Array              # (..., 2)
    growth: Array             # (...,) alpha, 1/s
    cop: Array                # (..., 2) p_0
    cop_rate: Array           # (..., 2)
    d1: Array                 # (...,)
    d2: Array                 # (...,)
    omega: float              # 1/s
    level: Array              # (...,) r_0 - g / omega^2, above the world's zero
    climb: Array              # (...,) rate of r, m/s
    ground: Array             # (...,) height of the ground

    def at(self, t: Array) -> tuple[Array, Array, Array]:
        """Place, velocity and acceleration of the centre of mass, each (..., q, 3), at times (..., q)."""
        place, velocity, acceleration = (np.empty((*t.shape, 3)) for _ in range(3))
        up = np.exp(self.growth[..., None] * t)
        rising = self.beta1[..., None, :] * up[..., None]
        falling = self.beta2[..., None, :] / up[..., None]
        both = rising + falling
        place[..., :2] = both + self.cop[..., None, :] + self.cop_rate[..., None, :] * t[..., None]       # eq. 7
        alpha = self.growth[..., None, None]
        velocity[..., :2] = alpha * (rising - falling) + self.cop_rate[..., None, :]
        acceleration[..., :2] = alpha**2 * both
        cos, sin, w = np.cos(self.omega * t), np.sin(self.omega * t), self.omega
        d1, d2, climb = self.d1[..., None], self.d2[..., None], self.climb[..., None]
        swing = d1 * cos + d2 * sin
        place[..., 2] = swing + self.level[..., None] + climb * t                                         # eq. 9
        velocity[..., 2] = w * (d2 * cos - d1 * sin) + climb
        acceleration[..., 2] = -w * w * swing
        return place, velocity, acceleration

    def end(self) -> tuple[Array, Array]:
        """Place and velocity (..., 3) when the phase ends."""
        place, velocity, _ = self.at(self.duration[..., None])
        return place[..., 0, :], velocity[..., 0, :]

    def cop_at(self, t: Array) -> Array:
        """Centre of pressure (..., q, 2), equation 3."""
        return self.cop[..., None, :] + self.cop_rate[..., None, :] * t[..., None]

    def of(self, index: int) -> Stance:
        """One candidate's, of many in a row."""
        return Stance(**{f.name: v if np.ndim(v := getattr(self, f.name)) == 0 else v[index] for f in fields(self)})


def stance(com: Array, velocity: Array, duration: Array, cop: tuple[Array, Array], rest: tuple[Array, Array], ground: Array,
           spring: float, gravity: float, coupled: bool = False) -> Stance:
    """Solve equations 6 and 8.

    Args:
        com, velocity: (..., 3) at the beginning.
        duration: (...,) T, s.
        cop: p_0 and p_T, each (..., 2).
        rest: rest lengths r_0 and r_T of the spring above the ground, each (...,), m.
        ground: (...,) its height.
        spring: k / m, 1/s^2.
        gravity: m/s^2.
        coupled: the horizontal pendulum feels the mean of the vertical force instead of the weight alone, so that the spring
            pushes along its own line in runs and jumps too, where the paper's does not.
    """
    omega = float(np.sqrt(spring))
    span = np.sqrt(duration**2 + SHORT**2)
    climb = (rest[1] - rest[0]) / span
    level = ground + rest[0] - gravity / spring
    d1 = com[..., 2] - level                                                        # eq. 9
    d2 = (velocity[..., 2] - climb) / omega
    load = np.full(np.shape(duration), gravity)
    if coupled:
        phase = omega * duration
        middle = d1 * np.cos(0.5 * phase) + d2 * np.sin(0.5 * phase)
        last = d1 * np.cos(phase) + d2 * np.sin(phase)
        load = gravity - spring * (d1 + 4 * middle + last) / 6                      # Simpson's mean of the acceleration
    height = np.maximum(com[..., 2] - ground, 0.3)
    growth = np.sqrt(np.maximum(load / height, STILL))                              # eq. 6
    cop_rate = (cop[1] - cop[0]) / span[..., None]
    half = 0.5 * (com[..., :2] - cop[0])
    drift = 0.5 * (velocity[..., :2] - cop_rate) / growth[..., None]
    return Stance(duration, half + drift, half - drift, growth, cop[0], cop_rate, d1, d2, omega, level, climb,
                  np.broadcast_to(ground, np.shape(duration)))


@dataclass(frozen=True)
class Flight:
    """A phase without contact: equation 13."""

    duration: Array           # (...,)
    com: Array                # (..., 3)
    velocity: Array           # (..., 3)
    gravity: float

    def at(self, t: Array) -> tuple[Array, Array, Array]:
        """Place, velocity and acceleration of the centre of mass, each (..., q, 3), at times (..., q)."""
        down = np.array([0.0, 0.0, -self.gravity])
        velocity = self.velocity[..., None, :] + down * t[..., None]
        place = self.com[..., None, :] + 0.5 * (self.velocity[..., None, :] + velocity) * t[..., None]
        return place, velocity, np.broadcast_to(down, place.shape)

    def end(self) -> tuple[Array, Array]:
        """Place and velocity (..., 3) when the phase ends."""
        place, velocity, _ = self.at(self.duration[..., None])
        return place[..., 0, :], velocity[..., 0, :]

    def of(self, index: int) -> Flight:
        """One candidate's, of many in a row."""
        return Flight(self.duration[index], self.com[index], self.velocity[index], self.gravity)


Phase = Stance | Flight


def turned(heading: Array, turning: Array, acceleration: Array, t: Array) -> tuple[Array, Array]:
    """Heading and its rate after t s of a constant angular acceleration: equation 10, and with none 14."""
    return heading + turning * t + 0.5 * acceleration * t * t, turning + acceleration * t

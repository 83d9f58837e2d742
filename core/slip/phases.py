"""Motion within one phase in closed form: equations 3-14, for many candidates at once.

Horizontal places are complex numbers, x + i y, so that a turn by an angle is a product. Candidates
have any shape (...), and times within their phases any that goes with it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

# s, length of phases below which their rates of change end to rise: a phase of 0 s is no jump
MIN_RATE_TIME = 2e-3
MIN_GROWTH_SQUARED = 1.0  # 1/s^2, least growth of the horizontal pendulum
MIN_PENDULUM_HEIGHT = 0.3  # m, least height of a pendulum


class SplitVector(NamedTuple):
    """Of the centre of mass, or its velocity or acceleration: along the ground and upward."""

    horizontal: ComplexArray
    vertical: Array


class ComMotion(NamedTuple):
    """The centre of mass at times within a phase."""

    place: SplitVector
    velocity: SplitVector
    acceleration: SplitVector


@dataclass(frozen=True)
class StancePhase:
    """A phase on one or two feet. Symbols as in the paper; alpha of equation 7 is `growth`."""

    duration: Array  # T
    beta1: ComplexArray
    beta2: ComplexArray
    growth: Array  # alpha, 1/s
    cop: ComplexArray  # p_0
    cop_rate: ComplexArray
    d1: Array
    d2: Array
    rest_level: Array  # r_0 - g / omega^2, above the world's zero
    rest_rate: Array  # rate of r, m/s
    ground_height: Array  # height of the ground
    omega: float  # 1/s

    def evaluate(self, t: Array) -> ComMotion:
        """Equations 7 and 9 and their derivatives."""
        growth_factor = np.exp(self.growth * t)
        phase = self.omega * t
        growing = self.beta1 * growth_factor
        decaying = self.beta2 / growth_factor
        cos = np.cos(phase)
        sin = np.sin(phase)
        oscillation = self.d1 * cos + self.d2 * sin
        horizontal_offset = growing + decaying
        return ComMotion(
            SplitVector(
                horizontal_offset + (self.cop + self.cop_rate * t),
                oscillation + (self.rest_level + self.rest_rate * t),
            ),
            SplitVector(
                self.growth * (growing - decaying) + self.cop_rate,
                self.omega * (self.d2 * cos - self.d1 * sin) + self.rest_rate,
            ),
            SplitVector(
                self.growth * self.growth * horizontal_offset, -(self.omega**2) * oscillation
            ),
        )

    def cop_at(self, t: Array) -> ComplexArray:
        """Centre of pressure, equation 3."""
        return np.asarray(self.cop + self.cop_rate * t)

    def select_candidate(self, index: int) -> StancePhase:
        """One candidate's, of many in a row that hold (n, 1) each."""
        return StancePhase(
            *(v if np.ndim(v := getattr(self, f.name)) == 0 else v[index, 0] for f in fields(self))
        )


def solve_stance(
    place: SplitVector,
    velocity: SplitVector,
    duration: Array,
    cop: tuple[ComplexArray, ComplexArray],
    rest_lengths: tuple[Array, Array],
    ground_height: Array | float,
    spring: float,
    gravity: float,
    is_coupled: bool = False,
) -> StancePhase:
    """Solve equations 6 and 8.

    Args:
        place, velocity: of the centre of mass at the beginning.
        duration: T, s.
        cop: p_0 and p_T.
        rest_lengths: rest lengths r_0 and r_T of the spring above the ground, m.
        ground_height: its height.
        spring: k / m, 1/s^2.
        gravity: m/s^2.
        is_coupled: the horizontal pendulum feels the mean of the vertical force instead of the
            weight alone, so that the spring pushes along its own line in runs and jumps too, where
            the paper's does not.
    """
    omega = float(np.sqrt(spring))
    inverse_duration = 1 / np.sqrt(duration**2 + MIN_RATE_TIME**2)
    rest_rate = (rest_lengths[1] - rest_lengths[0]) * inverse_duration
    rest_level = ground_height + rest_lengths[0] - gravity / spring
    d1 = place.vertical - rest_level  # eq. 9
    d2 = (velocity.vertical - rest_rate) / omega
    load: Array | float = gravity
    if is_coupled:
        half_phase = 0.5 * omega * duration
        middle_height = d1 * np.cos(half_phase) + d2 * np.sin(half_phase)
        end_height = d1 * np.cos(2 * half_phase) + d2 * np.sin(2 * half_phase)
        # Simpson's mean of the acceleration
        load = gravity - spring * (d1 + 4 * middle_height + end_height) / 6
    # eq. 6
    growth = np.sqrt(
        np.maximum(
            load / np.maximum(place.vertical - ground_height, MIN_PENDULUM_HEIGHT),
            MIN_GROWTH_SQUARED,
        )
    )
    cop_rate = (cop[1] - cop[0]) * inverse_duration
    half_offset = 0.5 * (place.horizontal - cop[0])
    half_rate = 0.5 * (velocity.horizontal - cop_rate) / growth
    return StancePhase(
        duration,
        half_offset + half_rate,
        half_offset - half_rate,
        growth=growth,
        cop=cop[0],
        cop_rate=cop_rate,
        d1=d1,
        d2=d2,
        rest_level=rest_level,
        rest_rate=rest_rate,
        ground_height=np.asarray(ground_height),
        omega=omega,
    )


@dataclass(frozen=True)
class FlightPhase:
    """A phase without contact: equation 13."""

    duration: Array
    start: SplitVector
    start_velocity: SplitVector
    gravity: float

    def evaluate(self, t: Array) -> ComMotion:
        """Equation 13 and its derivatives."""
        speed_loss = self.gravity * t
        return ComMotion(
            SplitVector(
                self.start.horizontal + self.start_velocity.horizontal * t,
                self.start.vertical + (self.start_velocity.vertical - 0.5 * speed_loss) * t,
            ),
            SplitVector(
                self.start_velocity.horizontal + 0 * t, self.start_velocity.vertical - speed_loss
            ),
            SplitVector(np.zeros(np.shape(t), complex), np.full(np.shape(t), -self.gravity)),
        )

    def select_candidate(self, index: int) -> FlightPhase:
        """One candidate's, of many in a row that hold (n, 1) each."""
        return FlightPhase(
            self.duration[index, 0],
            _select_vector(self.start, index),
            _select_vector(self.start_velocity, index),
            self.gravity,
        )


def _select_vector(vector: SplitVector, index: int) -> SplitVector:
    """One candidate's, of many in a row or of all alike."""
    horizontal, vertical = vector
    return SplitVector(
        horizontal if np.ndim(horizontal) == 0 else horizontal[index, 0],
        vertical if np.ndim(vertical) == 0 else vertical[index, 0],
    )


Phase = StancePhase | FlightPhase


def integrate_heading(
    heading: Array, heading_rate: Array, acceleration: Array | float, t: Array
) -> tuple[Array, Array]:
    """Heading and its rate after t s of a constant angular acceleration:
    equation 10, and with none 14.
    """
    return heading + (heading_rate + 0.5 * acceleration * t) * t, heading_rate + acceleration * t

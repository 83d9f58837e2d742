"""Motion within one phase in closed form (equations 3-14), vectorized over candidates.

Horizontal positions are complex numbers x + i y, so that a rotation about the vertical is a
product. Arrays of candidates have any shape (...); times broadcast against them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]
Number = TypeVar("Number", bound=np.generic)

# Duration below which the rates of CoP and rest length are limited [s]; they would otherwise be
# infinite in a phase of zero duration
MIN_RATE_TIME = 2e-3
# Smallest square of the growth rate of the horizontal pendulum [1/s^2]. Numerical: its motion is
# divided by the rate, which is 0 without load
MIN_GROWTH_SQUARED = 1.0
# Smallest height of the pendulum [m]. Numerical: a third of that of a standing human, below which
# none walks
MIN_PENDULUM_HEIGHT = 0.3


class SplitVector(NamedTuple):
    """Position, velocity or acceleration, split into horizontal and vertical parts."""

    horizontal: ComplexArray  # x + i y
    vertical: Array


class ComMotion(NamedTuple):
    """Motion of the CoM at times within a phase."""

    place: SplitVector  # [m]
    velocity: SplitVector  # [m/s]
    acceleration: SplitVector  # [m/s^2]


@dataclass(frozen=True)
class HeadingState:
    """Rotation of the pelvis about the vertical."""

    heading: Array  # [rad]
    heading_rate: Array  # [rad/s]


@dataclass(frozen=True)
class StanceControls:
    """Control parameters of a stance phase, equation 2. CoP and rest length change linearly."""

    duration: Array  # T [s]
    cop_begin: ComplexArray  # p_0 [m]
    cop_end: ComplexArray  # p_T [m]
    rest_begin: Array  # r_0 [m], above the ground
    rest_end: Array  # r_T [m], above the ground


@dataclass(frozen=True)
class StanceModel:
    """Constants of the stance model.

    `is_coupled` is an extension of the paper. The horizontal pendulum is then driven by the mean
    vertical force of the phase instead of the weight, so that in runs and jumps, too, the ground
    reaction force points from the CoP to the CoM.
    """

    spring: float  # k / m [1/s^2]
    gravity: float  # [m/s^2]
    is_coupled: bool = False


@dataclass(frozen=True)
class StancePhase:
    """Solution of a phase on one or two feet. Symbols as in the paper."""

    duration: Array  # T [s]
    beta1: ComplexArray  # [m]
    beta2: ComplexArray  # [m]
    growth: Array  # alpha of equation 7 [1/s]
    cop: ComplexArray  # p_0 [m]
    cop_rate: ComplexArray  # [m/s]
    d1: Array  # [m]
    d2: Array  # [m]
    rest_level: Array  # r_0 - g / omega^2 [m], in world coordinates
    rest_rate: Array  # rate of r [m/s]
    ground_height: Array  # [m]
    omega: float  # [rad/s]

    def evaluate(self, t: Array) -> ComMotion:
        """Evaluate equations 7 and 9 and their derivatives at `t` [s] from the phase's start.

        x(t) = beta1 e^(alpha t) + beta2 e^(-alpha t) + p(t)
        z(t) = d1 cos(omega t) + d2 sin(omega t) + r(t) - g / omega^2
        """
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
        """Return the center of pressure at `t` [s] from the phase's start, equation 3 [m]."""
        return np.asarray(self.cop + self.cop_rate * t)

    def select_candidate(self, index: int) -> StancePhase:
        """Return the phase of one candidate; arrays are (n, 1) or scalar."""
        return StancePhase(
            _select_value(self.duration, index),
            _select_value(self.beta1, index),
            _select_value(self.beta2, index),
            growth=_select_value(self.growth, index),
            cop=_select_value(self.cop, index),
            cop_rate=_select_value(self.cop_rate, index),
            d1=_select_value(self.d1, index),
            d2=_select_value(self.d2, index),
            rest_level=_select_value(self.rest_level, index),
            rest_rate=_select_value(self.rest_rate, index),
            ground_height=_select_value(self.ground_height, index),
            omega=self.omega,
        )


def solve_stance(
    place: SplitVector,
    velocity: SplitVector,
    controls: StanceControls,
    ground_height: Array | float,
    model: StanceModel,
) -> StancePhase:
    """Solve the equations of motion of a stance phase.

    Horizontal (equation 6) and vertical (equation 8):

        x'' = g (x - p) / h
        z'' = k / m (r - z) - g

    with h the height of the CoM above the ground at the start.

    Args:
        place: CoM at the start of the phase [m].
        velocity: of the CoM at the start of the phase [m/s].
        controls: duration, CoP and rest lengths.
        ground_height: [m].
        model: spring and gravity.
    """
    gravity = model.gravity
    spring = model.spring
    duration = controls.duration
    omega = float(np.sqrt(spring))
    inverse_duration = 1 / np.sqrt(duration**2 + MIN_RATE_TIME**2)
    rest_rate = (controls.rest_end - controls.rest_begin) * inverse_duration
    rest_level = ground_height + controls.rest_begin - gravity / spring
    d1 = place.vertical - rest_level  # eq. 9
    d2 = (velocity.vertical - rest_rate) / omega
    load: Array | float = gravity
    if model.is_coupled:
        half_phase = 0.5 * omega * duration
        middle_height = d1 * np.cos(half_phase) + d2 * np.sin(half_phase)
        end_height = d1 * np.cos(2 * half_phase) + d2 * np.sin(2 * half_phase)
        # Mean of g + z'' over the phase by Simpson's rule
        load = gravity - spring * (d1 + 4 * middle_height + end_height) / 6
    # eq. 6
    growth = np.sqrt(
        np.maximum(
            load / np.maximum(place.vertical - ground_height, MIN_PENDULUM_HEIGHT),
            MIN_GROWTH_SQUARED,
        )
    )
    cop_rate = (controls.cop_end - controls.cop_begin) * inverse_duration
    half_offset = 0.5 * (place.horizontal - controls.cop_begin)
    half_rate = 0.5 * (velocity.horizontal - cop_rate) / growth
    return StancePhase(
        duration,
        half_offset + half_rate,
        half_offset - half_rate,
        growth=growth,
        cop=controls.cop_begin,
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
    """Phase without contact: projectile motion, equation 13."""

    duration: Array  # [s]
    start: SplitVector  # [m]
    start_velocity: SplitVector  # [m/s]
    gravity: float  # [m/s^2]

    def evaluate(self, t: Array) -> ComMotion:
        """Evaluate equation 13 and its derivatives at `t` [s] from the phase's start."""
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
        """Return the phase of one candidate; arrays are (n, 1) or scalar."""
        return FlightPhase(
            self.duration[index, 0],
            _select_vector(self.start, index),
            _select_vector(self.start_velocity, index),
            self.gravity,
        )


def _select_vector(vector: SplitVector, index: int) -> SplitVector:
    """Return the vector of one candidate; each part is (n, 1), or a scalar common to all."""
    return SplitVector(
        _select_value(vector.horizontal, index), _select_value(vector.vertical, index)
    )


def _select_value(values: NDArray[Number], index: int) -> NDArray[Number]:
    """Return the value of one candidate; values are (n, 1), or a scalar common to all."""
    return values if values.ndim == 0 else values[index, 0]


Phase = StancePhase | FlightPhase


def integrate_heading(start: HeadingState, acceleration: Array | float, t: Array) -> HeadingState:
    """Integrate the heading under a constant angular acceleration, equations 10 and 14.

    Args:
        start: heading and its rate at the start of the phase.
        acceleration: [rad/s^2]; 0 in flight.
        t: [s] from the start of the phase.
    """
    rate = start.heading_rate
    return HeadingState(
        start.heading + (rate + 0.5 * acceleration * t) * t, rate + acceleration * t
    )

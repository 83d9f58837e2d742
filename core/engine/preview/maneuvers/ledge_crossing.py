"""A ledge, the body that crosses it, and the control laws that all stages of a crossing share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....geometry.curves import CurvePoint, evaluate_quintic
from ....geometry.planar import heading_axes, wrap_angle
from ....simulate import BodyState, Gains, PhysicsState, SimulatedBody
from ....slip.phases import MIN_PENDULUM_HEIGHT
from ..feet.heel_off import HEEL_OFF, measure_distance_past_ball
from .balance import project_com_acceleration
from .base import StageView

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CrossingParameters:
    """Control laws of a body that crosses a ledge."""

    # Stiffness with which heights, headings and trajectories are tracked [1/s^2]: an error falls to
    # 1/e in 0.13 s, so that a stage of half a second ends near its target.
    tracking_stiffness: float = 60.0
    # Rate at which the capture point converges, relative to that of the pendulum's fall [1]: faster
    # than 1, the rate at which the body follows it.
    capture_gain: float = 2.0
    # Distance of the body behind the ball of a foot from which its heel may rise [m]. tuned: a heel
    # that rose while the body was behind the ball stopped it there
    heel_rise_lead: float = 0.05
    # Load above which a foot has ground contact [body weights].
    contact_load: float = 0.02
    # Height of the center of mass, relative to that of standing, below which the trunk leans [1];
    # above it knees bend enough.
    lean_height_ratio: float = 0.93
    # Interval of the finite differences of foot trajectories [s]. One control step
    difference_time: float = 0.004


CROSSING = CrossingParameters()

# Weights of the controller's objectives. tuned: arms that avoided the thighs turned the body, and 2
# to 3 of 10 climbs and landings ended in a fall
LEDGE_GAINS = Gains(arm_avoidance=0.0)


@dataclass(frozen=True)
class LedgeCrossing:
    """A body that stands on one foot before a ledge.

    Attributes:
        stance_foot: foot that stands before the edge, 0 left, 1 right.
        edge: (2,) point of the edge [m].
        heading: heading across the edge [rad].
        height_beyond: height of the ground beyond the edge [m].
        gravity: [m/s^2].
    """

    body: SimulatedBody
    stance_foot: int
    edge: Array
    heading: float
    height_beyond: float
    gravity: float

    @property
    def free_foot(self) -> int:
        """The other foot, 0 left, 1 right."""
        return 1 - self.stance_foot

    @property
    def axes(self) -> Array:
        """Directions across the edge and along it to the left, (2, 2)."""
        return heading_axes(self.heading)

    @property
    def standing_height(self) -> float:
        """Height of the center of mass of the standing body [m]."""
        return self.body.com_height

    def measure_loads(self, state: PhysicsState) -> Array:
        """Return the vertical forces on the feet [body weights], (2,)."""
        return np.array([foot.normal for foot in state.foot_loads]) / self.body.weight

    def compute_turn_acceleration(self, now: BodyState) -> float:
        """Return the angular acceleration of the pelvis toward the heading [rad/s^2]."""
        stiffness = CROSSING.tracking_stiffness
        return float(
            stiffness * wrap_angle(self.heading - now.heading)
            - 2 * np.sqrt(stiffness) * now.heading_rate
        )

    def compute_vertical_acceleration(
        self, view: StageView, duration: float, end_height: float, end_speed: float = 0.0
    ) -> float:
        """Return the vertical acceleration of the center of mass along a quintic [m/s^2].

        Args:
            duration: time from the beginning of the stage to the end of the quintic [s].
            end_height: height at its end [m].
            end_speed: vertical velocity at its end [m/s].
        """
        start = np.array([view.start.com[2], view.start.com_velocity[2]])
        end = np.array([end_height, end_speed])
        target = evaluate_quintic(view.age / duration, duration, start, end)
        return float(track(target, view.body.com[2], view.body.com_velocity[2]))

    def compute_capture_point(self, now: BodyState, level: float) -> Array:
        """Return the capture point of the body on ground of a height `level` [m], (2,)."""
        return np.asarray(
            now.com[:2] + now.com_velocity[:2] / self.compute_pendulum_rate(now, level)
        )

    def compute_capture_acceleration(self, now: BodyState, goal: Array, level: float) -> Array:
        """Return the horizontal acceleration (2,) that brings the body to rest over a point.

        Args:
            goal: (2,) the point [m].
            level: height of the ground that carries the body [m].
        """
        rate = self.compute_pendulum_rate(now, level)
        gain = CROSSING.capture_gain
        return np.asarray(
            rate * rate * gain * (goal - now.com[:2]) - rate * (1 + gain) * now.com_velocity[:2]
        )

    def compute_pendulum_rate(self, now: BodyState, level: float) -> float:
        """Return the rate at which the inverted pendulum over a ground height falls [1/s]."""
        return float(np.sqrt(self.gravity / max(float(now.com[2]) - level, MIN_PENDULUM_HEIGHT)))

    def project_acceleration(
        self,
        now: BodyState,
        desired: Array,
        level: float,
        legs: tuple[int, ...],
        rolling_legs: tuple[int, ...],
    ) -> Array:
        """Return the feasible acceleration (3,) nearest to a desired one.

        Args:
            desired: (3,) [m/s^2].
            level: height of the ground that carries the body [m].
            legs: legs that carry it.
            rolling_legs: those of them whose heels are free.
        """
        soles = tuple(
            now.sole_points[leg][self.body.select_support_points(leg, leg in rolling_legs), :2]
            for leg in legs
        )
        return project_com_acceleration(now.com, desired, level, gravity=self.gravity, soles=soles)

    def find_raised_heels(self, now: BodyState, legs: tuple[int, ...]) -> tuple[int, ...]:
        """Return the legs whose ankles are at their limit while the body is over their balls."""
        return tuple(
            leg
            for leg in legs
            if self.body.compute_remaining_flexion(leg, now.pose) < HEEL_OFF.min_ankle_flexion
            and measure_distance_past_ball(self.body, now, leg, self.heading)
            > -CROSSING.heel_rise_lead
        )

    def compute_height_deficit(self, now: BodyState, level: float, ratio: float) -> float:
        """Return how much the center of mass is below a share of its standing height [m].

        Args:
            level: height of the ground [m].
            ratio: the share [1].

        Returns:
            0 where it is not below.
        """
        return max(level + ratio * self.standing_height - float(now.com[2]), 0.0)

    def compute_lean(self, now: BodyState, level: float, gain: float) -> float:
        """Return the forward lean of the trunk over bent legs [rad].

        Args:
            level: height of the ground [m].
            gain: lean for each meter of missing height [rad/m].
        """
        return gain * self.compute_height_deficit(now, level, CROSSING.lean_height_ratio)


def compute_side_sign(leg: int) -> float:
    """Return the side of a leg: 1 left, -1 right."""
    return 1.0 - 2.0 * leg


def track(target: CurvePoint, position: float, velocity: float) -> float:
    """Return the acceleration with which a target is tracked, critically damped [m/s^2]."""
    stiffness = CROSSING.tracking_stiffness
    return (
        target.acceleration
        + stiffness * (target.position - position)
        + 2 * np.sqrt(stiffness) * (target.velocity - velocity)
    )

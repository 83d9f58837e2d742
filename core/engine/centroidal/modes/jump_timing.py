"""Timing of one jump: crouch, push-off, flight, landing, and standing up.

The vertical motion follows from the height of the jump.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....clip.pose.pose_sequence import KeyPoses, PoseKeys
from ....errors import PlanningError
from ....task.jump import Jump
from ....task.units import TaskUnits
from .jump_shape import JUMP, TOO_LONG, JumpLean, JumpShape

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ComKnot:
    """Vertical motion of the center of mass at one moment.

    Args:
        time: time [s].
        height: height [m].
        velocity: upward velocity [m/s].
        acceleration: upward acceleration [m/s^2].
    """

    time: float
    height: float
    velocity: float
    acceleration: float

    @property
    def derivatives(self) -> list[float]:
        """Height, velocity and acceleration."""
        return [self.height, self.velocity, self.acceleration]


@dataclass(frozen=True)
class JumpKeys:
    """Key poses of a jump over time: of the legs, and of the rest of the body."""

    legs: PoseKeys
    body: PoseKeys


@dataclass(frozen=True)
class JumpTiming:
    """Moments of a jump [s] and its shape.

    Args:
        jump: the jump.
        dip_start: begin of the crouch.
        dip_bottom: bottom of the crouch.
        lift: begin of the flight.
        strike: end of the flight.
        landing_bottom: bottom of the landing.
        stand_time: time at which the body stands again.
        shape: poses and speeds.
    """

    jump: Jump
    dip_start: float
    dip_bottom: float
    lift: float
    strike: float
    landing_bottom: float
    stand_time: float
    shape: JumpShape

    @property
    def flight_time(self) -> float:
        """Duration of the flight [s]."""
        return self.strike - self.lift

    @property
    def ramp_up_time(self) -> float:
        """Time before the lift in which the motion along the ground and the spin begin [s]."""
        return self.lift - self.dip_bottom + 0.35 * (self.dip_bottom - self.dip_start)

    @property
    def ramp_down_time(self) -> float:
        """Time after the strike in which they end [s]."""
        return self.landing_bottom - self.strike + 0.12

    @property
    def speed(self) -> float:
        """Speed along the ground in flight, without sign [m/s]."""
        ramps = 0.5 * (self.ramp_up_time + self.ramp_down_time)
        return abs(self.jump.distance) / (self.flight_time + ramps)

    @property
    def lean(self) -> JumpLean:
        """How far the body leans over its feet: its speed rises and falls evenly.

        It lands on the balls of its feet, which are in front of it if it jumps forward.
        """
        ball_lead = JUMP.ball_lead if self.jump.distance > 0 else 0.0
        return JumpLean(
            0.5 * self.ramp_up_time * self.speed,
            0.5 * self.ramp_down_time * self.speed + ball_lead,
        )

    @staticmethod
    def from_jump(
        jump: Jump,
        key_poses: KeyPoses,
        gravity: float,
        *,
        height_change: float,
        units: TaskUnits,
    ) -> JumpTiming:
        """Return the timing of a jump.

        Args:
            jump: the jump.
            key_poses: key poses of the body.
            gravity: gravity [m/s^2].
            height_change: height of the ground after the jump above that before it [m].
            units: units of the task, for messages.

        Raises:
            TaskError: The jump is too low for the ground after it.
            PlanningError: The jump is too low for its length.
        """
        lean = JumpLean()
        for _ in range(JUMP.lean_rounds if jump.distance else 0):
            shape = JumpShape.from_jump(
                jump, key_poses, gravity, height_change=height_change, units=units, lean=lean
            )
            lean = JumpTiming.from_shape(jump, shape, gravity).lean
        shape = JumpShape.from_jump(
            jump, key_poses, gravity, height_change=height_change, units=units, lean=lean
        )
        timing = JumpTiming.from_shape(jump, shape, gravity)
        if lean.farthest > JUMP.max_lean_share * shape.heights.lift:
            raise PlanningError(TOO_LONG, jump.time)
        return timing

    @staticmethod
    def from_shape(jump: Jump, shape: JumpShape, gravity: float) -> JumpTiming:
        """Return the timing of a jump with poses and speeds. Gravity in [m/s^2]."""
        heights = shape.heights
        push_off_speed = JUMP.push_off_speed_ratio * shape.lift_speed
        dip_bottom = jump.time - (heights.lift - heights.dip_bottom) / push_off_speed
        strike = jump.time + (shape.lift_speed + shape.strike_speed) / gravity
        landing_speed = JUMP.landing_speed_ratio * shape.strike_speed
        landing_bottom = strike + (heights.strike - heights.landing_bottom) / landing_speed
        descent_time = compute_descent_time(heights.standing - heights.dip_bottom, gravity)
        return JumpTiming(
            jump,
            dip_bottom - descent_time,
            dip_bottom,
            lift=jump.time,
            strike=strike,
            landing_bottom=landing_bottom,
            stand_time=landing_bottom + JUMP.stand_up_time,
            shape=shape,
        )

    def build_knots(
        self, ground_before: float, ground_after: float, gravity: float
    ) -> tuple[ComKnot, ...]:
        """Return the vertical motion of the center of mass at the moments of the jump.

        Between them it is a polynomial of degree five, which is a parabola in flight.

        Args:
            ground_before: height of the ground before the jump [m].
            ground_after: height of the ground after the jump [m].
            gravity: gravity [m/s^2].
        """
        heights = self.shape.heights
        return (
            ComKnot(self.dip_start, ground_before + heights.standing, 0.0, 0.0),
            ComKnot(
                self.dip_bottom,
                ground_before + heights.dip_bottom,
                0.0,
                JUMP.dip_bottom_acceleration,
            ),
            ComKnot(self.lift, ground_before + heights.lift, self.shape.lift_speed, -gravity),
            ComKnot(self.strike, ground_after + heights.strike, -self.shape.strike_speed, -gravity),
            ComKnot(
                self.landing_bottom,
                ground_after + heights.landing_bottom,
                0.0,
                JUMP.landing_bottom_acceleration,
            ),
            ComKnot(self.stand_time, ground_after + heights.standing, 0.0, 0.0),
        )

    def build_keys(self, key_poses: KeyPoses) -> JumpKeys:
        """Return the key poses over time: arms back in the crouch, up at the lift, and forward
        in the landing.

        Legs move with the center of mass. Trunk and arms need a minimum time, and begin before
        the legs where those are fast.
        """
        shape = self.shape
        standing = key_poses.mix()
        dip_change = key_poses.mix(("crouch", shape.dip_share))
        landing_change = key_poses.mix(("squat", shape.landing_share))
        spring_time = self.lift + 0.04
        landing_time = max(self.landing_bottom, self.strike + JUMP.min_landing_time)
        flight_keys = self._build_flight_keys(key_poses)
        leg_keys = (
            (self.dip_start, standing),
            (self.dip_bottom, dip_change),
            (self.lift + 0.01, shape.lift_change),
            *flight_keys,
            (self.strike - 0.01, shape.strike_change),
            (self.landing_bottom, landing_change),
            (self.stand_time, standing),
        )
        body_keys = (
            (self.dip_start, standing),
            (min(self.dip_bottom - 0.04, spring_time - JUMP.arm_swing_time), dip_change),
            (spring_time, key_poses.mix(("spring", shape.spring_share))),
            *flight_keys,
            (self.strike - 0.01, key_poses.mix(("land", 1.0))),
            (landing_time, landing_change),
            (max(self.stand_time, landing_time + JUMP.min_recovery_time), standing),
        )
        return JumpKeys(leg_keys, body_keys)

    def _build_flight_keys(self, key_poses: KeyPoses) -> PoseKeys:
        """Return the key poses in flight; the body is tucked in a flip."""
        if self.jump.flips:
            limit = JUMP.max_tuck_share * self.flight_time
            tuck_change = key_poses.mix(("tuck", 1.0))
            return (
                (self.lift + min(JUMP.tuck_time, limit), tuck_change),
                (self.strike - min(JUMP.untuck_time, limit), tuck_change),
            )
        share = float(
            np.clip((self.flight_time - JUMP.min_pose_flight) / JUMP.pose_flight_range, 0, 1)
        )
        if not share:
            return ()
        flight_change = key_poses.mix(
            ("jump", share), ("spring", 0.5 * (1 - share)), ("land", 0.5 * (1 - share))
        )
        hang_time = min(0.5 * self.flight_time, JUMP.max_hang_time)
        return ((self.lift + hang_time, flight_change), (self.strike - hang_time, flight_change))


def compute_descent_time(depth: float, gravity: float) -> float:
    """Return the time in which a body lowers itself into a crouch [s].

    The motion is a polynomial of degree five from rest to rest whose last acceleration is that at
    the bottom of the crouch. The time is the shortest for which its downward acceleration is
    within the limit.

    Args:
        depth: distance by which the center of mass is lowered [m].
        gravity: gravity [m/s^2].
    """
    time = 0.3
    u = np.linspace(0, 1, 60)
    while True:
        acceleration = -depth * (
            60 * u - 180 * u**2 + 120 * u**3
        ) / time**2 + JUMP.dip_bottom_acceleration * (3 * u - 12 * u**2 + 10 * u**3)
        if acceleration.min() > -JUMP.max_descent_acceleration * gravity or time > 1.5:
            return time
        time += 0.02

"""One jump in time: crouch, push-off, flight, landing, and up again.
The vertical course follows from its height alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....clip.pose.pose_sequence import KeyPoses
from ....errors import TaskError
from ....task.jump import Jump
from ....task.units import TaskUnits

Array = NDArray[np.float64]

JUMP_POSES = ("crouch", "spring", "jump", "tuck", "land", "squat")
MIN_DIP_SHARE = 0.45  # share of the deepest crouch for a hop
FULL_DIP_HEIGHT = 0.7  # m of height from which on it is whole
MIN_LANDING_SHARE = 0.75  # share of the deepest landing for a hop

# the same for how far arms and legs are thrown up
MIN_SPRING_SHARE = 0.4
FULL_SPRING_HEIGHT = 0.5


# m/s^2 upward at the bottom of a crouch and of a landing
DIP_BOTTOM_ACCELERATION = 10.0
LANDING_BOTTOM_ACCELERATION = 5.0

PUSH_OFF_SPEED_RATIO = 0.54  # mean speed of a push-off, as a share of the speed that it ends with
LANDING_SPEED_RATIO = 0.52  # of a landing, as a share of the one that it begins with
MAX_DESCENT_ACCELERATION = 0.75  # of gravity, the fastest that a body lets itself down

# m that legs are left bent at the lift, and besides where the body turns over its feet
LIFT_LEG_BEND = 0.015
FLIP_LEG_BEND = 0.09


# m that legs are left bent for each m/s beyond this speed: else they could not follow
BEND_PER_SPEED = 0.02
MIN_BEND_SPEED = 3.0

MAX_SPEED_BEND = 0.14  # m
STAND_UP_TIME = 0.75  # s from the bottom of a landing to standing
ARM_SWING_TIME = 0.28  # s that arms take from the back to the top
MIN_LANDING_TIME = 0.22  # s in which trunk and arms sink at least as the body lands
TUCK_TIMES = (0.34, 0.4)  # s from take-off to tucked, and from tucked to the landing
MAX_TUCK_SHARES = (0.36, 0.36)  # the same as shares of the flight, at most


@dataclass(frozen=True)
class JumpTiming:
    """Moments of a jump, s, and what the centre of mass does at them,
    m over the ground it stands on then, and m/s.
    """

    jump: Jump
    dip_start: float
    dip_bottom: float
    lift: float
    strike: float
    landing_bottom: float
    stand_time: float
    # standing, at the bottom, at lift, at strike, absorbed
    com_heights: tuple[float, float, float, float, float]
    vertical_speeds: tuple[float, float]  # at lift, upward; at strike, downward
    pose_shares: tuple[float, float, float]  # of crouch, spring and landing
    lift_change: Array  # (nv,) from standing to how the legs are at lift,
    strike_change: Array  # and at strike

    @property
    def flight_time(self) -> float:
        """Time in the air, s."""
        return self.strike - self.lift

    @property
    def ramp_up_time(self) -> float:
        """Time before the lift in which the body takes up its way along the
        ground and its spin, s.
        """
        return self.lift - self.dip_bottom + 0.35 * (self.dip_bottom - self.dip_start)

    @property
    def ramp_down_time(self) -> float:
        """Time after the strike in which it gives them up, s."""
        return self.landing_bottom - self.strike + 0.12

    @staticmethod
    def from_jump(
        jump: Jump,
        key_poses: KeyPoses,
        gravity: float,
        *,
        height_change: float,
        units: TaskUnits,
    ) -> JumpTiming:
        """The jump of a body onto ground that is higher by `height_change`, m.

        Raises:
            TaskError: it is too low for that.
        """
        dip_share = min(MIN_DIP_SHARE + (1 - MIN_DIP_SHARE) * jump.height / FULL_DIP_HEIGHT, 1.0)
        spring_share = min(
            MIN_SPRING_SHARE + (1 - MIN_SPRING_SHARE) * jump.height / FULL_SPRING_HEIGHT, 1.0
        )
        lift_speed = float(np.sqrt(2 * gravity * jump.height))
        flip_bend = FLIP_LEG_BEND if jump.flips else 0.0
        lift_change = _lower_pose(
            key_poses,
            ("spring", spring_share),
            "crouch",
            LIFT_LEG_BEND + _compute_speed_bend(lift_speed) + flip_bend,
        )
        lift_height = key_poses.compute_com_height(lift_change)
        strike_height = key_poses.compute_com_height(key_poses.mix(("land", 1.0)))
        fall_height = jump.height + lift_height - strike_height - height_change
        if fall_height <= 0.02:
            raise TaskError(
                f"The jump at {units.to_user_time(jump.time):g} s is "
                f"{units.to_user_length(jump.height):g} m high and is to land "
                f"{units.to_user_length(height_change):.2f} m higher; make it at least "
                f"{units.to_user_length(jump.height - fall_height + 0.1):.2f} m high, or let it "
                "land lower."
            )
        strike_speed = float(np.sqrt(2 * gravity * fall_height))
        strike_change = _lower_pose(
            key_poses, ("land", 1.0), "squat", _compute_speed_bend(strike_speed) + flip_bend
        )
        strike_height = key_poses.compute_com_height(strike_change)
        strike_speed = float(
            np.sqrt(2 * gravity * (jump.height + lift_height - strike_height - height_change))
        )
        landing_share = min(
            max(
                MIN_DIP_SHARE
                + (1 - MIN_DIP_SHARE) * strike_speed**2 / (2 * gravity * FULL_DIP_HEIGHT),
                MIN_LANDING_SHARE,
            ),
            1.0,
        )
        standing_height = key_poses.compute_com_height(key_poses.mix())
        dip_height = key_poses.compute_com_height(key_poses.mix(("crouch", dip_share)))
        landing_height = key_poses.compute_com_height(key_poses.mix(("squat", landing_share)))
        dip_bottom = jump.time - (lift_height - dip_height) / (PUSH_OFF_SPEED_RATIO * lift_speed)
        strike = jump.time + (lift_speed + strike_speed) / gravity
        landing_bottom = strike + (strike_height - landing_height) / (
            LANDING_SPEED_RATIO * strike_speed
        )
        dip_start = dip_bottom - compute_descent_time(standing_height - dip_height, gravity)
        return JumpTiming(
            jump,
            dip_start,
            dip_bottom,
            lift=jump.time,
            strike=strike,
            landing_bottom=landing_bottom,
            stand_time=landing_bottom + STAND_UP_TIME,
            com_heights=(standing_height, dip_height, lift_height, strike_height, landing_height),
            vertical_speeds=(lift_speed, strike_speed),
            pose_shares=(dip_share, spring_share, landing_share),
            lift_change=lift_change,
            strike_change=strike_change,
        )

    def build_knots(
        self, ground_heights: tuple[float, float], gravity: float
    ) -> list[tuple[float, list[float]]]:
        """Moments with height, speed and acceleration of the centre of mass; fifth degree in
        between, in flight a parabola.

        Args:
            ground_heights: heights of the ground before and after, m.
        """
        ground_before, ground_after = ground_heights
        standing_height, dip_height, lift_height, strike_height, landing_height = self.com_heights
        return [
            (self.dip_start, [ground_before + standing_height, 0.0, 0.0]),
            (self.dip_bottom, [ground_before + dip_height, 0.0, DIP_BOTTOM_ACCELERATION]),
            (self.lift, [ground_before + lift_height, self.vertical_speeds[0], -gravity]),
            (self.strike, [ground_after + strike_height, -self.vertical_speeds[1], -gravity]),
            (
                self.landing_bottom,
                [ground_after + landing_height, 0.0, LANDING_BOTTOM_ACCELERATION],
            ),
            (self.stand_time, [ground_after + standing_height, 0.0, 0.0]),
        ]

    def build_keys(
        self, key_poses: KeyPoses
    ) -> tuple[list[tuple[float, Array]], list[tuple[float, Array]]]:
        """What the legs act, and what the rest of the body does: arms back in the crouch, thrown
        up, and forward to land.

        Legs do as the centre of mass does; trunk and arms take their time,
        and begin before them where legs are quick.
        """
        dip_share, spring_share, landing_share = self.pose_shares
        dip_change = key_poses.mix(("crouch", dip_share))
        landing_change = key_poses.mix(("squat", landing_share))
        spring_time = self.lift + 0.04
        landing_time = max(self.landing_bottom, self.strike + MIN_LANDING_TIME)
        leg_keys = [
            (self.dip_start, key_poses.mix()),
            (self.dip_bottom, dip_change),
            (self.lift + 0.01, self.lift_change),
            *self._build_flight_keys(key_poses),
            (self.strike - 0.01, self.strike_change),
            (self.landing_bottom, landing_change),
            (self.stand_time, key_poses.mix()),
        ]
        body_keys = [
            (self.dip_start, key_poses.mix()),
            (min(self.dip_bottom - 0.04, spring_time - ARM_SWING_TIME), dip_change),
            (spring_time, key_poses.mix(("spring", spring_share))),
            *self._build_flight_keys(key_poses),
            (self.strike - 0.01, key_poses.mix(("land", 1.0))),
            (landing_time, landing_change),
            (max(self.stand_time, landing_time + 0.5), key_poses.mix()),
        ]
        return leg_keys, body_keys

    def _build_flight_keys(self, key_poses: KeyPoses) -> list[tuple[float, Array]]:
        """What the body does in the air: folded where it flips."""
        if self.jump.flips:
            tuck_times = [
                min(t, share * self.flight_time)
                for t, share in zip(TUCK_TIMES, MAX_TUCK_SHARES, strict=True)
            ]
            tuck_change = key_poses.mix(("tuck", 1.0))
            return [
                (self.lift + tuck_times[0], tuck_change),
                (self.strike - tuck_times[1], tuck_change),
            ]
        share = float(np.clip((self.flight_time - 0.35) / 0.3, 0, 1))
        if not share:
            return []
        flight_change = key_poses.mix(
            ("jump", share), ("spring", 0.5 * (1 - share)), ("land", 0.5 * (1 - share))
        )
        hang_time = min(0.5 * self.flight_time, 0.45)
        return [(self.lift + hang_time, flight_change), (self.strike - hang_time, flight_change)]


def compute_descent_time(depth: float, gravity: float) -> float:
    """The time in which a body lets itself down into a crouch, s."""
    time = 0.3
    u = np.linspace(0, 1, 60)
    while True:
        # the polynomial of fifth degree from rest to rest, its last acceleration given;
        # in it the least acceleration
        q = -depth * (60 * u - 180 * u**2 + 120 * u**3) / time**2 + DIP_BOTTOM_ACCELERATION * (
            3 * u - 12 * u**2 + 10 * u**3
        )
        if q.min() > -MAX_DESCENT_ACCELERATION * gravity or time > 1.5:
            return time
        time += 0.02


def _lower_pose(
    key_poses: KeyPoses, pose: tuple[str, float], toward_pose: str, drop: float
) -> Array:
    """A key pose bent towards another until the centre of mass is lower by so much, m. (nv,)."""
    name, share = pose
    straight, half = (
        key_poses.compute_com_height(key_poses.mix((name, share * (1 - b)), (toward_pose, b)))
        for b in (0.0, 0.5)
    )
    bend = min(0.5 * drop / (straight - half), 0.9)
    return key_poses.mix((name, share * (1 - bend)), (toward_pose, bend))


def _compute_speed_bend(speed: float) -> float:
    return min(BEND_PER_SPEED * max(speed - MIN_BEND_SPEED, 0.0), MAX_SPEED_BEND)

"""Off a ledge: off one foot as in a walk, down on both at once,
deep into the knees, and up again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ....geometry.curves import smoothstep
from ....simulate import BodyState, ControlReference, PhysicsState, SwingTarget
from ....simulate.body import UP
from ..feet.heel_off import is_on_ball
from .balance import project_com_acceleration
from .base import LEDGE_GAINS, StagedManeuver

Array = NDArray[np.float64]

# heights of the centre of mass are shares of the standing body's

# at the take-off, and m/s
TAKE_OFF_HEIGHT_RATIO = 1.01
TAKE_OFF_VERTICAL_SPEED = 0.45


# m ahead of the foot then, m/s ahead and m/s toward the other foot
TAKE_OFF_LEAD = 0.25
TAKE_OFF_SPEED = 1.1
TAKE_OFF_LATERAL_SPEED = 0.1


# s that leaving takes at least, and that are counted on at its end
MIN_LEAVING_TIME = 0.15
MIN_TIME_LEFT = 0.08

HEEL_RISE_LEAD_TIME = 0.10  # s before the take-off, from where the heel rises

# m beyond the edge and above it, to where the leading foot swings; s
SWING_TARGET_OFFSET = (0.30, -0.12)
SWING_APEX_HEIGHT = 0.12
SWING_EXTRA_TIME = 0.1


# m of a foot to its side, then and at the landing
SWING_LATERAL_OFFSET = 0.1
STANCE_HALF_WIDTH = 0.12

# Nms of the body's turning at the take-off: legs that come ahead turn the trunk the other way
TAKE_OFF_ANGULAR_MOMENTUM = -5.5
# m ahead of the centre of mass, and below it, of leading and trailing foot,
TUCK_OFFSETS = ((0.15, 0.88), (0.02, 0.73))
TUCK_TIME = 0.18  # s from the take-off until they are there

# below it at the landing, and s in which, and before which, they get there
LANDING_REACH_RATIO = 0.98
REACH_TIME = 0.2
READY_TIME = 0.05

CAPTURE_TIME = 0.13  # s of its speed that feet are ahead of it then

# rad ahead that the trunk leans by then, and that toes hang: ankles brake heels that come later
LANDING_LEAN = 0.4
LANDING_TOE_ANGLE = 0.5

DIFFERENCE_TIME = 0.004  # s over which it is seen how fast the feet's places move
MIN_FLIGHT_TIME = 0.15  # s in the air before a foot can land
MAX_LANDED_HEIGHT = 0.1  # m above the ground below which it has
REST_OFFSET = 0.07  # m ahead of the feet's middles, where the body comes to rest

# m/s^2 that legs like to brake by, how much more at first, and at most
BRAKING_DECELERATION = 19.0
INITIAL_BRAKING_FACTOR = 1.6
MAX_BRAKING_DECELERATION = 38.0

MIN_SQUAT_RATIO = 0.65  # to which it is to sink at most
MIN_BRAKING_DISTANCE = 0.03  # m of way that are counted on
RISE_ONSET_SPEED = 0.35  # m/s downward at which it rises again
MIN_LANDING_TIME = 0.1  # s after its landing at the earliest

# rad for each m that it is lower than that
LEAN_GAIN = 1.6
LEAN_HEIGHT_RATIO = 0.93


# s
RISE_TIME = 0.9
SETTLING_TIME = 0.3

STEP_HEIGHT_RATIO = 0.85  # from where on it steps at once if it has come too far ahead
# m below the ground to which a foot reaches while only the other one is down
FOOT_PRESS_DEPTH = 0.1
LEAVING_GAINS = replace(LEDGE_GAINS, momentum=0.2, momentum_rate=8.0)
FALLING_GAINS = replace(LEDGE_GAINS, chest=1.5, tilt=1.5, head=0.4, trailing_foot=20.0, rest=0.06)
# what has touched the ground stays there at once: toes that strike it bounce as the
# foot comes down behind them
LANDING_GAINS = replace(
    LEDGE_GAINS, chest=0.5, tilt=0.3, head=0.3, hip=0.05, momentum=0.1, stance_rate=120.0
)


@dataclass
class JumpDown(StagedManeuver):
    """One leap, from a step's beginning on until the body stands on the lower ground."""

    _leaving_time: float = 0.0  # s that leaving takes
    # feet that have landed
    _has_landed: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(2, bool))

    def compute_reference(self, state: PhysicsState, now: BodyState) -> ControlReference | None:
        """What to do now; None once the body stands."""
        t = state.time - self.stage_start
        loads = self.measure_loads(state)
        lead = float((now.com[:2] - self.begin_feet[self.stance_foot, :2]) @ self.axes[0])
        # what brushes the edge has not landed
        landed = (loads > 0.02) & (
            now.foot_frames.place[:, 2] < self.height_beyond + MAX_LANDED_HEIGHT
        )
        if not self.stage:
            self.enter_stage("leaves", state, now)
            lead = float((now.com[:2] - self.begin_feet[self.stance_foot, :2]) @ self.axes[0])
            self._leaving_time = max(
                (TAKE_OFF_LEAD - lead) / max(float(now.com_velocity[:2] @ self.axes[0]), 0.5),
                MIN_LEAVING_TIME,
            )
        elif self.stage == "leaves" and (
            lead > TAKE_OFF_LEAD or (t > SWING_EXTRA_TIME and loads[self.stance_foot] < 0.02)
        ):
            self.enter_stage("falls", state, now)
        elif self.stage == "falls" and t > MIN_FLIGHT_TIME and landed.any():
            self.enter_stage("lands", state, now)
        elif (
            self.stage == "lands"
            and now.com_velocity[2] > -RISE_ONSET_SPEED
            and t > MIN_LANDING_TIME
        ):
            self.enter_stage("rises", state, now)
        elif (
            self.stage == "rises" and (t > RISE_TIME + SETTLING_TIME or self._needs_step(now))
        ) or self.is_stuck(state):
            return None
        if self.stage == "lands":
            self._has_landed |= landed
        actions = {
            "leaves": self._leave,
            "falls": self._fall,
            "lands": self._land,
            "rises": self._rise,
        }
        return actions[self.stage](state.time - self.stage_start, now)

    def _needs_step(self, now: BodyState) -> bool:
        """Whether the body has come past its toes, and is up so far that it can step."""
        toes = max(float((points[:, :2] @ self.axes[0]).max()) for points in now.sole_points)
        return (
            self.compute_height_deficit(now, self.height_beyond, STEP_HEIGHT_RATIO) == 0
            and float(self.compute_capture_point(now, self.height_beyond) @ self.axes[0]) > toes
        )

    def _leave(self, t: float, now: BodyState) -> ControlReference:
        """On the last foot until the body is over the edge."""
        foot = self.begin_feet[self.stance_foot]
        other = 1 - self.stance_foot
        time_left = max(self._leaving_time - t, MIN_TIME_LEFT)
        vertical_acceleration = self.compute_vertical_acceleration(
            t,
            self._leaving_time,
            foot[2] + TAKE_OFF_HEIGHT_RATIO * self.standing_height,
            end_speed=TAKE_OFF_VERTICAL_SPEED,
            now=now,
        )
        side = 1.0 - 2.0 * other
        desired = (
            (
                np.array([TAKE_OFF_SPEED, side * TAKE_OFF_LATERAL_SPEED])
                - self.axes @ now.com_velocity[:2]
            )
            / time_left
            @ self.axes
        )
        rolling_legs = (
            (self.stance_foot,)
            if time_left < HEEL_RISE_LEAD_TIME or self.find_raised_heels(now, (self.stance_foot,))
            else ()
        )
        acceleration = project_com_acceleration(
            now.com,
            np.append(desired, vertical_acceleration),
            foot[2],
            gravity=self.gravity,
            soles=self.find_support_points(now, (self.stance_foot,), rolling_legs),
        )
        aside = float((now.com[:2] - self.edge) @ self.axes[1]) + side * SWING_LATERAL_OFFSET
        place = np.append(
            self.edge + np.array([SWING_TARGET_OFFSET[0], aside]) @ self.axes,
            foot[2] + SWING_TARGET_OFFSET[1],
        )
        swing = SwingTarget(
            other,
            place,
            self.heading,
            normal=UP,
            remaining_time=max(self._leaving_time + SWING_EXTRA_TIME - t, SWING_EXTRA_TIME),
            elapsed_time=t,
            lift_place=self.begin_feet[other],
            apex=SWING_APEX_HEIGHT,
        )
        return ControlReference(
            acceleration,
            self.compute_turn_acceleration(now),
            self.heading,
            stance=(self.stance_foot,),
            swing=swing,
            rolling_legs=rolling_legs,
            gains=LEAVING_GAINS,
            momentum=np.append(TAKE_OFF_ANGULAR_MOMENTUM * self.axes[1], 0.0),
        )

    def _fall(self, t: float, now: BodyState) -> ControlReference:
        """In the air: feet come beside each other, the trailing one is drawn up over the edge, and
        both reach for the ground.
        """
        speed = float(now.com_velocity[2])
        drop_height = (
            float(now.com[2]) - self.height_beyond - LANDING_REACH_RATIO * self.standing_height
        )
        time_left = (
            speed + np.sqrt(max(speed * speed + 2 * self.gravity * drop_height, 0.0))
        ) / self.gravity
        velocity = self.axes @ now.com_velocity[:2]
        reach_progress = _compute_reach_progress(time_left)
        foot_offsets = self._compute_foot_offsets(t, time_left, velocity)
        # with the speed of their places: feet that lag behind them still reach down as they
        # land, and strike harder
        foot_velocities = (
            self._compute_foot_offsets(t + DIFFERENCE_TIME, time_left - DIFFERENCE_TIME, velocity)
            - foot_offsets
        ) / DIFFERENCE_TIME
        # straight legs would stop it dead
        folding_legs = (
            (self.stance_foot,) if t < TUCK_TIME else (0, 1) if reach_progress > 0 else ()
        )
        return ControlReference(
            None,
            self.compute_turn_acceleration(now),
            self.heading,
            stance=(),
            swing=None,
            rolling_legs=(),
            free_foot_offsets=foot_offsets,
            free_foot_velocities=foot_velocities,
            folding_legs=folding_legs,
            gains=FALLING_GAINS,
            lean=LANDING_LEAN * reach_progress,
            toe_hang=LANDING_TOE_ANGLE * reach_progress,
        )

    def _compute_foot_offsets(self, t: float, time_left: float, velocity: Array) -> Array:
        """Where the feet are to be in the air, from the centre of mass. (2, 3) m.

        Args:
            t, time_left: s since the take-off and until the landing.
            velocity: (2,) m/s across the edge and along it.
        """
        tuck_progress = float(smoothstep(t / TUCK_TIME))
        reach_progress = _compute_reach_progress(time_left)
        foot_offsets = np.zeros((2, 3))
        for leg in range(2):
            begin = self.begin_feet[leg] - self.begin_com_state[:3]
            ahead, below = TUCK_OFFSETS[int(leg == self.stance_foot)]
            goal = np.array(
                [
                    (1 - reach_progress) * ahead + reach_progress * CAPTURE_TIME * velocity[0],
                    (1.0 - 2.0 * leg) * STANCE_HALF_WIDTH
                    + reach_progress * CAPTURE_TIME * velocity[1],
                    -self.standing_height
                    * ((1 - reach_progress) * below + reach_progress * LANDING_REACH_RATIO),
                ]
            )
            place = (1 - tuck_progress) * np.append(
                self.axes @ begin[:2], begin[2]
            ) + tuck_progress * goal
            foot_offsets[leg] = np.append(place[:2] @ self.axes, place[2])
        return foot_offsets

    def _land(self, t: float, now: BodyState) -> ControlReference:
        """Legs brake the fall, hardest while they are straight."""
        fall_speed = min(float(now.com_velocity[2]), 0.0)
        lowest_height = max(
            MIN_SQUAT_RATIO * self.standing_height,
            float(self.begin_com_state[2])
            - self.height_beyond
            - float(self.begin_com_state[5]) ** 2 / (2 * BRAKING_DECELERATION),
        )
        braking_distance = max(
            float(now.com[2]) - self.height_beyond - lowest_height, MIN_BRAKING_DISTANCE
        )
        return self._rest_on_landed_feet(
            now,
            min(
                INITIAL_BRAKING_FACTOR * fall_speed * fall_speed / (2 * braking_distance),
                MAX_BRAKING_DECELERATION,
            ),
        )

    def _rise(self, t: float, now: BodyState) -> ControlReference:
        return self._rest_on_landed_feet(
            now,
            self.compute_vertical_acceleration(
                t, RISE_TIME, self.height_beyond + self.standing_height, end_speed=0.0, now=now
            ),
        )

    def _rest_on_landed_feet(
        self, now: BodyState, vertical_acceleration: float
    ) -> ControlReference:
        """On the feet that have landed, the trunk ahead over folded legs."""
        legs = tuple(int(leg) for leg in np.flatnonzero(self._has_landed))
        # who counts on heels that are still in the air lets them fall: they strike at 6 m/s
        stiff_legs = self.find_raised_heels(now, legs)
        rolling_legs = tuple(leg for leg in legs if leg in stiff_legs or is_on_ball(now, leg))
        goal = now.foot_frames.place[:, :2].mean(0) + REST_OFFSET * self.axes[0]
        desired = np.append(
            self.compute_capture_acceleration(now, goal, self.height_beyond), vertical_acceleration
        )
        acceleration = project_com_acceleration(
            now.com,
            desired,
            self.height_beyond,
            gravity=self.gravity,
            soles=self.find_support_points(now, legs, rolling_legs),
        )
        foot_offsets = now.foot_frames.place - now.com
        foot_offsets[:, 2] = self.height_beyond - FOOT_PRESS_DEPTH - now.com[2]
        lean = LEAN_GAIN * self.compute_height_deficit(now, self.height_beyond, LEAN_HEIGHT_RATIO)
        return ControlReference(
            acceleration,
            self.compute_turn_acceleration(now),
            self.heading,
            stance=legs,
            swing=None,
            rolling_legs=rolling_legs,
            gains=LANDING_GAINS,
            free_foot_offsets=foot_offsets,
            lean=lean,
        )


def _compute_reach_progress(time_left: float) -> float:
    """How far legs have come from being tucked to reaching for the ground,
    so many s before the landing.
    """
    return float(smoothstep(1 - (time_left - READY_TIME) / REACH_TIME))

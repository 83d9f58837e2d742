"""Jump down from a ledge.

The body leaves the ledge from one foot as in a walk, lands on both feet at once, sinks into its
knees and stands up. The course is the table `JumpDown.stages` at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....geometry.curves import smoothstep
from ....simulate import BodyState, ControlReference, SwingTarget
from ....simulate.body import UP
from ..feet.heel_off import is_on_ball
from .base import Stage, StagedManeuver, StageView
from .jump_down_parameters import (
    FALLING_GAINS,
    JUMP_DOWN,
    LANDING_GAINS,
    LEAVING_GAINS,
)
from .ledge_crossing import CROSSING, LedgeCrossing, compute_side_sign

Array = NDArray[np.float64]


@dataclass
class JumpDown(StagedManeuver):
    """One jump, from the beginning of a step until the body stands on the lower ground.

    The stance foot takes off; the free foot leads.
    """

    crossing: LedgeCrossing
    _has_landed: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(2, bool), init=False)

    # Conditions.

    def _has_left(self, view: StageView) -> bool:
        """Return whether the body is over the edge, or its foot has lost the ground."""
        load = self.crossing.measure_loads(view.state)[self.crossing.stance_foot]
        return bool(
            self._measure_lead(view.body.com, view) > JUMP_DOWN.take_off_lead
            or (view.age > JUMP_DOWN.swing_extra_time and load < CROSSING.contact_load)
        )

    def _has_fallen(self, view: StageView) -> bool:
        """Return whether a foot has landed."""
        return view.age > JUMP_DOWN.min_flight_time and bool(self._find_landed_feet(view).any())

    def _has_braked(self, view: StageView) -> bool:
        """Return whether the fall is over."""
        speed = view.body.com_velocity[2]
        return bool(speed > -JUMP_DOWN.rise_onset_speed and view.age > JUMP_DOWN.min_landing_time)

    def _has_stood_up(self, view: StageView) -> bool:
        """Return whether the body had time to stand up, or steps out of the landing."""
        duration = JUMP_DOWN.rise_time + JUMP_DOWN.settling_time
        return view.age > duration or self._needs_step(view.body)

    # References.

    def _leave(self, view: StageView) -> ControlReference:
        """Stand on the last foot until the body is over the edge."""
        crossing = self.crossing
        foot = crossing.stance_foot
        duration = self._compute_leaving_time(view)
        time_left = max(duration - view.age, JUMP_DOWN.min_time_left)
        is_rolling = time_left < JUMP_DOWN.heel_rise_lead_time or bool(
            crossing.find_raised_heels(view.body, (foot,))
        )
        rolling_legs = (foot,) if is_rolling else ()
        level = view.start.feet[foot, 2]
        upward = crossing.compute_vertical_acceleration(
            view,
            duration,
            level + JUMP_DOWN.take_off_height_ratio * crossing.standing_height,
            end_speed=JUMP_DOWN.take_off_vertical_speed,
        )
        desired = np.append(self._compute_take_off_acceleration(view.body, time_left), upward)
        return ControlReference(
            crossing.project_acceleration(view.body, desired, level, (foot,), rolling_legs),
            crossing.compute_turn_acceleration(view.body),
            crossing.heading,
            stance=(foot,),
            swing=self._make_swing(view, duration),
            rolling_legs=rolling_legs,
            gains=LEAVING_GAINS,
            momentum=np.append(JUMP_DOWN.take_off_angular_momentum * crossing.axes[1], 0.0),
        )

    def _fall(self, view: StageView) -> ControlReference:
        """Bring the feet beside each other in the air, the trailing one over the edge, and reach
        for the ground with both.
        """
        crossing = self.crossing
        time_left = self._compute_fall_time_left(view.body)
        velocity = crossing.axes @ view.body.com_velocity[:2]
        reach_progress = _compute_reach_progress(time_left)
        offsets = self._compute_foot_offsets(view, view.age, time_left, velocity)
        # Feet that lag behind their trajectories still move down as they land, and strike harder.
        dt = CROSSING.difference_time
        next_offsets = self._compute_foot_offsets(view, view.age + dt, time_left - dt, velocity)
        if view.age < JUMP_DOWN.tuck_time:
            folding_legs: tuple[int, ...] = (crossing.stance_foot,)
        else:  # Straight legs would land with a blow.
            folding_legs = (0, 1) if reach_progress > 0 else ()
        return ControlReference(
            None,
            crossing.compute_turn_acceleration(view.body),
            crossing.heading,
            stance=(),
            free_foot_offsets=offsets,
            free_foot_velocities=(next_offsets - offsets) / dt,
            folding_legs=folding_legs,
            gains=FALLING_GAINS,
            lean=JUMP_DOWN.landing_lean * reach_progress,
            toe_hang=JUMP_DOWN.landing_toe_angle * reach_progress,
        )

    def _land(self, view: StageView) -> ControlReference:
        """Brake the fall, hardest while the legs are straight."""
        self._has_landed |= self._find_landed_feet(view)
        level = self.crossing.height_beyond
        fall_speed = min(float(view.body.com_velocity[2]), 0.0)
        begin_speed = float(view.start.com_velocity[2])
        lowest_height = max(
            JUMP_DOWN.min_squat_ratio * self.crossing.standing_height,
            float(view.start.com[2])
            - level
            - begin_speed**2 / (2 * JUMP_DOWN.braking_deceleration),
        )
        distance = max(
            float(view.body.com[2]) - level - lowest_height, JUMP_DOWN.min_braking_distance
        )
        deceleration = JUMP_DOWN.initial_braking_factor * fall_speed * fall_speed / (2 * distance)
        limit = JUMP_DOWN.max_braking_factor * JUMP_DOWN.braking_deceleration
        return self._rest_on_landed_feet(view.body, min(deceleration, limit))

    def _rise(self, view: StageView) -> ControlReference:
        """Stand up on the feet that have landed."""
        upward = self.crossing.compute_vertical_acceleration(
            view,
            JUMP_DOWN.rise_time,
            self.crossing.height_beyond + self.crossing.standing_height,
        )
        return self._rest_on_landed_feet(view.body, upward)

    # Parts of conditions and references.

    def _measure_lead(self, com: Array, view: StageView) -> float:
        """Return how far a center of mass (3,) is ahead of the place where the foot stood [m]."""
        place = view.start.feet[self.crossing.stance_foot, :2]
        return float((com[:2] - place) @ self.crossing.axes[0])

    def _find_landed_feet(self, view: StageView) -> NDArray[np.bool_]:
        """Return which feet stand on the lower ground, (2,); one that brushes the edge does not."""
        heights = view.body.foot_frames.place[:, 2]
        return np.asarray(
            (self.crossing.measure_loads(view.state) > CROSSING.contact_load)
            & (heights < self.crossing.height_beyond + JUMP_DOWN.max_landed_height)
        )

    def _needs_step(self, now: BodyState) -> bool:
        """Return whether the body falls past its toes and is high enough to step."""
        crossing = self.crossing
        level = crossing.height_beyond
        forward = crossing.axes[0]
        toes = max(float((points[:, :2] @ forward).max()) for points in now.sole_points)
        capture_point = crossing.compute_capture_point(now, level)
        return (
            crossing.compute_height_deficit(now, level, JUMP_DOWN.step_height_ratio) == 0
            and float(capture_point @ forward) > toes
        )

    def _compute_leaving_time(self, view: StageView) -> float:
        """Return the time from the beginning of the stage to the take-off [s]."""
        start = view.start
        speed = float(start.com_velocity[:2] @ self.crossing.axes[0])
        distance = JUMP_DOWN.take_off_lead - self._measure_lead(start.com, view)
        return max(distance / max(speed, JUMP_DOWN.min_approach_speed), JUMP_DOWN.min_leaving_time)

    def _compute_take_off_acceleration(self, now: BodyState, time_left: float) -> Array:
        """Return the horizontal acceleration (2,) to the velocity of the take-off [m/s^2].

        Args:
            time_left: time until then [s].
        """
        axes = self.crossing.axes
        take_off_velocity = np.array(
            [
                JUMP_DOWN.take_off_speed,
                compute_side_sign(self.crossing.free_foot) * JUMP_DOWN.take_off_lateral_speed,
            ]
        )
        return np.asarray((take_off_velocity - axes @ now.com_velocity[:2]) / time_left @ axes)

    def _make_swing(self, view: StageView, duration: float) -> SwingTarget:
        """Return the swing of the leading foot over the edge, in a duration [s]."""
        crossing = self.crossing
        leg = crossing.free_foot
        aside = (
            float((view.body.com[:2] - crossing.edge) @ crossing.axes[1])
            + compute_side_sign(leg) * JUMP_DOWN.swing_lateral_offset
        )
        target = crossing.edge + np.array([JUMP_DOWN.swing_distance, aside]) @ crossing.axes
        level = view.start.feet[crossing.stance_foot, 2]
        extra_time = JUMP_DOWN.swing_extra_time
        return SwingTarget(
            leg,
            np.append(target, level + JUMP_DOWN.swing_end_height),
            crossing.heading,
            normal=UP,
            remaining_time=max(duration + extra_time - view.age, extra_time),
            elapsed_time=view.age,
            lift_place=view.start.feet[leg],
            apex=JUMP_DOWN.swing_apex,
        )

    def _compute_fall_time_left(self, now: BodyState) -> float:
        """Return the time until the feet reach the ground [s]."""
        crossing = self.crossing
        speed = float(now.com_velocity[2])
        drop_height = (
            float(now.com[2])
            - crossing.height_beyond
            - JUMP_DOWN.landing_reach_ratio * crossing.standing_height
        )
        impact_speed = np.sqrt(max(speed * speed + 2 * crossing.gravity * drop_height, 0.0))
        return float((speed + impact_speed) / crossing.gravity)

    def _compute_foot_offsets(
        self, view: StageView, age: float, time_left: float, velocity: Array
    ) -> Array:
        """Return the positions of the feet in the air, from the center of mass, (2, 3) [m].

        Args:
            age: time since the take-off [s].
            time_left: time until the landing [s].
            velocity: (2,) velocity across the edge and along it [m/s].
        """
        axes = self.crossing.axes
        tuck_progress = float(smoothstep(age / JUMP_DOWN.tuck_time))
        reach_progress = _compute_reach_progress(time_left)
        offsets = np.zeros((2, 3))
        for leg in range(2):
            begin = view.start.feet[leg] - view.start.com
            begin = np.append(axes @ begin[:2], begin[2])
            end = self._compute_reaching_offset(leg, reach_progress, velocity)
            place = (1 - tuck_progress) * begin + tuck_progress * end
            offsets[leg] = np.append(place[:2] @ axes, place[2])
        return offsets

    def _compute_reaching_offset(self, leg: int, reach_progress: float, velocity: Array) -> Array:
        """Return the offset of a foot between its tucked place and its landing place.

        Args:
            reach_progress: 0 tucked, 1 at the landing [1].
            velocity: (2,) velocity across the edge and along it [m/s].

        Returns:
            (3,) across the edge, along it and upward, from the center of mass [m].
        """
        is_trailing = leg == self.crossing.stance_foot
        ahead = JUMP_DOWN.trailing_tuck_ahead if is_trailing else JUMP_DOWN.leading_tuck_ahead
        below = JUMP_DOWN.trailing_tuck_ratio if is_trailing else JUMP_DOWN.leading_tuck_ratio
        lead_time = JUMP_DOWN.landing_lead_time
        return np.array(
            [
                (1 - reach_progress) * ahead + reach_progress * lead_time * velocity[0],
                compute_side_sign(leg) * JUMP_DOWN.stance_half_width
                + reach_progress * lead_time * velocity[1],
                -self.crossing.standing_height
                * ((1 - reach_progress) * below + reach_progress * JUMP_DOWN.landing_reach_ratio),
            ]
        )

    def _rest_on_landed_feet(self, now: BodyState, upward: float) -> ControlReference:
        """Return the reference of a body that comes to rest on the feet that have landed.

        Args:
            upward: desired vertical acceleration [m/s^2].
        """
        crossing = self.crossing
        level = crossing.height_beyond
        legs = tuple(int(leg) for leg in np.flatnonzero(self._has_landed))
        # Heels in the air carry nothing. If the controller counted on them, no torque would hold
        # the feet, and the heels would strike at 6 m/s.
        stiff_legs = crossing.find_raised_heels(now, legs)
        rolling_legs = tuple(leg for leg in legs if leg in stiff_legs or is_on_ball(now, leg))
        goal = now.foot_frames.place[:, :2].mean(0) + JUMP_DOWN.rest_offset * crossing.axes[0]
        desired = np.append(crossing.compute_capture_acceleration(now, goal, level), upward)
        offsets = now.foot_frames.place - now.com
        offsets[:, 2] = level - JUMP_DOWN.foot_press_depth - now.com[2]
        return ControlReference(
            crossing.project_acceleration(now, desired, level, legs, rolling_legs),
            crossing.compute_turn_acceleration(now),
            crossing.heading,
            stance=legs,
            rolling_legs=rolling_legs,
            gains=LANDING_GAINS,
            free_foot_offsets=offsets,
            lean=crossing.compute_lean(now, level, JUMP_DOWN.lean_gain),
        )

    stages = (
        Stage("leave", _leave, _has_left),
        Stage("fall", _fall, _has_fallen),
        Stage("land", _land, _has_braked),
        Stage("rise", _rise, _has_stood_up),
    )


def _compute_reach_progress(time_left: float) -> float:
    """Return how far the legs have moved from tucked (0) to landing (1).

    Args:
        time_left: time until the landing [s].
    """
    return float(smoothstep(1 - (time_left - JUMP_DOWN.ready_time) / JUMP_DOWN.reach_time))

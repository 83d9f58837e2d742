"""Climb onto a ledge up to the height of a knee.

One foot steps onto the ledge, the weight shifts over it, the body rises on it, and the other foot
follows. The course is the table `Climb.stages` at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....geometry import so3
from ....geometry.curves import evaluate_quintic
from ....geometry.planar import heading_axes
from ....simulate import BodyState, ControlReference, SwingTarget
from ....simulate.body import UP
from ....slip.body import PROPORTIONS
from ..feet.free_leg import FreeFootMotion
from .base import Stage, StagedManeuver, StageView
from .climb_feet import CLIMB_FEET, ClimbFeet
from .climb_parameters import CLIMB, CLIMB_GAINS
from .ledge_crossing import CROSSING, LedgeCrossing, compute_side_sign, track

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Acceleration:
    """Desired acceleration of the center of mass (3,) [m/s^2], and the ground that carries it.

    Attributes:
        level: height of this ground [m].
    """

    desired: Array
    level: float


@dataclass
class Climb(StagedManeuver):
    """One climb, from the beginning of a step until the body stands on the ledge.

    The stance foot carries the body until the weight has shifted; the free foot steps onto the
    ledge first.
    """

    crossing: LedgeCrossing

    @property
    def feet(self) -> ClimbFeet:
        """Footholds of the climb."""
        assert self.maneuver_start is not None
        return ClimbFeet(self.crossing, self.maneuver_start)

    # Conditions.

    def _has_gathered(self, view: StageView) -> bool:
        """Return whether the free foot stands beside the stance foot."""
        load = self._measure_load(view, self.crossing.free_foot)
        return view.age > CLIMB.min_step_share * CLIMB.gather_time and load > CLIMB.touch_load

    def _has_leaned(self, view: StageView) -> bool:
        """Return whether the weight is over the stance foot."""
        return view.age > CLIMB.min_lean_time and self._is_weight_over(
            view.body, self.crossing.stance_foot, CLIMB.strict_tolerance_ratio
        )

    def _cannot_lean(self, view: StageView) -> bool:
        """Return whether the body falls past its feet, or takes too long."""
        return self._is_falling_aside(view.body) or view.age > CLIMB.max_double_support_time

    def _has_reached(self, view: StageView) -> bool:
        """Return whether the free foot stands on the ledge."""
        leg = self.crossing.free_foot
        height = view.body.foot_frames.place[leg, 2] - self.crossing.height_beyond
        return bool(
            view.age > CLIMB.min_reach_share * CLIMB.reach_time
            and self._measure_load(view, leg) > CLIMB.touch_load
            and height > -CLIMB.max_landing_depth
        )

    def _has_shifted(self, view: StageView) -> bool:
        """Return whether the weight is over the upper foot, or the lower one has lifted off."""
        lower_load = self._measure_load(view, self.crossing.stance_foot)
        return self._is_weight_over(view.body, self.crossing.free_foot, np.inf) or (
            view.age > CLIMB.min_shift_share * CLIMB.shift_time
            and lower_load < CROSSING.contact_load
        )

    def _has_risen(self, view: StageView) -> bool:
        """Return whether the body is high enough for the other foot to follow."""
        height = view.body.com[2] - self.crossing.height_beyond
        return bool(height > CLIMB.join_height_ratio * self.crossing.standing_height)

    def _has_joined(self, view: StageView) -> bool:
        """Return whether the other foot stands on the ledge."""
        load = self._measure_load(view, self.crossing.stance_foot)
        return view.age > CLIMB.min_step_share * CLIMB.join_time and load > CLIMB.touch_load

    def _has_settled(self, view: StageView) -> bool:
        """Return whether the body stands, falls past its feet so that it must step, or had time."""
        if self._is_falling_aside(view.body) or view.age > CLIMB.max_double_support_time:
            return True
        ahead, aside = self._compute_capture_offset(view.body)
        return bool(
            view.age > CLIMB.min_settling_time
            and abs(aside) < CLIMB.settled_distance
            and ahead > -CLIMB.settled_distance
        )

    # References.

    def _gather(self, view: StageView) -> ControlReference:
        """Stand on the stance foot while the free foot comes beside it."""
        crossing = self.crossing
        stance_place = view.body.foot_frames.place[crossing.stance_foot]
        leg = crossing.free_foot
        swing = SwingTarget(
            leg,
            self.feet.compute_gathering_place(max(CLIMB.gather_time - view.age, 0.0), view.body),
            crossing.heading,
            normal=UP,
            remaining_time=max(CLIMB.gather_time - view.age, CLIMB.min_remaining_time),
            elapsed_time=view.age,
            lift_place=view.start.feet[leg],
        )
        # Not farther toward a foothold far aside: the body has to come back from there.
        aside = CLIMB_FEET.stance_half_width * compute_side_sign(leg)
        goal = stance_place[:2] + np.array([CLIMB.rest_offset, aside]) @ crossing.axes
        reference = self._rest_over(
            view, (crossing.stance_foot,), goal, CLIMB.gather_time, stance_place[2]
        )
        return replace(reference, swing=swing)

    def _lean(self, view: StageView) -> ControlReference:
        """Shift the weight over the stance foot, on both feet."""
        foot = self.crossing.stance_foot
        level = view.body.foot_frames.place[foot, 2]
        goal = _compute_rest_point(view.body, foot)
        return self._rest_over(view, (0, 1), goal, CLIMB.min_lean_time, level)

    def _reach(self, view: StageView) -> ControlReference:
        """Stand on the stance foot while the free foot steps onto the ledge."""
        foot = self.crossing.stance_foot
        leg = self.crossing.free_foot
        level = view.body.foot_frames.place[foot, 2]
        goal = _compute_rest_point(view.body, foot)
        reference = self._rest_over(view, (foot,), goal, CLIMB.reach_time, level)
        is_folding = view.age < CLIMB.fold_share * CLIMB.reach_time
        return replace(
            self._step_up(reference, view, leg, CLIMB.reach_time),
            folding_legs=(leg,) if is_folding else (),
        )

    def _shift(self, view: StageView) -> ControlReference:
        """Shift the weight from the lower to the upper foot, along the line between both."""
        crossing = self.crossing
        now = view.body
        low_place = now.foot_frames.place[crossing.stance_foot]
        high_place = now.foot_frames.place[crossing.free_foot]
        line = self._compute_rise_point(now) - low_place[:2]
        length = float(np.linalg.norm(line))
        axes = np.array([line, [-line[1], line[0]]]) / length
        position = axes @ (now.com - low_place)[:2]
        share = float(np.clip(position[0] / length, 0.0, 1.0))
        level = float(low_place[2] + share * (high_place[2] - low_place[2]))
        # The two soles carry little across the line.
        across = float(axes[1] @ crossing.compute_capture_acceleration(now, low_place[:2], level))
        along = self._compute_shift_acceleration(view, axes, low_place, length)
        # No more than the heel of the lower foot can push: a larger acceleration would not keep
        # the body on the line.
        heel_distance = position[0] + CLIMB.heel_support_length
        along = min(along, crossing.gravity / (float(now.com[2]) - level) * heel_distance)
        end_height = max(
            crossing.height_beyond + CLIMB.lift_off_height_ratio * crossing.standing_height,
            float(view.start.com[2]),
        )
        upward = crossing.compute_vertical_acceleration(view, CLIMB.shift_time, end_height)
        return self._make_reference(
            now,
            (0, 1),
            _Acceleration(np.append(np.array([along, across]) @ axes, upward), level),
            rolling_legs=(crossing.stance_foot,) if share > CLIMB.heel_rise_share else (),
        )

    def _rise(self, view: StageView) -> ControlReference:
        """Rise on the upper foot while the other foot stays behind the edge.

        If that foot followed at once, its leg would strike the edge.
        """
        crossing = self.crossing
        foot = crossing.stance_foot
        offsets = view.start.feet - view.body.com
        offsets[foot, :2] -= CLIMB.trailing_foot_offset * crossing.axes[0]
        offsets[foot, 2] = max(offsets[foot, 2], -CLIMB.max_trailing_foot_depth)
        return _move_free_foot(
            self._stand_on_ledge(view, CLIMB.rise_time), FreeFootMotion(offsets, np.zeros((2, 3)))
        )

    def _join(self, view: StageView) -> ControlReference:
        """Stand on the upper foot while the other foot comes beside it."""
        reference = self._stand_on_ledge(view, CLIMB.straightening_time)
        return self._step_up(reference, view, self.crossing.stance_foot, CLIMB.join_time)

    def _settle(self, view: StageView) -> ControlReference:
        """Come to rest on both feet."""
        middle = view.body.foot_frames.place[:, :2].mean(0)
        goal = middle + CLIMB.rest_offset * self.crossing.axes[0]
        level = self.crossing.height_beyond
        return self._rest_over(view, (0, 1), goal, CLIMB.min_settling_time, level)

    # Parts of conditions and references.

    def _measure_load(self, view: StageView, leg: int) -> float:
        """Return the load of a foot [body weights]."""
        return float(self.crossing.measure_loads(view.state)[leg])

    def _is_weight_over(self, now: BodyState, leg: int, tolerance_ratio: float) -> bool:
        """Return whether the capture point is over a foot.

        Args:
            tolerance_ratio: factor of the tolerance to the side [1].
        """
        place = now.foot_frames.place[leg]
        capture_point = self.crossing.compute_capture_point(now, float(place[2]))
        ahead, aside = _compute_foot_axes(now, leg) @ (capture_point - place[:2])
        return bool(
            ahead > -CLIMB.max_capture_distance_behind
            and abs(aside) < tolerance_ratio * CLIMB.max_capture_distance_aside
        )

    def _compute_capture_offset(self, now: BodyState) -> Array:
        """Return the capture point ahead and to the left of the point of rest, (2,) [m]."""
        places = now.foot_frames.place
        capture_point = self.crossing.compute_capture_point(now, float(places[:, 2].mean()))
        offset = self.crossing.axes @ (capture_point - places[:, :2].mean(0))
        return np.asarray(offset - [CLIMB.rest_offset, 0.0])

    def _is_falling_aside(self, now: BodyState) -> bool:
        """Return whether the body falls past one of its feet."""
        left_place, right_place = now.foot_frames.place
        spacing = abs(float((left_place - right_place)[:2] @ self.crossing.axes[1]))
        aside = self._compute_capture_offset(now)[1]
        return bool(abs(aside) > 0.5 * spacing + PROPORTIONS.sole_half_width)

    def _compute_rise_point(self, now: BodyState) -> Array:
        """Return the point (2,) of the upper foot over which the body rises [m]."""
        inward = CLIMB.inward_offset * compute_side_sign(self.crossing.stance_foot)
        place = now.foot_frames.place[self.crossing.free_foot, :2]
        return np.asarray(place + inward * self.crossing.axes[1])

    def _compute_shift_acceleration(
        self, view: StageView, axes: Array, low_place: Array, length: float
    ) -> float:
        """Return the acceleration along the line between both feet [m/s^2].

        Args:
            axes: (2, 2) directions along the line and across it.
            low_place: (3,) the lower foot, where the line begins [m].
            length: length of the line [m].
        """
        begin_position = axes @ (view.start.com[:2] - low_place[:2])
        begin_velocity = axes @ view.start.com_velocity[:2]
        target = evaluate_quintic(
            view.age / CLIMB.shift_time,
            CLIMB.shift_time,
            np.array([begin_position[0], begin_velocity[0]]),
            np.array([length - CLIMB.shift_stop_distance, CLIMB.shift_end_speed]),
        )
        position = axes @ (view.body.com - low_place)[:2]
        velocity = axes @ view.body.com_velocity[:2]
        return track(target, position[0], velocity[0])

    def _step_up(
        self, reference: ControlReference, view: StageView, leg: int, duration: float
    ) -> ControlReference:
        """Let a foot step onto the ledge, in a duration [s]."""
        motion = self.feet.compute_step_up(
            leg, view.age / duration, duration, view.body, begin=view.start.feet[leg]
        )
        return _move_free_foot(reference, motion)

    def _stand_on_ledge(self, view: StageView, duration: float) -> ControlReference:
        """Return the reference of a body that rises on the upper foot, in a duration [s]."""
        crossing = self.crossing
        return self._rest_over(
            view,
            (crossing.free_foot,),
            self._compute_rise_point(view.body),
            duration,
            crossing.height_beyond,
        )

    def _rest_over(
        self,
        view: StageView,
        legs: tuple[int, ...],
        goal: Array,
        duration: float,
        end_level: float,
    ) -> ControlReference:
        """Return the reference of a body that comes to rest, upright, over a point.

        Args:
            legs: legs that carry it.
            goal: (2,) the point [m].
            duration: time from the beginning of the stage until the body is upright [s].
            end_level: height of the ground on which it is upright then [m].
        """
        crossing = self.crossing
        level = float(view.body.foot_frames.place[list(legs), 2].mean())
        horizontal = crossing.compute_capture_acceleration(view.body, goal, level)
        upward = crossing.compute_vertical_acceleration(
            view, duration, end_level + crossing.standing_height
        )
        acceleration = _Acceleration(np.append(horizontal, upward), level)
        return self._make_reference(view.body, legs, acceleration)

    def _make_reference(
        self,
        now: BodyState,
        legs: tuple[int, ...],
        acceleration: _Acceleration,
        rolling_legs: tuple[int, ...] = (),
    ) -> ControlReference:
        """Return the reference of a body that accelerates as its soles allow, its trunk forward
        over bent legs.
        """
        crossing = self.crossing
        level = acceleration.level
        return ControlReference(
            crossing.project_acceleration(now, acceleration.desired, level, legs, rolling_legs),
            crossing.compute_turn_acceleration(now),
            crossing.heading,
            stance=legs,
            rolling_legs=rolling_legs,
            gains=CLIMB_GAINS,
            lean=crossing.compute_lean(now, level, CLIMB.lean_gain),
        )

    stages = (
        Stage("gather", _gather, _has_gathered),
        Stage("lean", _lean, _has_leaned, has_failed=_cannot_lean),
        Stage("reach", _reach, _has_reached),
        Stage("shift", _shift, _has_shifted),
        Stage("rise", _rise, _has_risen),
        Stage("join", _join, _has_joined),
        Stage("settle", _settle, _has_settled),
    )


def _compute_foot_axes(now: BodyState, leg: int) -> Array:
    """Return the directions ahead and to the left of a foot, (2, 2)."""
    return heading_axes(float(so3.yaw_from_matrix(now.foot_frames.rotation[leg])))


def _compute_rest_point(now: BodyState, leg: int) -> Array:
    """Return the point (2,) over which a body rests on one foot [m].

    It lies ahead along the foot, not along the body: the foot is narrow and may be turned.
    """
    forward = _compute_foot_axes(now, leg)[0]
    return np.asarray(now.foot_frames.place[leg, :2] + CLIMB.rest_offset * forward)


def _move_free_foot(reference: ControlReference, motion: FreeFootMotion) -> ControlReference:
    """Return a reference with the motion of a foot in the air."""
    return replace(
        reference,
        free_foot_offsets=motion.offsets,
        free_foot_velocities=motion.velocities,
    )

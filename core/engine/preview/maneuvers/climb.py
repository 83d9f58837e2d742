"""Up a ledge as high as a knee: one foot on it, the weight over that foot, up,
and the other foot beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....geometry import so3
from ....geometry.curves import evaluate_quintic, evaluate_step_path
from ....geometry.planar import heading_axes
from ....simulate import BodyState, ControlReference, PhysicsState, SwingTarget
from ....simulate.body import UP
from .balance import project_com_acceleration
from .base import FOLLOW_STIFFNESS, LEDGE_GAINS, StagedManeuver

Array = NDArray[np.float64]

# heights of the centre of mass are shares of the standing body's

# m past the edge, and to either side of their middle, where feet come to stand
LANDING_DEPTH = 0.15
STANCE_HALF_WIDTH = 0.09

GATHER_TIME = 0.5  # s in which the second foot comes beside the first, before the ledge

# s at least and at most until the weight is over one foot,
# and of `CAPTURE_POINT_TOLERANCES` how well
LEAN_TIMES = (0.4, 1.2)
STRICT_TOLERANCE_RATIO = 0.55

REACH_TIME = 0.8  # s in which the other one gets on the ledge
FOLD_SHARE = 0.5  # share of it in which its knee is to bend

# m above the ledge that feet pass it by, and below it to which they reach
FOOT_CLEARANCE = 0.08
FOOT_PRESS_DEPTH = 0.02

SHIFT_TIME = 1.0  # s in which the weight goes over to the upper foot
SHIFT_END_SPEED = 0.2  # m/s that it then still goes ahead

# m before that foot to which it goes, and to its inside
SHIFT_STOP_DISTANCE = 0.04
INWARD_OFFSET = 0.01

HEEL_SUPPORT_LENGTH = 0.06  # m behind the lower foot's middle that bear
HEEL_RISE_SHARE = 0.55  # share of the way from where its heel rises
LIFT_OFF_HEIGHT_RATIO = 0.52  # above the ledge as the lower foot leaves the ground
# m that the capture point may be behind the middle of the foot, and beside it
CAPTURE_POINT_TOLERANCES = (0.06, 0.025)
RISE_TIME = 0.8  # s of getting up
JOIN_HEIGHT_RATIO = 0.77  # above the ledge, from where the other foot is brought up
TRAILING_FOOT_OFFSET = 0.05  # m that it is held farther behind until then
MAX_TRAILING_FOOT_DEPTH = 0.86  # m below the centre of mass at most

# s in which it comes beside the other, and in which the body is upright
JOIN_TIME = 0.6
STRAIGHTENING_TIME = 0.4

SOLE_HALF_WIDTH = 0.03  # m of a sole to its side that bear
MAX_WIDENING = 0.34  # farther aside than it would come down, at most
WIDENING_MARGINS = 0.07, 0.03  # m past where the body falls to, before the ledge and on it

# s on both feet at least and at most, until the body is so near to between them, m
SETTLING_TIMES = (0.3, 1.2)
SETTLED_DISTANCE = 0.05

REST_OFFSET = 0.03  # m ahead of the feet's middles, where the body rests

# rad for each m that it is lower than that
LEAN_GAIN = 0.9
LEAN_HEIGHT_RATIO = 0.93

DIFFERENCE_TIME = 0.004  # s over which a foot's way is told as a speed
CLIMB_GAINS = replace(
    LEDGE_GAINS, chest=0.7, tilt=0.5, head=0.4, hip=0.05, momentum=0.1, trailing_foot=10.0
)


@dataclass
class Climb(StagedManeuver):
    """Once, from a step's beginning on until the body stands on the ledge."""

    _center_offset: float = 0.0  # m to the left of the edge's middle, between both feet

    def compute_reference(self, state: PhysicsState, now: BodyState) -> ControlReference | None:
        """What to do now; None once the body stands."""
        t = state.time - self.stage_start
        loads = self.measure_loads(state)
        trailing = self.stance_foot
        leading = 1 - self.stance_foot
        if not self.stage:
            self.enter_stage("gathers", state, now)
            self._center_offset = float(
                (self.begin_feet[trailing, :2] - self.edge) @ self.axes[1]
            ) - STANCE_HALF_WIDTH * self._find_side_sign(trailing)
        elif self.stage == "gathers" and t > 0.5 * GATHER_TIME and loads[leading] > 0.05:
            self.enter_stage("leans", state, now)
        elif (
            self.stage == "leans"
            and t > LEAN_TIMES[0]
            and self._has_weight_over(now, trailing, STRICT_TOLERANCE_RATIO)
        ):
            self.enter_stage("reaches", state, now)
        elif (
            self.stage == "reaches"
            and t > 0.4 * REACH_TIME
            and loads[leading] > 0.05
            and now.foot_frames.place[leading, 2] > self.height_beyond - 0.05
        ):
            self.enter_stage("shifts", state, now)
        elif self.stage == "shifts" and (
            self._has_weight_over(now, leading, np.inf)
            or (t > 0.2 * SHIFT_TIME and loads[trailing] < 0.02)
        ):
            self.enter_stage("rises", state, now)
        elif (
            self.stage == "rises"
            and now.com[2] - self.height_beyond > JOIN_HEIGHT_RATIO * self.standing_height
        ):
            self.enter_stage("joins", state, now)
        elif self.stage == "joins" and t > 0.5 * JOIN_TIME and loads[trailing] > 0.05:
            self.enter_stage("settles", state, now)
        elif self._is_done(t, now) or self.is_stuck(state):
            return None
        actions = {
            "gathers": self._gather,
            "leans": self._lean,
            "reaches": self._reach,
            "shifts": self._shift,
            "rises": self._rise,
            "joins": self._join,
            "settles": self._settle,
        }
        return actions[self.stage](state.time - self.stage_start, now)

    def _find_side_sign(self, leg: int) -> float:
        return 1.0 - 2.0 * leg

    def _has_weight_over(self, now: BodyState, leg: int, tolerance: float = 1.0) -> bool:
        """Whether the capture point is over a foot."""
        foot = now.foot_frames.place[leg]
        ahead, aside = heading_axes(float(so3.yaw_from_matrix(now.foot_frames.rotation[leg]))) @ (
            self.compute_capture_point(now, float(foot[2])) - foot[:2]
        )
        return bool(
            ahead > -CAPTURE_POINT_TOLERANCES[0]
            and abs(aside) < tolerance * CAPTURE_POINT_TOLERANCES[1]
        )

    def _is_done(self, t: float, now: BodyState) -> bool:
        """Whether the body stands on both feet, has had the time to, or falls past them: then it
        must step, and try again.
        """
        if self.stage not in ("leans", "settles"):
            return False
        level = float(now.foot_frames.place[:, 2].mean())
        behind, aside = self.axes @ (
            self.compute_capture_point(now, level) - now.foot_frames.place[:, :2].mean(0)
        ) - [REST_OFFSET, 0.0]
        foot_spacing = abs(
            float((now.foot_frames.place[0] - now.foot_frames.place[1])[:2] @ self.axes[1])
        )
        if (
            abs(aside) > 0.5 * foot_spacing + SOLE_HALF_WIDTH
            or t > {"leans": LEAN_TIMES, "settles": SETTLING_TIMES}[self.stage][1]
        ):
            return True
        return (
            self.stage == "settles"
            and t > SETTLING_TIMES[0]
            and abs(aside) < SETTLED_DISTANCE
            and behind > -SETTLED_DISTANCE
        )

    def _find_rest_point(self, now: BodyState, leg: int) -> Array:
        """Over which the body rests on one foot, (2,): ahead along that foot, which may
        stand askew and is narrow.
        """
        return np.asarray(
            now.foot_frames.place[leg, :2]
            + REST_OFFSET
            * heading_axes(float(so3.yaw_from_matrix(now.foot_frames.rotation[leg])))[0]
        )

    def _find_inner_point(self, now: BodyState) -> Array:
        """Where the weight is to be on the upper foot, (2,): to the inside, for as the body
        rises it drifts outward.
        """
        return np.asarray(
            now.foot_frames.place[1 - self.stance_foot, :2]
            + INWARD_OFFSET * self._find_side_sign(self.stance_foot) * self.axes[1]
        )

    def _gather(self, t: float, now: BodyState) -> ControlReference:
        """On one foot while the other one comes beside it."""
        foot = now.foot_frames.place[self.stance_foot]
        leading = 1 - self.stance_foot
        aside = self._find_landing_offset(leading) + self._find_side_sign(
            leading
        ) * self._compute_widening(
            leading,
            max(GATHER_TIME - t, 0.0),
            now,
            level=float(foot[2]),
            margin=WIDENING_MARGINS[0],
        )
        along, _ = self.axes @ (foot[:2] - self.edge)
        place = np.append(self.edge + np.array([along, aside]) @ self.axes, foot[2])
        # no farther over to a foot that comes down far aside: the body has to come back from there
        goal = (
            foot[:2]
            + np.array([REST_OFFSET, STANCE_HALF_WIDTH * self._find_side_sign(leading)]) @ self.axes
        )
        swing = SwingTarget(
            leading,
            place,
            self.heading,
            normal=UP,
            remaining_time=max(GATHER_TIME - t, 0.02),
            elapsed_time=t,
            lift_place=self.begin_feet[leading],
        )
        return self._rest_over(
            now,
            (self.stance_foot,),
            goal,
            self.compute_vertical_acceleration(
                t, GATHER_TIME, foot[2] + self.standing_height, end_speed=0.0, now=now
            ),
            swing=swing,
        )

    def _lean(self, t: float, now: BodyState) -> ControlReference:
        """On both feet until the weight is over the one that stays."""
        foot = now.foot_frames.place[self.stance_foot]
        vertical_acceleration = self.compute_vertical_acceleration(
            t, LEAN_TIMES[0], foot[2] + self.standing_height, end_speed=0.0, now=now
        )
        return self._rest_over(
            now, (0, 1), self._find_rest_point(now, self.stance_foot), vertical_acceleration
        )

    def _reach(self, t: float, now: BodyState) -> ControlReference:
        """On the lower foot while the other one gets on the ledge."""
        foot = now.foot_frames.place[self.stance_foot]
        leading = 1 - self.stance_foot
        vertical_acceleration = self.compute_vertical_acceleration(
            t, REACH_TIME, foot[2] + self.standing_height, end_speed=0.0, now=now
        )
        return self._rest_over(
            now,
            (self.stance_foot,),
            self._find_rest_point(now, self.stance_foot),
            vertical_acceleration=vertical_acceleration,
            foot_motion=self._compute_foot_motion(leading, t / REACH_TIME, REACH_TIME, now),
            folding_legs=(leading,) if t < FOLD_SHARE * REACH_TIME else (),
        )

    def _shift(self, t: float, now: BodyState) -> ControlReference:
        """On both feet until the body is over the upper one."""
        low_foot = now.foot_frames.place[self.stance_foot]
        high_foot = now.foot_frames.place[1 - self.stance_foot]
        line = self._find_inner_point(now) - low_foot[:2]
        length = float(np.linalg.norm(line))
        # from foot to foot, and across, where soles bear little
        axes = np.array([line, [-line[1], line[0]]]) / length
        begin_position = axes @ (self.begin_com_state[:2] - low_foot[:2])
        begin_speed = axes @ self.begin_com_state[3:5]
        target = evaluate_quintic(
            t / SHIFT_TIME,
            SHIFT_TIME,
            np.array([begin_position[0], begin_speed[0]]),
            np.array([length - SHIFT_STOP_DISTANCE, SHIFT_END_SPEED]),
        )
        position = axes @ (now.com - low_foot)[:2]
        velocity = axes @ now.com_velocity[:2]
        share = float(np.clip(position[0] / length, 0.0, 1.0))
        level = float(low_foot[2] + share * (high_foot[2] - low_foot[2]))
        along_acceleration = (
            target.acceleration
            + FOLLOW_STIFFNESS * (target.position - position[0])
            + 2 * np.sqrt(FOLLOW_STIFFNESS) * (target.velocity - velocity[0])
        )
        # no more than the lower heel can give: what is asked of it besides
        # keeps the body on the line
        along_acceleration = min(
            along_acceleration,
            self.gravity / (float(now.com[2]) - level) * (position[0] + HEEL_SUPPORT_LENGTH),
        )
        across_acceleration = float(
            axes[1] @ self.compute_capture_acceleration(now, low_foot[:2], level)
        )
        vertical_acceleration = self.compute_vertical_acceleration(
            t,
            SHIFT_TIME,
            max(
                self.height_beyond + LIFT_OFF_HEIGHT_RATIO * self.standing_height,
                float(self.begin_com_state[2]),
            ),
            end_speed=0.0,
            now=now,
        )
        rolling_legs = (self.stance_foot,) if share > HEEL_RISE_SHARE else ()
        return self._make_reference(
            now,
            (0, 1),
            np.append(
                np.array([along_acceleration, across_acceleration]) @ axes, vertical_acceleration
            ),
            level=level,
            rolling_legs=rolling_legs,
        )

    def _rise(self, t: float, now: BodyState) -> ControlReference:
        """Up on the upper foot, the other one held behind the edge:
        a leg that came along would strike it.
        """
        vertical_acceleration = self.compute_vertical_acceleration(
            t, RISE_TIME, self.height_beyond + self.standing_height, end_speed=0.0, now=now
        )
        foot_offsets = self.begin_feet - now.com
        foot_offsets[self.stance_foot, :2] -= TRAILING_FOOT_OFFSET * self.axes[0]
        foot_offsets[self.stance_foot, 2] = max(
            foot_offsets[self.stance_foot, 2], -MAX_TRAILING_FOOT_DEPTH
        )
        return self._rest_over(
            now,
            (1 - self.stance_foot,),
            self._find_inner_point(now),
            vertical_acceleration=vertical_acceleration,
            foot_motion=(foot_offsets, np.zeros((2, 3))),
        )

    def _join(self, t: float, now: BodyState) -> ControlReference:
        """The other foot comes up, over the edge and beside the first."""
        vertical_acceleration = self.compute_vertical_acceleration(
            t, STRAIGHTENING_TIME, self.height_beyond + self.standing_height, end_speed=0.0, now=now
        )
        return self._rest_over(
            now,
            (1 - self.stance_foot,),
            self._find_inner_point(now),
            vertical_acceleration=vertical_acceleration,
            foot_motion=self._compute_foot_motion(self.stance_foot, t / JOIN_TIME, JOIN_TIME, now),
        )

    def _settle(self, t: float, now: BodyState) -> ControlReference:
        vertical_acceleration = self.compute_vertical_acceleration(
            t, SETTLING_TIMES[0], self.height_beyond + self.standing_height, end_speed=0.0, now=now
        )
        return self._rest_over(
            now,
            (0, 1),
            now.foot_frames.place[:, :2].mean(0) + REST_OFFSET * self.axes[0],
            vertical_acceleration,
        )

    def _compute_foot_motion(
        self, leg: int, share: float, duration: float, now: BodyState
    ) -> tuple[Array, Array]:
        """Where a foot that comes up is to be, as seen from the centre of mass,
        and how fast, each (legs, 3).
        """
        aside = self._find_landing_offset(leg)
        if leg == self.stance_foot:
            aside += self._find_side_sign(leg) * self._compute_widening(
                leg,
                max((1 - share) * duration, 0.0),
                now,
                level=self.height_beyond,
                margin=WIDENING_MARGINS[1],
            )
        end = np.append(
            self.edge + np.array([LANDING_DEPTH, aside]) @ self.axes,
            self.height_beyond - FOOT_PRESS_DEPTH,
        )
        place, next_place = (
            evaluate_step_path(self.begin_feet[leg], end, self.height_beyond + FOOT_CLEARANCE, s)
            for s in (share, share + DIFFERENCE_TIME / duration)
        )
        foot_offsets = np.zeros((2, 3))
        foot_velocities = np.zeros((2, 3))
        foot_offsets[leg] = place - now.com
        foot_velocities[leg] = (next_place - place) / DIFFERENCE_TIME - now.com_velocity
        return foot_offsets, foot_velocities

    def _find_landing_offset(self, leg: int) -> float:
        """Where a foot comes down beside the other one, m to the left of the edge's middle."""
        return self._center_offset + STANCE_HALF_WIDTH * self._find_side_sign(leg)

    def _compute_widening(
        self, leg: int, time_left: float, now: BodyState, level: float, margin: float
    ) -> float:
        """How much farther aside a foot has to come down for the body not to fall past it, m.

        Args:
            time_left: s until then, in which the body falls away from the inner edge of
                the foot that bears it.
            level: of the ground there, m.
            margin: m past where the body falls to.
        """
        side = self._find_side_sign(leg)
        rate = self.compute_pendulum_rate(now, level)
        support_edge = (
            float((now.foot_frames.place[1 - leg, :2] - self.edge) @ self.axes[1])
            + side * SOLE_HALF_WIDTH
        )
        capture_offset = float((self.compute_capture_point(now, level) - self.edge) @ self.axes[1])
        fall_distance = side * (
            support_edge
            + (capture_offset - support_edge) * float(np.exp(rate * time_left))
            - self._find_landing_offset(leg)
        )
        return float(np.clip(fall_distance + margin, 0.0, MAX_WIDENING))

    def _rest_over(
        self,
        now: BodyState,
        legs: tuple[int, ...],
        goal: Array,
        vertical_acceleration: float,
        foot_motion: tuple[Array, Array] | None = None,
        folding_legs: tuple[int, ...] = (),
        swing: SwingTarget | None = None,
    ) -> ControlReference:
        """On some legs, coming to rest over a goal (2,) along the ground."""
        level = float(now.foot_frames.place[list(legs), 2].mean())
        return self._make_reference(
            now,
            legs,
            np.append(self.compute_capture_acceleration(now, goal, level), vertical_acceleration),
            level=level,
            rolling_legs=(),
            foot_motion=foot_motion,
            folding_legs=folding_legs,
            swing=swing,
        )

    def _make_reference(
        self,
        now: BodyState,
        legs: tuple[int, ...],
        desired: Array,
        level: float,
        rolling_legs: tuple[int, ...],
        foot_motion: tuple[Array, Array] | None = None,
        folding_legs: tuple[int, ...] = (),
        swing: SwingTarget | None = None,
    ) -> ControlReference:
        """On some legs, accelerating as wanted as far as their soles can make it,
        the trunk ahead over folded legs.
        """
        acceleration = project_com_acceleration(
            now.com,
            desired,
            level,
            gravity=self.gravity,
            soles=self.find_support_points(now, legs, rolling_legs),
        )
        lean = LEAN_GAIN * self.compute_height_deficit(now, level, LEAN_HEIGHT_RATIO)
        foot_offsets, foot_velocities = foot_motion if foot_motion is not None else (None, None)
        return ControlReference(
            acceleration,
            self.compute_turn_acceleration(now),
            self.heading,
            stance=legs,
            swing=swing,
            rolling_legs=rolling_legs,
            free_foot_offsets=foot_offsets,
            free_foot_velocities=foot_velocities,
            folding_legs=folding_legs,
            gains=CLIMB_GAINS,
            lean=lean,
        )

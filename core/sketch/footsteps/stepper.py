"""Footsteps along a course, one searched after the other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...geometry import so3
from ...motion.footstep import Footstep
from ...task import PinnedStep, Task
from ..course.course import SIDEWAYS_ROLL_SHARE, Course
from ..course.pendulum import CartPendulum
from ..course.push_response import redirect_after_step
from ..gait.gait import Gait, StyleGaitLaw
from ..placement.footholds import build_footholds
from ..placement.forbidden import find_allowed_place
from ..placement.forefoot import FootTarget, choose_placement, compute_ball_offset
from ..placement.leg_crossing import avoid_crossing, avoid_other_foot
from .both_feet import HopProblem
from .cost import FootstepProblem, PastContact
from .pinned import needs_pinned_step, plan_step_to_pinned
from .search import search_step_times
from .timing import PlannedStep, adjust_step_times, delay_first_heel_off, raise_heel_over_ball

Array = NDArray[np.float64]

# v / sqrt(g l) below which feet go where the body will rest rather than where the cart is
RESTING_SPEED = 0.12
STANDING_TOLERANCE = 0.06  # leg lengths: a foot this near to where it should stand needs no step
STANDING_TURN_TOLERANCE = np.radians(25)
DEPARTURE_DISTANCE = 0.05  # leg lengths that the cart moves before a standing body takes a step
# of the speed at which a style goes over to running, that steps after a push keep up with
RECOVERY_SPEED_SHARE = 0.97
# share of a step's time that it is shorter by, after a push,
# for each sqrt(g l) of speed that it gave
PUSH_STEP_TIME_GAIN = 1.6
MIN_STEP_TIME_RATIO = 0.65  # share of its usual time that a step takes then at least
FOOT_OFFSET_TOLERANCE = 0.03  # m that a kept foot may be off its place before the body goes along
MIN_REACTION_TIME = 0.16  # s after something happened, that a foot can come down elsewhere
CAPTURE_POINT_MARGIN = 0.02  # m past the capture point that a foot is set down, as in a walk
# share of a contact at either end, within which a foot that does not roll comes down and leaves
MIN_ROLL_SHARE = 0.05
# share of a contact by whose end a heel is down at the latest, of feet that land on their toes
MAX_HEEL_LOWERING_SHARE = 0.25
# cosine of the angle between the way and the facing,
# beyond which feet that go backward land on them
TOES_FIRST_COSINE = 0.1
MAX_HEIGHT_CHANGE = 0.5  # leg lengths that the ground may rise or fall from one foot to the next


@dataclass
class Stepper:
    """Walks along a course, one searched footstep after the other."""

    task: Task
    character: Character
    gait_law: StyleGaitLaw
    course: Course
    steps: list[PlannedStep] = field(default_factory=list)
    past_until: float = -np.inf  # what lies before has happened
    # of a body that was pushed, whose course goes with where its feet come down
    pendulum: CartPendulum | None = None

    def __post_init__(self) -> None:
        if (
            self.steps
            and self.course.velocity_deviation is not None
            and self.steps[-1].time > self.past_until
        ):
            last = self.steps[-1]
            time = last.footstep.strike + 0.5 * self._gait_at(self.past_until).contact_time
            self.steps[-1] = replace(last, time=float(np.clip(time, self.past_until, last.time)))
        self._set_course(self.course)
        self._sides = np.array([leg.side for leg in self.character.legs])
        self._start_height = float(self.task.ground.sample_heights(self.task.path.points[0]))
        self._footholds = build_footholds(
            self.task,
            self.course,
            self.character.feet[0],
            leg_length=self.gait_law.leg_length,
            max_height_change=MAX_HEIGHT_CHANGE * self.gait_law.leg_length,
        )

    def _set_course(self, course: Course) -> None:
        path = course.pendulum
        force = np.concatenate(
            [[0.0], np.cumsum((path.force**2).sum(1) * (path.time[1] - path.time[0]))]
        )
        self.course = course
        self._cumulative_effort = force[:-1]
        # somewhere
        self._has_rest = bool(course.speed.min() < RESTING_SPEED * self.gait_law.unit_speed)

    def plan_steps(self, until: float) -> tuple[PlannedStep, ...]:
        """All steps up to a time."""
        if not self.steps:
            self._add_first_steps()
        while self.steps[-1].time < until:
            wait = self._compute_wait()
            if wait == np.inf and needs_pinned_step(self.task.pinned_steps, self.steps[-1].time):
                wait = 0.0  # there are steps yet that were asked for
            if wait:
                self._extend_stand(wait)
            if wait == np.inf:
                break
            self._add_next_step()
        steps = adjust_step_times(
            self.steps,
            len(self._sides),
            self.gait_law.leg_length,
            until=until,
            past_until=self.past_until,
        )
        balls = [float((foot.ball - foot.sole_center)[0]) for foot in self.character.feet]
        steps = tuple(
            raise_heel_over_ball(
                s,
                lambda t: self.course.pendulum.sample(t, "com"),
                balls[s.footstep.leg],
                self.past_until,
            )
            for s in steps
        )
        return (
            tuple(delay_first_heel_off(s, 0.0) for s in steps)
            if self.task.start == "standing"
            else steps
        )

    def _add_first_steps(self) -> None:
        """The two steps before the clip: the left foot is under the body at time 0,
        or both are where it stands.
        """
        starts_standing = self.task.start == "standing"
        gait = self.gait_law.gait_at(0.0) if starts_standing else self._gait_at(0.0)
        for leg, time in (
            (1, 0.0 if gait.cycle.is_hop else -gait.step_time_shares[0] * gait.stride_time),
            (0, 0.0),
        ):
            line, heading = self._sample_line(np.array([0.0 if starts_standing else time]))
            pinned_step = next(
                (
                    k
                    for k in self.task.pinned_steps
                    if k.time <= 0 and k.side_sign == self._sides[leg]
                ),
                None,
            )
            self._add_step(
                leg, time, line[0], heading=float(heading[0]), gait=gait, pinned_step=pinned_step
            )

    def _gait_at(self, time: float) -> Gait:
        """The gait of the step after a time: as long as the speed there makes it, as quick
        as the speeds around it.
        """
        course = self.course
        forward_speeds = np.interp(time + np.array([0.2, 0.6]), course.time, course.forward_speed)
        nearby_times = time + np.linspace(-1.2, 1.0, 9)
        max_speed, cadence_speed = (
            float(np.interp(nearby_times, course.time, values).max())
            for values in (course.speed, course.cadence_speed)
        )
        if max_speed < (
            max_recovery_speed := RECOVERY_SPEED_SHARE
            * self.gait_law.style.change_speed
            * self.gait_law.unit_speed
        ):
            # a walk that was pushed stays a walk
            cadence_speed = min(cadence_speed, max_recovery_speed)
        stride_profile = self.task.stride_length
        gait = self.gait_law.gait_at(
            float(forward_speeds.mean()),
            cadence_speed=cadence_speed,
            stride_length=None
            if stride_profile is None
            else float(stride_profile.value_at(time + 0.4)),
            width_factor=float(self.task.step_width_factor.value_at(time + 0.4)),
            slope=float(np.interp(time + 0.4, self.course.time, self.course.slope)),
        )
        gait = gait.with_facing_offset(float(course.facing_offset_at(time + 0.4)))
        if course.velocity_deviation is None:
            return gait
        relative_deviation = (
            float(
                np.interp(
                    time + np.linspace(0.0, 0.6, 7), course.time, course.velocity_deviation
                ).max()
            )
            / self.gait_law.unit_speed
        )
        desired_stride_time = (
            max(1 - PUSH_STEP_TIME_GAIN * relative_deviation, MIN_STEP_TIME_RATIO)
            * self.gait_law.gait_at(max_speed).stride_time
        )
        return gait.with_step_time_ratio(min(desired_stride_time / gait.stride_time, 1.0))

    def _sample_line(self, times: Array) -> tuple[Array, Array]:
        """The middle line's place and heading: the cart's, and where the body comes to rest
        the place it rests over.
        """
        course = self.course
        line = course.pendulum.sample(times, "cart")
        if self._has_rest:
            cart_share = np.clip(
                np.interp(times, course.time, course.speed)
                / (RESTING_SPEED * self.gait_law.unit_speed),
                0,
                1,
            )[..., None]
            target = self.task.path.position_at(np.interp(times, course.time, course.distance))
            line = cart_share * line + (1 - cart_share) * target
        elapsed = times - course.time[0]
        if np.min(elapsed) < 0:  # before the clip the body came straight on
            line = np.where(
                (elapsed < 0)[..., None],
                course.pendulum.cart[0] + elapsed[..., None] * course.target_velocity[0],
                line,
            )
        return line, np.interp(times, course.time, course.facing)

    def _add_next_step(self) -> None:
        gait = self._gait_at(self.steps[-1].time)
        if gait.cycle.is_hop:
            self._add_hop(gait)
            return
        last_contacts = tuple(
            PastContact(s.footstep.leg, s.time, self._locate_support(s.footstep))
            for s in self.steps[-2:]
        )
        problem = FootstepProblem(
            last_contacts=(last_contacts[0], last_contacts[1]),
            sample_line=self._sample_line,
            cumulative_effort=lambda t: np.interp(t, self.course.time, self._cumulative_effort),
            stride_time=gait.stride_time,
            stride_length=gait.stride_length,
            lateral_offsets=self._sides * gait.half_width,
            backward_offset=gait.backward_offset,
            footholds=self._footholds,
            step_count=4 if self._footholds is None else 7,
            step_time_shares=gait.step_time_shares,
            facing_offset=self.course.facing_offset_at if self.course.facing_offset.any() else None,
        )
        leg = int(problem.legs[0])
        earliest_time = self.past_until + MIN_REACTION_TIME + 0.5 * gait.contact_time
        pinned_timing = plan_step_to_pinned(
            self.task.pinned_steps,
            last_contacts[1].time,
            int(self._sides[leg]),
            step_time=0.5 * gait.stride_time,
            after_pinned=self.steps[-1].footstep.pinned,
        )
        time = float(search_step_times(problem)[0]) if pinned_timing is None else pinned_timing.time
        if (
            pinned_timing is None
            and self.course.velocity_deviation is not None
            and gait.step_time_ratio < 1
        ):
            # a body that was pushed does not wait for room
            time = min(time, last_contacts[1].time + 0.5 * gait.stride_time)
        time = max(time, earliest_time)
        line, heading = self._sample_line(np.array([time]))
        self._add_step(
            leg,
            time,
            line[0],
            heading=float(heading[0]),
            gait=gait,
            pinned_step=pinned_timing.pinned_step
            if pinned_timing is not None and pinned_timing.time >= earliest_time
            else None,
        )

    def _add_hop(self, gait: Gait) -> None:
        """Both feet come down at once, to both sides of the middle line."""
        last = self.steps[-1]
        feet_middle = 0.5 * (
            self._locate_support(self.steps[-1].footstep)
            + self._locate_support(self.steps[-2].footstep)
        )
        problem = HopProblem(
            last.time,
            feet_middle,
            self._sample_line,
            cumulative_effort=lambda t: np.interp(t, self.course.time, self._cumulative_effort),
            gait=gait,
            footholds=self._footholds,
        )
        pinned_timing = plan_step_to_pinned(
            self.task.pinned_steps,
            last.time,
            None,
            step_time=gait.stride_time,
            after_pinned=last.footstep.pinned,
        )
        time = max(
            problem.compute_time() if pinned_timing is None else pinned_timing.time,
            self.past_until + MIN_REACTION_TIME + 0.5 * gait.contact_time,
        )
        line, heading = self._sample_line(np.array([time]))
        pinned_steps = (
            []
            if pinned_timing is None
            or pinned_timing.pinned_step is None
            or pinned_timing.time < time
            else [
                k
                for k in self.task.pinned_steps
                if abs(k.time - pinned_timing.time) < 0.5 * gait.contact_time
            ]
        )
        for leg in (self.steps[-2].footstep.leg, last.footstep.leg):
            pinned_step = next((k for k in pinned_steps if k.side_sign == self._sides[leg]), None)
            self._add_step(
                leg, time, line[0], heading=float(heading[0]), gait=gait, pinned_step=pinned_step
            )

    def _add_step(
        self,
        leg: int,
        time: float,
        line: Array,
        heading: float,
        gait: Gait,
        pinned_step: PinnedStep | None = None,
    ) -> None:
        side = self._sides[leg]
        gait = gait.for_side(int(side))
        nominal_place = _compute_foot_place(line, heading, side, gait)
        place = nominal_place if pinned_step is None else np.array(pinned_step.position)
        if pinned_step is not None and pinned_step.heading is not None:
            heading = pinned_step.heading - side * gait.toe_out
        if pinned_step is None and self.steps and self.steps[-1].footstep.leg != leg:
            place = avoid_other_foot(
                self.character,
                leg,
                place,
                yaw=heading + side * gait.toe_out,
                heading=heading,
                other_step=self.steps[-1].footstep,
                footholds=self._footholds,
            )
            if self.pendulum is not None:
                place = place + self._compute_capture_offset(
                    self.pendulum,
                    time - 0.5 * gait.contact_time,
                    place,
                    heading=heading,
                    side=int(side),
                )
                place = avoid_crossing(place, heading, int(side), self.steps[-1].footstep)
                self._redirect_course(time, place - nominal_place, heading, gait)
        if pinned_step is None:
            other_step = (
                self.steps[-1].footstep
                if self.steps and self.steps[-1].footstep.leg != leg
                else None
            )
            place = find_allowed_place(
                self.task,
                self.character.feet[leg],
                place,
                yaw=heading + side * gait.toe_out,
                heading=heading,
                side=int(side),
                other_step=other_step,
                leg_length=self.gait_law.leg_length,
            )
        fallback_height = (
            float(self.steps[-1].footstep.position[2]) if self.steps else self._start_height
        )
        foot = self.character.feet[leg]
        yaw = heading + side * gait.toe_out
        placement = choose_placement(
            self.task.ground,
            foot,
            FootTarget(place, heading, side * gait.toe_out, int(side)),
            level=fallback_height,
            allow_forefoot=self.task.tread == "forefoot",
            ball=None if pinned_step is None else place + compute_ball_offset(foot, yaw),
        )
        strike = time - 0.5 * gait.contact_time
        contact_time = gait.contact_time
        cycle = gait.cycle
        alignment = float(np.cos(self.course.facing_offset_at(time)))
        landing_share, push_off_share = (
            (cycle.flat, 1 - cycle.heel_off)
            if alignment > 0
            else (min(1 - cycle.heel_off, MAX_HEEL_LOWERING_SHARE), cycle.flat)
        )
        roll_share = SIDEWAYS_ROLL_SHARE + (1 - SIDEWAYS_ROLL_SHARE) * alignment**2
        flat = (
            strike
            if placement.heel_raise is not None
            else strike + max(roll_share * landing_share, MIN_ROLL_SHARE) * contact_time
        )
        times = (
            strike,
            flat,
            strike + min(1 - roll_share * push_off_share, 1 - MIN_ROLL_SHARE) * contact_time,
            strike + contact_time,
        )
        has_fixed_times = pinned_step is not None and pinned_step.contact_times is not None
        footstep = Footstep(
            leg,
            *(pinned_step.contact_times if pinned_step and pinned_step.contact_times else times),
            placement.position,
            placement.rotation,
            pinned=pinned_step is not None,
            heel_raise=placement.heel_raise,
            toes_first=alignment < -TOES_FIRST_COSINE and placement.heel_raise is None,
        )
        pinned_offset = place - nominal_place if self.pendulum is None else np.zeros(2)
        pinned_offset *= max(
            1 - FOOT_OFFSET_TOLERANCE / max(float(np.linalg.norm(pinned_offset)), 1e-9), 0.0
        )
        self.steps.append(
            PlannedStep(
                footstep,
                time,
                gait,
                pinned_offset=(float(pinned_offset[0]), float(pinned_offset[1])),
                has_fixed_times=has_fixed_times,
                is_recovery=time > self.past_until and self.course.velocity_deviation is not None,
            )
        )

    def _compute_capture_offset(
        self, pendulum: CartPendulum, strike: float, place: Array, heading: float, side: int
    ) -> Array:
        """How much farther out a foot is set down, so that the body does not fall across it:
        to the capture point. (2,).

        Source: Pratt et al. 2006; the next foot could follow the body there only across this one.
        """
        left = np.array([-np.sin(heading), np.cos(heading)])
        pendulum_path = self.course.pendulum
        strike_time = np.array(strike)
        capture_point = (
            pendulum_path.sample(strike_time, "com")
            + pendulum_path.sample(strike_time, "velocity") / pendulum.divergence_rate
        )
        return (
            side
            * max(side * float((capture_point - place) @ left) + CAPTURE_POINT_MARGIN, 0.0)
            * left
        )

    def _redirect_course(
        self, mid_contact_time: float, foot_offset: Array, heading: float, gait: Gait
    ) -> None:
        """Go on with a body that stands otherwise than its course has it."""
        if self.pendulum is not None and np.linalg.norm(foot_offset) > FOOT_OFFSET_TOLERANCE:
            strike = mid_contact_time - 0.5 * gait.contact_time
            self._set_course(
                redirect_after_step(
                    self.course,
                    self.task,
                    self.pendulum,
                    strike=strike,
                    mid_contact_time=mid_contact_time,
                    foot_offset=foot_offset,
                    heading=heading,
                )
            )

    def _locate_support(self, footstep: Footstep) -> Array:
        """Middle of what stands of a foot: of its sole, or of its ball. (2,)."""
        middle: Array = footstep.position[:2]
        return (
            middle
            if footstep.heel_raise is None
            else middle + compute_ball_offset(self.character.feet[footstep.leg], footstep.yaw)
        )

    def _compute_wait(self) -> float:
        """How long to stand before the next step: 0 to go on, infinity to stand for good.

        The body stands when both feet are about where a standing body has them, and when the place
        to be over stays where it is for more than a step.
        """
        law = self.gait_law
        course = self.course
        last = self.steps[-1]
        other_footstep = self.steps[-2].footstep
        # both feet carry it until it goes
        is_starting = self.task.start == "standing" and len(self.steps) == 2
        landing_time = last.gait.landing_time
        next_times = np.array([last.time + landing_time])
        line, heading = self._sample_line(next_times)
        standing_gait = law.gait_at(0.0)
        for footstep in (
            footstep
            for footstep in (other_footstep, last.footstep)
            if not (footstep.pinned or is_starting)
        ):
            side = self._sides[footstep.leg]
            distance = np.linalg.norm(
                _compute_foot_place(line[0], float(heading[0]), side, standing_gait)
                - self._locate_support(footstep)
            )
            turn = abs(so3.wrap_angle(heading[0] + side * standing_gait.toe_out - footstep.yaw))
            if distance > STANDING_TOLERANCE * law.leg_length or turn > STANDING_TURN_TOLERANCE:
                return 0.0
        wait_start = last.time if is_starting else next_times[0]
        start_distance = float(np.interp(wait_start, course.time, course.distance))
        has_left = (course.time > wait_start) & (
            course.distance - start_distance > DEPARTURE_DISTANCE * law.leg_length
        )
        if not has_left.any():
            return np.inf
        wait = float(course.time[np.argmax(has_left)]) - last.time
        return wait if is_starting or wait > 1.5 * landing_time else 0.0

    def _extend_stand(self, wait: float) -> None:
        for k in (-1, -2):
            s = self.steps[k]
            self.steps[k] = replace(s, time=s.time + wait, is_standing=True)


def _compute_foot_place(line: Array, heading: float, side: int, gait: Gait) -> Array:
    """Where a foot stands for a place of the middle line: the foot offset of appendix C.1."""
    forward = np.array([np.cos(heading), np.sin(heading)])
    return (
        line
        + side * gait.half_width * np.array([-forward[1], forward[0]])
        - gait.backward_offset * forward
    )

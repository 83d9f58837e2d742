"""One simulated body from instant to instant: state, preview, reference, torques, physics (Mordatch
et al. 2010, figure 2).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ...geometry.planar import wrap_angle
from ...simulate import (
    RECOVERY_GAINS,
    BodyState,
    Controller,
    ControlReference,
    Physics,
    SimulatedBody,
)
from ...slip.command import StepGoal
from ...slip.planner import PreviewPlanner
from ...slip.preview import Preview, PreviewSample
from ...slip.problem import PreviewProblem
from ...slip.schedule import T1, PhaseTimeLimits
from ...slip.state import FootPose
from ...slip.weights import SlipWeights
from ...terrain import FlatGround
from .feet.free_leg import compute_free_foot_motion
from .feet.heel_off import can_raise_heel, is_on_ball
from .feet.swing import compute_min_landing_time, make_swing_target
from .goal import with_walk_gait
from .instant import ControlClock, Instant, make_slip_body
from .maneuvers.base import Maneuver
from .phases.double_support import DoubleSupportPolicy
from .phases.first_step import find_first_step
from .phases.gait_change import GaitChange
from .phases.phase_machine import FIRST_STEP_EXTRA_TIME, PhaseMachine
from .phases.standing import is_balanced

Array = NDArray[np.float64]

# 1/s^2, stiffness with which the centre of mass follows a preview that was made earlier
COM_STIFFNESS = 100.0
HEADING_STIFFNESS = 100.0  # of the heading, the same
MAX_PLANNED_TURN_ACCELERATION = 9.0  # rad/s^2 that a preview can hardly ask for more of
MAX_WALK_TURN_RATE = 2.5  # rad/s that a walk never turns with on purpose
MAX_HEADING_ERROR = 0.3  # rad off its heading, from where on a walk on rough ground is turned back
GAZE_LEAD_RATIO = 0.5  # of what the heading still lacks that chest and head look ahead by, and
MAX_GAZE_LEAD = 0.5  # rad of that at most
MIN_DOUBLE_SUPPORT_TIME = 0.08  # s that a walk is to be on both feet at least, unless it hurries
# upward part of the normals of ground on which the weight goes over to the other foot in an instant
MIN_LEVEL_NORMAL = 0.99
# of the weight, Nms: how much the joints of a body that has fallen resist
FALLEN_JOINT_DAMPING = 0.003
MAX_PREVIEW_AGE = 1.0  # s that a preview is followed at most
# s that it is followed at least where its phase should be over and no contact has come
OVERDUE_PREVIEW_AGE = 0.02
STANDING_PREVIEW_AGE = 0.2  # s, the same of a body that stands
STANCE_SETTLING_TIME = 0.1  # s on both feet before it matters how far these are apart
MAX_STANDING_SPEED = 0.35  # m/s at which a body that is to stand may leave off stepping


@dataclass
class ControlLoop:
    """A body under control.

    Args:
        dt: s from one look to the next.
        replan_ticks: looks after which a new preview is made in any case; 0 for contacts only.
    """

    body: SimulatedBody
    physics: Physics
    dt: float = 1 / 250
    replan_ticks: int = 1
    planner: PreviewPlanner = field(default_factory=PreviewPlanner)
    weights: SlipWeights = field(default_factory=SlipWeights)
    clock: ControlClock = field(default_factory=ControlClock)
    preview: Preview | None = None
    planned_at: float = -np.inf  # s, when
    maneuver: Maneuver | None = None  # that is done in place of steps

    def __post_init__(self) -> None:
        self.controller = Controller(self.body)
        self._is_ground_level = isinstance(self.body.ground, FlatGround)
        self.slip_body = make_slip_body(self.body)
        self.phase_machine = PhaseMachine(self.dt)
        self.state = self.physics.state
        self.body_state = self.body.compute_state(self.state)
        self.heading = self.body_state.heading
        self._feet = self._read_feet()
        self._gait_change = GaitChange()
        self._double_support_policy = DoubleSupportPolicy()
        self._last_problem: PreviewProblem | None = None
        self._step_goal = StepGoal()  # what of the last one could be done as yet
        self._has_phase_changed = False  # whether a phase begins with the next look

    def advance(self, step_goal: StepGoal) -> Instant:
        """One step under a wish, whose gait is to stand where it is to stand. A body that has
        fallen lies as it falls.
        """
        begin = time.perf_counter()
        now = self.body_state
        command = None if self.state.trouble else self._compute_command(step_goal, now)
        plan_end = time.perf_counter()
        is_feasible = False
        planned_com = now.com
        torques = -FALLEN_JOINT_DAMPING * self.body.weight * now.velocity[6:]
        stance_legs = tuple(range(len(self.state.foot_loads)))
        if command is not None:
            solution = self.controller.compute_torques(self.state, command[0], now)
            is_feasible = solution.is_feasible
            planned_com = command[1]
            torques = solution.torques
            stance_legs = command[0].stance
        solve_end = time.perf_counter()
        state_before = self.state
        self.state = self.physics.step(torques, self.dt)
        physics_end = time.perf_counter()
        self.body_state = self.body.compute_state(self.state)
        self.heading += wrap_angle(self.body_state.heading - self.heading)
        self._feet = self._read_feet()
        if command is not None and self.maneuver is None:
            self._has_phase_changed = self._update_phase()
        self.clock.plan += plan_end - begin
        self.clock.control += solve_end - plan_end + time.perf_counter() - physics_end
        self.clock.physics += physics_end - solve_end
        return Instant(
            state_before, now, planned_com, is_controlled=is_feasible, stance_legs=stance_legs
        )

    def _compute_command(
        self, step_goal: StepGoal, now: BodyState
    ) -> tuple[ControlReference, Array]:
        """What the body is to do now, and where its centre of mass is to be, (3,) m."""
        if self.maneuver is not None:
            reference = self.maneuver.compute_reference(self.state, now)
            if reference is not None:
                return reference, now.com
            self._end_maneuver()
        step_goal = self._gait_change.modify_goal(step_goal, self.phase_machine, self.state.time)
        if self._gait_change.has_flight_gait_ended:
            self.planner.reset()
        self._step_goal = step_goal
        feet = self._feet
        if self._begin_phase(step_goal, now, feet) or self._needs_preview(step_goal):
            self._plan(step_goal, now, feet)
        sample = self._sample_preview(now)
        reference = self._make_reference(step_goal, now, sample)
        if self.planner.is_alarmed and self._is_ground_level and not step_goal.has_flight:
            reference = replace(reference, gains=RECOVERY_GAINS)
        return reference, sample.com

    def _end_maneuver(self) -> None:
        """A maneuver is over: the body stands on both feet."""
        self.phase_machine = PhaseMachine(
            self.dt,
            phase_start=self.state.time,
            ground_heights=self.body_state.foot_frames.place[:, 2].copy(),
        )
        self.maneuver = None
        self.preview = None
        self._last_problem = None
        self._gait_change = GaitChange()
        self.planner.reset()

    def _read_feet(self) -> tuple[FootPose, FootPose]:
        """Left and right, their headings near the pelvis's."""
        feet = self.body_state.foot_frames
        yaw = [float(so3.yaw_from_matrix(r)) for r in feet.rotation]
        left, right = (
            FootPose(place.copy(), self.heading + wrap_angle(y - self.heading), velocity[:2].copy())
            for place, velocity, y in zip(feet.place, feet.velocity, yaw, strict=True)
        )
        return left, right

    def _update_phase(self) -> bool:
        """See whether a phase is over. What is wished for next can then be what the foot
        needs that has come down.
        """
        phase_machine = self.phase_machine
        now = self.state.time
        loads = np.array([foot.normal for foot in self.state.foot_loads]) / self.body.weight
        has_changed = phase_machine.update(
            now,
            loads,
            self.body_state.com,
            feet=self._feet,
            preview=self.preview,
            preview_age=now - self.planned_at,
            step_goal=self._step_goal,
        )
        if phase_machine.has_missed:
            self.planner.reset()
        if phase_machine.has_landed and self._last_problem is not None:
            self.planner.exchange_feet(self._last_problem, phase_machine.support == "double")
        return has_changed

    def _begin_phase(
        self, step_goal: StepGoal, now: BodyState, feet: tuple[FootPose, FootPose]
    ) -> bool:
        """Whether a phase begins now: one that was noticed, or a step of a body that has to
        leave its place or is to.
        """
        phase_machine = self.phase_machine
        has_changed = self._has_phase_changed
        self._has_phase_changed = False
        if (
            phase_machine.support == "double"
            and phase_machine.is_standing
            and self._needs_step(step_goal, now, feet)
        ):
            stance_foot, controls, cost = find_first_step(
                self._make_problem(step_goal, now, feet, 0),
                self._make_problem(step_goal, now, feet, 1),
            )
            phase_machine.begin_first_step(self.state.time, now.com, stance_foot)
            self.planner.adopt(controls, cost)
            return True
        if (
            has_changed
            and phase_machine.support == "double"
            and step_goal.gait == "stand"
            and self._can_stand(step_goal, now, feet)
        ):
            phase_machine.stand()
            self.planner.reset()
        return has_changed

    def _needs_step(
        self, step_goal: StepGoal, now: BodyState, feet: tuple[FootPose, FootPose]
    ) -> bool:
        """Whether a body that stands has to leave its place, or is to."""
        if step_goal.gait != "stand" or (
            step_goal.projectile is not None
            and step_goal.projectile.measure_closest_distance(now.com)
            < step_goal.projectile.distance
        ):
            return True
        return not self._is_balanced(step_goal, now, feet)

    def _is_balanced(
        self, step_goal: StepGoal, now: BodyState, feet: tuple[FootPose, FootPose]
    ) -> bool:
        is_settled = self.state.time - self.phase_machine.phase_start > STANCE_SETTLING_TIME
        return is_balanced(
            self.slip_body,
            now,
            self.heading,
            feet=feet,
            target_heading=step_goal.heading,
            any_width=not is_settled,
        )

    def _can_stand(
        self, step_goal: StepGoal, now: BodyState, feet: tuple[FootPose, FootPose]
    ) -> bool:
        return (
            self._is_balanced(step_goal, now, feet)
            or float(np.linalg.norm(now.com_velocity[:2])) < MAX_STANDING_SPEED
        )

    def _needs_preview(self, step_goal: StepGoal) -> bool:
        """Whether the last preview is not to be followed any further."""
        age = self.state.time - self.planned_at
        if (
            self.preview is None
            or (self.replan_ticks and age >= (self.replan_ticks - 0.5) * self.dt)
            or age > MAX_PREVIEW_AGE
        ):
            return True
        if self.phase_machine.is_standing:
            return age > STANDING_PREVIEW_AGE
        return age > max(self.preview.get_phase_duration(0) + 0.5 * self.dt, OVERDUE_PREVIEW_AGE)

    def _make_problem(
        self,
        step_goal: StepGoal,
        now: BodyState,
        feet: tuple[FootPose, FootPose],
        stance_foot: int | None = None,
    ) -> PreviewProblem:
        machine = self.phase_machine
        planner = self.planner
        state = machine.make_slip_state(
            self.state.time,
            now.com,
            now.com_velocity,
            heading=self.heading,
            heading_rate=now.heading_rate,
            feet=feet,
        )
        if step_goal.ground_height is None and (
            machine.support == "flight" or not step_goal.has_flight
        ):
            # its heel up, a foot is higher than where the other one comes down
            state = replace(state, ground_level=float(self.body.ground.sample_heights(now.com[:2])))
        if step_goal.allows_heel_rise and machine.support != "flight":
            state = replace(
                state,
                is_on_ball=is_on_ball(
                    now,
                    machine.stance_foot if machine.support == "single" else 1 - machine.stance_foot,
                ),
            )
        phase_age = self.state.time - machine.phase_start
        cost = planner.last_cost if self._is_ground_level else planner.cost
        exchange_time = (
            MIN_DOUBLE_SUPPORT_TIME
            if not step_goal.has_flight
            and self._double_support_policy.allows_double_support(
                cost, machine.phase_start, step_goal.ground_height is not None
            )
            else 0.0
        )
        floor = PhaseTimeLimits(min_exchange=exchange_time)
        if stance_foot is not None:
            state = replace(
                state,
                support="double",
                stance_foot=stance_foot,
                elapsed=-FIRST_STEP_EXTRA_TIME,
                step_start_com=now.com[:2],
            )
        elif machine.support == "single":
            min_single_time = (
                0.0
                if step_goal.has_flight
                else max(0.02, compute_min_landing_time(machine, step_goal, feet, self.preview))
            )
            floor = PhaseTimeLimits(
                min_single=max(min_single_time, min(0.2, 0.25 - phase_age)),
                min_exchange=exchange_time,
            )
        elif machine.support == "double" and not machine.is_standing and not machine.is_first_step:
            floor = PhaseTimeLimits(
                min_double=max(exchange_time - phase_age, 0.0), min_exchange=exchange_time
            )
        elif machine.is_first_step and machine.support == "double" and planner.controls is not None:
            # a first step is put off again and again unless it is due when it was
            time_left = planner.controls[T1] - (
                self.state.time - max(self.planned_at, machine.phase_start)
            )
            floor = PhaseTimeLimits(
                min_exchange=exchange_time, max_double=max(float(time_left), 0.0)
            )
        elif machine.support == "flight" and step_goal.has_flight:
            floor = PhaseTimeLimits(
                min_flight=min(
                    compute_min_landing_time(machine, step_goal, feet, self.preview), 0.2
                )
            )
        return PreviewProblem(
            state, step_goal, self.slip_body, time_limits=floor, weights=self.weights
        )

    def _plan(self, step_goal: StepGoal, now: BodyState, feet: tuple[FootPose, FootPose]) -> None:
        if step_goal.gait == "stand" and not self.phase_machine.is_standing:
            step_goal = with_walk_gait(step_goal)
        problem = self._make_problem(step_goal, now, feet)
        is_same_phase = (
            self._last_problem is not None and self._last_problem.slots[0] == problem.slots[0]
        )
        preview_age = self.state.time - self.planned_at if self._last_problem is not None else 0.0
        is_calm = (
            self._is_ground_level
            and not step_goal.has_flight
            and not self.phase_machine.is_standing
        )
        self.preview = self.planner.plan(problem, preview_age, is_same_phase, is_calm)
        self.planned_at = self.state.time
        self._last_problem = problem

    def _sample_preview(self, now: BodyState) -> PreviewSample:
        """What the preview wants now; one that was made earlier is followed as
        a set point (section 7).
        """
        assert self.preview is not None
        age = self.state.time - self.planned_at
        machine = self.phase_machine
        is_exchange_due = (
            machine.support == "double"
            and not machine.is_standing
            and bool(now.normals[:, 2].min() > MIN_LEVEL_NORMAL)
        )
        if is_exchange_due and self.preview.get_phase_duration(0) - age < self.dt:
            return self.preview.sample_phase(1, 0.0)  # the weight has to be on the other foot now
        sample = self.preview.sample_phase(0, min(age, self.preview.get_phase_duration(0)))
        if age < 1e-9 or sample.cop is None:
            return sample
        acceleration = sample.acceleration + (
            COM_STIFFNESS * (sample.com - now.com)
            + 2 * np.sqrt(COM_STIFFNESS) * (sample.velocity - now.com_velocity)
        )
        turn_acceleration = HEADING_STIFFNESS * (sample.heading - self.heading) + 2 * np.sqrt(
            HEADING_STIFFNESS
        ) * (sample.heading_rate - now.heading_rate)
        return PreviewSample(
            sample.com,
            sample.velocity,
            acceleration,
            heading=sample.heading,
            heading_rate=sample.heading_rate,
            heading_acceleration=sample.heading_acceleration + turn_acceleration,
            cop=sample.cop,
        )

    def _make_reference(
        self, step_goal: StepGoal, now: BodyState, sample: PreviewSample
    ) -> ControlReference:
        machine = self.phase_machine
        preview = self.preview
        assert preview is not None
        heading_error = wrap_angle(step_goal.heading - self.heading)
        gaze_heading = self.heading + GAZE_LEAD_RATIO * min(
            max(heading_error, -MAX_GAZE_LEAD), MAX_GAZE_LEAD
        )
        if machine.support == "double":
            rolling_legs = () if machine.is_standing else (1 - machine.stance_foot,)
            return ControlReference(
                sample.acceleration,
                sample.heading_acceleration,
                gaze_heading,
                stance=(0, 1),
                swing=None,
                rolling_legs=rolling_legs,
            )
        swing = make_swing_target(
            self.body,
            self.slip_body,
            machine,
            preview=preview,
            now=now,
            step_goal=step_goal,
            preview_age=self.state.time - self.planned_at,
            time=self.state.time,
        )
        turn = sample.heading_acceleration
        # the preview knows nothing of what swinging legs turn; a run, and who turns as fast as it
        # can plan, has no time to learn
        if (
            step_goal.has_flight
            or (step_goal.ground_height is not None and abs(heading_error) > MAX_HEADING_ERROR)
            or abs(turn) > MAX_PLANNED_TURN_ACCELERATION
            or abs(now.heading_rate) > MAX_WALK_TURN_RATE
        ):
            turn = (
                HEADING_STIFFNESS * heading_error
                - 2 * np.sqrt(HEADING_STIFFNESS) * now.heading_rate
            )
        free_foot_motion = (
            compute_free_foot_motion(self.body, now, machine.stance_foot, self.heading)
            if step_goal.gait == "hop"
            else ()
        )
        if machine.support == "flight":
            return ControlReference(
                None, turn, gaze_heading, (), swing, (), step_goal.has_flight, *free_foot_motion
            )
        rolling_legs = (
            (machine.stance_foot,)
            if can_raise_heel(
                self.body, now, machine.stance_foot, heading=self.heading, step_goal=step_goal
            )
            else ()
        )
        return ControlReference(
            sample.acceleration,
            turn,
            gaze_heading,
            (machine.stance_foot,),
            swing,
            rolling_legs,
            step_goal.has_flight,
            *free_foot_motion,
        )

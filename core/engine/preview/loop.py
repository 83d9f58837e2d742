"""Control loop of one simulated body: state, preview, reference, torques, physics.

Source: Mordatch, de Lasa, Hertzmann 2010, figure 2.
"""

from __future__ import annotations

import time
from dataclasses import InitVar, dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ...geometry.planar import wrap_angle
from ...simulate import (
    RECOVERY_GAINS,
    Controller,
    ControlReference,
    Physics,
    SimulatedBody,
)
from ...slip.command import StepGoal
from ...slip.state import FootPose
from .instant import ControlClock, ControlTick, Instant, make_slip_body
from .maneuvers.base import Maneuver
from .phases.gait_change import GaitChange
from .phases.phase_machine import PhaseMachine
from .phases.standing import is_balanced
from .phases.transitions import PhaseObservation
from .planning import StepPlanning
from .tracking import PreviewTracker

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LoopParameters:
    """Standing and falling under control."""

    # Speed of the center of mass below which a body may stop stepping in any posture [m/s]: 0.11 m
    # to its capture point, within the length of a foot.
    max_standing_speed: float = 0.35
    # Time in double support before which the distance between the feet does not matter [s], so
    # that a step that has just ended is not followed by one on the spot.
    stance_settling_time: float = 0.1
    # Damping of the joints of a fallen body, relative to its weight [m s]: 2 N m s/rad at 70 kg.
    fallen_joint_damping: float = 0.003


LOOP = LoopParameters()


@dataclass(frozen=True)
class ControlCommand:
    """Command of one control step.

    Attributes:
        reference: reference of the torque controller.
        planned_com: (3,) planned center of mass [m].
    """

    reference: ControlReference
    planned_com: Array


@dataclass(frozen=True)
class _Actuation:
    """Torques of one control step.

    Attributes:
        torques: (nv - 6,) joint torques [N m].
        is_feasible: whether the controller's program was feasible.
        planned_com: (3,) planned center of mass [m].
        stance_legs: legs whose feet were planned to stand.
    """

    torques: Array
    is_feasible: bool
    planned_com: Array
    stance_legs: tuple[int, ...]


@dataclass
class ControlLoop:
    """Control loop of one simulated body.

    Args:
        dt: control period [s], four time steps of the physics.
        replan_ticks: control steps after which a new preview is made in any case; 0 for new ones
            at contacts only.

    Attributes:
        clock: computing time so far.
        maneuver: what the body does in place of steps; None while it steps.
        planning: the preview that the body follows.
        phase_machine: contact phase of the body.
        state: state of the physics.
        body_state: state of the body, computed from it.
        heading: heading of the pelvis [rad], continuous over whole turns.
    """

    body: SimulatedBody
    physics: Physics
    dt: float = 1 / 250
    replan_ticks: InitVar[int] = 1
    clock: ControlClock = field(default_factory=ControlClock)
    maneuver: Maneuver | None = None

    def __post_init__(self, replan_ticks: int) -> None:
        self.controller = Controller(self.body)
        self.slip_body = make_slip_body(self.body)
        self.planning = StepPlanning(self.body, self.slip_body, self.dt, replan_ticks)
        self.phase_machine = PhaseMachine(self.dt)
        self.state = self.physics.state
        self.body_state = self.body.compute_state(self.state)
        self.heading = self.body_state.heading
        self.tracker = PreviewTracker(self.body, self.slip_body, self.dt)
        self._feet = self._read_feet()
        self._gait_change = GaitChange()
        self._step_goal = StepGoal()  # The last goal, with the gait that was possible.
        self._has_phase_changed = False

    def advance(self, step_goal: StepGoal) -> Instant:
        """Make one control step toward a goal; the joints of a fallen body are only damped.

        Args:
            step_goal: its gait is "stand" where the body should stand.
        """
        begin = time.perf_counter()
        now = self.body_state
        command = None if self.state.trouble else self._compute_command(self.make_tick(step_goal))
        plan_end = time.perf_counter()
        actuation = self._actuate(command)
        solve_end = time.perf_counter()
        state_before = self.state
        self.state = self.physics.step(actuation.torques, self.dt)
        physics_end = time.perf_counter()
        self._read_state()
        if command is not None and self.maneuver is None:
            self._has_phase_changed = self._update_phase()
        self.clock.plan += plan_end - begin
        self.clock.control += solve_end - plan_end + time.perf_counter() - physics_end
        self.clock.physics += physics_end - solve_end
        return Instant(
            state_before,
            now,
            actuation.planned_com,
            is_controlled=actuation.is_feasible,
            stance_legs=actuation.stance_legs,
        )

    def make_tick(self, step_goal: StepGoal) -> ControlTick:
        """Return the input of a control step now."""
        return ControlTick(
            self.state.time, step_goal, self.body_state, feet=self._feet, heading=self.heading
        )

    def _compute_command(self, tick: ControlTick) -> ControlCommand:
        """Return the command of a running maneuver, or else of the preview."""
        if self.maneuver is not None:
            reference = self.maneuver.compute_reference(self.state, tick.body_state)
            if reference is not None:
                return ControlCommand(reference, tick.body_state.com)
            self._end_maneuver()
        tick = replace(
            tick, goal=self._gait_change.modify_goal(tick.goal, self.phase_machine, tick.time)
        )
        planning = self.planning
        if self._gait_change.has_flight_gait_ended:
            planning.planner.reset()
        self._step_goal = tick.goal
        if self._begin_phase(tick) or planning.needs_preview(tick.time, self.phase_machine):
            planning.plan(tick, self.phase_machine)
        followed = planning.follow(tick.time)
        sample = self.tracker.sample_preview(followed, tick, self.phase_machine)
        reference = self.tracker.make_reference(followed, sample, tick, self.phase_machine)
        is_recovering = planning.planner.is_alarmed and planning.is_ground_level
        if is_recovering and not tick.goal.has_flight:
            reference = replace(reference, gains=RECOVERY_GAINS)
        return ControlCommand(reference, sample.com)

    def _actuate(self, command: ControlCommand | None) -> _Actuation:
        """Return the torques that follow a command; without one they damp the joints."""
        now = self.body_state
        if command is None:
            return _Actuation(
                -LOOP.fallen_joint_damping * self.body.weight * now.velocity[6:],
                is_feasible=False,
                planned_com=now.com,
                stance_legs=tuple(range(len(self.state.foot_loads))),
            )
        solution = self.controller.compute_torques(self.state, command.reference, now)
        return _Actuation(
            solution.torques, solution.is_feasible, command.planned_com, command.reference.stance
        )

    def _end_maneuver(self) -> None:
        """Continue by standing on both feet after a maneuver."""
        self.phase_machine = PhaseMachine(
            self.dt,
            phase_start=self.state.time,
            ground_heights=self.body_state.foot_frames.place[:, 2].copy(),
        )
        self.maneuver = None
        self._gait_change = GaitChange()
        self.planning.forget()

    def _read_state(self) -> None:
        self.body_state = self.body.compute_state(self.state)
        self.heading += wrap_angle(self.body_state.heading - self.heading)
        self._feet = self._read_feet()

    def _read_feet(self) -> tuple[FootPose, FootPose]:
        """Return the left and the right foot, with headings within half a turn of the pelvis."""
        feet = self.body_state.foot_frames
        yaw = [float(so3.yaw_from_matrix(r)) for r in feet.rotation]
        left, right = (
            FootPose(place.copy(), self.heading + wrap_angle(y - self.heading), velocity[:2].copy())
            for place, velocity, y in zip(feet.place, feet.velocity, yaw, strict=True)
        )
        return left, right

    def _update_phase(self) -> bool:
        """Return whether a phase has ended with this control step.

        The step after it begins with the next control step, whose goal can start from the foot that
        has landed.
        """
        time_now = self.state.time
        loads = np.array([foot.normal for foot in self.state.foot_loads]) / self.body.weight
        has_changed = self.phase_machine.update(
            PhaseObservation(
                time_now,
                loads,
                self.body_state.com,
                feet=self._feet,
                preview=self.planning.preview,
                preview_age=time_now - self.planning.planned_at,
                step_goal=self._step_goal,
            )
        )
        self.planning.note_phase_update(self.phase_machine)
        return has_changed

    def _begin_phase(self, tick: ControlTick) -> bool:
        """Return whether a phase begins now: one that was detected, or that of a first step.

        A body that has landed and can stand as its goal says stops stepping.
        """
        machine = self.phase_machine
        has_changed = self._has_phase_changed
        self._has_phase_changed = False
        if machine.phase == "standing" and self._needs_step(tick):
            stance_foot = self.planning.plan_first_step(tick, machine).stance_foot
            machine.begin_first_step(tick.time, tick.body_state.com, stance_foot)
            return True
        if has_changed and machine.support == "double" and self._can_stand(tick):
            machine.stand()
            self.planning.planner.reset()
        return has_changed

    def _needs_step(self, tick: ControlTick) -> bool:
        """Return whether a standing body has to step: to move, to dodge, or to keep its balance."""
        projectile = tick.goal.projectile
        return (
            tick.goal.gait != "stand"
            or (
                projectile is not None
                and projectile.measure_closest_distance(tick.body_state.com) < projectile.distance
            )
            or not self._is_balanced(tick)
        )

    def _can_stand(self, tick: ControlTick) -> bool:
        """Return whether the body should stand, and can."""
        if tick.goal.gait != "stand":
            return False
        speed = float(np.linalg.norm(tick.body_state.com_velocity[:2]))
        return self._is_balanced(tick) or speed < LOOP.max_standing_speed

    def _is_balanced(self, tick: ControlTick) -> bool:
        phase_age = tick.time - self.phase_machine.phase_start
        return is_balanced(self.slip_body, tick, any_width=phase_age <= LOOP.stance_settling_time)

"""Previews of the next two steps: the problems that they solve, and when a new one is needed.

Source: Mordatch, de Lasa, Hertzmann 2010, sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...simulate import SimulatedBody
from ...slip.body import SlipBody
from ...slip.planner import PreviewPlanner
from ...slip.preview import Preview
from ...slip.problem import PreviewProblem
from ...slip.schedule import T1, PhaseTimeLimits
from ...slip.state import SlipState
from ...slip.weights import SlipWeights
from ...terrain import FlatGround
from .feet.heel_off import is_on_ball
from .feet.swing import compute_min_landing_time
from .goal import with_walk_gait
from .instant import ControlTick
from .phases.double_support import DoubleSupportPolicy
from .phases.first_step import FirstStep, find_first_step
from .phases.phase_machine import PhaseMachine
from .phases.transitions import PHASES, Phase
from .steps import STEPS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlanningParameters:
    """When previews are made, and the shortest phases that they may plan."""

    # Age after which every preview is replaced [s]; its two steps are over after 1.2 s at most.
    max_preview_age: float = 1.0
    # The same of a standing body [s], whose balance changes by a push alone.
    max_standing_preview_age: float = 0.2
    # Age before which a preview is kept whose first phase is overdue [s], five control steps, so
    # that not each of them takes a search until the foot lands.
    min_overdue_preview_age: float = 0.02
    # Shortest double support of a walk that has time for it [s].
    # tuned: without it legs at their limit walk crouched and without double support
    min_double_support_time: float = 0.08
    # Longest remaining time that the shortest single support imposes, or a sinking foot on a flight
    # [s]: below the upper bounds of both durations, so that the search has room between its bounds.
    max_imposed_time: float = 0.2
    # Shortest remaining time of a walk's single support [s], five control steps: a phase of no time
    # has no accelerations.
    min_single_support_bound: float = 0.02


PLANNING = PlanningParameters()


@dataclass(frozen=True)
class FollowedPreview:
    """A preview and the time since it was made [s]."""

    preview: Preview
    age: float


@dataclass
class StepPlanning:
    """The preview that a body follows, and what the next one starts from.

    Attributes:
        dt: control period [s].
        replan_ticks: control steps after which a new preview is made in any case; 0 for new ones
            at contacts only.
        planned_at: time at which the preview was made [s].
        last_problem: problem that the last preview solves.
    """

    body: SimulatedBody
    slip_body: SlipBody
    dt: float
    replan_ticks: int
    planner: PreviewPlanner = field(default_factory=PreviewPlanner)
    weights: SlipWeights = field(default_factory=SlipWeights)
    preview: Preview | None = None
    planned_at: float = -np.inf
    last_problem: PreviewProblem | None = None
    double_support_policy: DoubleSupportPolicy = field(default_factory=DoubleSupportPolicy)

    @property
    def is_ground_level(self) -> bool:
        """Whether the ground is level everywhere."""
        return isinstance(self.body.ground, FlatGround)

    def follow(self, time: float) -> FollowedPreview:
        """Return the preview that is followed at a time [s]."""
        assert self.preview is not None
        return FollowedPreview(self.preview, time - self.planned_at)

    def forget(self) -> None:
        """Drop the preview and all that the next one would start from."""
        self.preview = None
        self.last_problem = None
        self.planner.reset()

    def note_phase_update(self, machine: PhaseMachine) -> None:
        """Adapt what the next preview starts from to a step that ended, or that did not."""
        if machine.has_missed:
            self.planner.reset()
        if machine.has_landed and self.last_problem is not None:
            self.planner.exchange_feet(self.last_problem, machine.support == "double")

    def needs_preview(self, time: float, machine: PhaseMachine) -> bool:
        """Return whether the preview must be replaced at a time [s]."""
        age = time - self.planned_at
        if (
            self.preview is None
            or (self.replan_ticks and age >= (self.replan_ticks - 0.5) * self.dt)
            or age > PLANNING.max_preview_age
        ):
            return True
        if machine.is_standing:
            return age > PLANNING.max_standing_preview_age
        return age > max(
            self.preview.get_phase_duration(0) + 0.5 * self.dt, PLANNING.min_overdue_preview_age
        )

    def plan(self, tick: ControlTick, machine: PhaseMachine) -> None:
        """Replace the preview."""
        if tick.goal.gait == "stand" and not machine.is_standing:
            tick = replace(tick, goal=with_walk_gait(tick.goal))
        problem = self._make_problem(tick, machine)
        last_problem = self.last_problem
        is_same_phase = last_problem is not None and last_problem.slots[0] == problem.slots[0]
        preview_age = tick.time - self.planned_at if last_problem is not None else 0.0
        is_calm = self.is_ground_level and not tick.goal.has_flight and not machine.is_standing
        self.preview = self.planner.plan(problem, preview_age, is_same_phase, is_calm)
        self.planned_at = tick.time
        self.last_problem = problem

    def plan_first_step(self, tick: ControlTick, machine: PhaseMachine) -> FirstStep:
        """Choose the foot that carries the first step, and start the next preview from it."""
        first_step = find_first_step(
            *(self._make_first_step_problem(tick, machine, foot) for foot in range(2))
        )
        self.planner.adopt(first_step.controls, first_step.cost)
        return first_step

    def _make_problem(self, tick: ControlTick, machine: PhaseMachine) -> PreviewProblem:
        state = self._make_state(tick, machine)
        limits = PhaseTimeLimits(min_exchange=self._compute_min_exchange_time(tick, machine))
        adapt_limits = _LIMIT_RULES.get(machine.phase)
        if adapt_limits is not None:
            limits = adapt_limits(self, tick, machine, limits)
        return PreviewProblem(
            state, tick.goal, self.slip_body, time_limits=limits, weights=self.weights
        )

    def _make_first_step_problem(
        self, tick: ControlTick, machine: PhaseMachine, stance_foot: int
    ) -> PreviewProblem:
        """Return the problem of a first step that begins now with one foot as the stance foot."""
        state = replace(
            self._make_state(tick, machine),
            support="double",
            stance_foot=stance_foot,
            elapsed=-PHASES.first_step_extra_time,
            step_start_com=tick.body_state.com[:2],
        )
        limits = PhaseTimeLimits(min_exchange=self._compute_min_exchange_time(tick, machine))
        return PreviewProblem(
            state, tick.goal, self.slip_body, time_limits=limits, weights=self.weights
        )

    def _make_state(self, tick: ControlTick, machine: PhaseMachine) -> SlipState:
        """Return the state in which a preview begins."""
        now = tick.body_state
        is_in_flight = machine.support == "flight"
        state = SlipState(
            now.com,
            now.com_velocity,
            tick.heading,
            heading_rate=now.heading_rate,
            feet=tick.feet,
            support=machine.support,
            stance_foot=machine.stance_foot,
            elapsed=machine.compute_step_age(tick.time),
            step_start_com=machine.step_start_com,
        )
        if tick.goal.ground_height is None and (is_in_flight or not tick.goal.has_flight):
            # A foot whose heel has risen is higher than the ground on which the other one lands.
            level = float(self.body.ground.sample_heights(now.com[:2]))
            state = replace(state, ground_level=level)
        if tick.goal.allows_heel_rise and not is_in_flight:
            leaving_foot = (
                machine.stance_foot if machine.support == "single" else 1 - machine.stance_foot
            )
            state = replace(state, is_on_ball=is_on_ball(now, leaving_foot))
        return state

    def _compute_min_exchange_time(self, tick: ControlTick, machine: PhaseMachine) -> float:
        """Return the shortest double support after the step [s]."""
        if tick.goal.has_flight:
            return 0.0
        cost = self.planner.last_cost if self.is_ground_level else self.planner.cost
        is_allowed = self.double_support_policy.allows_double_support(
            cost, machine.phase_start, is_rough=tick.goal.ground_height is not None
        )
        return PLANNING.min_double_support_time if is_allowed else 0.0

    def _limit_first_shift(
        self, tick: ControlTick, machine: PhaseMachine, limits: PhaseTimeLimits
    ) -> PhaseTimeLimits:
        """Let the weight shift of a first step end when it was planned to.

        Without this limit each preview would postpone the step again.
        """
        if self.planner.controls is None:
            return limits
        shift_age = tick.time - max(self.planned_at, machine.phase_start)
        time_left = float(self.planner.controls[T1] - shift_age)
        return replace(limits, max_double=max(time_left, 0.0))

    def _limit_double_support(
        self, tick: ControlTick, machine: PhaseMachine, limits: PhaseTimeLimits
    ) -> PhaseTimeLimits:
        phase_age = tick.time - machine.phase_start
        return replace(limits, min_double=max(limits.min_exchange - phase_age, 0.0))

    def _limit_single_support(
        self, tick: ControlTick, machine: PhaseMachine, limits: PhaseTimeLimits
    ) -> PhaseTimeLimits:
        phase_age = tick.time - machine.phase_start
        min_landing_time = 0.0
        if not tick.goal.has_flight:
            min_landing_time = max(
                PLANNING.min_single_support_bound,
                compute_min_landing_time(machine, tick.goal, tick.feet, self.preview),
            )
        min_support_time = min(PLANNING.max_imposed_time, STEPS.min_single_support_time - phase_age)
        return replace(limits, min_single=max(min_landing_time, min_support_time))

    def _limit_flight(
        self, tick: ControlTick, machine: PhaseMachine, limits: PhaseTimeLimits
    ) -> PhaseTimeLimits:
        if not tick.goal.has_flight:
            return limits
        landing_time = compute_min_landing_time(machine, tick.goal, tick.feet, self.preview)
        return replace(limits, min_flight=min(landing_time, PLANNING.max_imposed_time))


_LimitRule = Callable[[StepPlanning, ControlTick, PhaseMachine, PhaseTimeLimits], PhaseTimeLimits]

# How the current phase restricts the durations that a preview may plan.
_LIMIT_RULES: dict[Phase, _LimitRule] = {
    "first_shift": StepPlanning._limit_first_shift,
    "double": StepPlanning._limit_double_support,
    "single": StepPlanning._limit_single_support,
    "flight": StepPlanning._limit_flight,
}

"""Previews one after the other, each begun from the last one's parameters."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .gauss_newton import CONVERGED_GAIN, GaussNewton
from .preview import Preview
from .problem import PreviewProblem
from .schedule import FOOT, T2, T34, advance_parameters, exchange_parameters
from .solver import PreviewSolution, PreviewSolver

Array = NDArray[np.float64]

COLD_ITERATIONS = 25  # iterations where nothing is known
RESTART_ITERATIONS = 8  # of another start
# what the cost may grow by from one preview to the next: a factor, and as much on top
MAX_COST_GROWTH = (1.3, 0.05)
MIN_RESTART_INTERVAL = 5  # previews between two looks at other starts, at least
# s after which a preview is no longer where it was, the second in a calm walk, and
STALE_TIMES = 0.01, 0.05
ROUGH_GAIN = 1e-3  # to what part of its cost it is found then: what follows is as good
IMMINENT_LANDING_TIME = 0.12  # s before a foot comes down, in which it is left to do so where it is
ALARM_COST = 3.0  # a cost at which the body has to catch itself; then there are more iterations,

# so many, and on level ground other starts after so many previews
ALARM_ITERATIONS = 3
ALARM_RESTART_INTERVAL = 15

# the cost of a step's first preview above which it is looked for elsewhere too,
HIGH_FIRST_COST = 2.0
STUCK_AT_GAP_COST = 10.0  # and of a run's before a gap above which it is sought behind that
RESTART_COST_RATIO = 0.97  # of the cost that another start must reach to be taken
# m by which other starts set foot B down,
FOOT_OFFSETS = ((0.25, 0.0), (-0.25, 0.0), (0.0, 0.2), (0.0, -0.2))
EDGE_FOOT_OFFSETS = ((0.5, 0.0),)  # and on ground with edges besides
# m from the body to foot B as it comes down, s on foot A and in the air, of a run's long strides
LONG_STRIDES = ((0.45, 0.27, 0.15), (0.2, 0.35, 0.15), (0.45, 0.35, 0.15), (0.6, 0.27, 0.15))


@dataclass
class PreviewPlanner:
    """Keeps the parameters from one preview to the next.

    Args:
        solver: for a preview that follows another one.
        calm_solver: the same in a calm walk, where little happens from one to the next.
        restart_interval: previews after which other starts are tried though nothing has happened.
        cost: of the last preview; infinite where the next one is of another step.
        last_cost: of the last preview, whatever comes next.
    """

    solver: PreviewSolver = field(default_factory=lambda: GaussNewton(1))
    calm_solver: PreviewSolver = field(
        default_factory=lambda: GaussNewton(1, damping=0.3, allows_unchecked_steps=True)
    )
    restart_interval: int = 250
    controls: Array | None = None
    cost: float = np.inf
    last_cost: float = np.inf
    previews_since_restart: int = 0
    restarts: int = 0  # other starts that were better

    @property
    def is_alarmed(self) -> bool:
        """Whether the body has to catch itself, as far as is known."""
        return ALARM_COST < self.cost < np.inf

    def plan(
        self,
        problem: PreviewProblem,
        elapsed: float = 0.0,
        is_same_phase: bool = True,
        is_calm: bool = False,
    ) -> Preview:
        """The best preview that is found.

        Args:
            elapsed: s since the last one was made.
            is_same_phase: whether it began in the phase in which this one does.
            is_calm: whether the body walks where all ground is level.
        """
        self.previews_since_restart += 1
        is_stale = elapsed > STALE_TIMES[int(is_calm)]
        if self.controls is None:
            solution = self.try_restarts(
                problem, GaussNewton(COLD_ITERATIONS).solve(problem, problem.initial_guess)
            )
        elif not np.isfinite(self.cost):
            solution = _plan_first(
                problem, self.controls, ROUGH_GAIN if is_stale else CONVERGED_GAIN
            )
        else:
            # else a walk's trailing leg grows too long from one preview to the next, and the search
            # is thrown off its optimum
            is_advancing = is_same_phase and (is_calm or is_stale)
            controls = (
                advance_parameters(self.controls, problem.slots[0], elapsed)
                if is_advancing
                else self.controls
            )
            solution = self._plan_next(problem, controls, is_calm, is_stale)
        self.controls, self.cost, self.last_cost = solution.controls, solution.cost, solution.cost
        return problem.build_preview(solution.controls)

    def _plan_next(
        self, problem: PreviewProblem, controls: Array, is_calm: bool, is_stale: bool
    ) -> PreviewSolution:
        """What follows a preview of the same step, from its parameters on."""
        if is_stale:
            controls = GaussNewton(RESTART_ITERATIONS, ROUGH_GAIN).solve(problem, controls).controls
        solution = (self.calm_solver if is_calm else self.solver).solve(problem, controls)
        max_cost = MAX_COST_GROWTH[0] * self.cost + MAX_COST_GROWTH[1]
        restart_interval = self.restart_interval
        if solution.cost > (min(max_cost, ALARM_COST) if is_calm else ALARM_COST):
            restart_interval = (
                ALARM_RESTART_INTERVAL
                if solution.cost > ALARM_COST and problem.goal.ground_height is None
                else restart_interval
            )
            solution = GaussNewton(ALARM_ITERATIONS).solve(problem, solution.controls)
        is_restart_due = self.previews_since_restart > MIN_RESTART_INTERVAL or is_stale
        if not _is_about_to_land(problem, solution) and (
            (solution.cost > max_cost and is_restart_due)
            or self.previews_since_restart >= restart_interval
        ):
            return self.try_restarts(
                problem, GaussNewton(RESTART_ITERATIONS).solve(problem, solution.controls)
            )
        return solution

    def try_restarts(self, problem: PreviewProblem, solution: PreviewSolution) -> PreviewSolution:
        """The better one of a solution and of what other starts lead to."""
        self.previews_since_restart = 0
        if problem.build_preview(solution.controls).landing is None:
            return solution
        starts = [problem.initial_guess]
        for ahead, aside in FOOT_OFFSETS + (
            EDGE_FOOT_OFFSETS if problem.goal.foothold_distance is not None else ()
        ):
            starts.append(_shift_foot(solution.controls, ahead, aside))
        best_restart = min(
            GaussNewton(RESTART_ITERATIONS).solve_all(problem, np.array(starts)),
            key=lambda s: s.cost,
        )
        if best_restart.cost < RESTART_COST_RATIO * solution.cost:
            solution = best_restart
            self.restarts = self.restarts + 1
        return solution

    def exchange_feet(self, problem: PreviewProblem, lands_double: bool) -> None:
        """Foot B has come down: what was the second step is the first one now."""
        if self.controls is not None:
            self.controls = exchange_parameters(self.controls, problem.goal, lands_double)
            self.cost = np.inf

    def reset(self) -> None:
        """Begin anew with the next preview."""
        self.controls = None
        self.cost = np.inf
        self.last_cost = np.inf
        self.previews_since_restart = 0

    def adopt(self, controls: Array, cost: float) -> None:
        """Go on from parameters that were found elsewhere."""
        self.controls = controls
        self.cost = cost
        self.last_cost = cost
        self.previews_since_restart = 0


def _plan_first(problem: PreviewProblem, controls: Array, min_gain: float) -> PreviewSolution:
    """The first preview of a step: of a walk much is known, of a run little, and of ground with
    edges less than it seems.
    """
    starts = [controls, problem.initial_guess] if problem.goal.has_flight else [controls]
    solution = min(
        GaussNewton(COLD_ITERATIONS, min_gain).solve_all(problem, np.array(starts)),
        key=lambda s: s.cost,
    )
    if problem.goal.foothold_distance is not None and solution.cost > HIGH_FIRST_COST:
        starts = [
            problem.initial_guess,
            *(_shift_foot(problem.initial_guess, *offset) for offset in EDGE_FOOT_OFFSETS),
        ]
        solution = min(
            solution,
            *GaussNewton(COLD_ITERATIONS).solve_all(problem, np.array(starts)),
            key=lambda s: s.cost,
        )
    if problem.goal.uneven_steps is not None and solution.cost > STUCK_AT_GAP_COST:
        starts = [_apply_long_stride(problem.initial_guess, *stride) for stride in LONG_STRIDES]
        solution = min(
            solution,
            *GaussNewton(COLD_ITERATIONS).solve_all(problem, np.array(starts)),
            key=lambda s: s.cost,
        )
    return solution


def _apply_long_stride(
    controls: Array, ahead: float, stance_time: float, flight_time: float
) -> Array:
    """The same parameters (24,) with a long stride: from one that ends in a gap the search
    goes back to before it.
    """
    changed = controls.copy()
    changed[FOOT.start] = ahead
    changed[T2] = stance_time
    changed[T34] = flight_time
    return changed


def _is_about_to_land(problem: PreviewProblem, solution: PreviewSolution) -> bool:
    """Whether a foot is about to come down among edges, too late to make for another place."""
    goal = problem.goal
    support = problem.state.support
    return (
        goal.gait == "walk"
        and goal.foothold_distance is not None
        and support == "single"
        and solution.controls[T2] < IMMINENT_LANDING_TIME
    )


def _shift_foot(controls: Array, ahead: float, aside: float) -> Array:
    """The same parameters (24,) with foot B set down elsewhere."""
    changed = controls.copy()
    changed[FOOT] += (ahead, aside)
    changed[T2] *= 1.0 + 0.8 * ahead
    return changed

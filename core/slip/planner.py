"""Sequence of previews, each warm-started from the previous one (section 5)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .gauss_newton import CONVERGED_GAIN, GaussNewton
from .preview import Preview
from .problem import PreviewProblem, PreviewSolution, PreviewSolver
from .schedule import FOOT, T2, T34, advance_parameters, exchange_parameters

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PreviewSearchParameters:
    """Effort of the search for a preview, by how well the previous one fits."""

    # Iterations of the first preview of all, and of each step. Numerical: enough to converge from a
    # guess
    cold_iterations: int = 25
    # The same from another start, which is dropped if it is not cheaper by then
    restart_iterations: int = 8
    # The same at a cost above `alarm_cost`, where one iteration for each control step is too slow
    # to catch the body
    alarm_iterations: int = 3
    # Cost above which the body is losing its balance
    alarm_cost: float = 3.0
    # Factor by which the cost grows between previews that makes other starts worth trying
    cost_growth_factor: float = 1.3
    # Growth of the cost beside it, so that small costs, which differ from preview to preview, do
    # not count
    cost_growth_offset: float = 0.05
    # Least number of previews between two attempts at other starts; an attempt takes
    # `restart_iterations` for each start
    min_restart_interval: int = 5
    # The same on level ground at a cost above `alarm_cost`, at which each preview already takes
    # `alarm_iterations`
    alarm_restart_interval: int = 15
    # Ratio of costs below which another start is adopted. It is below 1, so that previews do not
    # alternate between two steps of the same cost
    restart_cost_ratio: float = 0.97
    # [s] age at which a preview is advanced in time and refined, otherwise than in a calm walk
    stale_time: float = 0.01
    # [s] the same in a calm walk, where previews change little, so that fewer of them are needed
    calm_stale_time: float = 0.05
    # Relative reduction of the cost at which the refinement of a stale preview stops; the previews
    # that follow refine it further. tuned: a fifth of the computing went into more, which the next
    # step lost
    rough_gain: float = 1e-3
    # [s] before touchdown from which a foot near edges keeps its place. tuned: as a foot was about
    # to come down a start on the tread above was cheaper, and it rose again
    imminent_landing_time: float = 0.12
    # Cost of a step's first preview above which other starts are tried near edges, below
    # `alarm_cost`: a foothold behind an edge is another local minimum
    high_first_cost: float = 2.0
    # Cost of a step's first preview above which starts with long strides are tried at a gap. tuned:
    # one first preview of a step in a hundred was stuck before the gap at three times the cost;
    # test_preview_gaps.test_run_steps_over_a_gap_from_bad_initial_parameters
    stuck_at_gap_cost: float = 10.0


@dataclass(frozen=True)
class FootOffset:
    """Displacement of foot B in another start, in the frame of the heading."""

    ahead: float  # [m]
    aside: float  # [m] to the left


@dataclass(frozen=True)
class LongStride:
    """Start with a long stride of a run."""

    ahead: float  # [m] from the CoM to foot B at touchdown
    stance_time: float  # [s] on foot A
    flight_time: float  # [s]


PREVIEW_SEARCH = PreviewSearchParameters()
# Share of a stance that is added for each meter that a foot comes down farther ahead [1/m]: less
# than a body of 1 m/s would take, since it is faster then.
TIME_PER_DISTANCE = 0.8
# Other starts
FOOT_OFFSETS = (
    FootOffset(0.25, 0.0),
    FootOffset(-0.25, 0.0),
    FootOffset(0.0, 0.2),
    FootOffset(0.0, -0.2),
)
# Further starts on ground with edges
EDGE_FOOT_OFFSETS = (FootOffset(0.5, 0.0),)
# Further starts of runs in front of a gap
LONG_STRIDES = (
    LongStride(0.45, 0.27, 0.15),
    LongStride(0.2, 0.35, 0.15),
    LongStride(0.45, 0.35, 0.15),
    LongStride(0.6, 0.27, 0.15),
)


@dataclass
class PreviewPlanner:
    """Planner that keeps the parameters from one preview to the next.

    Args:
        solver: for a preview that follows another one of the same step.
        calm_solver: the same in a calm walk, where previews change little.
        restart_interval: number of previews after which other starts are tried in any case.
        controls: (24,) parameters of the last preview.
        cost: of the last preview; infinite if the next preview is the first of a step.
        last_cost: of the last preview in any case.
        previews_since_restart: number of previews since other starts were tried.
        restarts: number of other starts that were adopted.
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
    restarts: int = 0

    @property
    def is_alarmed(self) -> bool:
        """Whether the last preview of this step suggests that the body is losing its balance."""
        return PREVIEW_SEARCH.alarm_cost < self.cost < np.inf

    def plan(
        self,
        problem: PreviewProblem,
        elapsed: float = 0.0,
        is_same_phase: bool = True,
        is_calm: bool = False,
    ) -> Preview:
        """Optimize the next preview.

        Args:
            problem: the optimization problem.
            elapsed: [s] since the last preview.
            is_same_phase: whether the last preview began in the current phase.
            is_calm: whether the body walks on level ground.
        """
        self.previews_since_restart += 1
        is_stale = elapsed > (
            PREVIEW_SEARCH.calm_stale_time if is_calm else PREVIEW_SEARCH.stale_time
        )
        if self.controls is None:
            solution = self.try_restarts(
                problem,
                GaussNewton(PREVIEW_SEARCH.cold_iterations).solve(problem, problem.initial_guess),
            )
        elif not np.isfinite(self.cost):
            solution = _plan_first(
                problem, self.controls, PREVIEW_SEARCH.rough_gain if is_stale else CONVERGED_GAIN
            )
        else:
            # Parameters that are not advanced make a walk's trailing leg too long, and the search
            # leaves its optimum
            is_advancing = is_same_phase and (is_calm or is_stale)
            controls = (
                advance_parameters(self.controls, problem.slots[0], elapsed)
                if is_advancing
                else self.controls
            )
            solution = self._plan_next(problem, controls, is_calm, is_stale)
        self.controls = solution.controls
        self.cost = solution.cost
        self.last_cost = solution.cost
        return problem.build_preview(solution.controls)

    def _plan_next(
        self, problem: PreviewProblem, controls: Array, is_calm: bool, is_stale: bool
    ) -> PreviewSolution:
        """Optimize a preview that follows another one of the same step."""
        if is_stale:
            controls = (
                GaussNewton(PREVIEW_SEARCH.restart_iterations, PREVIEW_SEARCH.rough_gain)
                .solve(problem, controls)
                .controls
            )
        solution = (self.calm_solver if is_calm else self.solver).solve(problem, controls)
        max_cost = PREVIEW_SEARCH.cost_growth_factor * self.cost + PREVIEW_SEARCH.cost_growth_offset
        alarm_cost = PREVIEW_SEARCH.alarm_cost
        restart_interval = self.restart_interval
        if solution.cost > (min(max_cost, alarm_cost) if is_calm else alarm_cost):
            restart_interval = (
                PREVIEW_SEARCH.alarm_restart_interval
                if solution.cost > alarm_cost and problem.goal.ground_height is None
                else restart_interval
            )
            solution = GaussNewton(PREVIEW_SEARCH.alarm_iterations).solve(
                problem, solution.controls
            )
        is_restart_due = (
            self.previews_since_restart > PREVIEW_SEARCH.min_restart_interval or is_stale
        )
        if not _is_about_to_land(problem, solution) and (
            (solution.cost > max_cost and is_restart_due)
            or self.previews_since_restart >= restart_interval
        ):
            return self.try_restarts(
                problem,
                GaussNewton(PREVIEW_SEARCH.restart_iterations).solve(problem, solution.controls),
            )
        return solution

    def try_restarts(self, problem: PreviewProblem, solution: PreviewSolution) -> PreviewSolution:
        """Return the best of a solution and those from other starts."""
        self.previews_since_restart = 0
        if problem.build_preview(solution.controls).landing is None:
            return solution
        has_edges = problem.goal.foothold_distance is not None
        offsets = FOOT_OFFSETS + (EDGE_FOOT_OFFSETS if has_edges else ())
        starts = [
            problem.initial_guess,
            *(_shift_foot(solution.controls, offset) for offset in offsets),
        ]
        best_restart = min(
            GaussNewton(PREVIEW_SEARCH.restart_iterations).solve_all(problem, np.array(starts)),
            key=lambda s: s.cost,
        )
        if best_restart.cost < PREVIEW_SEARCH.restart_cost_ratio * solution.cost:
            solution = best_restart
            self.restarts = self.restarts + 1
        return solution

    def exchange_feet(self, problem: PreviewProblem, lands_double: bool) -> None:
        """Prepare the next step after the touchdown of foot B: the second step becomes the first.

        Args:
            problem: the optimization problem of the previous step.
            lands_double: whether the touchdown begins a double support.
        """
        if self.controls is not None:
            self.controls = exchange_parameters(self.controls, problem.goal, lands_double)
            self.cost = np.inf

    def reset(self) -> None:
        """Discard the parameters; the next preview starts cold."""
        self.controls = None
        self.cost = np.inf
        self.last_cost = np.inf
        self.previews_since_restart = 0

    def adopt(self, controls: Array, cost: float) -> None:
        """Continue from given parameters (24,) and their cost."""
        self.controls = controls
        self.cost = cost
        self.last_cost = cost
        self.previews_since_restart = 0


def _plan_first(problem: PreviewProblem, controls: Array, min_gain: float) -> PreviewSolution:
    """Optimize the first preview of a step.

    The parameters of the previous step are a good start for a walk. A run also starts from the
    initial guess; so does a step near edges whose cost is high.

    Args:
        problem: the optimization problem.
        controls: (24,) converted from the previous step.
        min_gain: relative reduction of the cost that continues a search.
    """
    starts = [controls, problem.initial_guess] if problem.goal.has_flight else [controls]
    solution = min(
        GaussNewton(PREVIEW_SEARCH.cold_iterations, min_gain).solve_all(problem, np.array(starts)),
        key=lambda s: s.cost,
    )
    if (
        problem.goal.foothold_distance is not None
        and solution.cost > PREVIEW_SEARCH.high_first_cost
    ):
        starts = [
            problem.initial_guess,
            *(_shift_foot(problem.initial_guess, offset) for offset in EDGE_FOOT_OFFSETS),
        ]
        solution = min(
            solution,
            *GaussNewton(PREVIEW_SEARCH.cold_iterations).solve_all(problem, np.array(starts)),
            key=lambda s: s.cost,
        )
    if problem.goal.uneven_steps is not None and solution.cost > PREVIEW_SEARCH.stuck_at_gap_cost:
        starts = [_apply_long_stride(problem.initial_guess, stride) for stride in LONG_STRIDES]
        solution = min(
            solution,
            *GaussNewton(PREVIEW_SEARCH.cold_iterations).solve_all(problem, np.array(starts)),
            key=lambda s: s.cost,
        )
    return solution


def _apply_long_stride(controls: Array, stride: LongStride) -> Array:
    """Replace the first step by a long stride. (24,) -> (24,).

    From a stride that ends in a gap the search returns to the near side of the gap.
    """
    changed = controls.copy()
    changed[FOOT.start] = stride.ahead
    changed[T2] = stride.stance_time
    changed[T34] = stride.flight_time
    return changed


def _is_about_to_land(problem: PreviewProblem, solution: PreviewSolution) -> bool:
    """Return whether a walk's foot near edges touches down too soon to change its place."""
    goal = problem.goal
    support = problem.state.support
    return (
        goal.gait == "walk"
        and goal.foothold_distance is not None
        and support == "single"
        and solution.controls[T2] < PREVIEW_SEARCH.imminent_landing_time
    )


def _shift_foot(controls: Array, offset: FootOffset) -> Array:
    """Displace foot B, and lengthen the stance before it in proportion. (24,) -> (24,)."""
    changed = controls.copy()
    changed[FOOT] += (offset.ahead, offset.aside)
    changed[T2] *= 1.0 + TIME_PER_DISTANCE * offset.ahead
    return changed

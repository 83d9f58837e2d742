"""Step lengths of a run over ground with gaps, planned farther ahead than a preview reaches."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import heading_axes
from ...slip.command import FootholdDistance, StepGoal, UnevenSteps
from ...task import Path
from .goal_modifiers import GoalView
from .ground.foothold_field import STATION_SPACING, sample_best_foothold_distances
from .ground.gaps import GAPS
from .steps import STEPS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StridePlanParameters:
    """Costs and limits of planned steps."""

    # Distance along the path for which steps are planned [m]. tuned: two steps, as in a preview,
    # are too short for a run-up
    lookahead_length: float = 3.5
    # Longest step [m]. Guarded by test_preview_gaps.test_steps_before_a_gap_are_optimal
    max_length: float = 1.3
    # Longest step over a gap that exceeds this by `leap_margin` [m].
    max_leap_length: float = GAPS.max_run_step
    # Excess of a gap over the longest step from which it takes a leap [m].
    leap_margin: float = 0.12
    # Weight of the squared change of length from step to step, relative to that of the squared
    # difference from the desired length [1].
    change_weight: float = 0.2
    # Weight of the squared distance of a foot from the nearest foothold [1]. Guarded by
    # test_preview_gaps.test_only_gaps_that_no_step_crosses_are_leapt_over
    foothold_weight: float = 300.0


STRIDE_PLAN = StridePlanParameters()

# Distances to the left of the path at which feet may come down [m].
LATERAL_OFFSETS = np.array([-0.15, 0.0, 0.15])


@dataclass(frozen=True)
class StepLengths:
    """Lengths of the next two steps [m]."""

    first: float
    second: float


@dataclass(frozen=True)
class _StridePlan:
    """Planned steps, and what they were planned for.

    Attributes:
        step_start: time at which the current step began [s].
        path: path of the body.
        foothold_distance: as in `StepGoal`.
        foot_station: distance of the stance foot along the path [m].
        desired_length: step length without gaps [m].
        lengths: lengths of the next steps; None where the desired length suits.
    """

    step_start: float
    path: Path
    foothold_distance: FootholdDistance
    foot_station: float
    desired_length: float
    lengths: StepLengths | None

    def is_current(self, view: GoalView) -> bool:
        """Return whether the plan is for the current step."""
        return (
            self.step_start == view.step_start
            and self.path is view.path.path
            and self.foothold_distance is view.path.foothold_distance
        )


class StridePlanner:
    """Adapts the steps of a run to the gaps ahead.

    The steps are planned once for each step, when its foot has come down: a leap cannot be changed
    halfway.
    """

    def __init__(self) -> None:
        self._plan: _StridePlan | None = None

    def modify_goal(self, step_goal: StepGoal, view: GoalView) -> StepGoal:
        """Return the goal of a running step with the planned foothold and lengths."""
        foothold_distance = view.path.foothold_distance
        if (
            step_goal.gait != "run"
            or step_goal.leap_height is not None
            or foothold_distance is None
            or view.path.is_turned
        ):
            return step_goal
        is_current = self._plan is not None and self._plan.is_current(view)
        if view.support != "flight" and not is_current:
            desired_length = step_goal.step_length / STEPS.run_length_factor
            self._plan = self._make_plan(view, desired_length, foothold_distance)
        plan = self._plan
        if plan is None or plan.lengths is None:
            return step_goal
        first = plan.lengths.first
        second = plan.lengths.second
        return replace(
            step_goal,
            uneven_steps=UnevenSteps(
                view.path.path.position_at(plan.foot_station + first),
                (STEPS.run_length_factor * first, STEPS.run_length_factor * second),
                (
                    step_goal.step_time * max(first / plan.desired_length - 1, 0.0),
                    step_goal.step_time * max(second / plan.desired_length - 1, 0.0),
                ),
            ),
        )

    def _make_plan(
        self, view: GoalView, desired_length: float, foothold_distance: FootholdDistance
    ) -> _StridePlan:
        """Return the plan of a step whose foot has come down."""
        path = view.path.path
        now = view.body
        forward = heading_axes(float(path.heading_at(view.path.station)))[0]
        foot_offset = (now.foot_frames.place[view.stance_foot] - now.com)[:2]
        foot_station = view.path.station + float(foot_offset @ forward)
        last_length = np.inf if self._plan is None else foot_station - self._plan.foot_station
        if not STEPS.min_adapted_length <= last_length <= STRIDE_PLAN.max_length:
            last_length = desired_length
        lengths = plan_step_lengths(
            path, foot_station, last_length, desired_length, foothold_distance
        )
        return _StridePlan(
            view.step_start, path, foothold_distance, foot_station, desired_length, lengths
        )


def plan_step_lengths(
    path: Path,
    foot_station: float,
    last_length: float,
    desired_length: float,
    foothold_distance: FootholdDistance,
) -> StepLengths | None:
    """Return the lengths of the next two steps; None where every place is a foothold.

    They begin the sequence of steps with the least sum of squares of the differences from the
    desired length and from each other, and of the distances from footholds. All sequences of
    stations on a grid are compared, by dynamic programming from the far end. Leaps are allowed only
    before a gap that takes one.

    Args:
        foot_station: distance of the stance foot along the path [m].
        last_length: length of the last step [m].
        desired_length: desired length of each step [m].
        foothold_distance: as in `StepGoal`.
    """
    horizon_cells = round(STRIDE_PLAN.lookahead_length / STATION_SPACING)
    cell_count = horizon_cells + round(STRIDE_PLAN.max_leap_length / STATION_SPACING) + 1.0
    distances = sample_best_foothold_distances(
        path,
        foot_station + STATION_SPACING * np.arange(cell_count),
        LATERAL_OFFSETS,
        foothold_distance,
    )
    foothold_costs = STRIDE_PLAN.foothold_weight * distances**2  # (s,)
    if not foothold_costs[:horizon_cells].any():
        return None
    step_cells = _choose_step_cells(foothold_costs)
    first, second = _find_best_steps(
        step_cells,
        foothold_costs[: horizon_cells + step_cells[-1] + 1],
        last_length,
        desired_length,
    )
    return StepLengths(STATION_SPACING * first, STATION_SPACING * second)


def _choose_step_cells(foothold_costs: Array) -> NDArray[np.int64]:
    """Return the step lengths that are compared, in cells (j,).

    Args:
        foothold_costs: (s,) cost of a foot at each station.
    """
    max_gap = STATION_SPACING * np.diff(np.flatnonzero(foothold_costs <= 0)).max(initial=0)
    needs_leap = (
        STRIDE_PLAN.max_length + STRIDE_PLAN.leap_margin < max_gap <= STRIDE_PLAN.max_leap_length
    )
    max_length = STRIDE_PLAN.max_leap_length if needs_leap else STRIDE_PLAN.max_length
    return np.arange(
        round(STEPS.min_adapted_length / STATION_SPACING), round(max_length / STATION_SPACING) + 1
    )


def _find_best_steps(
    step_cells: NDArray[np.int64], foothold_costs: Array, last_length: float, desired_length: float
) -> tuple[int, int]:
    """Return the cells of the first two steps of the best sequence.

    Args:
        step_cells: (j,) cells that a step may have.
        foothold_costs: (s,) cost of a foot at each station.
        last_length: length of the last step [m].
        desired_length: desired length of each step [m].
    """
    step_lengths = STATION_SPACING * step_cells
    horizon_cells = len(foothold_costs) - int(step_cells[-1]) - 1
    length_costs = (step_lengths - desired_length) ** 2  # (j,)
    # (j of the step before, j of the next step)
    change_costs = STRIDE_PLAN.change_weight * (step_lengths[:, None] - step_lengths) ** 2
    # Least cost from a station to the end after a step of each length, and the step that begins it.
    cost_to_go = np.zeros((len(foothold_costs), len(step_cells)))
    best_steps: NDArray[np.int64] = np.zeros((len(foothold_costs), len(step_cells)), np.int64)
    columns = np.arange(len(step_cells))
    for cell in range(horizon_cells - 1, -1, -1):
        next_cells = cell + step_cells
        cost = change_costs + (
            length_costs + foothold_costs[next_cells] + cost_to_go[next_cells, columns]
        )
        best_steps[cell] = np.argmin(cost, axis=1)
        cost_to_go[cell] = cost.min(1)
    first = int(best_steps[0][int(np.abs(step_lengths - last_length).argmin())])
    cell = int(step_cells[first])
    return cell, int(step_cells[int(best_steps[cell][first])])

"""Steps of a run farther ahead than a preview sees, so that a foot stands before each gap."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import heading_axes
from ...slip.command import FootholdDistance, StepGoal, UnevenSteps
from ...task import Path
from .goal import RUN_COMMAND_FACTORS, GoalSource
from .ground.gaps import MAX_STEP_LENGTHS, sample_best_foothold_errors
from .loop import ControlLoop

Array = NDArray[np.float64]

LOOKAHEAD_LENGTH = 3.5  # m along the way that are looked ahead
CELL_SIZE = 0.05  # m between places for feet

# m of a step, and
MIN_STEP_LENGTH = 0.3
MAX_STEP_LENGTH = 1.3


# m of one over a gap that is wider than these by so much
MAX_LEAP_LENGTH = MAX_STEP_LENGTHS[1]
LEAP_MARGIN = 0.12

LATERAL_OFFSETS = np.array([-0.15, 0.0, 0.15])  # m beside the path, where feet may stand too
# what the square of a change from step to step counts, against one of a step's
# difference from what is wished
CHANGE_WEIGHT = 0.2
BODY_ADVANCE_RATIO = 1.25  # of a step that the body is asked to go, as steps come out shorter
FOOTHOLD_WEIGHT = 300.0  # what the square of a foot's distance from good ground does


class StridePlanner:
    """Turns wishes for a run over ground with gaps into those for the steps that fit them.

    Args:
        goal_source: the way.
        loop: the body.
    """

    def __init__(self, goal_source: GoalSource, loop: ControlLoop) -> None:
        self._goal_source = goal_source
        self._loop = loop
        # m along the path, where the foot stands that it looked ahead from last
        self._foot_station: float | None = None
        # when that step began, and on which way
        self._plan_key: tuple[float, Path | None, FootholdDistance | None] = -np.inf, None, None
        self._desired_length = 0.0  # m, wished for then
        self._planned_lengths: tuple[float, float] | None = None

    def modify_goal(self, step_goal: StepGoal) -> StepGoal:
        """The wish for one instant."""
        goal_source = self._goal_source
        loop = self._loop
        phase_machine = self._loop.phase_machine
        if (
            step_goal.gait != "run"
            or step_goal.leap_height is not None
            or goal_source.foothold_distance is None
            or goal_source.task.facing_offset.values.any()
        ):
            return step_goal
        path = goal_source.task.path
        planned_step_start, planned_path, planned_distance_function = self._plan_key
        if phase_machine.support != "flight" and (
            planned_step_start != phase_machine.step_start
            or planned_path is not path
            or planned_distance_function is not goal_source.foothold_distance
        ):
            now = loop.body_state
            forward = heading_axes(float(path.heading_at(goal_source.station)))[0]
            foot_station = goal_source.station + float(
                (now.foot_frames.place[phase_machine.stance_foot] - now.com)[:2] @ forward
            )
            self._plan_key = phase_machine.step_start, path, goal_source.foothold_distance
            self._plan_ahead(
                path,
                foot_station,
                step_goal.step_length / RUN_COMMAND_FACTORS[0],
                goal_source.foothold_distance,
            )
        if self._planned_lengths is None or self._foot_station is None:
            return step_goal
        extra_times = [
            step_goal.step_time * max(length / self._desired_length - 1, 0.0)
            for length in self._planned_lengths
        ]
        first, second = self._planned_lengths
        return replace(
            step_goal,
            uneven_steps=UnevenSteps(
                path.position_at(self._foot_station + first),
                (BODY_ADVANCE_RATIO * first, BODY_ADVANCE_RATIO * second),
                (extra_times[0], extra_times[1]),
            ),
        )

    def _plan_ahead(
        self,
        path: Path,
        foot_station: float,
        desired_length: float,
        foothold_distance: FootholdDistance,
    ) -> None:
        """Look ahead from a foot that has come down. What is chosen for its step stays:
        no leap can be changed halfway.
        """
        foot_advance = np.inf if self._foot_station is None else foot_station - self._foot_station
        last_length = (
            foot_advance if MIN_STEP_LENGTH <= foot_advance <= MAX_STEP_LENGTH else desired_length
        )
        self._foot_station = foot_station
        self._desired_length = desired_length
        self._planned_lengths = plan_step_lengths(
            path,
            foot_station,
            last_length,
            desired_length=desired_length,
            foothold_distance=foothold_distance,
        )


def plan_step_lengths(
    path: Path,
    foot_station: float,
    last_length: float,
    desired_length: float,
    foothold_distance: FootholdDistance,
) -> tuple[float, float] | None:
    """Lengths of the next two steps, m; None where any are as good.

    They begin the way with the least sum of squares: of lengths' differences from what is wished
    and from one another, and of feet's distances from good ground. All ways with feet a cell apart
    are looked at, by dynamic programming from the far end; steps as wide as a leap can be only
    before a gap that takes one.

    Args:
        foot_station: m along the path where the foot stands that the first of them begins from.
        last_length: m, length of the step before.
        desired_length: m, wished for each.
    """
    horizon_cells = round(LOOKAHEAD_LENGTH / CELL_SIZE)
    # (s,)
    foothold_costs = (
        FOOTHOLD_WEIGHT
        * sample_best_foothold_errors(
            path,
            foot_station
            + CELL_SIZE * np.arange(horizon_cells + round(MAX_LEAP_LENGTH / CELL_SIZE) + 1.0),
            LATERAL_OFFSETS,
            foothold_distance,
        )
        ** 2
    )
    if not foothold_costs[:horizon_cells].any():
        return None
    max_gap = CELL_SIZE * np.diff(np.flatnonzero(foothold_costs <= 0)).max(initial=0)
    step_cells = np.arange(
        round(MIN_STEP_LENGTH / CELL_SIZE),
        round(
            (
                MAX_LEAP_LENGTH
                if MAX_STEP_LENGTH + LEAP_MARGIN < max_gap <= MAX_LEAP_LENGTH
                else MAX_STEP_LENGTH
            )
            / CELL_SIZE
        )
        + 1,
    )
    first, second = _find_best_steps(
        step_cells,
        foothold_costs[: horizon_cells + step_cells[-1] + 1],
        last_length,
        desired_length,
    )
    return CELL_SIZE * first, CELL_SIZE * second


def _find_best_steps(
    step_cells: NDArray[np.int64], foothold_costs: Array, last_length: float, desired_length: float
) -> tuple[int, int]:
    """Cells of the first two steps of the best way.

    Args:
        step_cells: (j,) that a step may have.
        foothold_costs: (s,) what a foot in each place costs.
    """
    step_lengths = CELL_SIZE * step_cells
    horizon_cells = len(foothold_costs) - int(step_cells[-1]) - 1
    length_costs = (step_lengths - desired_length) ** 2  # (j,)
    change_costs = CHANGE_WEIGHT * (step_lengths[:, None] - step_lengths) ** 2  # (j before, j next)
    # least cost from a place to the end after a step of some length, and the step that begins it
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

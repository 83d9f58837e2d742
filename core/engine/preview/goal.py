"""Goal of the next two steps, from a task and the place of the body on its path."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import wrap_angle
from ...slip.command import FootholdDistance, Gait, StepGoal
from ...task import Task
from ...terrain import FlatGround
from .ground.edges import find_path_edge, restrict_footholds
from .ground.local_terrain import LocalTerrain, LocalTerrainCache
from .ground.slope import adapt_step_size, measure_relief
from .path_view import PathView
from .speed_choice import SPEED, SpeedChoice, limit_speed
from .steps import STEPS, StepSize, choose_step_size

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GoalParameters:
    """How a body follows its path."""

    # Least distance along the path of the point that the body steers to [m]: a step of a walk
    # (`STEPS.walk_length`) and a bit, since the step that has begun is hardly changed.
    min_lookahead_distance: float = 0.9
    # Time in which the body gets there, where it is faster [s]. tuned: runs that steered to the
    # distance above, one step ahead, wove about the path;
    # test_a_run_looks_farther_along_its_path_than_a_walk
    lookahead_time: float = 0.7
    # Distance ahead along the path in which the nearest station is searched [m]; farther, the
    # other lap of a path that crosses itself may be nearer.
    search_distance: float = 1.5
    # The same backward [m], so that a body that is pushed back is still where it is on its path.
    backward_search_distance: float = 0.2
    # Number of stations among which it is searched [1]. Numerical: 5 cm apart.
    search_count: int = 35
    # Largest angle between the heading of the body and the direction of its steps [rad]; beyond it
    # feet cross.
    max_direction_offset: float = 0.5
    # Largest change of heading within two steps [rad]; beyond it feet cross.
    max_heading_change: float = 0.4


GOAL = GoalParameters()


@dataclass(frozen=True)
class LocomotionGoal:
    """Goal of the next two steps, and the desired velocity (3,) along the path [m/s]."""

    step_goal: StepGoal
    velocity: Array


@dataclass(frozen=True)
class _StepChoice:
    """Size of the next steps, and whether the ground ahead falls so that heels may rise."""

    size: StepSize
    is_descending: bool


class GoalSource:
    """Follows the path of a task.

    Args:
        task: task at human scale.
        foothold_distance: as in `StepGoal`.

    Attributes:
        station: distance of the body along the path [m], negative before its start.
        is_running: whether the body runs.

    Raises:
        TaskError: the task has features without support in this engine.
    """

    def __init__(self, task: Task, foothold_distance: FootholdDistance | None = None) -> None:
        self.task = task
        self.foothold_distance = foothold_distance
        self.ground_height = (
            None if isinstance(task.ground, FlatGround) else task.ground.sample_heights
        )
        self.station = 0.0
        self.is_running = False
        self._terrain_cache = LocalTerrainCache()
        self._speed_choice = SpeedChoice()

    @property
    def path_view(self) -> PathView:
        """Where the body is on its path."""
        return PathView(self.task, self.station, self.ground_height, self.foothold_distance)

    @property
    def initial_speed(self) -> float:
        """Speed with which the path begins [m/s]."""
        return self._speed_choice.choose_initial_speed(self.path_view)

    def compute_goal(
        self,
        time: float,
        com: Array,
        heading: float,
        current_speed: float = np.inf,
        stance_place: Array | None = None,
        is_setting_off: bool = False,
    ) -> LocomotionGoal:
        """Return the goal at a time of the clip.

        Args:
            time: time of the clip [s], negative during a run-up.
            com: (3,) center of mass [m].
            heading: heading of the pelvis [rad], continuous over whole turns.
            current_speed: horizontal speed [m/s], which that of the goal exceeds by little.
            stance_place: (3,) stance foot [m], which decides about footholds at edges.
            is_setting_off: whether the next step is the first one out of standing.
        """
        time = max(time, 0.0)
        self._update_station(com)
        view = self.path_view
        path_heading = float(view.path.heading_at(view.station))
        terrain = self._find_terrain(com, path_heading)
        is_rough = not terrain.is_plain
        desired_speed = self._speed_choice.choose_speed(view, time, is_rough)
        speed = limit_speed(desired_speed, current_speed, self.is_running)
        direction = _choose_direction(view, com, heading, speed)
        self.is_running = _is_running(self.is_running, speed, desired_speed, current_speed)
        step = self._choose_step(view, speed, time, is_rough, is_setting_off)
        step_goal = StepGoal(
            _choose_gait(view, speed, self.is_running),
            step.size.length,
            step.size.time,
            direction=direction,
            heading=heading + _choose_turn(view, heading, time),
            ground_height=self.ground_height if is_rough else None,
            foothold_distance=_choose_footholds(view, terrain, stance_place),
            allows_heel_rise=step.is_descending,
            hop_leg=view.hop_leg or 0,
        )
        along_path = np.array([np.cos(path_heading), np.sin(path_heading), 0.0])
        return LocomotionGoal(step_goal, desired_speed * along_path)

    def make_notes(self, length_unit: float, time_unit: float) -> tuple[str, ...]:
        """Return notes on run-ups and on a stop that is not at the end of the path.

        Args:
            length_unit: meters of the clip for one of the simulation.
            time_unit: seconds of the clip for one of the simulation.
        """
        return self._speed_choice.make_notes(self.path_view, length_unit, time_unit)

    def _update_station(self, com: Array) -> None:
        """Move the station to the nearest point of the path, near the last one."""
        stations = self.station + np.linspace(
            -GOAL.backward_search_distance, GOAL.search_distance, GOAL.search_count
        )
        distances = np.linalg.norm(self.task.path.position_at(stations) - com[:2], axis=1)
        self.station = float(stations[np.argmin(distances)])

    def _find_terrain(self, com: Array, path_heading: float) -> LocalTerrain:
        if self.ground_height is None:
            return LocalTerrain()
        return self._terrain_cache.find_terrain(
            com[:2], path_heading, self.ground_height, self.foothold_distance
        )

    def _choose_step(
        self, view: PathView, speed: float, time: float, is_rough: bool, is_setting_off: bool
    ) -> _StepChoice:
        """Return the next steps: shorter on slopes and, on rough ground, out of standing."""
        size = choose_step_size(view, speed, time, self.is_running)
        if not is_rough or size.length <= 0:
            return _StepChoice(size, is_descending=False)
        assert view.ground_height is not None
        relief = measure_relief(view.path, view.station, view.ground_height)
        size = adapt_step_size(size, relief)
        if is_setting_off:
            size = replace(size, length=STEPS.first_step_ratio * size.length)
        return _StepChoice(size, relief.is_descending)


def with_walk_gait(step_goal: StepGoal) -> StepGoal:
    """Return the goal of steps on the spot, for a body that cannot stand now."""
    return replace(step_goal, gait="walk", step_length=0.0)


def _is_running(
    was_running: bool, speed: float, desired_speed: float, current_speed: float
) -> bool:
    """Return whether a body runs.

    A running body runs on while it is faster than any walk.

    Args:
        speed: speed of the goal [m/s].
        desired_speed: speed of the goal if the body were fast enough [m/s].
        current_speed: speed of the body [m/s].
    """
    return speed > SPEED.run_onset_speed or (
        was_running
        and (
            desired_speed > SPEED.walk_onset_speed or SPEED.run_onset_speed < current_speed < np.inf
        )
    )


def _choose_gait(view: PathView, speed: float, is_running: bool) -> Gait:
    if speed < STEPS.standing_speed:
        return "stand"
    if view.hop_leg is not None:
        return "hop"
    return "run" if is_running else "walk"


def _choose_direction(view: PathView, com: Array, heading: float, speed: float) -> float:
    """Return the direction of travel toward the path ahead [rad].

    A body that walks forward turns first: its steps stay near its heading. One that is turned
    against its path steps in the direction of travel.
    """
    distance = max(GOAL.min_lookahead_distance, GOAL.lookahead_time * speed)
    to_target = view.path.position_at(view.station + distance) - com[:2]
    direction = float(np.arctan2(to_target[1], to_target[0]))
    if view.is_turned:
        return direction
    offset = wrap_angle(direction - heading)
    return heading + float(np.clip(offset, -GOAL.max_direction_offset, GOAL.max_direction_offset))


def _choose_turn(view: PathView, heading: float, time: float) -> float:
    """Return the change of heading within two steps [rad]."""
    path_heading = view.path.heading_at(view.station + 0.5 * GOAL.min_lookahead_distance)
    facing = float(path_heading) + np.radians(float(view.task.facing_offset.value_at(time)))
    turn = wrap_angle(facing - heading)
    return float(np.clip(turn, -GOAL.max_heading_change, GOAL.max_heading_change))


def _choose_footholds(
    view: PathView, terrain: LocalTerrain, stance_place: Array | None
) -> FootholdDistance | None:
    """Return the footholds of the next foot; None where every place is one."""
    foothold_distance = view.foothold_distance
    if view.ground_height is None or foothold_distance is None:
        return foothold_distance
    if terrain.is_edge_free:
        return None
    if stance_place is None:
        return foothold_distance
    edge = find_path_edge(view.path, view.station, view.ground_height, stance_place)
    return foothold_distance if edge is None else restrict_footholds(edge, foothold_distance)

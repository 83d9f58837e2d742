"""Speed of a body along its path: that of the task, run-ups to gaps, and the stop at the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...task import Path
from .ground.gaps import GapCache, Gaps
from .ground.stopping import find_stop_station, make_stop_notes
from .path_view import PathView
from .steps import STEPS


@dataclass(frozen=True)
class SpeedParameters:
    """Changes of speed."""

    # Speed above which a body runs [m/s]. No walk of the body is as fast
    run_onset_speed: float = 2.1
    # Speed below which a running body walks again [m/s], below `run_onset_speed`, so that a body at
    # that speed does not change its gait at each step.
    walk_onset_speed: float = 1.9
    # Least speed of the goal of a slow body [m/s]; from standing a body gains little at first.
    start_speed: float = 0.75
    # Largest excess of the speed of the goal over that of a walking body [m/s].
    max_walk_speed_lead: float = 0.4
    # The same of a running body [m/s]. tuned: with that of a walk, a run that stumbled stayed slow
    max_run_speed_lead: float = 0.8
    # Deceleration with which a run becomes a walk before the end of the path [m/s^2].
    # tuned: a stop from 2.6 m/s within a meter ended in falls; test_stopping.py
    braking_deceleration: float = 0.8
    # Time of travel before the end of the path at which the body begins to stop [s]: the step that
    # has begun is completed.
    stop_time: float = 0.4
    # Constant distance before the end at which it begins to stop [m], about that of a step on the
    # spot that ends a walk.
    stop_distance: float = 0.1
    # Distance before a wide gap from which the body does not stop [m]: a step of a run, which has
    # begun.
    no_stop_distance: float = 1.2
    # Distance past it from which it may stop [m]. guarded by: test_preview_gaps.py
    gap_passed_distance: float = 0.3


SPEED = SpeedParameters()


def limit_speed(desired: float, current_speed: float, is_running: bool) -> float:
    """Return a desired speed, or one that is little above the current speed [m/s]."""
    lead = SPEED.max_run_speed_lead if is_running else SPEED.max_walk_speed_lead
    return min(desired, max(SPEED.start_speed, current_speed + lead))


@dataclass(frozen=True)
class _StopStation:
    """Distance along a path at which the body stops [m]."""

    path: Path
    station: float


class SpeedChoice:
    """Speed of a body, with the memory of what it has begun.

    Attributes:
        run_up_time: time of the clip at which a run-up first exceeded the speed of the task [s].
    """

    def __init__(self) -> None:
        self.run_up_time: float | None = None
        self._gap_cache = GapCache()
        self._stop: _StopStation | None = None
        self._has_stopped = False
        self._is_running_up = False

    def choose_initial_speed(self, view: PathView) -> float:
        """Return the speed at the beginning of the path [m/s]."""
        task_speed = float(view.task.speed.value_at(0.0))
        return self._adapt_to_gaps(view, task_speed, self._find_gaps(view), is_rough=False)

    def choose_speed(self, view: PathView, time: float, is_rough: bool) -> float:
        """Return the speed at a time of the clip [m/s].

        Args:
            time: time of the clip [s].
            is_rough: whether the ground around the body is not level, or has edges.
        """
        task_speed = float(view.task.speed.value_at(time))
        gaps = self._find_gaps(view)
        speed = self._adapt_to_gaps(view, task_speed, gaps, is_rough)
        if view.task.stop_at_end and not _is_leaping(view, gaps):
            speed = self._adapt_to_end(view, speed, gaps)
        if self.run_up_time is None and speed > task_speed:
            self.run_up_time = time
        return speed

    def make_notes(self, view: PathView, length_unit: float, time_unit: float) -> tuple[str, ...]:
        """Return notes on run-ups and on a stop that is not at the end of the path.

        Args:
            length_unit: meters of the clip for one of the simulation.
            time_unit: seconds of the clip for one of the simulation.
        """
        notes: tuple[str, ...] = ()
        if self.run_up_time is not None:
            notes = (
                f"from {self.run_up_time * time_unit:.2f} s on it runs up to gaps that are too "
                "wide for a walking step. For a walk, lead the path around them, or narrow them",
            )
        if self._has_stopped:
            offset = self._find_stop_station(view) - view.path.length
            notes += make_stop_notes(offset * length_unit)
        return notes

    def _adapt_to_gaps(self, view: PathView, speed: float, gaps: Gaps, is_rough: bool) -> float:
        """Return a speed [m/s], or that of a run where a gap needs one.

        A run-up begins on level ground, and ends where no gap is near ahead.
        """
        if not STEPS.standing_speed < speed < STEPS.run_speed:
            return speed
        needs_run = gaps.wide_gap is not None and view.station > gaps.wide_gap.run_start
        begins = needs_run and not is_rough
        continues = self._is_running_up and (needs_run or not gaps.is_clear)
        self._is_running_up = begins or continues
        return STEPS.run_speed if self._is_running_up else speed

    def _adapt_to_end(self, view: PathView, speed: float, gaps: Gaps) -> float:
        """Return a speed [m/s] that becomes that of a walk, and 0, before the body stops."""
        distance_left = self._find_stop_station(view) - view.station
        if gaps.wide_gap is None or view.station > gaps.wide_gap.end:
            braking_speed = np.sqrt(2 * SPEED.braking_deceleration * max(distance_left, 0.0))
            speed = min(speed, max(float(braking_speed), STEPS.walk_speed))
        if distance_left < SPEED.stop_time * speed + SPEED.stop_distance:
            self._has_stopped = True
            return 0.0
        return speed

    def _find_stop_station(self, view: PathView) -> float:
        """Return the distance along the path at which the body stops [m]."""
        if self._stop is None or self._stop.path is not view.path:
            station = find_stop_station(view.path, view.foothold_distance)
            self._stop = _StopStation(view.path, station)
        return self._stop.station

    def _find_gaps(self, view: PathView) -> Gaps:
        """Return the gaps around the body; none where steps are not free, or do not lead ahead."""
        if (
            view.foothold_distance is None
            or view.hop_leg is not None
            or view.task.stride_length is not None
            or view.is_turned
        ):
            return Gaps()
        end_station = self._find_stop_station(view) if view.task.stop_at_end else np.inf
        return self._gap_cache.find_gaps(
            view.path, view.station, view.foothold_distance, end_station
        )


def _is_leaping(view: PathView, gaps: Gaps) -> bool:
    """Return whether the body is so near to a wide gap that it does not stop."""
    gap = gaps.wide_gap
    return gap is not None and (
        gap.begin - SPEED.no_stop_distance < view.station < gap.end + SPEED.gap_passed_distance
    )

"""Desired motion of the body: the path covered at the desired speed, within the limits of legs."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from ...task import Task
from ...task.profile import MAX_TURN_RATE
from ...terrain.ground import FlatGround, fit_slope

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SpeedLimits:
    """Limits on the speed along a path."""

    # Deceleration before the end of the path, as a share of gravity. Guarded by
    # test_human_limits.test_body_slows_down_gently_to_the_end_of_its_path
    path_end_deceleration: float = 0.10
    # Acceleration in a turn to which the speed is reduced, as a share of gravity. Guarded by
    # test_human_limits.test_a_body_leans_moderately_in_a_circle
    max_lateral_acceleration: float = 0.22
    # Largest acceleration along the path, as a share of gravity. Guarded by
    # test_human_limits.test_a_body_changes_its_speed_as_people_do
    max_acceleration: float = 0.25
    # Largest deceleration along the path, as a share of gravity. Guarded by the same test
    max_deceleration: float = 0.25
    # Distance between the stations at which the speed is limited [leg lengths]. Numerical: a turn
    # is spread over a second, at 0.1 m/s and more.
    cap_spacing: float = 0.1
    # Speeds that are tested at each of them. Numerical: steps of 2.5 % of the highest.
    cap_samples: int = 40
    # Missing share of the desired speed above which the deficit is reported.
    reported_deficit: float = 0.25
    # Time before a standing body starts to move; its weight must first shift onto one foot [s].
    # Guarded by test_human_limits.test_a_body_shifts_its_weight_before_its_first_step
    start_standing_time: float = 0.6
    # Highest sideways speed, v / sqrt(g l). Guarded by
    # test_turned.test_sideways_speed_is_limited_by_the_feet
    max_sideways_speed: float = 0.25
    # Highest backward speed, v / sqrt(g l), 1.2 m/s of a human: people that are to be faster turn
    # around. Halved, the scenario `backward` falls behind by 1 m in a second.
    max_backward_speed: float = 0.4


SPEED_LIMITS = SpeedLimits()


# Duration over which a change of speed is spread [s], that of a human step.
SPEED_SMOOTHING_TIME = 0.6
# Duration over which a change of direction is spread [s], two human steps.
HEADING_SMOOTHING_TIME = 1.0
PEAK_RATE = 1.5  # Largest rate of a change that is spread, 6 u (1 - u) at 1/2, relative to the mean
# Places at which a slope is fitted (appendix B): shifts along the path [leg lengths], distance to
# either side [m], and standard deviation of the heights from a plane [m]
SLOPE_SHIFTS = np.linspace(-0.5, 1.0, 7)
SLOPE_SIDE = 0.2
SLOPE_NOISE = 0.1


@dataclass(frozen=True)
class PathMotion:
    """Motion along a path at n equally spaced times.

    Args:
        distance: (n,) distance along the path [m].
        speed: (n,) speed along the ground [m/s].
        slope_cosine: (n,) cosine of the inclination of the ground.
    """

    distance: Array
    speed: Array
    slope_cosine: Array


@dataclass(frozen=True)
class DesiredMotion:
    """Desired motion of the body at n equally spaced times.

    Args:
        time: (n,) [s].
        path_motion: motion along the path.
        heading: (n,) heading of the path [rad].
        facing_offset: (n,) angle from the path to the facing [rad].
    """

    time: Array
    path_motion: PathMotion
    heading: Array
    facing_offset: Array

    @property
    def velocity(self) -> Array:
        """Horizontal velocity [m/s]. (n, 2)."""
        speed = self.path_motion.speed * self.path_motion.slope_cosine
        return speed[:, None] * np.stack([np.cos(self.heading), np.sin(self.heading)], -1)


def compute_clip_distance(task: Task, leg_length: float, dt: float) -> float:
    """Return the distance along the path that a body has covered at the end of the clip [m].

    Args:
        leg_length: leg length [m].
        dt: time step [s].
    """
    times = dt * np.arange(np.ceil(task.seconds / dt) + 1, dtype=float)
    path_motion = _compute_progress(
        task,
        times,
        dt,
        start_index=0,
        leg_length=leg_length,
        facing_offset=_sample_facing_offset(task, times, dt),
    )
    return float(np.interp(task.seconds, times, path_motion.distance))


def plan_desired_motion(
    task: Task, times: Array, dt: float, start_index: int, leg_length: float
) -> DesiredMotion:
    """Return the desired motion, with distance 0 at the sample `start_index`."""
    facing_offset = _sample_facing_offset(task, times, dt)
    path_motion = _compute_progress(
        task,
        times,
        dt,
        start_index=start_index,
        leg_length=leg_length,
        facing_offset=facing_offset,
    )
    heading = spread_changes(task.path.heading_at(path_motion.distance), dt, HEADING_SMOOTHING_TIME)
    if task.facing is not None:
        facing_offset = facing_offset + spread_changes(
            task.facing.yaw_offset_at(task.path, path_motion.distance), dt, HEADING_SMOOTHING_TIME
        )
    return DesiredMotion(times, path_motion, heading, facing_offset)


def _sample_facing_offset(task: Task, times: Array, dt: float) -> Array:
    """Return the smoothed facing offset of a task over time. (n,) -> (n,) [rad]."""
    return spread_changes(np.radians(task.facing_offset.value_at(times)), dt, SPEED_SMOOTHING_TIME)


def is_ending(task: Task, distance: Array, speed: Array) -> NDArray[np.bool_]:
    """Return when the body slows down for the end of its path. (n,), (n,) -> (n,)."""
    braking_distance = 0.5 * speed.max() ** 2 / (SPEED_LIMITS.path_end_deceleration * task.gravity)
    return np.asarray(task.stop_at_end & (distance > task.path.length - braking_distance))


def _compute_progress(
    task: Task, times: Array, dt: float, start_index: int, leg_length: float, facing_offset: Array
) -> PathMotion:
    """Return the motion along the path, with distance 0 at the sample `start_index`."""
    desired_speed = np.minimum(
        task.speed.value_at(times),
        _limit_speed_by_facing(facing_offset, sqrt(task.gravity * leg_length)),
    )
    if task.start == "standing":
        desired_speed = desired_speed * np.clip(times - SPEED_LIMITS.start_standing_time, 0, 1)
    max_rise = SPEED_LIMITS.max_acceleration * task.gravity * dt
    max_fall = SPEED_LIMITS.max_deceleration * task.gravity * dt
    desired_speed = spread_changes(
        _limit_speed_rates(desired_speed, max_rise, max_fall), dt, SPEED_SMOOTHING_TIME
    )
    return _integrate_along_path(
        task, desired_speed, dt, start_index=start_index, leg_length=leg_length, max_rise=max_rise
    )


def _limit_speed_by_facing(facing_offset: Array, unit_speed: float) -> Array:
    """Return the highest speed that feet can follow at a facing offset. (n,) [rad] -> (n,) [m/s].

    Args:
        unit_speed: speed at Froude number 1 [m/s].
    """
    sideways_demand = np.abs(np.sin(facing_offset)) / SPEED_LIMITS.max_sideways_speed
    backward_demand = np.maximum(-np.cos(facing_offset), 0) / SPEED_LIMITS.max_backward_speed
    return unit_speed / np.maximum(sideways_demand + backward_demand, 1e-3)


def _limit_speed_rates(speed: Array, max_rise: float, max_fall: float) -> Array:
    """Return the highest speeds that do not exceed the given ones and respect the rates.

    (n,) -> (n,).

    Args:
        max_rise: largest increase per sample [m/s].
        max_fall: largest decrease per sample [m/s].
    """
    k = np.arange(len(speed))
    rise_limited = np.minimum.accumulate(speed - max_rise * k) + max_rise * k
    return (np.minimum.accumulate((rise_limited + max_fall * k)[::-1])[::-1]) - max_fall * k


def _integrate_along_path(
    task: Task,
    desired_speed: Array,
    dt: float,
    start_index: int,
    leg_length: float,
    max_rise: float,
) -> PathMotion:
    """Return the motion along the path, with distance 0 at the sample `start_index`.

    Args:
        desired_speed: (n,) [m/s].
        max_rise: largest increase of the speed per sample [m/s].
    """
    slope_cosines = _compute_slope_cosines(task, leg_length)
    speed_caps = _compute_speed_caps(task, float(desired_speed.max()), leg_length)
    desired_speeds = desired_speed.tolist()
    distances: list[float] = []
    speeds: list[float] = []
    cosines: list[float] = []
    double_deceleration = 2 * SPEED_LIMITS.path_end_deceleration * task.gravity
    length = task.path.length
    station = 0.0
    speed = np.inf
    for desired in desired_speeds[start_index:]:
        speed = min(desired, speed_caps.value_at(station), speed + max_rise)
        if task.stop_at_end:
            speed = min(speed, sqrt(double_deceleration * max(length - station, 0.0)))
        cosine = 1.0 if slope_cosines is None else slope_cosines.value_at(station)
        distances.append(station)
        speeds.append(speed)
        cosines.append(cosine)
        station += speed * cosine * dt
    before = desired_speed[:start_index]
    return PathMotion(
        np.append(-(start_index - np.arange(start_index)) * before * dt, distances),
        np.append(before, speeds),
        np.append(np.ones(start_index), cosines),
    )


class _StationTable:
    """Values at stations along a path, linear in between.

    Args:
        stations: (n,) rising distances along the path [m].
        values: (n,).
    """

    def __init__(self, stations: Array, values: Array) -> None:
        # Numbers of Python: single values of arrays take ten times as long.
        self._stations: list[float] = stations.tolist()
        self._values: list[float] = values.tolist()

    def value_at(self, station: float) -> float:
        """Return the value at a station [m]."""
        stations = self._stations
        values = self._values
        k = bisect_right(stations, station) - 1
        if k < 0:
            return values[0]
        if k >= len(stations) - 1:
            return values[-1]
        slope = (values[k + 1] - values[k]) / (stations[k + 1] - stations[k])
        return values[k] + slope * (station - stations[k])


def _compute_speed_caps(task: Task, top_speed: float, leg_length: float) -> _StationTable:
    """Return the highest speed at stations along the path [m/s].

    No turn may require more lateral acceleration than allowed. A turn is spread over
    `HEADING_SMOOTHING_TIME`, within which its rate peaks at 1.5 times the mean. The distance ahead
    of the turn at which it begins depends on the speed, so a range of speeds is tested. The caps
    leave enough distance to decelerate before a turn. Where the facing is given along the path, the
    body also turns and moves sideways and backward no faster than the feet can follow.

    Args:
        top_speed: highest speed to test [m/s].
    """
    stations = np.arange(0.0, task.path.length + leg_length, SPEED_LIMITS.cap_spacing * leg_length)
    speed = np.linspace(0, max(top_speed, 1e-3), SPEED_LIMITS.cap_samples)[1:, None]
    half_turn_length = 0.5 * speed * HEADING_SMOOTHING_TIME
    # (speeds, stations)
    heading_change = np.abs(
        task.path.heading_at(stations + half_turn_length)
        - task.path.heading_at(stations - half_turn_length)
    )
    too_fast = (
        PEAK_RATE * heading_change / HEADING_SMOOTHING_TIME * speed
        > SPEED_LIMITS.max_lateral_acceleration * task.gravity
    )
    if task.facing is not None:
        offset_before, offset_here, offset_after = (
            task.facing.yaw_offset_at(task.path, stations + shift)
            for shift in (-half_turn_length, 0 * half_turn_length, half_turn_length)
        )
        too_fast |= PEAK_RATE * np.abs(
            offset_after - offset_before
        ) / HEADING_SMOOTHING_TIME > np.radians(MAX_TURN_RATE)
        too_fast |= speed > _limit_speed_by_facing(
            0.25 * offset_before + 0.5 * offset_here + 0.25 * offset_after,
            sqrt(task.gravity * leg_length),
        )
    caps = np.where(too_fast, speed * (1 - 1 / SPEED_LIMITS.cap_samples), speed[-1]).min(0)
    deceleration_allowance = 2 * SPEED_LIMITS.max_deceleration * task.gravity * stations
    squared_caps = (
        np.minimum.accumulate((caps**2 + deceleration_allowance)[::-1])[::-1]
        - deceleration_allowance
    )
    return _StationTable(stations, np.sqrt(squared_caps))


def _compute_slope_cosines(task: Task, leg_length: float) -> _StationTable | None:
    """Return the cosine of the inclination of the ground along the path; None on flat ground."""
    if isinstance(task.ground, FlatGround):
        return None
    stations = np.arange(0.0, task.path.length + leg_length, 0.5 * leg_length)
    # The slope is fitted to points along and beside the path around each station (appendix B)
    sample_stations = (stations[:, None] + leg_length * SLOPE_SHIFTS).ravel()
    positions = task.path.position_at(sample_stations)
    heading = task.path.heading_at(sample_stations)
    lateral_step = SLOPE_SIDE * np.stack([-np.sin(heading), np.cos(heading)], -1)
    xy = (
        np.stack([positions - lateral_step, positions, positions + lateral_step])
        .reshape(3, len(stations), len(SLOPE_SHIFTS), 2)
        .swapaxes(0, 1)
        .reshape(len(stations), -1, 2)
    )
    gradients = np.array(
        [
            fit_slope(*points, noise=SLOPE_NOISE).gradient
            for points in zip(xy, task.ground.sample_heights(xy), strict=True)
        ]
    )
    heading = task.path.heading_at(stations)
    rise = (gradients * np.stack([np.cos(heading), np.sin(heading)], -1)).sum(1)
    return _StationTable(stations, 1 / np.sqrt(1 + rise**2))


def spread_changes(angles: Array, dt: float, duration: float) -> Array:
    """Return values in which each change is spread over time. (n,) -> (n,).

    The change becomes a Hermite spline of a given duration, centered on it. A Hermite spline with
    level ends has the rate 6 u (1 - u) / T, and applying one to every small change is a convolution
    with that rate. Source: the facing spline of Kwon et al. 2020, appendix B, extended to
    continuous changes.

    Args:
        angles: (n,) values at equally spaced times.
        dt: time between them [s].
        duration: duration of the spline [s].
    """
    half = max(int(round(0.5 * duration / dt)), 1)
    u = (np.arange(-half, half + 1) + half) / (2 * half)
    kernel = 6 * u * (1 - u)
    padded = np.concatenate([np.full(half, angles[0]), angles, np.full(half, angles[-1])])
    return np.convolve(padded, kernel / kernel.sum(), "valid")

"""Where the body is to be at what time: the path walked off at the speed asked for,
and the pendulum led along it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...geometry import so3
from ...task import Task
from ...task.facing_offset import MAX_TURN_RATE
from ...terrain.ground import FlatGround, fit_slope
from .pendulum import CartPendulum, PendulumPath
from .smoothing import spread_changes

Array = NDArray[np.float64]

PATH_TRACKING_RATE = 0.9  # rate at which the pendulum is drawn back to its path, 1/s
PATH_END_DECELERATION = 0.10  # deceleration before the end of the path, as a share of gravity
# acceleration in a turn, as a share of gravity, that speed is reduced to
MAX_LATERAL_ACCELERATION = 0.22
MAX_ACCELERATION = 0.25  # acceleration, as a share of gravity, that a change of speed is held to
MAX_DECELERATION = 0.25  # the same when it slows down
SPEED_CAP_SPACING = 0.1  # leg lengths between places at which the speed is capped
SPEED_CAP_SAMPLES = 40  # speeds tried at each of them
# share of the speed asked for that is worth a note when it is missing
REPORTED_SPEED_DEFICIT = 0.25
# s that a body stands before it sets off: it must first bring its weight over one foot
START_STANDING_TIME = 0.6

# v / sqrt(g l) that a body goes sidewards and backward at most
MAX_SIDEWAYS_SPEED = 0.25
MAX_BACKWARD_SPEED = 0.4

# share of its usual roll that a foot has sidewards: its heel leaves first
SIDEWAYS_ROLL_SHARE = 0.3
BACKWARD_ROLL_SHARE = 0.4  # the same backward, where it lands on its toes
SPEED_SMOOTHING_TIME = 0.6  # s over which a change of speed is spread
HEADING_SMOOTHING_TIME = 1.0  # s over which a change of direction is spread


@dataclass(frozen=True)
class Course:
    """The wish over time, and what the pendulum makes of it. Arrays over equally spaced moments."""

    time: Array  # (n,) s
    distance: Array  # (n,) along the path, m
    speed: Array  # (n,) asked for along the ground, m/s
    target_velocity: Array  # (n, 2) horizontal velocity asked for, m/s
    facing: Array  # (n,) heading of the body, rad
    slope: Array  # (n,) steepness of the ground, rise over run, 0 or more
    forward_speed: Array  # (n,) speed at which the body goes the way that it faces, m/s
    cadence_speed: Array  # (n,) speed that steps keep up with, m/s
    pendulum: PendulumPath
    facing_offset: Array  # (n,) of the facing to the left of the way, rad
    # (n,) by how much a push has the body go otherwise than it would, m/s;
    # None where there was none
    velocity_deviation: Array | None = None
    notes: tuple[str, ...] = ()

    def facing_offset_at(self, times: ArrayLike) -> Array:
        """Of the facing to the left of the way at any times, rad. (...,) -> (...,)."""
        return np.asarray(np.interp(np.asarray(times, float), self.time, self.facing_offset))

    def roll_share_at(self, times: Array) -> Array:
        """Share of its usual roll between heel and toes that a foot has at times (...,): less
        sidewards and backward. (...,).
        """
        alignment = np.cos(self.facing_offset_at(times))
        return np.asarray(
            SIDEWAYS_ROLL_SHARE
            + (np.where(alignment < 0, BACKWARD_ROLL_SHARE, 1.0) - SIDEWAYS_ROLL_SHARE)
            * alignment**2
        )


def plan_course(task: Task, pendulum: CartPendulum, leg_length: float, duration: float) -> Course:
    """Lead a pendulum along the task's path.

    The distance along the path follows from the speed alone, which is reduced in tight turns and
    before the path's end; on a slope the horizontal speed is the one asked for times the cosine of
    the slope (appendix B). The pendulum is given the wish ahead of time by its own lag and is drawn
    back to the path by its error.
    """
    dt = pendulum.dt
    lookahead = int(round(pendulum.velocity_lag / pendulum.dt))
    sample_count = int(np.ceil(duration / dt)) + 1
    k = np.arange(-lookahead, sample_count + 2 * lookahead, dtype=float)
    facing_offset = spread_changes(
        np.radians(task.facing_offset.value_at(k * dt)), dt, SPEED_SMOOTHING_TIME
    )
    distance, speed, slope_cosine = _compute_progress(
        task, k * dt, dt, start_index=lookahead, leg_length=leg_length, facing_offset=facing_offset
    )
    heading = spread_changes(task.path.heading_at(distance), dt, HEADING_SMOOTHING_TIME)
    if task.facing is not None:
        facing_offset = facing_offset + spread_changes(
            task.facing.yaw_offset_at(task.path, distance), dt, HEADING_SMOOTHING_TIME
        )
    target_velocity = (speed * slope_cosine)[:, None] * np.stack(
        [np.cos(heading), np.sin(heading)], -1
    )
    pendulum_path = _simulate_from_start(
        task,
        pendulum,
        distance[lookahead:],
        target_velocity=target_velocity[lookahead:],
        sample_count=sample_count,
        lookahead=lookahead,
    )
    window = slice(lookahead, lookahead + sample_count)
    slowed = speed[window] < (1 - REPORTED_SPEED_DEFICIT) * task.speed.value_at(k[window] * dt)
    ending = task.stop_at_end & (
        distance[window]
        > task.path.length - 0.5 * speed[window].max() ** 2 / (PATH_END_DECELERATION * task.gravity)
    )
    return Course(
        k[window] * dt,
        distance[window],
        speed[window],
        target_velocity=target_velocity[window],
        facing=_compute_body_heading(heading[window], pendulum_path, speed[window])
        + facing_offset[window],
        slope=np.sqrt(np.maximum(slope_cosine[window] ** -2 - 1, 0.0)),
        forward_speed=speed[window],
        cadence_speed=speed[window],
        pendulum=pendulum_path,
        facing_offset=facing_offset[window],
        notes=_note_speed_deficit(k[window] * dt, slowed & ~ending, task.seconds),
    )


def compute_clip_distance(task: Task, leg_length: float, dt: float) -> float:
    """How far along its path a body that goes by a task is when the clip ends, m."""
    times = dt * np.arange(np.ceil(task.seconds / dt) + 1, dtype=float)
    facing_offset = spread_changes(
        np.radians(task.facing_offset.value_at(times)), dt, SPEED_SMOOTHING_TIME
    )
    return float(
        np.interp(
            task.seconds,
            times,
            _compute_progress(
                task, times, dt, start_index=0, leg_length=leg_length, facing_offset=facing_offset
            )[0],
        )
    )


def _compute_progress(
    task: Task, times: Array, dt: float, start_index: int, leg_length: float, facing_offset: Array
) -> tuple[Array, Array, Array]:
    """Distances along the path, speeds and slope cosines at even times,
    of which the one at `start_index` is 0.
    """
    desired_speed = np.minimum(
        task.speed.value_at(times),
        _limit_speed_by_facing(facing_offset, sqrt(task.gravity * leg_length)),
    )
    if task.start == "standing":
        desired_speed = desired_speed * np.clip(times - START_STANDING_TIME, 0, 1)
    max_rise = MAX_ACCELERATION * task.gravity * dt
    max_fall = MAX_DECELERATION * task.gravity * dt
    desired_speed = spread_changes(
        _limit_speed_rates(desired_speed, max_rise, max_fall), dt, SPEED_SMOOTHING_TIME
    )
    return _integrate_along_path(
        task, desired_speed, dt, start_index=start_index, leg_length=leg_length, max_rise=max_rise
    )


def _limit_speed_by_facing(facing_offset: Array, unit_speed: float) -> Array:
    """Speed that feet can keep up with where the body is turned away from its
    way, m/s. (n,) -> (n,).
    """
    sideways_demand = np.abs(np.sin(facing_offset)) / MAX_SIDEWAYS_SPEED
    backward_demand = np.maximum(-np.cos(facing_offset), 0) / MAX_BACKWARD_SPEED
    return unit_speed / np.maximum(sideways_demand + backward_demand, 1e-3)


def _note_speed_deficit(time: Array, slowed: NDArray[np.bool_], seconds: float) -> tuple[str, ...]:
    """What the user should know of a speed that was not kept."""
    noted = slowed & (time > SPEED_SMOOTHING_TIME) & (time <= seconds)
    if noted.sum() * (time[1] - time[0]) < 2 * SPEED_SMOOTHING_TIME:
        return ()
    share = noted.sum() * (time[1] - time[0]) / seconds
    return (
        f"the speed was lowered for {100 * share:.0f} % of the clip, where the path turns or the "
        "speed was to change faster than legs can, or the body faces away from it; make the turns "
        "wider or the speed lower",
    )


def _limit_speed_rates(speed: Array, max_rise: float, max_fall: float) -> Array:
    """The highest speeds, none above those given, that rise and fall by no more than
    so much a sample. (n,).
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
) -> tuple[Array, Array, Array]:
    """Distances, speeds and slope cosines of a walk along the path that is at 0 at
    the sample `start_index`.
    """
    slope_stations, station_cosines = _compute_slope_cosines(task, leg_length)
    cap_stations, speed_caps = _compute_speed_caps(task, float(desired_speed.max()), leg_length)
    distance = np.zeros(len(desired_speed))
    slope_cosine = np.ones(len(desired_speed))
    speed = desired_speed.copy()
    double_deceleration = 2 * PATH_END_DECELERATION * task.gravity
    station = 0.0
    previous_speed = np.inf
    for k in range(start_index, len(desired_speed)):
        previous_speed = min(
            float(desired_speed[k]),
            float(np.interp(station, cap_stations, speed_caps)),
            previous_speed + max_rise,
        )
        if task.stop_at_end:
            previous_speed = min(
                previous_speed, sqrt(double_deceleration * max(task.path.length - station, 0.0))
            )
        if len(slope_stations) > 1:
            slope_cosine[k] = np.interp(station, slope_stations, station_cosines)
        distance[k] = station
        speed[k] = previous_speed
        station += previous_speed * float(slope_cosine[k]) * dt
    distance[:start_index] = -(start_index - np.arange(start_index)) * speed[:start_index] * dt
    return distance, speed, slope_cosine


def _compute_speed_caps(task: Task, top_speed: float, leg_length: float) -> tuple[Array, Array]:
    """Places along the path and the highest speeds there, so that no turn asks for more sideways
    acceleration than allowed.

    A turn by an angle is spread over a time, within which its rate rises to 1.5 times the mean. How
    far ahead it begins goes with the speed, so every speed is tried. Before a turn the body slows
    down in time. The same holds where the path tells which way the body faces: it turns, and goes
    sidewards and backward, no faster than feet can follow.
    """
    stations = np.arange(0.0, task.path.length + leg_length, SPEED_CAP_SPACING * leg_length)
    speed = np.linspace(0, max(top_speed, 1e-3), SPEED_CAP_SAMPLES)[1:, None]
    half_turn_length = 0.5 * speed * HEADING_SMOOTHING_TIME
    # (speeds, places)
    heading_change = np.abs(
        task.path.heading_at(stations + half_turn_length)
        - task.path.heading_at(stations - half_turn_length)
    )
    too_fast = (
        1.5 * heading_change / HEADING_SMOOTHING_TIME * speed
        > MAX_LATERAL_ACCELERATION * task.gravity
    )
    if task.facing is not None:
        offset_before, offset_here, offset_after = (
            task.facing.yaw_offset_at(task.path, stations + shift)
            for shift in (-half_turn_length, 0 * half_turn_length, half_turn_length)
        )
        too_fast |= 1.5 * np.abs(
            offset_after - offset_before
        ) / HEADING_SMOOTHING_TIME > np.radians(MAX_TURN_RATE)
        too_fast |= speed > _limit_speed_by_facing(
            0.25 * offset_before + 0.5 * offset_here + 0.25 * offset_after,
            sqrt(task.gravity * leg_length),
        )
    caps = np.where(too_fast, speed * (1 - 1 / SPEED_CAP_SAMPLES), speed[-1]).min(0)
    deceleration_allowance = 2 * MAX_DECELERATION * task.gravity * stations
    return stations, np.sqrt(
        np.minimum.accumulate((caps**2 + deceleration_allowance)[::-1])[::-1]
        - deceleration_allowance
    )


def _compute_slope_cosines(task: Task, leg_length: float) -> tuple[Array, Array]:
    """Places along the path and the cosine of the ground's inclination there."""
    if isinstance(task.ground, FlatGround):
        return np.zeros(1), np.ones(1)
    stations = np.arange(0.0, task.path.length + leg_length, 0.5 * leg_length)
    # from points beside and along the path around each place (appendix B)
    sample_stations = (stations[:, None] + leg_length * np.linspace(-0.5, 1.0, 7)).ravel()
    positions = task.path.position_at(sample_stations)
    heading = task.path.heading_at(sample_stations)
    lateral_step = 0.2 * np.stack([-np.sin(heading), np.cos(heading)], -1)
    xy = (
        np.stack([positions - lateral_step, positions, positions + lateral_step])
        .reshape(3, len(stations), 7, 2)
        .swapaxes(0, 1)
        .reshape(len(stations), -1, 2)
    )
    gradients = np.array(
        [
            fit_slope(*points, noise=0.1).gradient
            for points in zip(xy, task.ground.sample_heights(xy), strict=True)
        ]
    )
    heading = task.path.heading_at(stations)
    rise = (gradients * np.stack([np.cos(heading), np.sin(heading)], -1)).sum(1)
    return stations, 1 / np.sqrt(1 + rise**2)


def _simulate_from_start(
    task: Task,
    pendulum: CartPendulum,
    distance: Array,
    target_velocity: Array,
    sample_count: int,
    lookahead: int,
) -> PendulumPath:
    """Roll the pendulum out; `distance` and `target_velocity` begin at time 0 and reach
    `lookahead` samples past the end.
    """
    state = np.zeros((4, 2))
    state[0] = task.path.position_at(distance[0])
    state[2] = target_velocity[0]
    return simulate_pendulum(
        pendulum,
        state,
        task.path.position_at(distance),
        target_velocities=target_velocity,
        sample_count=sample_count,
        lookahead=lookahead,
    )


def simulate_pendulum(
    pendulum: CartPendulum,
    state: Array,
    target_positions: Array,
    target_velocities: Array,
    sample_count: int,
    lookahead: int,
    prescribed_cart: Array | None = None,
    velocity_steps: Array | None = None,
) -> PendulumPath:
    """Roll the pendulum out for n samples from a state (4, 2),
    towards places and velocities `lookahead` samples on.

    Args:
        prescribed_cart: (m, 2) places that the cart goes through first, whatever the pendulum does.
        velocity_steps: (n - 1, 2) changes of the velocity of the centre of mass
            from sample to sample, m/s.
    """
    prescribed_cart = np.zeros((0, 2)) if prescribed_cart is None else prescribed_cart
    states = np.empty((sample_count, 4, 2))
    cart_velocities = target_velocities[lookahead : lookahead + sample_count].copy()
    prescribed_forces = np.empty((max(len(prescribed_cart) - 1, 0), 2))
    max_correction = 0.3 * max(float(np.linalg.norm(target_velocities, axis=1).max()), 0.3)
    for k in range(sample_count):
        states[k] = state
        correction = PATH_TRACKING_RATE * (target_positions[k] - pendulum.compute_com(state))
        correction_speed = hypot(*correction)
        cart_velocities[k] += (
            correction * (max_correction / correction_speed)
            if correction_speed > max_correction
            else correction
        )
        if k + 1 < len(prescribed_cart):
            state, prescribed_forces[k] = pendulum.step_cart_to(state, prescribed_cart[k + 1])
        else:
            state = pendulum.step(state, cart_velocities[k])
        if velocity_steps is not None and k < len(velocity_steps):
            state = pendulum.add_velocity(state, velocity_steps[k])
    time = np.arange(sample_count, dtype=float) * pendulum.dt
    forces = pendulum.compute_cart_force(states, cart_velocities)
    forces[: len(prescribed_forces)] = prescribed_forces[:sample_count]
    return PendulumPath(
        time,
        states[:, 0],
        pendulum.compute_com(states),
        velocity=pendulum.compute_com_velocity(states),
        force=forces,
    )


def _compute_body_heading(heading: Array, pendulum_path: PendulumPath, speed: Array) -> Array:
    """Heading of the body: along its motion, a third of the way on towards where it is told
    to go; as told when slow.
    """
    motion_heading = so3.atan2(pendulum_path.velocity[:, 1], pendulum_path.velocity[:, 0])
    difference = so3.wrap_angle(motion_heading - heading)
    blend = (
        0.65
        * np.clip(np.linalg.norm(pendulum_path.velocity, axis=1) / 0.6 - 0.5, 0, 1)
        * (np.abs(difference) < 1.0)
    )
    return heading + blend * difference

"""The course of the body over time.

It consists of the desired motion along the path and the motion of the pendulum that follows it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...geometry import so3
from ...task import Task
from .desired_motion import SPEED_LIMITS, SPEED_SMOOTHING_TIME, is_ending, plan_desired_motion
from .pendulum import CartPendulum, PendulumPath
from .tracking import PendulumTargets, simulate_pendulum

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BodyHeadingParameters:
    """Blend of the body heading from the path toward the motion of the pendulum."""

    # Share of the difference that the body follows at speed. Half or twice moves a sharp turn by 3
    # to 5 cm (docs/dev/parameters.csv)
    motion_share: float = 0.65
    # Range of speeds over which the share grows; it begins at half of this speed [m/s]. Half or
    # twice moves a sharp turn by 10 or 5 cm (docs/dev/parameters.csv)
    speed_range: float = 0.6
    # Difference of the headings above which the body follows the path alone [rad].
    max_difference: float = 1.0


BODY_HEADING = BodyHeadingParameters()


@dataclass(frozen=True)
class RollShares:
    """Roll of a foot between heel and toes, as a share of the roll in forward walking."""

    sideways: float = 0.3  # Share sideways, where the heel leaves first.
    backward: float = 0.4  # Share backward, where the foot lands on its toes.


ROLL_SHARES = RollShares()


@dataclass(frozen=True)
class Course:
    """Desired motion of the body and the resulting motion of the pendulum at n equally spaced
    times.

    Args:
        time: (n,) [s].
        distance: (n,) distance along the path [m].
        speed: (n,) desired speed along the ground [m/s].
        target_velocity: (n, 2) desired horizontal velocity [m/s].
        facing: (n,) heading of the body [rad].
        slope: (n,) steepness of the ground, rise over run, not negative.
        forward_speed: (n,) speed in the direction of travel [m/s].
        cadence_speed: (n,) speed that sets the duration of the steps [m/s].
        pendulum: motion of the pendulum.
        facing_offset: (n,) angle from the direction of travel to the facing, positive to the left
            [rad].
        velocity_deviation: (n,) difference of the velocity from the desired one after a push [m/s];
            None without a push.
        notes: remarks for the user.
    """

    time: Array
    distance: Array
    speed: Array
    target_velocity: Array
    facing: Array
    slope: Array
    forward_speed: Array
    cadence_speed: Array
    pendulum: PendulumPath
    facing_offset: Array
    velocity_deviation: Array | None = None
    notes: tuple[str, ...] = ()

    def facing_offset_at(self, times: ArrayLike) -> Array:
        """Return the angle from the direction of travel to the facing. (...,) -> (...,) [rad]."""
        return np.asarray(np.interp(np.asarray(times, float), self.time, self.facing_offset))

    def roll_share_at(self, times: Array) -> Array:
        """Return the roll of a foot as a share of that in forward walking. (...,) -> (...,)."""
        alignment = np.cos(self.facing_offset_at(times))
        return np.asarray(
            ROLL_SHARES.sideways
            + (np.where(alignment < 0, ROLL_SHARES.backward, 1.0) - ROLL_SHARES.sideways)
            * alignment**2
        )


def plan_course(task: Task, pendulum: CartPendulum, leg_length: float, duration: float) -> Course:
    """Return the course of a pendulum along the path of a task.

    The distance along the path follows from the speed alone, which is reduced in tight turns and
    before the end of the path. On a slope the horizontal speed is the desired one times the cosine
    of the slope (Kwon et al. 2020, appendix B). The pendulum receives the desired velocity ahead of
    time by its velocity lag, and feedback on its position error returns it to the path.

    Args:
        leg_length: leg length [m].
        duration: duration of the course [s].
    """
    dt = pendulum.dt
    lookahead = int(round(pendulum.velocity_lag / pendulum.dt))
    sample_count = int(np.ceil(duration / dt)) + 1
    times = np.arange(-lookahead, sample_count + 2 * lookahead, dtype=float) * dt
    desired = plan_desired_motion(task, times, dt, lookahead, leg_length)
    distance = desired.path_motion.distance
    velocity = desired.velocity
    pendulum_path = simulate_pendulum(
        pendulum,
        _make_start_state(task, distance[lookahead:], velocity[lookahead:]),
        PendulumTargets(
            task.path.position_at(distance[lookahead:]), velocity[lookahead:], lookahead
        ),
        sample_count,
    )
    window = slice(lookahead, lookahead + sample_count)
    time = times[window]
    speed = desired.path_motion.speed[window]
    facing_offset = desired.facing_offset[window]
    slowed = speed < (1 - SPEED_LIMITS.reported_deficit) * task.speed.value_at(time)
    return Course(
        time,
        distance[window],
        speed,
        target_velocity=velocity[window],
        facing=_compute_body_heading(desired.heading[window], pendulum_path) + facing_offset,
        slope=np.sqrt(np.maximum(desired.path_motion.slope_cosine[window] ** -2 - 1, 0.0)),
        forward_speed=speed,
        cadence_speed=speed,
        pendulum=pendulum_path,
        facing_offset=facing_offset,
        notes=_note_speed_deficit(
            time, slowed & ~is_ending(task, distance[window], speed), task.seconds
        ),
    )


def _make_start_state(task: Task, distance: Array, target_velocity: Array) -> Array:
    """Return the state of an upright pendulum that moves at the first target velocity. (4, 2)."""
    state = np.zeros((4, 2))
    state[0] = task.path.position_at(distance[0])
    state[2] = target_velocity[0]
    return state


def _compute_body_heading(heading: Array, pendulum_path: PendulumPath) -> Array:
    """Return the heading of the body. (n,) -> (n,) [rad].

    At speed the body turns by a share of the angle from the heading of the path to that of its
    motion; at low speed it keeps the heading of the path.

    Args:
        heading: (n,) heading of the path [rad].
    """
    motion_heading = so3.atan2(pendulum_path.velocity[:, 1], pendulum_path.velocity[:, 0])
    difference = so3.wrap_angle(motion_heading - heading)
    blend = (
        BODY_HEADING.motion_share
        * np.clip(
            np.linalg.norm(pendulum_path.velocity, axis=1) / BODY_HEADING.speed_range - 0.5, 0, 1
        )
        * (np.abs(difference) < BODY_HEADING.max_difference)
    )
    return heading + blend * difference


def _note_speed_deficit(time: Array, slowed: NDArray[np.bool_], seconds: float) -> tuple[str, ...]:
    """Return notes for the user about a speed that was not reached."""
    noted = slowed & (time > SPEED_SMOOTHING_TIME) & (time <= seconds)
    if noted.sum() * (time[1] - time[0]) < 2 * SPEED_SMOOTHING_TIME:
        return ()
    share = noted.sum() * (time[1] - time[0]) / seconds
    return (
        f"the speed was lowered for {100 * share:.0f} % of the clip, where the path turns or the "
        "speed was to change faster than legs can, or the body faces away from it; make the turns "
        "wider or the speed lower",
    )

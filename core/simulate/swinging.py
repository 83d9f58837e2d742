"""Acceleration of a swinging foot toward its touchdown (E_swing)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry.curves import Share, clamp_share, smoothstep
from .reference import SwingTarget

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootSwingParameters:
    """Motion of a swinging foot."""

    # [s] in which the foot may still move to its place. Numerical: the acceleration of the cubic
    # is divided by its square
    min_arrival_time: float = 0.06
    # [s] at the end of a swing in which the foot only descends, 15 control steps
    descent_time: float = 0.06
    # [m/s] downward during the descent, so that a foot that is down early lands and does not hover
    min_landing_speed: float = 0.25
    # [m/s] downward during the descent; with its mass of 1 kg a foot lands with 1.3 N s
    max_landing_speed: float = 1.3
    # [s] by which the remaining height is divided. Numerical: five control steps
    min_descent_time: float = 0.02
    # [1/s] with which the speed of the descent is tracked, within a third of `descent_time`
    descent_rate: float = 50.0
    # [m] above the touchdown at which the descent begins; at its least speed it takes half of
    # `descent_time`
    descent_height: float = 0.008
    # [1/s^2] of the foot on its height profile: an error vanishes within 0.1 s of a swing of 0.4 s
    tracking_stiffness: float = 900.0
    # [m] by which a foot is too low that must not move ahead at all, until it has risen. tuned:
    # toes struck risers and knees high edges
    stop_deficit: float = 0.06
    # [1/s] with which such a foot stops: at 2 m/s within 0.13 m
    stop_rate: float = 15.0
    # [m] below its profile from which a foot may scrape the ground, a fifth of the least apex of a
    # swing (`CLEARANCE.min_apex`)
    scrape_depth: float = 0.015
    # [m/s^2] horizontal, of a foot that is late. tuned: a foot that was late after a run struck the
    # ground; test_simulate.test_a_foot_that_is_late_and_low_rises_first
    late_acceleration: float = 80.0
    # [m/s^2] along each axis; a swing of 1.5 m in 0.3 s, that of a fast run, takes 100
    max_acceleration: float = 250.0
    # [s] duration of a swing, for its height profile. Numerical: curvatures are divided by its
    # square
    min_swing_time: float = 0.1
    # [rad] largest pitch of a foot after lift-off. tuned: held level, a foot keeps the knee from
    # bending further than its ankle
    max_peel: float = 0.7
    # Share of the swing, after which the foot is level: it has passed the stance foot
    peel_end_share: float = 0.6
    # Share of the swing, at which a foot has risen to a higher place, before its toes are over it
    climb_end_share: float = 0.7
    # Share of the swing, from which a foot sinks to a lower place, as its heel has left the higher
    # one
    sink_start_share: float = 0.45


SWING = FootSwingParameters()


@dataclass(frozen=True)
class PathPoint:
    """Value of a path [m] and its derivatives by the elapsed share of its duration."""

    value: Share
    slope: Share
    curvature: Share


@dataclass(frozen=True)
class _TimedPathPoint:
    """Point of a path with a duration."""

    point: PathPoint
    duration: float  # [s]


def compute_swing_acceleration(target: SwingTarget, place: Array, velocity: Array) -> Array:
    """Compute the desired acceleration of the center of the sole [m/s^2].

    Horizontally the foot follows the cubic that ends at rest over its target, recomputed at every
    instant: a = 6 d / t^2 - 4 v / t with the distance d and the time t left. Vertically it follows
    a profile over the swing's time, since it must be high in the middle of the swing in any case.

    Args:
        target: touchdown.
        place: (3,) [m] of the center of the sole.
        velocity: (3,) [m/s].

    Returns:
        (3,).
    """
    arrival_time = max(target.remaining_time - target.early_arrival, SWING.min_arrival_time)
    acceleration = 6 * (target.place - place) / arrival_time**2 - 4 * velocity / arrival_time
    if target.lateral_offset:
        acceleration[:2] += _compute_lateral_correction(
            target, place[:2], velocity[:2], straight=acceleration[:2], arrival_time=arrival_time
        )
    acceleration[:2] *= min(
        1.0, target.max_acceleration / max(float(np.hypot(acceleration[0], acceleration[1])), 1e-9)
    )
    acceleration[2] = _compute_vertical_acceleration(target, float(place[2]), float(velocity[2]))
    if target.height_deficit > 0:  # rise before moving ahead
        acceleration[2] = max(
            acceleration[2],
            SWING.tracking_stiffness * target.height_deficit
            - 2 * np.sqrt(SWING.tracking_stiffness) * velocity[2],
        )
        acceleration[:2] += min(target.height_deficit / SWING.stop_deficit, 1.0) * (
            -SWING.stop_rate * velocity[:2] - acceleration[:2]
        )
    return np.minimum(np.maximum(acceleration, -SWING.max_acceleration), SWING.max_acceleration)


def _compute_lateral_correction(
    target: SwingTarget, place: Array, velocity: Array, straight: Array, arrival_time: float
) -> Array:
    """Return the change of a straight swing's acceleration that makes it a lateral arc. (2,).

    Args:
        target: touchdown.
        place: (2,) [m].
        velocity: (2,) [m/s].
        straight: (2,) [m/s^2] acceleration of the straight swing.
        arrival_time: [s] until the foot is over its target.
    """
    displacement = target.place[:2] - target.lift_place[:2]
    lateral = np.array([-displacement[1], displacement[0]]) / max(
        float(np.hypot(displacement[0], displacement[1])), 1e-6
    )
    duration = target.elapsed_time + arrival_time
    bump = evaluate_bump(np.float64(target.elapsed_time / duration), target.lateral_offset)
    acceleration = _track_path(
        _TimedPathPoint(bump, duration),
        float((place - target.lift_place[:2]) @ lateral),
        float(velocity @ lateral),
    )
    return np.asarray((acceleration - straight @ lateral) * lateral)


def _compute_vertical_acceleration(target: SwingTarget, height: float, speed: float) -> float:
    """Compute the desired vertical acceleration [m/s^2] at a height [m] and speed [m/s]."""
    if target.remaining_time < SWING.descent_time:
        gap = height - float(target.place[2])
        landing_speed = min(
            max(gap / max(target.remaining_time, SWING.min_descent_time), SWING.min_landing_speed),
            SWING.max_landing_speed,
        )
        return SWING.descent_rate * (-landing_speed - speed)
    return _track_path(_evaluate_height_profile(target), height, speed)


def _evaluate_height_profile(target: SwingTarget) -> _TimedPathPoint:
    """Evaluate the height profile of a swing now, in world coordinates."""
    duration = max(target.elapsed_time + target.remaining_time, SWING.min_swing_time)
    start_height = float(target.lift_place[2])
    end_height = float(target.place[2]) + SWING.descent_height
    point = evaluate_swing_height(
        np.float64(min(target.elapsed_time / duration, 1.0)),
        end_height - start_height,
        target.apex,
        target.sink_start,
    )
    return _TimedPathPoint(
        PathPoint(start_height + point.value, point.slope, point.curvature), duration
    )


def is_scraping(target: SwingTarget, height: float, acceleration: Array) -> bool:
    """Return whether a late foot is so far below its profile that it may scrape the ground.

    Args:
        target: touchdown.
        height: [m] of the center of the sole.
        acceleration: (2,) [m/s^2] desired horizontal acceleration.
    """
    if (
        target.remaining_time < SWING.descent_time
        or float(np.hypot(acceleration[0], acceleration[1])) < SWING.late_acceleration
    ):
        return False
    return float(_evaluate_height_profile(target).point.value) - height > SWING.scrape_depth


def _track_path(path: _TimedPathPoint, position: float, speed: float) -> float:
    """Return the acceleration of a critically damped tracker of a path [m/s^2].

    Args:
        path: where the path is now.
        position: [m] of the tracker.
        speed: [m/s] of the tracker.
    """
    point = path.point
    return float(
        point.curvature / path.duration**2
        + SWING.tracking_stiffness * (point.value - position)
        + 2 * np.sqrt(SWING.tracking_stiffness) * (point.slope / path.duration - speed)
    )


def evaluate_swing_height(
    share: Share, rise: float, apex: float, sink_start: float = SWING.sink_start_share
) -> PathPoint:
    """Evaluate the height of a swing above its lift-off.

    A smooth step to the height of the touchdown, plus a bump of height `apex`. A foot to a
    higher place rises early. A foot to a lower place sinks from `sink_start` on, since obstacles
    are in between.

    Args:
        share: elapsed share of the swing's time.
        rise: [m] height of the touchdown above the lift-off.
        apex: [m].
        sink_start: elapsed share.
    """
    step_start, step_share = (
        (0.0, SWING.climb_end_share) if rise > 0 else (sink_start, 1.0 - sink_start)
    )
    is_inside = (share > step_start) & (share < step_start + step_share)
    step_progress = clamp_share((share - step_start) / step_share)
    bump = evaluate_bump(share, apex)
    # 3 t^2 - 2 t^3
    height = rise * smoothstep(step_progress) + bump.value
    slope = rise * 6 * step_progress * (1 - step_progress) / step_share + bump.slope
    curvature = (
        rise * np.where(is_inside, 6 - 12 * step_progress, 0.0) / step_share**2 + bump.curvature
    )
    return PathPoint(height, slope, curvature)


def evaluate_bump(share: Share, peak: float) -> PathPoint:
    """Evaluate the bump 16 peak s^2 (1 - s)^2, which is at rest at both ends.

    Args:
        share: s, elapsed share.
        peak: [m] value at s = 1/2.
    """
    s = share
    r = 1.0 - share
    return PathPoint(
        16 * peak * (s * r) ** 2, 32 * peak * s * r * (r - s), 32 * peak * (1 - 6 * s * r)
    )


def compute_peel(share: Share, rise: Share) -> Array:
    """Return the pitch of a foot after lift-off, toes down [rad].

    The tip of the foot stays on the ground as long as the pitch allows it.

    Args:
        share: elapsed share of the swing.
        rise: height of the sole's center above its lift-off, over its distance from the tip.
    """
    max_peel = SWING.max_peel * np.minimum(
        clamp_share(2 - 2 * share / SWING.peel_end_share), clamp_share(2 - rise)
    )
    return np.asarray(np.minimum(np.arcsin(clamp_share(rise)), max_peel))


def compute_progress(share: Array, early_share: float) -> Array:
    """Return the approximate share of the horizontal distance that a swing has covered.

    Args:
        share: elapsed share of the swing.
        early_share: share before the end at which the foot is over its target.
    """
    return smoothstep(share / (1.0 - early_share))

"""How a foot in the air is to accelerate so that it comes down where and when it is to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry.curves import Share, clamp_share, smoothstep
from .reference import SwingTarget

Array = NDArray[np.float64]

MIN_ARRIVAL_TIME = 0.06  # s that it is given to get there at least
DESCENT_TIME = 0.06  # s at the end in which it only comes down
LANDING_SPEED_RANGE = (0.25, 1.3)  # m/s, its speed then at least and at most
DESCENT_HEIGHT = 0.008  # m above its place at which the path before that ends
TRACKING_STIFFNESS = 900.0  # 1/s^2, stiffness with which the height follows its path

# m that a foot is too low, at which it goes no further ahead, and 1/s with which it stops
STOP_DEFICIT = 0.06
STOP_RATE = 15.0

SCRAPE_DEPTH = 0.015  # m below its way, from where on a foot is too low
LATE_ACCELERATION = 80.0  # m/s^2 along the ground of one that is late
MAX_ACCELERATION = 250.0  # m/s^2
MIN_SWING_TIME = 0.1  # s, of a whole swing
MAX_PEEL = 0.7  # rad that a heel rises by at most as its foot leaves
PEEL_END_SHARE = 0.6  # share of the swing after which it is level

# of a swing's time: in which a foot rises to a higher place, after which it sinks to a lower one
CLIMB_END_SHARE = 0.7
SINK_START_SHARE = 0.45


def compute_swing_acceleration(target: SwingTarget, place: Array, velocity: Array) -> Array:
    """Of the middle of a sole, m/s^2. Places and velocities (3,).

    Ahead by the cubic that ends at rest over the place, anew at every instant; upward along a path
    of its own time, since the foot must be high in its middle whatever happens ahead.
    """
    arrival_time = max(target.remaining_time - target.early_arrival, MIN_ARRIVAL_TIME)
    acceleration = 6 * (target.place - place) / arrival_time**2 - 4 * velocity / arrival_time
    if target.lateral_offset:
        acceleration[:2] += _compute_lateral_correction(
            target, place[:2], velocity[:2], straight=acceleration[:2], arrival_time=arrival_time
        )
    acceleration[:2] *= min(
        1.0, target.max_acceleration / max(float(np.hypot(acceleration[0], acceleration[1])), 1e-9)
    )
    acceleration[2] = _compute_vertical_acceleration(target, float(place[2]), float(velocity[2]))
    if target.height_deficit > 0:  # up first, and no further ahead before that
        acceleration[2] = max(
            acceleration[2],
            TRACKING_STIFFNESS * target.height_deficit
            - 2 * np.sqrt(TRACKING_STIFFNESS) * velocity[2],
        )
        acceleration[:2] += min(target.height_deficit / STOP_DEFICIT, 1.0) * (
            -STOP_RATE * velocity[:2] - acceleration[:2]
        )
    return np.minimum(np.maximum(acceleration, -MAX_ACCELERATION), MAX_ACCELERATION)


def _compute_lateral_correction(
    target: SwingTarget, place: Array, velocity: Array, straight: Array, arrival_time: float
) -> Array:
    """What is to be added to an acceleration straight to the place,
    for a way that bows to one side. All (2,).

    Args:
        arrival_time: s until the foot is over its place.
    """
    displacement = target.place[:2] - target.lift_place[:2]
    lateral = np.array([-displacement[1], displacement[0]]) / max(
        float(np.hypot(displacement[0], displacement[1])), 1e-6
    )
    duration = target.elapsed_time + arrival_time
    path = evaluate_bump(np.float64(target.elapsed_time / duration), target.lateral_offset)
    acceleration = _track_path(
        path, duration, float((place - target.lift_place[:2]) @ lateral), float(velocity @ lateral)
    )
    return np.asarray((acceleration - straight @ lateral) * lateral)


def _compute_vertical_acceleration(target: SwingTarget, height: float, speed: float) -> float:
    if target.remaining_time < DESCENT_TIME:
        gap = height - float(target.place[2])
        return 50.0 * (
            -min(
                max(gap / max(target.remaining_time, 0.02), LANDING_SPEED_RANGE[0]),
                LANDING_SPEED_RANGE[1],
            )
            - speed
        )
    return _track_path(*_evaluate_height_path(target), height, speed)


def _evaluate_height_path(target: SwingTarget) -> tuple[tuple[Share, Share, Share], float]:
    """Of the way of a swing now, m, its first two derivatives by the share of
    its time, and s of that.
    """
    duration = max(target.elapsed_time + target.remaining_time, MIN_SWING_TIME)
    start_height = float(target.lift_place[2])
    end_height = float(target.place[2]) + DESCENT_HEIGHT
    height, rate, curvature = evaluate_swing_height(
        np.float64(min(target.elapsed_time / duration, 1.0)),
        end_height - start_height,
        target.apex,
        target.sink_start,
    )
    return (start_height + height, rate, curvature), duration


def is_scraping(target: SwingTarget, height: float, acceleration: Array) -> bool:
    """Whether a foot that is late, and not to come down yet, is so far below its way that it may
    scrape along the ground.

    Args:
        acceleration: (2,) m/s^2 along the ground, with which it is to go on.
    """
    if (
        target.remaining_time < DESCENT_TIME
        or float(np.hypot(acceleration[0], acceleration[1])) < LATE_ACCELERATION
    ):
        return False
    return float(_evaluate_height_path(target)[0][0]) - height > SCRAPE_DEPTH


def _track_path(
    path: tuple[Share, Share, Share], duration: float, position: float, speed: float
) -> float:
    """Acceleration along a path, m/s^2.

    Args:
        path: where it is now, m, and its first two derivatives by the share of its time.
        duration: s of it.
        position, speed: of what follows it, m and m/s.
    """
    target, rate, curvature = path
    return float(
        curvature / duration**2
        + TRACKING_STIFFNESS * (target - position)
        + 2 * np.sqrt(TRACKING_STIFFNESS) * (rate / duration - speed)
    )


def evaluate_swing_height(
    share: Share, rise: float, apex: float, sink_start: float = SINK_START_SHARE
) -> tuple[Share, Share, Share]:
    """Height of a swing above where it began, m, and its first two derivatives by the share
    of its time that is over.

    A smooth step to the height of its end, and a hump of `apex` above it. A foot that is to come
    down higher is up early, one that is to come down lower goes down from the share `sink_start`
    on: what is in its way lies between.
    """
    step_start, step_share = (0.0, CLIMB_END_SHARE) if rise > 0 else (sink_start, 1.0 - sink_start)
    is_inside = (share > step_start) & (share < step_start + step_share)
    step_progress = clamp_share((share - step_start) / step_share)
    bump = evaluate_bump(share, apex)
    # 3 t^2 - 2 t^3
    height = rise * smoothstep(step_progress) + bump[0]
    rate = rise * 6 * step_progress * (1 - step_progress) / step_share + bump[1]
    curvature = rise * np.where(is_inside, 6 - 12 * step_progress, 0.0) / step_share**2 + bump[2]
    return height, rate, curvature


def evaluate_bump(share: Share, peak: float) -> tuple[Share, Share, Share]:
    """From 0 up to a top in the middle and back, at rest at both ends, and the first two
    derivatives by the share.
    """
    s = share
    r = 1.0 - share
    # 16 s^2 (1 - s)^2
    return 16 * peak * (s * r) ** 2, 32 * peak * s * r * (r - s), 32 * peak * (1 - 6 * s * r)


def compute_peel(share: Share, rise: Share) -> Array:
    """rad that a foot's toes hang as it peels off the ground,
    by the share of its swing that is over.

    Args:
        rise: height of its middle above where it left, in distances from there to its toes.
    """
    max_peel = MAX_PEEL * np.minimum(
        clamp_share(2 - 2 * share / PEEL_END_SHARE), clamp_share(2 - rise)
    )
    return np.asarray(np.minimum(np.arcsin(clamp_share(rise)), max_peel))


def compute_progress(share: Array, early_share: float) -> Array:
    """About which part of its way along the ground a swing has behind it,
    by the share of its time that is over.

    Args:
        early_share: share of its time before its end, at which it is over its place.
    """
    return smoothstep(share / (1.0 - early_share))

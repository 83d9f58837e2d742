"""Standing on both feet: whether a foot is in place, and when the body moves on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ..course.course import Course
from ..placement.sole import FootTarget

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StandingParameters:
    """When a body stands, and when it steps again."""

    # Distance of a foot from its standing place within which it needs no step [leg lengths].
    place_tolerance: float = 0.06
    # Angle of a foot to its standing heading within which it needs no step [rad].
    turn_tolerance: float = float(np.radians(25))
    # Distance that the cart moves before a standing body takes a step [leg lengths]. Half or twice
    # moves a stop by 4 to 7 cm (docs/dev/parameters.csv)
    departure_distance: float = 0.05


STANDING = StandingParameters()


def is_near_target(target: FootTarget, place: Array, yaw: float, leg_length: float) -> bool:
    """Return whether a foot is so close to its standing target that it needs no step.

    Args:
        place: (2,) middle of the supporting part of the foot [m].
        yaw: heading of the foot [rad].
        leg_length: leg length [m].
    """
    distance = np.linalg.norm(target.xy - place)
    turn = abs(so3.wrap_angle(target.yaw - yaw))
    is_far = distance > STANDING.place_tolerance * leg_length
    return not (is_far or turn > STANDING.turn_tolerance)


def find_departure(course: Course, time: float, leg_length: float) -> float:
    """Return when the body has moved on from its place at a time [s]; infinity for never.

    Args:
        leg_length: leg length [m].
    """
    start_distance = float(np.interp(time, course.time, course.distance))
    has_left = (course.time > time) & (
        course.distance - start_distance > STANDING.departure_distance * leg_length
    )
    return float(course.time[np.argmax(has_left)]) if has_left.any() else np.inf

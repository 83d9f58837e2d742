"""Landings on both feet at once.

The search for footsteps plans them for a single foot that is as wide as both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..gait.gait import Gait
from ..placement.footholds import Footholds
from .cost import FootstepProblem, PastContact
from .foot_targets import LinePoints
from .search import search_step_times

Array = NDArray[np.float64]

# Landings that the search plans ahead: the next one, and those that it must leave room for
LANDING_COUNT = 3


@dataclass(frozen=True)
class HopProblem:
    """The problem of choosing the time of the next landing on both feet.

    Args:
        last_time: time of the last landing, without any stand since [s].
        last_place: (2,) place midway between its feet [m].
        sample_line: returns the middle line at times (...,).
        cumulative_effort: returns the integral of the squared force on the cart up to times (...,).
        gait: gait of the hops.
        footholds: where feet may stand; None for everywhere.
    """

    last_time: float
    last_place: Array
    sample_line: Callable[[Array], LinePoints]
    cumulative_effort: Callable[[Array], Array]
    gait: Gait
    footholds: Footholds | None

    def compute_time(self) -> float:
        """Return the time of the next landing [s]."""
        gait = self.gait
        heading = self.sample_line(np.array([self.last_time])).heading
        forward = np.array([np.cos(heading[0]), np.sin(heading[0])])
        # The landing before the last is assumed to be one stride of this gait earlier, since after
        # a stand the real one is long past
        previous_contact = PastContact(
            0, self.last_time - gait.stride_time, self.last_place - gait.stride_length * forward
        )
        footholds = (
            None if self.footholds is None else widen_footholds(self.footholds, gait.half_width)
        )
        problem = FootstepProblem(
            last_contacts=(previous_contact, PastContact(1, self.last_time, self.last_place)),
            sample_line=self.sample_line,
            cumulative_effort=self.cumulative_effort,
            stride_time=2 * gait.stride_time,
            stride_length=2 * gait.stride_length,
            lateral_offsets=np.zeros(2),
            backward_offset=gait.backward_offset,
            footholds=footholds,
            step_count=LANDING_COUNT,
        )
        return float(search_step_times(problem)[0])


def widen_footholds(footholds: Footholds, half_width: float) -> Footholds:
    """Return where the middle between two feet may be.

    Args:
        half_width: lateral distance of each foot from the middle [m].
    """

    def locate_feet(xy: Array, yaw: Array) -> list[Array]:
        left = np.stack([-np.sin(yaw), np.cos(yaw)], -1)
        return [xy + side * half_width * left for side in (1, -1)]

    def is_forbidden(xy: Array, yaw: Array) -> NDArray[np.bool_]:
        left, right = (footholds.is_forbidden(place, yaw) for place in locate_feet(xy, yaw))
        return left | right

    def compute_penalty(xy: Array, yaw: Array) -> Array:
        return np.maximum(*(footholds.penalty(place, yaw) for place in locate_feet(xy, yaw)))

    return Footholds(is_forbidden, compute_penalty, footholds.height, footholds.max_height_change)

"""When both feet come down next, of a body that hops: the search for footsteps, for a body on a single foot as wide as both."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..gait.gait import Gait
from ..placement.footholds import Footing
from .cost import Contact, FootstepProblem
from .search import search

Array = NDArray[np.float64]

COUNT = 3             # landings to look ahead


@dataclass(frozen=True)
class HopProblem:
    """What the next landings are judged by.

    Args:
        last: time of the last landing, without what the body stood there since, s.
        place: (2,) between its feet.
        sample: gives at times (...,) the middle line's place (..., 2) and heading (...,).
        effort: gives at times the cart's squared force summed up to then (...,).
        footing: where feet may stand; None when they may everywhere.
    """

    last: float
    place: Array
    sample: Callable[[Array], tuple[Array, Array]]
    effort: Callable[[Array], Array]
    gait: Gait
    footing: Footing | None

    def time(self) -> float:
        """Of the next landing, s."""
        gait = self.gait
        _, heading = self.sample(np.array([self.last]))
        ahead = np.array([np.cos(heading[0]), np.sin(heading[0])])
        # the landing before the last is taken to have been as this gait would have it: after a stand it was long ago
        before = Contact(0, self.last - gait.stride_time, self.place - gait.stride_length * ahead)
        footing = None if self.footing is None else both_feet(self.footing, gait.width)
        problem = FootstepProblem(
            last=(before, Contact(1, self.last, self.place)), sample=self.sample, effort=self.effort,
            stride_time=2 * gait.stride_time, stride_length=2 * gait.stride_length, offsets=np.zeros(2), behind=gait.behind,
            footing=footing, count=COUNT)
        return float(search(problem)[0])


def both_feet(footing: Footing, width: float) -> Footing:
    """Where the middle between two feet may be, each of them `width` m to its side of it."""
    def each(xy: Array, yaw: Array) -> list[Array]:
        left = np.stack([-np.sin(yaw), np.cos(yaw)], -1)
        return [xy + side * width * left for side in (1, -1)]

    def forbidden(xy: Array, yaw: Array) -> NDArray[np.bool_]:
        left, right = (footing.forbidden(place, yaw) for place in each(xy, yaw))
        return left | right

    def awkward(xy: Array, yaw: Array) -> Array:
        return np.maximum(*(footing.awkward(place, yaw) for place in each(xy, yaw)))

    return Footing(forbidden, awkward, footing.height, footing.climb)

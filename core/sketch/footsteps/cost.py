"""What the next footsteps are judged by: places follow from their times by sampling the cart's path.

Source: Kwon et al. 2020, section 4.2 and appendix C.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..placement.footholds import Footing

Array = NDArray[np.float64]

WEIGHTS = {"stride_time": 2.0, "step_time": 2.0, "stride_length": 1.0, "step_length": 1.0, "crossing": 20.0, "effort": 1.0,
           "climb": 40.0, "hurry": 60.0, "awkward": 1.0}
HURRIED = 0.85        # of a step's usual time, below which it is hurried
SPREAD = 1.2          # largest change of a logarithm of a step's duration


@dataclass(frozen=True)
class Contact:
    """A contact that is already decided. Where the body stood still on it, `time` leaves the wait out: it is the moment
    at which the contact's middle would have been, had the foot come down later by the wait.
    """

    leg: int
    time: float
    position: Array       # (2,)


@dataclass(frozen=True)
class FootstepProblem:
    """What the next footsteps are judged by. Legs tread in turn, the one of `last[0]` next.

    Args:
        last: the latest contact of each of the two legs, earlier first.
        sample: gives at times (...,) the middle line's place (..., 2) and heading (...,).
        effort: gives at times the cart's squared force summed up to then (...,).
        stride_time, stride_length: wished for, s and m.
        offsets: (2,) of each leg's foot to the left of the middle line, m.
        behind: by which feet stand behind the place sampled, m.
        turned: gives at times (...,) by how much the heading is to the left of the way, rad.
        footing: where feet may stand; None when they may everywhere.
        count: number of footsteps to look ahead.
        shares: (2,) of a stride that the step onto each leg takes.
    """

    last: tuple[Contact, Contact]
    sample: Callable[[Array], tuple[Array, Array]]
    effort: Callable[[Array], Array]
    stride_time: float
    stride_length: float
    offsets: Array
    behind: float
    turned: Callable[[Array], Array] | None = None
    footing: Footing | None = None
    count: int = 4
    shares: Array = field(default_factory=lambda: np.array([0.5, 0.5]))

    @cached_property
    def legs(self) -> NDArray[np.int64]:
        """Leg of each footstep searched for. (count,)."""
        return np.array([self.last[k % 2].leg for k in range(self.count)])

    def times(self, x: Array) -> Array:
        """Times from logarithms of the steps' durations, so that their order holds (equations 7, 8, C.4). (n, count)."""
        steps = self.shares[self.legs] * self.stride_time * np.exp(np.clip(x, -SPREAD, SPREAD))
        return self.last[1].time + np.cumsum(steps, 1)

    def places(self, times: Array, legs: NDArray[np.int64] | None = None) -> tuple[Array, Array]:
        """Places (..., count, 2) and headings (..., count) of the feet at times (..., count): the foot offset (C.1)."""
        line, heading = self.sample(times)
        side = self.offsets[self.legs if legs is None else legs]
        sine, cosine = np.sin(heading), np.cos(heading)
        place = line.copy()
        place[..., 0] -= side * sine + self.behind * cosine
        place[..., 1] += side * cosine - self.behind * sine
        return place, heading

    def cost(self, x: Array) -> Array:
        """Weighted sum of the objectives E1 to E6 of each candidate, and of 1 for each E6. (n, count) -> (n,)."""
        return (self.residuals(x) ** 2).sum(1)

    def residuals(self, x: Array) -> Array:
        """What `cost` is the sum of the squares of: E1 to E5 are squares, E6 grows from 1 on. (n, count) -> (n, 5 count + 2)."""
        n = len(x)
        new = self.times(x)
        place, heading = self.places(new)
        t, p = np.empty((n, 2 + self.count)), np.empty((n, 2 + self.count, 2))
        t[:, :2], t[:, 2:] = [c.time for c in self.last], new
        p[:, :2], p[:, 2:] = [c.position for c in self.last], place
        parts = self._parts(np.arange(self.count), (t[:, :-2], t[:, 1:-1], t[:, 2:]), (p[:, :-2], p[:, 1:-1], p[:, 2:]), heading)
        spent = self.effort(t[:, [0, 1, -2, -1]])
        effort = np.sqrt(np.maximum(1 + WEIGHTS["effort"] * (spent[:, 2:] - spent[:, :2]), 0.0))
        return np.concatenate([*(np.sqrt(WEIGHTS[name]) * part for name, part in parts.items()), effort], 1)

    def step_cost(self, k: NDArray[np.int64] | int, time: tuple[Array, Array, Array], place: tuple[Array, Array, Array],
                  heading: Array) -> Array:
        """Objectives E1 to E5 of footstep k, told by the two contacts before it and itself; arrays that broadcast."""
        return np.asarray(sum(WEIGHTS[name] * part**2 for name, part in self._parts(k, time, place, heading).items()))

    def _parts(self, k: NDArray[np.int64] | int, time: tuple[Array, Array, Array], place: tuple[Array, Array, Array],
               heading: Array) -> dict[str, Array]:
        """What E1 to E5 are the squares of, by name."""
        leg = self.legs[np.asarray(k)]
        share = self.shares[leg]
        turned = np.zeros_like(heading) if self.turned is None else self.turned(time[2])
        east, north = np.cos(heading - turned), np.sin(heading - turned)
        stride, step = place[2] - place[0], place[2] - place[1]
        beside = (self.offsets[leg] - self.offsets[1 - leg]) * np.sin(-turned)      # a foot that is to the side is ahead
        ahead, onward = (way[..., 0] * east + way[..., 1] * north for way in (stride, step))
        return {"stride_time": time[2] - time[0] - self.stride_time,                        # equation 1
                "step_time": time[2] - time[1] - share * self.stride_time,                  # equation 2
                "stride_length": ahead - self.stride_length,                                # equation 3
                "step_length": onward - beside - share * self.stride_length,                # equation 4
                "crossing": self._crossing(k, place) * np.cos(turned)**2}                   # equation 5

    def effort_cost(self, last_but_one: Array, last: Array) -> Array:
        """Objective E6 of the last two contacts' times (equation 6)."""
        before = self.effort(np.array([c.time for c in self.last])).sum()
        return WEIGHTS["effort"] * (self.effort(last) + self.effort(last_but_one) - before)

    def _crossing(self, k: NDArray[np.int64] | int, place: tuple[Array, Array, Array]) -> Array:
        """How far the foot before footstep k lies inward beyond the line between the other foot's places before and after it.

        A foot that was down before the first footstep lies where it lies.
        """
        before, foot, after = place
        line, away = after - before, foot - before
        size = np.maximum(np.hypot(line[..., 0], line[..., 1]), 1e-6)
        beside = (line[..., 0] * away[..., 1] - line[..., 1] * away[..., 0]) / size                 # left is +
        side = np.sign(self.offsets[self.legs[np.asarray(k) - 1]]) * (np.asarray(k) > 0)
        return np.maximum(-side * beside, 0.0)

    def heights(self, places: Array) -> Array:
        """Of the ground at places (..., 2), m."""
        return np.zeros(places.shape[:-1]) if self.footing is None else self.footing.height(places)

    def forbidden(self, places: Array, headings: Array) -> NDArray[np.bool_]:
        """Where no foot may stand (equation 9). (n, 2), (n,) -> (n,)."""
        return np.zeros(len(places), bool) if self.footing is None else self.footing.forbidden(places, headings)

    def awkward(self, places: Array, headings: Array) -> Array:
        """How much a foot had better not stand somewhere. (n, 2), (n,) -> (n,)."""
        return np.zeros(len(places)) if self.footing is None else self.footing.awkward(places, headings)

    @property
    def climb(self) -> float:
        """Most that the ground may rise or fall from one foot to the next, m."""
        return np.inf if self.footing is None else self.footing.climb

    def unfit(self, times: Array) -> bool:
        """Whether footsteps at times (count,) stand where none may, or too high above each other."""
        if self.footing is None:
            return False
        place, heading = self.places(times)
        heights = self.heights(np.concatenate([self.last[1].position[None], place]))
        wrong = self.forbidden(place, heading) | (self.awkward(place, heading) > 0) | (np.abs(np.diff(heights)) > self.climb)
        return bool(wrong.any())

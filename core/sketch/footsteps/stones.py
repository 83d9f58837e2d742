"""Which stones to step on: the next three again and again, by the same objectives as footsteps elsewhere.

Source: Kwon et al. 2020, appendix C.6, second scheme; times follow from a constant speed.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...task import Path
from ..gait.gait import Gait
from .cost import HURRIED, WEIGHTS, FootstepProblem
from .genetic import Whole, evolve

Array = NDArray[np.float64]

AHEAD = 3             # stones looked ahead
STRAY = 5.0           # weight of a foot's way aside from where the path would have it, 1/m^2
VEERED = 40.0         # weight of a change of the way to the side from one step to the next, 1/m^2
UNTIMELY = 15.0       # weight of a step too short or drawn out, of the logarithm squared
NARROW = 60.0         # weight of a foot too close to the other one's line, 1/m^2
DRAWN_OUT = 1.3       # of a step's usual length, above which it is drawn out
TOO_FAR = 0.85        # leg lengths between two feet of a walk, above which hardly any step is worth it
UNREACHED = 800.0     # weight of what is beyond that, 1/m^2
ASIDE = 1.6           # leg lengths from the path within which stones are looked at
FEWEST = 0.3          # of a step's usual length that a stone must be ahead to be looked at


@dataclass(frozen=True)
class Places:
    """Stones, and what the path says of them."""

    xy: Array             # (n, 2)
    station: Array        # (n,) along the path, m
    heading: Array        # (n,) of the path there
    height: Array         # (n,) of the ground
    beside: Array         # (n,) left of the path, m

    @staticmethod
    def of(xy: Array, path: Path, height: Array) -> Places:
        """Places by their nearest points of a path, to a centimetre."""
        stations = np.arange(-5.0, path.length + 5.0, 0.05)
        line = path.position(stations)
        nearest = np.array([int(((line - p) ** 2).sum(1).argmin()) for p in xy], dtype=np.int64)
        heading = path.heading(stations[nearest])
        ahead = np.stack([np.cos(heading), np.sin(heading)], -1)
        away = xy - line[nearest]
        return Places(xy, stations[nearest] + (away * ahead).sum(-1), heading, height,
                      ahead[:, 0] * away[:, 1] - ahead[:, 1] * away[:, 0])

    def __getitem__(self, k: Whole) -> Places:
        return Places(self.xy[k], self.station[k], self.heading[k], self.height[k], self.beside[k])


def middle(xy: Array, heading: Array, side: Array | float, gait: Gait) -> Array:
    """The place of the middle line for a foot at a place: the foot offset of appendix C.1, backward. (..., 2)."""
    ahead = np.stack([np.cos(heading), np.sin(heading)], -1)
    left = np.stack([-ahead[..., 1], ahead[..., 0]], -1)
    return np.asarray(xy - (np.asarray(side) * gait.width)[..., None] * left + gait.behind * ahead)


@dataclass(frozen=True)
class StoneProblem:
    """What the next stones are judged by.

    Args:
        steps: the last two contacts and what is wished for; its course is not asked.
        places: stones to choose from.
        last_middle: (2,) of the middle line at the last contact.
        last_way: (2,) from the middle line's place at the contact before.
        last_height: of the ground there, m.
        sides: of each leg, +1 left.
        gait: that the speed asks for.
        speed: constant, m/s.
        far: most between two feet, m.
    """

    steps: FootstepProblem
    places: Places
    last_middle: Array
    last_way: Array
    last_height: float
    sides: Array
    gait: Gait
    speed: float
    far: float

    def middles(self, chosen: Whole) -> Array:
        """Of the middle line at the stones chosen. (n, genes) -> (n, genes, 2)."""
        return middle(self.places.xy[chosen], self.places.heading[chosen], self._side(chosen), self.gait)

    def _side(self, chosen: Whole) -> Array:
        return np.broadcast_to(self.sides[self.steps.legs[:chosen.shape[1]]], chosen.shape)

    def times(self, chosen: Whole) -> Array:
        """When the feet are there at a constant speed. (n, genes)."""
        line = np.concatenate([np.broadcast_to(self.last_middle, (len(chosen), 1, 2)), self.middles(chosen)], 1)
        return np.asarray(self.steps.last[1].time + np.cumsum(np.linalg.norm(np.diff(line, axis=1), axis=-1), 1) / self.speed)

    def cost(self, chosen: Whole) -> Array:
        """Objectives E1 to E5 of the steps, and how far they are from the path, out of time and out of reach. (n,)."""
        n, genes = chosen.shape
        time = np.concatenate([np.broadcast_to([c.time for c in self.steps.last], (n, 2)), self.times(chosen)], 1)
        xy = np.concatenate([np.broadcast_to([c.position for c in self.steps.last], (n, 2, 2)), self.places.xy[chosen]], 1)
        heading = self.places.heading[chosen]
        parts = [self.steps.step_cost(k, (time[:, k], time[:, k + 1], time[:, k + 2]), (xy[:, k], xy[:, k + 1], xy[:, k + 2]),
                                      heading[:, k]) for k in range(genes)]
        line = np.concatenate([np.broadcast_to(self.last_middle, (n, 1, 2)), self.middles(chosen)], 1)
        onward = (np.diff(line, axis=1) * np.stack([np.cos(heading), np.sin(heading)], -1)).sum(-1)
        share = np.maximum(onward / (0.5 * self.gait.stride_length), 1e-3)                  # (n, genes) of a usual step
        untimely = np.maximum(np.log(HURRIED / share), 0.0) + np.maximum(np.log(share / DRAWN_OUT), 0.0)
        far = np.maximum(np.linalg.norm(np.diff(xy[:, 1:], axis=1), axis=-1) - self.far, 0.0)
        height = np.concatenate([np.full((n, 1), self.last_height), self.places.height[chosen]], 1)
        aside = self.places.beside[chosen] - self._side(chosen) * self.gait.width
        way = np.concatenate([np.broadcast_to(self.last_way, (n, 1, 2)), np.diff(line, axis=1)], 1)
        veered = np.diff((way * np.stack([-np.sin(heading), np.cos(heading)], -1)[:, :1]).sum(-1), axis=1)
        own = (UNTIMELY * untimely**2 + UNREACHED * far**2 + WEIGHTS["climb"] * np.diff(height, axis=1) ** 2
               + STRAY * aside**2 + VEERED * veered**2 + NARROW * self._narrow(xy) ** 2)
        return np.asarray(np.sum(parts, axis=0) + own.sum(1))

    def _narrow(self, xy: Array) -> Array:
        """By how much each foot but the last is closer to the line between the other foot's places than usual. (n, genes)."""
        before, foot, after = xy[:, :-2], xy[:, 1:-1], xy[:, 2:]
        line, away = after - before, foot - before
        left = (line[..., 0] * away[..., 1] - line[..., 1] * away[..., 0]) / np.maximum(np.linalg.norm(line, axis=-1), 1e-6)
        own = self.sides[[self.steps.last[(k + 1) % 2].leg for k in range(xy.shape[1] - 2)]]
        return np.asarray(np.maximum(2 * self.gait.width - own * left, 0.0))


def next_stones(problem: StoneProblem, rng: np.random.Generator, known: Whole | None = None) -> Whole:
    """The best next stones, three or as many as there are; numbers of `problem.places`."""
    count = len(problem.places.xy)
    return evolve(problem.cost, count, min(AHEAD, count), rng, known)

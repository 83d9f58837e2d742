"""Footsteps among forbidden places: the best times on a lattice, by dynamic programming.

A footstep's cost is told by its own time and those of the two before it. So the best way to each pair of last times is found
from the best ways to the pairs before; every time of the lattice is gone through and no allowed way is missed.
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .cost import HURRIED, WEIGHTS, FootstepProblem

Array = NDArray[np.float64]

FINENESS = 12         # lattice times a step
LEAST = 0.45          # of a step's usual time that it takes at least
MOST = 3.0            # the same at most
LATE = 2.5            # steps' usual times that a footstep may be later than usual in all
REFINED = (0.25, 0.0625)      # cells of the lattices, as shares of the first one's, on which the best is searched again


@dataclass(frozen=True)
class _Layer:
    """The times at which one footstep may be; where it then is."""

    time: Array           # (n,)
    place: Array          # (n, 2)
    heading: Array        # (n,)
    height: Array         # (n,)
    awkward: Array        # (n,) how much a foot had better not stand there


def search_lattice(problem: FootstepProblem) -> Array | None:
    """Best allowed times of the next footsteps, (count,); None where there is no allowed way."""
    usual = 0.5 * problem.stride_time
    cell = usual / FINENESS
    since = [np.arange((k + 1) * LEAST * usual, (k + 1 + LATE) * usual, cell) for k in range(problem.count)]
    best = _best_way(problem, [problem.last[1].time + s for s in since])
    for finer in REFINED:
        if best is not None:
            around = 4 * finer * cell * np.linspace(-1, 1, 9)
            best = _best_way(problem, [time + around for time in best])
    return best


def _best_way(problem: FootstepProblem, times: list[Array]) -> Array | None:
    layers = _known(problem) + _allowed(problem, times)
    value, back = np.zeros((1, 1)), []
    for k in range(problem.count):
        a, b, c = layers[k:k + 3]
        total = value[:, :, None] + _cost(problem, k, a, b, c)                             # (na, nb, nc)
        if not np.isfinite(total).any():
            return None
        back.append(total.argmin(0))                                                        # (nb, nc)
        value = total.min(0)
    value = value + problem.effort_cost(layers[-2].time[:, None], layers[-1].time)
    before, at = (int(k) for k in np.unravel_index(int(value.argmin()), value.shape))
    way = [at]
    for k in range(problem.count - 1, -1, -1):
        way.append(before)
        before, at = int(back[k][before, at]), before
    return np.array([layer.time[k] for layer, k in zip(layers[2:], way[:-1][::-1], strict=True)])


def _cost(problem: FootstepProblem, k: int, a: _Layer, b: _Layer, c: _Layer) -> Array:
    """Cost of footstep k for each three times; infinite where none may be. (na, nb, nc)."""
    time = (a.time[:, None, None], b.time[:, None], c.time)
    place = (a.place[:, None, None], b.place[:, None], c.place)
    rise = c.height - b.height[:, None]                                                     # (nb, nc)
    lasts = np.maximum((c.time - b.time[:, None]) / (0.5 * problem.stride_time), 1e-3)
    wrong = (lasts < LEAST) | (lasts > MOST) | (np.abs(rise) > problem.climb)
    hurry = np.maximum(np.log(HURRIED / lasts), 0.0)
    own = WEIGHTS["awkward"] * c.awkward + WEIGHTS["climb"] * rise**2 + WEIGHTS["hurry"] * hurry**2
    return problem.step_cost(k, time, place, c.heading) + np.where(wrong, np.inf, own)


def _known(problem: FootstepProblem) -> list[_Layer]:
    place = np.stack([c.position for c in problem.last])
    height = problem.heights(place)
    zero = np.zeros(1)
    return [_Layer(np.array([c.time]), place[k:k + 1], zero, height[k:k + 1], zero) for k, c in enumerate(problem.last)]


def _allowed(problem: FootstepProblem, times: list[Array]) -> list[_Layer]:
    """The layers of all footsteps with the times at which they may be, the ground asked once for all of them."""
    number = np.repeat(np.arange(len(times)), [len(t) for t in times])
    time = np.concatenate(times)
    place, heading = problem.places(time, problem.legs[number])
    free = ~problem.forbidden(place, heading)
    number, time, place, heading = number[free], time[free], place[free], heading[free]
    height, awkward = problem.heights(place), problem.awkward(place, heading)
    bounds = np.searchsorted(number, np.arange(len(times) + 1))
    return [_Layer(*(x[start:end] for x in (time, place, heading, height, awkward)))
            for start, end in pairwise(bounds)]

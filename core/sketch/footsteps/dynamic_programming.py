"""Footsteps among forbidden places: the best times on a lattice, by dynamic programming.

A footstep's cost is told by its own time and those of the two before it. So the best way to each
pair of last times is found from the best ways to the pairs before; every time of the lattice is
gone through and no allowed way is missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .cost import SHORT_STEP_RATIO, WEIGHTS, FootstepProblem

Array = NDArray[np.float64]

TIMES_PER_STEP = 12  # lattice times a step
MIN_STEP_RATIO = 0.45  # of a step's usual time that it takes at least
MAX_STEP_RATIO = 3.0  # the same at most
MAX_DELAY_STEPS = 2.5  # steps' usual times that a footstep may be later than usual in all
# cells of the lattices, as shares of the first one's, on which the best is searched again
REFINEMENT_RATIOS = (0.25, 0.0625)


@dataclass(frozen=True)
class _Layer:
    """The times at which one footstep may be; where it then is."""

    time: Array  # (n,)
    place: Array  # (n, 2)
    heading: Array  # (n,)
    height: Array  # (n,)
    penalty: Array  # (n,) how much a foot had better not stand there


def search_lattice(problem: FootstepProblem) -> Array | None:
    """Best allowed times of the next footsteps, (count,); None where there is no allowed way."""
    step_time = 0.5 * problem.stride_time
    spacing = step_time / TIMES_PER_STEP
    time_offsets = [
        np.arange(
            (k + 1) * MIN_STEP_RATIO * step_time, (k + 1 + MAX_DELAY_STEPS) * step_time, spacing
        )
        for k in range(problem.step_count)
    ]
    best_times = _find_best_times(
        problem, [problem.last_contacts[1].time + s for s in time_offsets]
    )
    for ratio in REFINEMENT_RATIOS:
        if best_times is not None:
            offsets = 4 * ratio * spacing * np.linspace(-1, 1, 9)
            best_times = _find_best_times(problem, [time + offsets for time in best_times])
    return best_times


def _find_best_times(problem: FootstepProblem, times: list[Array]) -> Array | None:
    layers = _build_past_layers(problem) + _build_allowed_layers(problem, times)
    costs = np.zeros((1, 1))
    backpointers = []
    for k in range(problem.step_count):
        a, b, c = layers[k : k + 3]
        total_costs = costs[:, :, None] + _compute_costs(problem, k, a, b=b, c=c)  # (na, nb, nc)
        if not np.isfinite(total_costs).any():
            return None
        backpointers.append(total_costs.argmin(0))  # (nb, nc)
        costs = total_costs.min(0)
    costs = costs + problem.compute_effort_cost(layers[-2].time[:, None], layers[-1].time)
    previous, current = (int(k) for k in np.unravel_index(int(costs.argmin()), costs.shape))
    indices = [current]
    for k in range(problem.step_count - 1, -1, -1):
        indices.append(previous)
        previous, current = int(backpointers[k][previous, current]), previous
    return np.array(
        [layer.time[k] for layer, k in zip(layers[2:], indices[:-1][::-1], strict=True)]
    )


def _compute_costs(problem: FootstepProblem, k: int, a: _Layer, b: _Layer, c: _Layer) -> Array:
    """Cost of footstep k for each three times; infinite where none may be. (na, nb, nc)."""
    time = (a.time[:, None, None], b.time[:, None], c.time)
    place = (a.place[:, None, None], b.place[:, None], c.place)
    rise = c.height - b.height[:, None]  # (nb, nc)
    duration_ratio = np.maximum((c.time - b.time[:, None]) / (0.5 * problem.stride_time), 1e-3)
    infeasible = (
        (duration_ratio < MIN_STEP_RATIO)
        | (duration_ratio > MAX_STEP_RATIO)
        | (np.abs(rise) > problem.max_height_change)
    )
    shortening = np.maximum(np.log(SHORT_STEP_RATIO / duration_ratio), 0.0)
    extra_cost = (
        WEIGHTS["awkward"] * c.penalty
        + WEIGHTS["climb"] * rise**2
        + WEIGHTS["hurry"] * shortening**2
    )
    return problem.compute_step_cost(k, time, place, c.heading) + np.where(
        infeasible, np.inf, extra_cost
    )


def _build_past_layers(problem: FootstepProblem) -> list[_Layer]:
    place = np.stack([c.position for c in problem.last_contacts])
    height = problem.sample_heights(place)
    zero = np.zeros(1)
    return [
        _Layer(np.array([c.time]), place[k : k + 1], zero, height=height[k : k + 1], penalty=zero)
        for k, c in enumerate(problem.last_contacts)
    ]


def _build_allowed_layers(problem: FootstepProblem, times: list[Array]) -> list[_Layer]:
    """The layers of all footsteps with the times at which they may be,
    the ground asked once for all of them.
    """
    step_index = np.repeat(np.arange(len(times)), [len(t) for t in times])
    time = np.concatenate(times)
    feet = problem.compute_places(time, problem.legs[step_index])
    place = feet.position
    heading = feet.heading
    is_allowed = ~problem.is_forbidden(place, heading)
    step_index = step_index[is_allowed]
    time = time[is_allowed]
    place = place[is_allowed]
    heading = heading[is_allowed]
    height = problem.sample_heights(place)
    penalty = problem.compute_penalty(place, heading)
    bounds = np.searchsorted(step_index, np.arange(len(times) + 1))
    return [
        _Layer(*(x[start:end] for x in (time, place, heading, height, penalty)))
        for start, end in pairwise(bounds)
    ]

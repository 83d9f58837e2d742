"""The search for the times of the next footsteps.

Among forbidden places dynamic programming chooses the best times on a lattice first: the cost
of a footstep depends on its time and on those of the two before it, so that the best sequence that
ends with a given pair of times follows from the best sequences that end with the pairs before.
Every time of the lattice is considered, so no allowed sequence is missed.

Source: Kwon et al. 2020, section 4.2 and appendix C.4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .cost import SHORT_STEP_RATIO, WEIGHTS, FootstepProblem

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LatticeParameters:
    """Lattice of times that the dynamic programming searches.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Lattice times per usual duration of a step. tuned: halved, feet on stairs enter the ground by
    # 15 cm
    times_per_step: int = 12
    # Shortest duration of a step, as a share of the usual one. tuned: doubled, feet on stairs enter
    # the ground by 1 cm
    min_step_ratio: float = 0.45
    # Longest duration of a step, as a multiple of the usual one. tuned: halved, feet drift by 2 mm
    # at hurdles
    max_step_ratio: float = 3.0
    # Longest delay of a footstep in total [usual durations of a step]. tuned: halved, the error of
    # angular momentum at hurdles is 0.11 instead of 0.017
    max_delay: float = 2.5
    # Spacings of the lattices around the best times that are searched next, relative to the first:
    # each a quarter of the one before, so that the last one is 2.5 ms of a step of 0.5 s.
    refinement_ratios: tuple[float, float] = (0.25, 0.0625)


LATTICE = LatticeParameters()


@dataclass(frozen=True)
class _Layer:
    """Possible times of one footstep and the foot at each of them.

    Args:
        time: (n,) [s].
        place: (n, 2) [m].
        heading: (n,) [rad].
        height: (n,) of the ground [m].
        penalty: (n,) of an unfavorable foothold.
    """

    time: Array
    place: Array
    heading: Array
    height: Array
    penalty: Array


def search_lattice(problem: FootstepProblem) -> Array | None:
    """Return the best allowed times of the next footsteps, (count,) [s]; None if there are none."""
    step_time = 0.5 * problem.stride_time
    spacing = step_time / LATTICE.times_per_step
    time_offsets = [
        np.arange(
            (k + 1) * LATTICE.min_step_ratio * step_time,
            (k + 1 + LATTICE.max_delay) * step_time,
            spacing,
        )
        for k in range(problem.step_count)
    ]
    best_times = _find_best_times(
        problem, [problem.last_contacts[1].time + s for s in time_offsets]
    )
    for ratio in LATTICE.refinement_ratios:
        if best_times is not None:
            offsets = 4 * ratio * spacing * np.linspace(-1, 1, 9)
            best_times = _find_best_times(problem, [time + offsets for time in best_times])
    return best_times


def _find_best_times(problem: FootstepProblem, times: list[Array]) -> Array | None:
    """Return the best times, one from each array in `times`; None if no sequence is allowed."""
    layers = _build_past_layers(problem) + _build_allowed_layers(problem, times)
    costs = np.zeros((1, 1))
    backpointers = []
    for k in range(problem.step_count):
        a, b, c = layers[k : k + 3]
        total_costs = costs[:, :, None] + _compute_costs(problem, k, a, b=b, c=c)  # (na, nb, nc)
        if not total_costs.size:
            return None
        backpointers.append(total_costs.argmin(0))  # (nb, nc)
        costs = np.take_along_axis(total_costs, backpointers[-1][None], 0)[0]
        if not np.isfinite(costs).any():
            return None
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
    """Return the cost of footstep k for all triples of times, infinite if not allowed.

    (na, nb, nc).
    """
    time = (a.time[:, None, None], b.time[:, None], c.time)
    place = (a.place[:, None, None], b.place[:, None], c.place)
    rise = c.height - b.height[:, None]  # (nb, nc)
    duration_ratio = np.maximum((c.time - b.time[:, None]) / (0.5 * problem.stride_time), 1e-3)
    infeasible = (
        (duration_ratio < LATTICE.min_step_ratio)
        | (duration_ratio > LATTICE.max_step_ratio)
        | (np.abs(rise) > problem.max_height_change)
    )
    shortening = np.maximum(np.log(SHORT_STEP_RATIO / duration_ratio), 0.0)
    extra_cost = c.penalty + WEIGHTS.height_change * rise**2 + WEIGHTS.short_step * shortening**2
    costs = problem.compute_step_cost(k, time, place, c.heading)
    costs += np.where(infeasible, np.inf, extra_cost)
    return costs


def _build_past_layers(problem: FootstepProblem) -> list[_Layer]:
    """Return the layers of the two past contacts, with one time each."""
    place = np.stack([c.position for c in problem.last_contacts])
    height = problem.sample_heights(place)
    zero = np.zeros(1)
    return [
        _Layer(np.array([c.time]), place[k : k + 1], zero, height=height[k : k + 1], penalty=zero)
        for k, c in enumerate(problem.last_contacts)
    ]


def _build_allowed_layers(problem: FootstepProblem, times: list[Array]) -> list[_Layer]:
    """Return the layers of all footsteps at allowed times; all places are tested at once."""
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


@dataclass(frozen=True)
class SearchParameters:
    """Numerical parameters of the smooth search.

    Numerical: half or twice of each changes no motion (docs/dev/parameters.csv).
    """

    max_gauss_newton_steps: int = 6  # Gauss-Newton steps before a quasi-Newton search takes over.
    # Change of the logarithm of a duration below which the search has converged.
    convergence_tolerance: float = 1e-4
    difference_step: float = 1e-6  # Step of the finite differences, in the logarithm of a duration.
    # Added to the diagonal of the normal matrix, which is singular for a step at a limit of its
    # duration.
    regularization: float = 1e-9


SEARCH = SearchParameters()


class _CostAndGradient(NamedTuple):
    """Value of the objective and its gradient (count,), as SciPy expects them."""

    cost: float
    gradient: Array


def search_step_times(problem: FootstepProblem) -> Array:
    """Return the best times of the next footsteps. (count,) or fewer [s].

    Without forbidden ground the objective is smooth, and a gradient-based search finds its optimum.
    If that optimum stands on forbidden ground, dynamic programming searches all times on a lattice
    instead (the paper uses CMA-ES, appendix C.4), for as many footsteps as have an allowed
    sequence. If not even one footstep has an allowed time, the result is the smooth optimum.
    """
    smooth_times: Array = problem.compute_times(_minimize_smooth_cost(problem)[None])[0]
    if not problem.is_infeasible(smooth_times):
        return smooth_times
    for step_count in range(problem.step_count, 0, -1):
        lattice_times = search_lattice(replace(problem, step_count=step_count))
        if lattice_times is not None:
            return lattice_times
    return smooth_times


def _minimize_smooth_cost(problem: FootstepProblem) -> Array:
    """Return the optimum over all ground, as logarithms of the durations of the steps. (count,).

    The objective is a sum of squares that are nearly linear unless feet cross, so two or three
    Gauss-Newton steps usually converge. If they do not, for example when a foot is about to cross
    the other one, a quasi-Newton search takes over.
    """
    x = np.zeros(problem.step_count)
    probes = np.vstack(
        [np.zeros(problem.step_count), SEARCH.difference_step * np.eye(problem.step_count)]
    )
    for _ in range(SEARCH.max_gauss_newton_steps):
        r = problem.compute_residuals(x + probes)
        jacobian = (r[1:] - r[0]) / SEARCH.difference_step  # (count, residuals)
        change = -np.linalg.solve(
            jacobian @ jacobian.T + SEARCH.regularization * np.eye(problem.step_count),
            jacobian @ r[0],
        )
        x = x + change
        if np.abs(change).max() < SEARCH.convergence_tolerance:
            return x

    def cost_and_gradient(x: Array) -> _CostAndGradient:
        f = problem.compute_cost(x + probes)
        return _CostAndGradient(float(f[0]), (f[1:] - f[0]) / SEARCH.difference_step)

    solution: Array = minimize(
        cost_and_gradient,
        np.zeros(problem.step_count),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 40},
    ).x
    return solution

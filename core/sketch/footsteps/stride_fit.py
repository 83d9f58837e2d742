"""The times of contacts that best keep stride, lags and lengths:
a small least-squares problem with residuals in metres.

Source: Kwon et al. 2020, equations 1 to 4, with the pairs of appendix G told
as lags from leg to leg.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from ..course.progress import PathProgress
from ..gait.gait_body import GaitBody

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]

WEIGHTS = {
    "stride_time": 2.0,
    "stride_length": 10.0,
    "lag_length": 20.0,
    "lag_time": 20.0,
    "anchor": 1e3,
}
MAX_ITERATIONS = 8
# strides by which no contact moves any more when the solution is found
CONVERGENCE_TOLERANCE = 1e-5
MAX_TIME_STEP = 0.2  # strides that a contact moves in one iteration at most


@dataclass(frozen=True)
class StrideProblem:
    """Contacts t (strides, legs) of which only times are unknown:
    places follow from the body's way.

    Args:
        initial_times: times to begin with, s. (strides, legs).
        desired_lags: asked for, in strides, after the first leg. (strides, legs).
        desired_stride_times: asked for from each contact to the next of its leg,
            s. (strides - 1, legs).
        anchored: contacts that stay where they are. (strides, legs).
    """

    body: GaitBody
    progress: PathProgress
    initial_times: Array
    desired_lags: Array
    desired_stride_times: Array
    anchored: NDArray[np.bool_]


def fit_strides(problem: StrideProblem) -> Array:
    """The times of all contacts, s, by Gauss-Newton on a banded system. (strides, legs)."""
    strides, legs = problem.initial_times.shape
    contact_index = np.arange(strides * legs).reshape(strides, legs)
    ties = find_tied_legs(problem.body)
    speed = np.maximum(
        problem.progress.sample(
            0.5 * (problem.initial_times[1:] + problem.initial_times[:-1]), "speed"
        ),
        problem.progress.min_speed,
    )
    length = speed * problem.desired_stride_times
    lags = problem.desired_lags[:, ties.tied] - problem.desired_lags[:, ties.leading]
    tie_length = np.concatenate([length, length[-1:]])[:, ties.leading]
    # equation 1
    time_pairs = _PairResiduals.from_arrays(
        contact_index[:-1],
        contact_index[1:],
        problem.desired_stride_times,
        WEIGHTS["stride_time"] * speed**2,
    )
    # equation 3
    length_pairs = _PairResiduals.from_arrays(
        contact_index[:-1], contact_index[1:], length, WEIGHTS["stride_length"]
    )
    # equation 4
    tie_length_pairs = _PairResiduals.from_arrays(
        contact_index[:, ties.leading],
        contact_index[:, ties.tied],
        lags * tie_length,
        WEIGHTS["lag_length"],
    )
    # equation 2
    tie_time_pairs = _PairResiduals.from_arrays(
        contact_index[:, ties.leading],
        contact_index[:, ties.tied],
        lags,
        WEIGHTS["lag_time"] * tie_length**2,
    )
    anchor_index = np.flatnonzero(problem.anchored)
    typical_stride_time = float(np.median(problem.desired_stride_times))
    t = problem.initial_times.ravel().copy()
    for _ in range(MAX_ITERATIONS):
        distance = problem.progress.sample(t, "monotone_distance")
        distance_rate = np.maximum(problem.progress.sample(t, "speed"), problem.progress.min_speed)
        band = np.zeros((legs + 1, t.size))
        gradient = np.zeros(t.size)
        time_pairs.add_to_normal(band, gradient, t, np.ones_like(t))
        length_pairs.add_to_normal(band, gradient, distance, distance_rate)
        tie_length_pairs.add_to_normal(band, gradient, distance, distance_rate)
        tie_time_pairs.add_to_normal(
            band,
            gradient,
            problem.progress.sample(t, "strides"),
            problem.progress.sample(t, "stride_rate"),
        )
        anchor_stiffness = WEIGHTS["anchor"] * problem.progress.min_speed**2
        band[legs, anchor_index] += anchor_stiffness
        gradient[anchor_index] += (
            anchor_stiffness * (t - problem.initial_times.ravel())[anchor_index]
        )
        step = np.clip(
            -solveh_banded(band, gradient, check_finite=False),
            -MAX_TIME_STEP * typical_stride_time,
            MAX_TIME_STEP * typical_stride_time,
        )
        t += step
        if np.abs(step).max() < CONVERGENCE_TOLERANCE * typical_stride_time:
            break
    return t.reshape(strides, legs)


@dataclass(frozen=True)
class LegTies:
    """Pairs of legs that are tied by a lag.

    Args:
        leading: (ties,) leg of each pair that comes down first.
        tied: (ties,) leg that follows it.
    """

    leading: IntArray
    tied: IntArray


def find_tied_legs(body: GaitBody) -> LegTies:
    """Pairs of legs that are tied by a lag: the feet of a row, and the first feet of rows that
    follow each other. Two (ties,).
    """
    order = sorted(range(len(body.legs)), key=lambda k: (body.leg_rows[k], body.on_leading_side[k]))
    first_leg: dict[int, int] = {}
    pairs = []
    for k in order:
        row = int(body.leg_rows[k])
        if row in first_leg:
            pairs.append((first_leg[row], k))
        else:
            first_leg[row] = k
            if row:
                pairs.append((first_leg[row - 1], k))
    table = np.array(pairs, int).reshape(-1, 2)
    return LegTies(table[:, 0], table[:, 1])


@dataclass(frozen=True)
class _PairResiduals:
    """Residuals sqrt(weight) (f(b) - f(a) - asked) between contacts with numbers a < b or b < a."""

    a: IntArray  # (m,)
    b: IntArray  # (m,)
    target: Array  # (m,)
    weight: Array  # (m,)

    @classmethod
    def from_arrays(
        cls, a: IntArray, b: IntArray, target: Array, weight: Array | float
    ) -> _PairResiduals:
        """Pairs from arrays of one shape."""
        return cls(a.ravel(), b.ravel(), target.ravel(), np.broadcast_to(weight, a.shape).ravel())

    def add_to_normal(self, band: Array, gradient: Array, value: Array, rate: Array) -> None:
        """Add to an upper banded normal matrix (legs + 1, n) and its right side (n,),
        of f's values and derivatives (n,).
        """
        a = self.a
        b = self.b
        n = gradient.size
        indices = np.concatenate([a, b])
        rates = np.concatenate([-rate[a], rate[b]])
        errors = np.tile(self.weight * (value[b] - value[a] - self.target), 2)
        gradient += np.bincount(indices, errors * rates, n)
        band[-1] += np.bincount(indices, np.tile(self.weight, 2) * rates**2, n)
        low = np.minimum(a, b)
        high = np.maximum(a, b)
        flat_index = (len(band) - 1 - (high - low)) * n + high
        band += np.bincount(flat_index, -self.weight * rate[a] * rate[b], band.size).reshape(
            band.shape
        )

"""Times of contacts that best match the desired strides, lags and lengths.

They solve a small least-squares problem with residuals in meters. Source: Kwon et al. 2020,
equations 1 to 4, with the pairs of appendix G expressed as lags between legs.
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


@dataclass(frozen=True)
class StrideFitParameters:
    """Weights of the least-squares problem and limits of its solver.

    tuned together: half or twice of a weight makes pops of a dog 1 to 5 degrees larger
    (docs/dev/parameters.csv); the limits of the solver change nothing.
    """

    stride_time_weight: float = 2.0  # Equation 1.
    stride_length_weight: float = 10.0  # Equation 3.
    lag_length_weight: float = 20.0  # Equation 4.
    # Equation 2. Guarded by
    # test_footfalls.test_gaits_follow_each_other_as_the_speed_changes_and_blend
    lag_time_weight: float = 20.0
    # Contacts that must not move. Guarded by test_footfalls.test_any_motion_has_sound_footfalls
    anchor_weight: float = 1e3
    max_iterations: int = 8  # Gauss-Newton iterations.
    # Movement of the contacts below which the solver has converged [strides].
    convergence_tolerance: float = 1e-5
    max_time_step: float = 0.2  # Largest movement of a contact in one iteration [strides].


STRIDE_FIT = StrideFitParameters()


@dataclass(frozen=True)
class StrideProblem:
    """Contacts (strides, legs) whose times are unknown.

    Their places follow from the progress of the body.

    Args:
        body: body with its legs.
        progress: motion along the path.
        initial_times: (strides, legs) initial guess [s].
        desired_lags: (strides, legs) lag of each leg after the first one [strides].
        desired_stride_times: (strides - 1, legs) desired time from each contact to the next one of
            its leg [s].
        anchored: (strides, legs) contacts that must not move.
    """

    body: GaitBody
    progress: PathProgress
    initial_times: Array
    desired_lags: Array
    desired_stride_times: Array
    anchored: NDArray[np.bool_]


def fit_strides(problem: StrideProblem) -> Array:
    """Return the times of all contacts, by Gauss-Newton on a banded system. (strides, legs) [s]."""
    residuals = _StrideResiduals.from_problem(problem)
    typical_stride_time = float(np.median(problem.desired_stride_times))
    max_step = STRIDE_FIT.max_time_step * typical_stride_time
    t = problem.initial_times.ravel().copy()
    for _ in range(STRIDE_FIT.max_iterations):
        step = np.clip(residuals.solve_step(t), -max_step, max_step)
        t += step
        if np.abs(step).max() < STRIDE_FIT.convergence_tolerance * typical_stride_time:
            break
    return t.reshape(problem.initial_times.shape)


@dataclass(frozen=True)
class _StrideResiduals:
    """Residuals of all contacts of a problem.

    Args:
        stride_time: time from each contact to the next one of its leg (equation 1).
        stride_length: distance from each contact to the next one of its leg (equation 3).
        lag_length: distance between the contacts of tied legs (equation 4).
        lag_time: strides between the contacts of tied legs (equation 2).
    """

    problem: StrideProblem
    stride_time: _PairResiduals
    stride_length: _PairResiduals
    lag_length: _PairResiduals
    lag_time: _PairResiduals

    @classmethod
    def from_problem(cls, problem: StrideProblem) -> _StrideResiduals:
        """Return the residuals of a problem."""
        index = np.arange(problem.initial_times.size).reshape(problem.initial_times.shape)
        ties = find_tied_legs(problem.body)
        stride_time = problem.desired_stride_times
        mid_times = 0.5 * (problem.initial_times[1:] + problem.initial_times[:-1])
        speed = np.maximum(problem.progress.sample(mid_times, "speed"), problem.progress.min_speed)
        length = speed * stride_time
        lags = problem.desired_lags[:, ties.tied] - problem.desired_lags[:, ties.leading]
        tie_length = np.concatenate([length, length[-1:]])[:, ties.leading]
        leading = index[:, ties.leading]
        tied = index[:, ties.tied]
        return cls(
            problem,
            _PairResiduals.from_arrays(
                index[:-1], index[1:], stride_time, STRIDE_FIT.stride_time_weight * speed**2
            ),
            _PairResiduals.from_arrays(
                index[:-1], index[1:], length, STRIDE_FIT.stride_length_weight
            ),
            _PairResiduals.from_arrays(
                leading, tied, lags * tie_length, STRIDE_FIT.lag_length_weight
            ),
            _PairResiduals.from_arrays(
                leading, tied, lags, STRIDE_FIT.lag_time_weight * tie_length**2
            ),
        )

    def solve_step(self, t: Array) -> Array:
        """Return the Gauss-Newton step from contact times t. (n,) -> (n,) [s]."""
        problem = self.problem
        progress = problem.progress
        distance = progress.sample(t, "monotone_distance")
        distance_rate = np.maximum(progress.sample(t, "speed"), progress.min_speed)
        legs = problem.initial_times.shape[1]
        band = np.zeros((legs + 1, t.size))
        gradient = np.zeros(t.size)
        self.stride_time.add_to_normal(band, gradient, t, np.ones_like(t))
        self.stride_length.add_to_normal(band, gradient, distance, distance_rate)
        self.lag_length.add_to_normal(band, gradient, distance, distance_rate)
        self.lag_time.add_to_normal(
            band, gradient, progress.sample(t, "strides"), progress.sample(t, "stride_rate")
        )
        anchor_index = np.flatnonzero(problem.anchored)
        anchor_stiffness = STRIDE_FIT.anchor_weight * progress.min_speed**2
        band[legs, anchor_index] += anchor_stiffness
        gradient[anchor_index] += (
            anchor_stiffness * (t - problem.initial_times.ravel())[anchor_index]
        )
        return -np.asarray(solveh_banded(band, gradient, check_finite=False))


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
    """Return the pairs of legs that are tied by a lag.

    These are the legs of each row and the first legs of consecutive rows.
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
    """Residuals sqrt(weight) (f(b) - f(a) - target) between pairs of contacts.

    Args:
        a: (m,) index of the first contact.
        b: (m,) index of the second contact.
        target: (m,) desired difference.
        weight: (m,).
    """

    a: IntArray
    b: IntArray
    target: Array
    weight: Array

    @classmethod
    def from_arrays(
        cls, a: IntArray, b: IntArray, target: Array, weight: Array | float
    ) -> _PairResiduals:
        """Return the residuals of pairs from arrays of the same shape."""
        return cls(a.ravel(), b.ravel(), target.ravel(), np.broadcast_to(weight, a.shape).ravel())

    def add_to_normal(self, band: Array, gradient: Array, value: Array, rate: Array) -> None:
        """Add the residuals to a normal matrix and its right side, in place.

        Args:
            band: (legs + 1, n) upper banded normal matrix.
            gradient: (n,) right side.
            value: (n,) values of f at the contacts.
            rate: (n,) derivatives of f with respect to the contact times.
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

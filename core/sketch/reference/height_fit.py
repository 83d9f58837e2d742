"""The height of a body over its standing legs: close to that of the style, with a calm course,
and within the reach of each leg.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HeightFitParameters:
    """Weights and limits of the fit of the height of a body over its legs."""

    # Weight of a leg above the height at which it is straight, as a multiple of its usual weight.
    # Tuned: with 30, bodies were 1 cm too high on stairs.
    overreach_weight: float = 100.0
    # Iterations that determine where legs are too short. tuned: halved, feet of a pushed body enter
    # the ground by 4.3 mm instead of 1.9
    max_iterations: int = 6
    # Sine of half of the smallest knee angle; the height would be overly sensitive to straighter
    # knees. tuned: doubled, legs of a pushed body are 2 degrees farther from the style
    min_knee_sine: float = float(np.sin(np.radians(6)))
    # Least weight of a leg as its contact begins and ends, since it is visible there too.
    min_load_share: float = 0.25


HEIGHT_FIT = HeightFitParameters()


@dataclass(frozen=True)
class StandingLeg:
    """A leg at m times at which its foot is down.

    Args:
        indices: (m,) indices of the times.
        load_share: (m,) share of the body weight that the leg carries.
        desired_height: (m,) height at which the leg has the length that its style desires [m].
        max_height: (m,) height at which the leg is straight [m].
        knee_sensitivity: (m,) knee rotation per lowering of the body [rad/m].
    """

    indices: NDArray[np.int64]
    load_share: Array
    desired_height: Array
    max_height: Array
    knee_sensitivity: Array


def compute_load_share(elapsed: Array, remaining: Array, handover: float) -> Array:
    """Return the share of the weight that a foot carries, 0 to 1. (n,), (n,) -> (n,).

    Args:
        elapsed: (n,) time since its contact began, in any unit.
        remaining: (n,) time until its contact ends.
        handover: duration of the weight shift from foot to foot.
    """
    ends = np.clip(np.minimum(elapsed, remaining) / handover, 0, 1)
    return np.asarray(ends * ends * (3 - 2 * ends))


def compute_knee_sensitivity(length: Array, straight: float) -> Array:
    """Return the knee rotation per shortening of a leg with thigh and shank of equal length.

    (n,) -> (n,) [rad/m].

    Args:
        length: (n,) length of the leg [m].
        straight: length of the straight leg [m].
    """
    half_knee_sine = np.sqrt(np.maximum(1 - (length / straight) ** 2, HEIGHT_FIT.min_knee_sine**2))
    return np.asarray(2 / (straight * half_knee_sine))


def fit_height(
    legs: Sequence[StandingLeg], sample_count: int, dt: float, acceleration_weight: float
) -> Array:
    """Return the height of the body at equally spaced times. (sample_count,) [m].

    Args:
        dt: time between the samples [s].
        acceleration_weight: squared knee rotation that weighs as much as a squared acceleration of
            the body [rad^2 / (m/s^2)^2].
    """
    band = np.zeros((3, sample_count))
    for offset, coefficient in ((0, 1.0), (1, -2.0), (2, 1.0)):
        for other, factor in ((0, 1.0), (1, -2.0), (2, 1.0)):
            if other >= offset:
                band[2 - (other - offset), other : sample_count - 2 + other] += coefficient * factor
    band *= acceleration_weight / dt**4
    band[2] += 1e-9
    height = np.full(sample_count, np.inf)
    for _ in range(HEIGHT_FIT.max_iterations):
        matrix = band.copy()
        right_side = np.zeros(sample_count)
        for leg in legs:
            weight = leg.knee_sensitivity**2 * (
                HEIGHT_FIT.min_load_share + (1 - HEIGHT_FIT.min_load_share) * leg.load_share
            )
            overreach_weight = (
                HEIGHT_FIT.overreach_weight
                * leg.knee_sensitivity**2
                * (height[leg.indices] > leg.max_height)
                if np.isfinite(height).all()
                else np.zeros(len(leg.indices))
            )
            np.add.at(matrix[2], leg.indices, weight + overreach_weight)
            np.add.at(
                right_side,
                leg.indices,
                weight * leg.desired_height + overreach_weight * leg.max_height,
            )
        previous = height
        height = solveh_banded(matrix, right_side)
        if np.abs(height - previous).max() < 1e-5:
            break
    return height

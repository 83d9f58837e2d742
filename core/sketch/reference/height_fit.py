"""The height of a body over its standing legs: as near to what each leg would have as a calm course
allows, and no higher than any of them reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

Array = NDArray[np.float64]

# times a leg's weight, beyond the height at which it is straight:
# with 30 bodies rode 1 cm too high on stairs
OVERREACH_WEIGHT = 100.0
MAX_ITERATIONS = 6  # of finding out at which moments legs are too short
# sine of half of the least knee: a straighter one would be told to the hundredth of a mm
MIN_KNEE_SINE = np.sin(np.radians(6))
# of its weight that a leg has as it comes and goes, since it is looked at, too
MIN_LOAD_SHARE = 0.25


@dataclass(frozen=True)
class StandingLeg:
    """A leg at some moments at which its foot is down.

    Args:
        indices: (m,) which of the moments.
        load_share: (m,) of the body's weight that it carries.
        desired_height: (m,) at which it is as long as its style has it, m.
        max_height: (m,) at which it is straight, m.
        knee_sensitivity: (m,) by how much its knee bends for each m that the body sinks, rad/m.
    """

    indices: NDArray[np.int64]
    load_share: Array
    desired_height: Array
    max_height: Array
    knee_sensitivity: Array


def compute_load_share(elapsed: Array, remaining: Array, handover: float) -> Array:
    """Return how far a foot carries the body, 0 to 1, as it takes the weight over and hands it
    on. (n,), (n,) -> (n,).

    Args:
        elapsed, remaining: (n,) time or share of a cycle since its contact
            began, and until it ends.
        handover: the same of one hand-over.
    """
    ends = np.clip(np.minimum(elapsed, remaining) / handover, 0, 1)
    return np.asarray(ends * ends * (3 - 2 * ends))


def compute_knee_sensitivity(length: Array, straight: float) -> Array:
    """Return by how much a knee bends for each m that its leg of thigh and shin alike gets
    shorter. (n,) m -> (n,) rad/m.
    """
    half_knee_sine = np.sqrt(np.maximum(1 - (length / straight) ** 2, MIN_KNEE_SINE**2))
    return np.asarray(2 / (straight * half_knee_sine))


def fit_height(
    legs: Sequence[StandingLeg], sample_count: int, dt: float, acceleration_weight: float
) -> Array:
    """Return the height over equally spaced moments. (count,) m.

    Args:
        dt: s between moments.
        acceleration_weight: rad^2 of a knee that weigh as much as a (m/s^2)^2 of the body.
    """
    band = np.zeros((3, sample_count))
    for offset, coefficient in ((0, 1.0), (1, -2.0), (2, 1.0)):
        for other, factor in ((0, 1.0), (1, -2.0), (2, 1.0)):
            if other >= offset:
                band[2 - (other - offset), other : sample_count - 2 + other] += coefficient * factor
    band *= acceleration_weight / dt**4
    band[2] += 1e-9
    height = np.full(sample_count, np.inf)
    for _ in range(MAX_ITERATIONS):
        matrix = band.copy()
        right_side = np.zeros(sample_count)
        for leg in legs:
            weight = leg.knee_sensitivity**2 * (
                MIN_LOAD_SHARE + (1 - MIN_LOAD_SHARE) * leg.load_share
            )
            overreach_weight = (
                OVERREACH_WEIGHT * leg.knee_sensitivity**2 * (height[leg.indices] > leg.max_height)
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

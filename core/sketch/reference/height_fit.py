"""The height of a body over its standing legs: as near to what each leg would have as a calm course allows, and no higher than
any of them reaches."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

Array = NDArray[np.float64]

FIRM = 100.0          # times a leg's weight, beyond the height at which it is straight: with 30 bodies rode 1 cm too high on stairs
ROUNDS = 6            # of finding out at which moments legs are too short
SHARPEST = np.sin(np.radians(6))      # sine of half of the least knee: a straighter one would be told to the hundredth of a mm
LOOSE = 0.25          # of its weight that a leg has as it comes and goes, since it is looked at, too


@dataclass(frozen=True)
class StandingLeg:
    """A leg at some moments at which its foot is down.

    Args:
        at: (m,) which of the moments.
        share: (m,) of the body's weight that it carries.
        height: (m,) at which it is as long as its style has it, m.
        highest: (m,) at which it is straight, m.
        bend: (m,) by how much its knee bends for each m that the body sinks, rad/m.
    """

    at: NDArray[np.int64]
    share: Array
    height: Array
    highest: Array
    bend: Array


def weight_share(since: Array, left: Array, support: float) -> Array:
    """Return how far a foot carries the body, 0 to 1, as it takes the weight over and hands it on. (n,), (n,) -> (n,).

    Args:
        since, left: (n,) time or share of a cycle since its contact began, and until it ends.
        support: the same of one hand-over.
    """
    ends = np.clip(np.minimum(since, left) / support, 0, 1)
    return np.asarray(ends * ends * (3 - 2 * ends))


def knee_bend(length: Array, straight: float) -> Array:
    """Return by how much a knee bends for each m that its leg of thigh and shin alike gets shorter. (n,) m -> (n,) rad/m."""
    half = np.sqrt(np.maximum(1 - (length / straight) ** 2, SHARPEST**2))
    return np.asarray(2 / (straight * half))


def fit_height(legs: Sequence[StandingLeg], count: int, step: float, calm: float) -> Array:
    """Return the height over equally spaced moments. (count,) m.

    Args:
        step: s between moments.
        calm: rad^2 of a knee that weigh as much as a (m/s^2)^2 of the body.
    """
    band = np.zeros((3, count))
    for offset, coefficient in ((0, 1.0), (1, -2.0), (2, 1.0)):
        for other, factor in ((0, 1.0), (1, -2.0), (2, 1.0)):
            if other >= offset:
                band[2 - (other - offset), other:count - 2 + other] += coefficient * factor
    band *= calm / step**4
    band[2] += 1e-9
    out = np.full(count, np.inf)
    for _ in range(ROUNDS):
        matrix, right = band.copy(), np.zeros(count)
        for leg in legs:
            weight = leg.bend**2 * (LOOSE + (1 - LOOSE) * leg.share)
            above = FIRM * leg.bend**2 * (out[leg.at] > leg.highest) if np.isfinite(out).all() else np.zeros(len(leg.at))
            np.add.at(matrix[2], leg.at, weight + above)
            np.add.at(right, leg.at, weight * leg.height + above * leg.highest)
        before, out = out, solveh_banded(matrix, right)
        if np.abs(out - before).max() < 1e-5:
            break
    return out

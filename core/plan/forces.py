"""Contact forces of a plan: curves over time, windows in which points apply them, feasible sets.

Curves are clamped cubic B-splines over a window, zero at both ends. A window is an interval in
which one contact point may apply force. With K coefficients c_k [body weights] the force in it is

    f(t) = sum_k B_k(t) c_k,   k = 1..K.

K is smaller where many contacts share the load. The basis is non-negative and sums to at most one,
so if all coefficients lie in the friction cone (Kwon et al. 2020, equation 11), the whole curve
does. Kwon et al. use Hermite splines, which need a bound on the derivative for that (equation 13).
Velocity and position follow from the integral and the double integral, which are piecewise
polynomials too and therefore exact.

Each feasible set is convex and contains the zero force, so a plan always has a feasible solution.

Source: Kwon et al. 2020, equations 11 and 12, for feet; section 8 (monkey bars) for hands, which
pull.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline

from ..motion.footstep import Footstep
from .weights import PYRAMID_SHARE, PYRAMID_SIDES, PlanLimits

Array = NDArray[np.float64]

# Default number of coefficients per window, as many as knots of the four segments of force splines
# of Kwon et al. 2020, appendix D.2
COEFFICIENT_COUNT = 5
# Powers 0 to 5: the double integral of a cubic is of degree 5
POWER_COUNT = 6
# Longest force window [s]; a longer stance gets several
MAX_WINDOW_TIME = 1.3


@dataclass(frozen=True)
class _Splines:
    """Piecewise polynomials of the K basis functions on the unit interval.

    There are K - 1 segments. A clamped cubic spline on them has K + 2 coefficients; the first and
    the last are zero and left out.
    """

    count: int  # K
    # (segments POWER_COUNT, 3 K): value, integral and double integral side by side, for each
    # segment by powers of the elapsed share of the segment
    segment_polynomials: Array
    full_integral: Array  # (K,) integrals over the unit interval

    def evaluate(self, u: Array) -> Array:
        """Return value, integral and double integral at `u` in [0, 1]. (...,) -> (..., 3, K).

        All three come from one matrix product.
        """
        segments = self.count - 1
        position = segments * u.ravel()
        segment = np.minimum(position.astype(int), segments - 1)
        powers = np.zeros((len(position), segments, POWER_COUNT))
        powers[np.arange(len(position)), segment] = np.vander(
            position - segment, POWER_COUNT, increasing=True
        )
        return (
            powers.reshape(-1, len(self.segment_polynomials)) @ self.segment_polynomials
        ).reshape(u.shape + (3, self.count))


@cache
def _splines(count: int) -> _Splines:
    """Build the basis of `count` coefficients."""
    segments = count - 1
    knots = np.concatenate([np.zeros(3), np.linspace(0, 1, segments + 1), np.ones(3)])
    value = BSpline(knots, np.eye(segments + 3)[:, 1:-1], 3, extrapolate=False)
    polynomials = np.zeros((segments, POWER_COUNT, 3, count))
    for k, spline in enumerate((value, value.antiderivative(1), value.antiderivative(2))):
        for power in range(spline.k + 1):
            polynomials[:, power, k] = spline(np.arange(segments) / segments, power) / (
                factorial(power) * segments**power
            )
    return _Splines(
        count, polynomials.reshape(segments * POWER_COUNT, 3 * count), value.antiderivative(1)(1.0)
    )


@dataclass(frozen=True)
class ForceBasis:
    """Basis functions of w windows with K coefficients each, at n times.

    Arrays are (n, w, K), or (n, w K) after `flatten`. Integrals begin at the start time.
    """

    value: Array  # dimensionless
    integral: Array  # [s]
    double_integral: Array  # [s^2]

    def flatten(self) -> ForceBasis:
        """Return the basis with one axis for windows and coefficients. Arrays (n, w K)."""
        n = len(self.value)
        return ForceBasis(
            self.value.reshape(n, -1),
            self.integral.reshape(n, -1),
            self.double_integral.reshape(n, -1),
        )


def evaluate_force_basis(
    times: Array, windows: Array, start: float, count: int = COEFFICIENT_COUNT
) -> ForceBasis:
    """Evaluate the basis functions and their integrals.

    Args:
        times: (n,) [s].
        windows: (w, 2) [s] begin and end of each window.
        start: [s] lower limit of the integrals.
        count: K, the number of coefficients per window.

    Returns:
        Arrays (n, w, K).
    """
    splines = _splines(count)
    begin = windows[:, 0]
    length = windows[:, 1] - windows[:, 0]
    u = (times[:, None] - begin) / length  # (n, w)
    start_share = np.maximum((start - begin) / length, 0.0)  # (w,)
    shares = np.concatenate([u, start_share[None]])
    evaluated = splines.evaluate(np.minimum(np.maximum(shares, 0.0), 1.0))  # (n + 1, w, 3, K)
    evaluated[:, :, 2] += np.maximum(shares - 1, 0.0)[..., None] * splines.full_integral
    value = evaluated[:-1, :, 0] * ((u > 0) & (u < 1))[..., None]
    elapsed_share = np.maximum(u, start_share) - start_share  # (n, w)
    integral: Array = evaluated[:-1, :, 1] - evaluated[-1, :, 1]
    double_integral: Array = (
        evaluated[:-1, :, 2] - evaluated[-1, :, 2] - elapsed_share[..., None] * evaluated[-1, :, 1]
    )
    return ForceBasis(value, length[:, None] * integral, length[:, None] ** 2 * double_integral)


def build_difference_penalty(count: int = COEFFICIENT_COUNT) -> Array:
    """Return the quadratic form of differences between neighboring coefficients. (K, K).

    The zero coefficients at both ends of a window are included.
    """
    differences = np.diff(
        np.concatenate([np.zeros((1, count)), np.eye(count), np.zeros((1, count))]), axis=0
    )
    return differences.T @ differences


def compute_remaining_share(windows: Array, time: float, count: int = COEFFICIENT_COUNT) -> Array:
    """Return the share of each coefficient's impulse after `time` [s]. (w, 2) -> (w, K)."""
    u = np.clip((time - windows[:, 0]) / (windows[:, 1] - windows[:, 0]), 0, 1)
    splines = _splines(count)
    return np.asarray(1 - splines.evaluate(u)[:, 1] / splines.full_integral)


def cover_with_windows(begin: float, end: float, max_length: float) -> Array:
    """Cover an interval with windows of at most `max_length` [s] that overlap by half.

    Returns:
        (w, 2) [s] begin and end of each window; a single one if the interval is short enough.
    """
    span = end - begin
    if span <= max_length:
        return np.array([[begin, end]])
    count = int(np.ceil(2 * span / max_length)) - 1
    half_length = span / (count + 1)
    return begin + half_length * np.stack([np.arange(count), np.arange(count) + 2.0], -1)


@dataclass(frozen=True)
class ForceWindow:
    """Interval in which one point of a contact may apply force."""

    point: int  # 0 for the heel or a grip, 1 for the ball
    begin: float  # [s]
    end: float  # [s]


@dataclass(frozen=True)
class StepWindows:
    """Force windows of one footstep."""

    step: int  # index of the footstep
    windows: tuple[ForceWindow, ...]


class WindowKey(NamedTuple):
    """Name of a force window."""

    step: int  # index of the footstep
    point: int  # 0 for the heel or a grip, 1 for the ball
    begin: float  # [s]


class PointKey(NamedTuple):
    """Name of a contact point."""

    step: int  # index of the footstep
    point: int  # 0 for the heel or a grip, 1 for the ball


def build_force_windows(f: Footstep) -> tuple[ForceWindow, ...]:
    """Return the force windows of a footstep: of its heel, unless it stays up, and of its ball."""
    first_point = int(f.heel_raise is not None)
    return tuple(
        ForceWindow(point, begin, end)
        for point, span in enumerate((f.heel_span, f.ball_span))
        if point >= first_point
        for begin, end in cover_with_windows(span.begin, span.end, MAX_WINDOW_TIME)
    )


@dataclass(frozen=True)
class ForceFaces:
    """Half-spaces N f <= b of feasible contact forces f, per force window or coefficient.

    There are m of them: the sides of a pyramid, and one along its axis.
    """

    normals: Array  # (k, m, 3) N, dimensionless
    bounds: Array  # (k, m) b [body weights]


def build_force_faces(frames: Array, is_grip: NDArray[np.bool_], limits: PlanLimits) -> ForceFaces:
    """Build the linearized friction cones (equation 11) and the force limits (equation 12).

    The force on a sole lies in its friction cone. A gripping hand does not slip; the force on it
    lies in a wide cone about the vertical, the range of directions of a hanging arm. Both cones are
    replaced by inscribed pyramids. The last face bounds the force along the axis.

    Args:
        frames: (w, 3, 3) whose third columns are the axes of the cones.
        is_grip: (w,) which contacts are gripping hands.
        limits: friction, slopes and largest forces.
    """
    axis = frames[:, :, 2]
    cone_slope = np.where(is_grip, limits.grip_cone_slope, limits.friction)
    slope = PYRAMID_SHARE * cone_slope[:, None]
    angles = 2 * np.pi / PYRAMID_SIDES * np.arange(PYRAMID_SIDES)
    sides = [
        along * frames[:, :, 0] + across * frames[:, :, 1] - slope * axis
        for along, across in zip(np.cos(angles), np.sin(angles), strict=True)
    ]
    bounds = np.zeros((len(frames), PYRAMID_SIDES + 1))
    bounds[:, -1] = np.where(is_grip, limits.max_grip_force, limits.max_force)
    return ForceFaces(np.stack([*sides, axis], 1), bounds)

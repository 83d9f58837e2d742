"""Splines over the phase, fitted by least squares with exact conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline

Array = NDArray[np.float64]

DEGREE = 5


@dataclass(frozen=True)
class CurveSample:
    """Values of k columns at a phase, and their derivatives by the phase, each of shape (k,)."""

    value: Array
    slope: Array
    curvature: Array


@dataclass(frozen=True)
class Condition:
    """An exact value of a derivative of a spline.

    Args:
        phase: where [rad].
        order: of the derivative.
        value: of each column, shape (k,).
    """

    phase: float
    order: int
    value: Array


@dataclass(frozen=True)
class PhaseCurve:
    """A spline of k columns over a span of the phase, with pieces of equal length.

    Outside of the span it continues straight for a distance, and is constant farther away.

    Args:
        begin: phase at which it begins [rad].
        step: length of a piece [rad].
        coefficients: of the powers of the distance from the begin of a piece, the highest first,
            shape (pieces, degree + 1, k).
        margin: distance for which it continues straight [rad].
    """

    begin: float
    step: float
    coefficients: Array
    margin: float = 0.1

    @property
    def end(self) -> float:
        """Phase at which it ends [rad]."""
        return self.begin + self.step * len(self.coefficients)

    def evaluate(self, phase: float) -> CurveSample:
        """Return values and derivatives at a phase [rad]."""
        inside = min(max(phase, self.begin), self.end)
        piece = min(int((inside - self.begin) / self.step), len(self.coefficients) - 1)
        x = inside - self.begin - piece * self.step
        value, slope, curvature = _make_powers(x) @ self.coefficients[piece]
        beyond = phase - inside
        if beyond == 0.0:
            return CurveSample(value, slope, curvature)
        limited = min(max(beyond, -self.margin), self.margin)
        flat = np.zeros_like(slope)
        return CurveSample(value + limited * slope, slope if limited == beyond else flat, flat)

    def evaluate_many(self, phases: Array) -> Array:
        """Return the values at phases [rad], (n,) -> (n, k)."""
        inside = np.clip(phases, self.begin, self.end)
        last = len(self.coefficients) - 1
        piece = np.minimum(((inside - self.begin) / self.step).astype(int), last)
        x = inside - self.begin - piece * self.step
        chosen = self.coefficients[piece]  # (n, degree + 1, k)
        value = np.einsum("np,npk->nk", np.vander(x, DEGREE + 1), chosen)
        slope = np.einsum(
            "np,npk->nk", np.vander(x, DEGREE) * np.arange(DEGREE, 0, -1), chosen[:, :-1]
        )
        beyond = np.clip(phases - inside, -self.margin, self.margin)
        return np.asarray(value + beyond[:, None] * slope)


def _make_powers(x: float) -> Array:
    """Return the powers of a distance and their two derivatives, (3, 6)."""
    x2 = x * x
    x3 = x2 * x
    return np.array(
        [
            [x2 * x3, x2 * x2, x3, x2, x, 1.0],
            [5 * x2 * x2, 4 * x3, 3 * x2, 2 * x, 1.0, 0.0],
            [20 * x3, 12 * x2, 6 * x, 2.0, 0.0, 0.0],
        ]
    )


@dataclass(frozen=True)
class PhaseCurveFit:
    """What a spline is fitted to, and how.

    Args:
        phase: increasing phases [rad], shape (n,).
        values: shape (n, k).
        span: begin and end of the spline [rad].
        pieces: number of its pieces.
        conditions: exact conditions.
        stiffness: weight of the squared curvature, integrated over the span, against the squared
            error, averaged over the samples [rad^3].
    """

    phase: Array
    values: Array
    span: tuple[float, float]
    pieces: int
    conditions: Sequence[Condition] = ()
    stiffness: float = 1e-7

    def solve(self) -> PhaseCurve:
        """Return the spline of least squares that meets the conditions."""
        begin, end = self.span
        breaks = np.linspace(begin, end, self.pieces + 1)
        knots = np.concatenate([[begin] * DEGREE, breaks, [end] * DEGREE])
        count = self.pieces + DEGREE
        basis = BSpline(knots, np.eye(count), DEGREE)
        design = basis(np.clip(self.phase, begin, end)) / np.sqrt(len(self.phase))
        bending = basis(np.linspace(begin, end, 8 * self.pieces + 1), nu=2)
        weight = self.stiffness * (end - begin) / len(bending)
        matrix = design.T @ design + weight * bending.T @ bending + 1e-12 * np.eye(count)
        right = design.T @ self.values / np.sqrt(len(self.phase))
        if self.conditions:
            rows = np.stack([basis(c.phase, nu=c.order) for c in self.conditions])
            none = np.zeros((len(rows), len(rows)))
            matrix = np.block([[matrix, rows.T], [rows, none]])
            right = np.concatenate([right, np.stack([c.value for c in self.conditions])])
        solution = np.linalg.solve(matrix, right)[:count]
        powers = [
            basis(breaks[:-1], nu=order) @ solution / factorial(order)
            for order in range(DEGREE, -1, -1)
        ]
        return PhaseCurve(begin, (end - begin) / self.pieces, np.stack(powers, 1))

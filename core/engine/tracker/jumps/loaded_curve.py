"""Curves whose bending needs a ground force: none in the air, and smoothly more on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.interpolate import BSpline

from ...shared.contact_forces import compute_load

Array = NDArray[np.float64]

DEGREE = 3


@dataclass(frozen=True)
class LoadedCurveParameters:
    """How the curve of a contact is fitted.

    Args:
        pieces: of the spline of the force. Numerical: `stiffness` weighs the bends that they leave.
        stiffness: weight of the bends of the force against the squared error, as a share of what
            the force adds to the curve. tuned: with a soft spline the force of a landing fell to
            nothing after 3.7 body weights, test_jump_motion.test_forces_rise_and_fall_smoothly
    """

    pieces: int = 6
    stiffness: float = 1.0


LOADED_CURVE = LoadedCurveParameters()


@dataclass(frozen=True)
class LoadedCurve:
    """A curve x of a contact with x' = mobility * v, where v changes by the force only.

    Args:
        time: from strike to lift [s], shape (n,).
        mobility: shape (n,).
        target: values of x that it is near, and has at both ends, shape (n, k).
        begin, end: v at both ends, shape (k,).
    """

    time: Array
    mobility: Array
    target: Array
    begin: Array
    end: Array

    def fit(self) -> Array:
        """Return x, shape (n, k)."""
        time = self.time
        knots = np.linspace(time[0], time[-1], LOADED_CURVE.pieces + 1)
        knots = np.concatenate([[time[0]] * DEGREE, knots, [time[-1]] * DEGREE])
        count = LOADED_CURVE.pieces + DEGREE
        force = BSpline(knots, np.eye(count), DEGREE)(time)
        force *= compute_load(time, float(time[0]), float(time[-1]))[:, None]
        gain = _integrate(force, time)
        reached = _integrate(self.mobility[:, None] * gain, time)
        free = self.target[0] + _integrate(self.mobility, time)[:, None] * self.begin
        rows = np.stack([gain[-1], reached[-1]])
        values = np.stack([self.end - self.begin, self.target[-1] - free[-1]])
        error = self.target - free
        square = reached.T @ reached
        weight = LOADED_CURVE.stiffness * np.trace(square) / count
        bends = np.diff(np.eye(count), 2, axis=0)
        square = square + weight * bends.T @ bends
        matrix = np.block([[square, rows.T], [rows, np.zeros((2, 2))]])
        right = np.concatenate([reached.T @ error, values])
        coefficients = np.linalg.solve(matrix, right)[:count]
        return np.asarray(free + reached @ coefficients)


def _integrate(values: Array, time: Array) -> Array:
    return np.asarray(cumulative_trapezoid(values, time, axis=0, initial=0.0))

"""Walks on slopes: the steps of a walk on level ground, moved with the ground.

On a slope the feet follow the ground, and the hip keeps its distance from it but stays above the
same place: the body leans neither up nor down the slope, as its weight must act within the same
part of the foot. Legs bend and stretch as this requires.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from .biped import ANKLE_1, ANKLE_2, FOOT_1, FOOT_2, TRUNK, PlanarBiped
from .constraints import StepConstraints, fit_walk
from .input_walk import StepSamples, measure_drop, place_legs
from .side_view import ComplexArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SlopeParameters:
    """Slopes for which walks are fitted.

    Args:
        interval: between slopes [rad].
        steepest: [rad].
        max_stretch: longest distance from hip to ankle, as a share of the straight leg.
        smoothing: instants of a step over which a lowered hip is smoothed. tuned: with a sudden
            drop the hip would fall faster than its weight lets it on slopes of -14 degrees.
    """

    interval: float = np.radians(1.0)
    steepest: float = np.radians(20.0)
    max_stretch: float = 0.995
    smoothing: float = 18.0


SLOPES = SlopeParameters()


def tilt_step(biped: PlanarBiped, samples: StepSamples, slope: float) -> StepSamples:
    """Return a step on level ground as it is on a slope [rad]."""
    q = samples.coordinates
    hip = q[:, 0] + 1j * q[:, 1]
    ankles = biped.locate(q, biped.points[[ANKLE_1, ANKLE_2]])
    # Ankle 1 only moves about heel and toes of a foot that rests.
    first = ankles[:, 0] * np.exp(1j * slope)
    rise = 1j * np.tan(slope)
    hip = hip + rise * hip.real
    second = ankles[:, 1] + rise * ankles[:, 1].real
    hip -= 1j * _find_drop(biped, hip, np.stack([first, second]), samples.landing)
    frames = np.stack(
        [
            hip,
            first,
            second,
            q[:, 2 + TRUNK],
            q[:, 2 + FOOT_1] + slope,
            q[:, 2 + FOOT_2] + slope,
        ],
        -1,
    )
    return replace(samples, coordinates=place_legs(frames, biped.side_view), slope=slope)


def _find_drop(biped: PlanarBiped, hip: ComplexArray, ankles: ComplexArray, landing: int) -> Array:
    """Return a distance by which the hip is lowered for both legs to reach [m], shape (n,).

    It is periodic up to the landing, as steps follow each other.
    """
    needed = measure_drop(hip, ankles, biped.side_view, SLOPES.max_stretch)
    if not needed.any():
        return needed
    width = int(4 * SLOPES.smoothing) | 1
    high = maximum_filter1d(needed[:landing], width, mode="wrap")
    smooth = gaussian_filter1d(high, SLOPES.smoothing, mode="wrap")
    return np.asarray(smooth[np.arange(len(hip)) % landing])


@dataclass(frozen=True)
class SlopeGaits:
    """Constraints of a walk on slopes, fitted as they are needed.

    Args:
        biped: body.
        steps: a step on the left and one on the right foot, on level ground.
    """

    biped: PlanarBiped
    steps: tuple[StepSamples, ...]
    _fitted: dict[int, tuple[StepConstraints, ...]] = field(default_factory=dict, repr=False)

    def choose(self, slope: float) -> tuple[StepConstraints, ...]:
        """Return the constraints for the slope [rad] next to the given one."""
        bounded = min(max(slope, -SLOPES.steepest), SLOPES.steepest)
        number = round(bounded / SLOPES.interval)
        if number not in self._fitted:
            tilted = tuple(tilt_step(self.biped, s, number * SLOPES.interval) for s in self.steps)
            self._fitted[number] = fit_walk(self.biped, tilted if number else self.steps)
        return self._fitted[number]

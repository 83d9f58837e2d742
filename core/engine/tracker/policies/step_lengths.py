"""Steps of other lengths than those of the walk to follow.

A step begins with the distance of the feet that the step before it has left, and ends with its
length. Both are given as factors of the length in the input; the style of the walk stays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ....geometry.curves import smootherstep, smoothstep
from ..biped import FOOT_1, FOOT_2, PlanarBiped
from ..constraints import SingleSupportFit, StepConstraints, join_steps
from ..input_walk import StepSamples, measure_drop, place_legs
from ..side_view import ComplexArray, SideView

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LengthParameters:
    """How a step changes with its length.

    Args:
        time_exponent: of the factor by which the duration changes when the length does; 0.5 is
            between the same cadence and the same speed.
        pitch_exponent: of the factor by which the pitch of the foot changes that lifts and lands.
        sink: distance by which the hip is lower in a step of twice the length [m]. tuned: without
            it both legs are straight after a long step, and the foot slides in double support,
            test_stepping.test_walk_crosses_gaps
        max_stretch: longest distance from hip to ankle, as a share of the straight leg, above
            `INPUT.max_stretch`, to which the steps that are scaled have been lowered.
        smoothing: instants of a step over which a lowered hip is smoothed.
    """

    time_exponent: float = 0.5
    pitch_exponent: float = 1.25
    sink: float = 0.15
    max_stretch: float = 0.9985
    smoothing: float = 4.0


LENGTHS = LengthParameters()


@dataclass(frozen=True)
class StepFactors:
    """Distance of the feet at the begin and at the end of a step, as factors of the input's."""

    begin: float
    end: float


def scale_step(samples: StepSamples, biped: PlanarBiped, factors: StepFactors) -> StepSamples:
    """Return a step whose feet are at other distances at its begin and at its end."""
    s = samples
    places = _find_places(s, biped)
    length = float(places[s.landing, 2].real)
    share = np.clip(s.time / s.time[s.landing], 0.0, 1.0)
    swing = smoothstep((s.time - s.time[s.lift]) / (s.time[s.landing] - s.time[s.lift]))
    factor = factors.begin + (factors.end - factors.begin) * smootherstep(share)
    behind = (1 - factors.begin) * length
    ahead = (factors.end - 1) * length
    places[:, 0] += (factor - 1) * places[:, 0].real
    places[:, 0] -= 1j * LENGTHS.sink * np.maximum(factor - 1, 0.0)
    places[:, 2] += behind + (ahead - behind) * swing
    _scale_pitches(places, s, biped.side_view, factors, swing)
    places[:, 0] -= 1j * _find_drop(places, biped.side_view)
    duration = (0.5 * (factors.begin + factors.end)) ** LENGTHS.time_exponent
    return replace(s, time=s.time * duration, coordinates=place_legs(places, biped.side_view))


def _find_drop(places: ComplexArray, view: SideView) -> Array:
    """Return by how much the hip is lowered for both legs to reach [m], shape (n,)."""
    needed = measure_drop(places[:, 0], places[:, 1:3].T, view, LENGTHS.max_stretch)
    if not needed.any():
        return needed
    width = int(4 * LENGTHS.smoothing) | 1
    smooth = gaussian_filter1d(
        maximum_filter1d(needed, width, mode="nearest"), LENGTHS.smoothing, mode="nearest"
    )
    return np.asarray(np.maximum(needed, smooth))


def _scale_pitches(
    places: ComplexArray, samples: StepSamples, view: SideView, factors: StepFactors, swing: Array
) -> None:
    """Scale the pitches of the feet, and move the ankles so that heels or toes stay in place."""
    begin = factors.begin**LENGTHS.pitch_exponent
    end = factors.end**LENGTHS.pitch_exponent
    count = np.arange(len(places))
    is_early = count < samples.flat
    front = places[:, 4].real
    rear = places[:, 5].real
    scaled_front = np.where(is_early, begin, end) * front
    scaled_rear = (begin + (end - begin) * swing) * rear
    turned_front = np.exp(1j * scaled_front) - np.exp(1j * front)
    turned_rear = np.exp(1j * scaled_rear) - np.exp(1j * rear)
    places[:, 1] -= np.where(is_early, view.heel, view.toe) * turned_front
    rests = count <= samples.lift
    places[:, 2] -= np.where(
        rests,
        view.toe * turned_rear,
        (1 - swing) * view.toe * turned_rear[samples.lift]
        + swing * view.heel * turned_rear[samples.landing],
    )
    places[:, 4] = scaled_front
    places[:, 5] = scaled_rear


def _find_places(samples: StepSamples, biped: PlanarBiped) -> ComplexArray:
    """Return hip, ankles [m], pitches of trunk and feet [rad], shape (n, 6)."""
    q = samples.coordinates
    ankles = biped.locate(q, biped.points[4:6])
    pitches = q[:, [2, 2 + FOOT_1, 2 + FOOT_2]]
    return np.concatenate([(q[:, 0] + 1j * q[:, 1])[:, None], ankles, pitches], 1)


@dataclass(frozen=True)
class StepFamily:
    """Constraints of steps between all pairs of lengths.

    Args:
        factors: lengths as factors of the input's, shape (m,).
        steps: by leg, by the length before and by the length of the step.
    """

    factors: Array
    steps: tuple[tuple[tuple[StepConstraints, ...], ...], ...]

    @staticmethod
    def from_samples(
        biped: PlanarBiped, samples: tuple[StepSamples, ...], factors: Array
    ) -> StepFamily:
        """Return the constraints of all steps between lengths.

        Raises:
            TaskError: the leg that stands turns back in one of the steps.
        """
        fits = [
            [
                [
                    SingleSupportFit.from_samples(
                        biped, scale_step(step, biped, StepFactors(float(a), float(b)))
                    )
                    for b in factors
                ]
                for a in factors
            ]
            for step in samples
        ]
        count = range(len(factors))
        return StepFamily(
            factors,
            tuple(
                tuple(
                    tuple(join_steps(biped, fits[leg][a][b], fits[1 - leg][a][a]) for b in count)
                    for a in count
                )
                for leg in (0, 1)
            ),
        )

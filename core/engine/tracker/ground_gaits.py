"""Walks on slopes and stairs: the steps of a walk on level ground, moved with the ground.

The feet follow the ground, and the hip keeps its distance from it but stays above the same place: a
body that leans with a slope puts its weight outside of its foot. Legs bend and stretch as this
requires.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from .biped import ANKLE_1, ANKLE_2, FOOT_1, FOOT_2, HEEL_2, TOE_2, TRUNK, PlanarBiped
from .constraints import StepConstraints, fit_step
from .input_walk import INPUT, StepSamples, measure_drop, place_legs
from .path_ground import PathGround
from .side_view import ComplexArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GroundGaitParameters:
    """Grounds for which steps are fitted.

    Args:
        angle: between slopes [rad]; half of it lifts an end of a foot of 0.3 m by 3 mm.
        grade: between rises per distance, about `angle`.
        height: between heights of a lifted foot [m].
        max_angle: steepest slope [rad], beyond the 18 degrees down that a walker is tested on,
            test_walker.test_walk_on_slopes.
        max_grade: largest rise per distance, that of `max_angle`, rounded to whole `grade`.
        max_lift: largest height of a lifted foot [m]; the highest step that is accepted is 0.15.
        clearance: distance of heel and toes from the ground in the middle of a swing [m]. tuned:
            with 0.02 toes caught the edge before the first step down of `tracker-stairs`
        least_share: share of the lift from which on it is used to clear the ground. Near the ends
            of a swing, where the share vanishes, a foot near the ground would be lifted without
            bound.
        max_ankle: largest angle between shin and foot from which on the heel rises [rad]. tuned:
            ankles bent beyond their range, test_generate.test_walk_on_slopes_is_sound
        heel_rounds: number of times that heels are raised. Numerical: as the ankle rises with the
            heel the shin turns, so that each round leaves a part of the excess.
        smoothing: instants of a step over which a lowered hip is smoothed. tuned: with a sudden
            drop the hip would fall faster than its weight lets it on slopes of -14 degrees.
    """

    angle: float = np.radians(1.0)
    grade: float = 0.02
    height: float = 0.01
    max_angle: float = np.radians(20.0)
    max_grade: float = 0.36
    max_lift: float = 0.25
    clearance: float = 0.03
    least_share: float = 0.3
    max_ankle: float = np.radians(36.0)
    heel_rounds: int = 4
    smoothing: float = 18.0


GROUND_GAITS = GroundGaitParameters()


@dataclass(frozen=True)
class StepGround:
    """The ground of a step, as far as the walker knows it.

    Args:
        slope: under foot 1 [rad].
        behind: rise per distance from the place of foot 2 before the step to foot 1.
        ahead: rise per distance from foot 1 to where foot 2 lands.
        next_slope: under foot 2 where it lands [rad].
        lift: height by which foot 2 is lifted in the middle of its swing [m].
    """

    slope: float = 0.0
    behind: float = 0.0
    ahead: float = 0.0
    next_slope: float = 0.0
    lift: float = 0.0

    @staticmethod
    def on_slope(angle: float) -> StepGround:
        """Return the ground of a slope [rad]."""
        grade = float(np.tan(angle))
        return StepGround(angle, grade, grade, angle)

    @cached_property
    def rounded(self) -> StepGround:
        """The ground next to it for which steps are fitted."""
        p = GROUND_GAITS
        return StepGround(
            _round(self.slope, p.angle, p.max_angle),
            _round(self.behind, p.grade, p.max_grade),
            _round(self.ahead, p.grade, p.max_grade),
            next_slope=_round(self.next_slope, p.angle, p.max_angle),
            lift=_round(self.lift, p.height, np.inf),
        )


LEVEL = StepGround()


def _round(value: float, interval: float, limit: float) -> float:
    # 0.0 is added since -0.0 is another key.
    return round(min(max(value, -limit), limit) / interval) * interval + 0.0


def move_step(biped: PlanarBiped, samples: StepSamples, ground: StepGround) -> StepSamples:
    """Return a step on level ground as it is on another ground."""
    q = samples.coordinates
    hip = q[:, 0] + 1j * q[:, 1]
    ankles = biped.locate(q, biped.points[[ANKLE_1, ANKLE_2]])
    length = ankles[samples.landing, 1].real
    # Ankle 1 only moves about heel and toes of a foot that rests.
    first = ankles[:, 0] * np.exp(1j * ground.slope)
    swing = _measure_swing(ankles[:, 1].real, length)
    lift = ground.lift * _lift(swing)
    second = ankles[:, 1] + 1j * (_rise(ankles[:, 1].real, ground, length) + lift)
    hip = hip + 1j * _rise(hip.real, ground, length)
    hip -= 1j * _find_drop(biped, hip, np.stack([first, second]), samples.landing)
    pitch = q[:, 2 + FOOT_2] + ground.slope + swing**2 * (ground.next_slope - ground.slope)
    frames = np.stack(
        [hip, first, second, q[:, 2 + TRUNK], q[:, 2 + FOOT_1] + ground.slope, pitch], -1
    )
    late = frames[samples.landing :]
    late[:, 0] -= 1j * measure_drop(late[:, 0], late[:, 1:3].T, biped.side_view, INPUT.max_stretch)
    coordinates = _raise_heels(biped, frames, samples)
    return replace(samples, coordinates=coordinates, slope=ground.slope)


def _raise_heels(biped: PlanarBiped, frames: ComplexArray, samples: StepSamples) -> Array:
    """Return coordinates (n, 9) with feet that rise over their toes where ankles bend too far.

    Args:
        biped: body.
        frames: hip, ankles [m], pitches of trunk and feet [rad], shape (n, 6).
        samples: step on level ground.
    """
    view = biped.side_view
    rises = np.zeros((len(frames), 2), bool)
    rises[samples.heel_off + 1 :, 0] = True
    rises[: samples.lift + 1, 1] = True
    coordinates = place_legs(frames, view)
    # A foot that has bent its ankle further while it was flat keeps it so.
    flat = coordinates[samples.heel_off]
    limit = max(GROUND_GAITS.max_ankle, float(flat[5] - flat[4]))
    for _ in range(GROUND_GAITS.heel_rounds):
        for leg in (0, 1):
            foot = coordinates[:, 5 + 3 * leg]
            bend = foot - coordinates[:, 4 + 3 * leg]
            excess = np.where(rises[:, leg], np.maximum(bend - limit, 0.0), 0.0)
            raised = foot - excess
            frames[:, 1 + leg] += view.toe * (np.exp(1j * foot) - np.exp(1j * raised))
            frames[:, 4 + leg] = raised
        coordinates = place_legs(frames, view)
    return coordinates


def _measure_swing(distance: Array, length: float) -> Array:
    """Return how far foot 2 has swung, from 0 to 1, at distances from foot 1 [m], (n,)."""
    return np.clip((distance + length) / (2 * length), 0.0, 1.0)


def _lift(swing: Array) -> Array:
    """Return the share of the lift at shares of the swing, shape (n,)."""
    return np.asarray(np.sin(np.pi * swing) ** 2)


def _rise(distance: Array, ground: StepGround, length: float) -> Array:
    """Return the height of the line over the feet at distances from foot 1 [m], shape (n,).

    It is a parabola through the places of the feet before and after the step.
    """
    mean = 0.5 * (ground.behind + ground.ahead)
    bend = 0.5 * (ground.ahead - ground.behind) / length
    return distance * (mean + bend * distance)


def _find_drop(biped: PlanarBiped, hip: ComplexArray, ankles: ComplexArray, landing: int) -> Array:
    """Return a distance by which the hip is lowered for both legs to reach [m], shape (n,).

    It is periodic up to the landing, as steps follow each other.
    """
    needed = measure_drop(hip, ankles, biped.side_view, INPUT.max_stretch)
    if not needed.any():
        return needed
    smoothing = GROUND_GAITS.smoothing
    high = maximum_filter1d(needed[:landing], int(4 * smoothing) | 1, mode="wrap")
    smooth = gaussian_filter1d(high, smoothing, mode="wrap")
    return np.asarray(smooth[np.arange(len(hip)) % landing])


@dataclass(frozen=True)
class GroundGaits:
    """Constraints of the steps of a walk on any ground, fitted as they are needed.

    Args:
        biped: body.
        steps: a step on the left and one on the right foot, on level ground.
    """

    biped: PlanarBiped
    steps: tuple[StepSamples, ...]
    _fitted: dict[tuple[int, StepGround], StepConstraints] = field(default_factory=dict, repr=False)
    # By leg, the last ground and its constraints: most time steps are on the ground of the last.
    _last: dict[int, tuple[StepGround, StepConstraints]] = field(default_factory=dict, repr=False)

    def choose(self, leg: int, ground: StepGround) -> StepConstraints:
        """Return the constraints of a step on a leg for the ground next to the given one."""
        last = self._last.get(leg)
        if last is not None and last[0] is ground:
            return last[1]
        key = (leg, ground.rounded)
        if key not in self._fitted:
            self._fitted[key] = self._fit(*key)
        self._last[leg] = (ground, self._fitted[key])
        return self._fitted[key]

    def find_lift(self, leg: int, ground: StepGround, path: PathGround, ankle: complex) -> float:
        """Return how high foot 2 must be lifted in its swing to clear the ground [m].

        It swings over level ground as in the walk, however low that is.

        Args:
            leg: index of leg 1 in the character.
            ground: of the step.
            path: ground along the path.
            ankle: place of ankle 1 at rest [m].
        """
        view = self.biped.side_view
        is_level = replace(ground, lift=0.0).rounded == LEVEL
        reach = 2 * view.leg_length
        if is_level and path.has_one_height(ankle.real - reach, ankle.real + reach):
            return 0.0  # the walk itself clears it
        samples = move_step(self.biped, self.steps[leg], ground)
        q = samples.coordinates[samples.lift : samples.landing]
        places = self.biped.locate(q)
        swing = _measure_swing(places[:, ANKLE_2].real, places[-1, ANKLE_2].real)
        share = _lift(swing)
        inside = share > GROUND_GAITS.least_share
        lift = 0.0
        for point, sole_height in ((HEEL_2, 0.0), (TOE_2, view.toe_height)):
            place = places[inside, point] + ankle
            heights = np.array([path.locate(x).height for x in place.real])
            if is_level and not np.ptp(heights):
                continue
            missing = heights + sole_height + GROUND_GAITS.clearance - place.imag
            lift = max(lift, float((missing / share[inside]).max()))
        return min(lift, GROUND_GAITS.max_lift)

    def _fit(self, leg: int, ground: StepGround) -> StepConstraints:
        if ground == LEVEL:
            return fit_step(self.biped, self.steps[leg], self.steps[1 - leg])
        grade = ground.behind
        before = StepGround(ground.slope, grade, grade, next_slope=ground.slope)
        return fit_step(
            self.biped,
            move_step(self.biped, self.steps[leg], ground),
            move_step(self.biped, self.steps[1 - leg], before),
        )

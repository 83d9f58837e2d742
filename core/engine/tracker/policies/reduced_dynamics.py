"""Dynamics of a step on its constraints: the phase and its rate only (Abe 2011, equations 4, 15).

While the constraints are kept, the moment equation about the place of the ground force is one
equation for the acceleration of the phase. With zeta, half the squared rate, and the phase as the
variable it is `a dzeta/dphase + 2 b zeta + c = 0`, where a, b and c depend on the phase and on the
place. If the place does not depend on the rate, the equation is linear, so zeta at the end of a
step is an affine function of zeta at its begin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid

from ..biped import EXCHANGED, FOOT_1, HEEL_1, TOE_2, PlanarBiped
from ..constraints import CONSTRAINTS, StepConstraints, configure_single_support
from ..controller import CONTROL
from ..impact import compute_landing_velocity
from ..side_view import ComplexArray
from ..walker_policy import POLICY
from .force_terms import (
    ACCELERATION,
    CONSTANT,
    FORWARD,
    RATE,
    UP,
    combine_terms,
    sample_force,
)

Array = NDArray[np.float64]
Fields = TypeVar("Fields", "PressureLine", "ReducedStep")


@dataclass(frozen=True)
class GridParameters:
    """How the equation of a step is sampled.

    Args:
        double, single: numbers of phases of double and of single support, one for about two time
            steps of the simulation at 1.3 m/s.
        difference: change of the phase for derivatives [rad]. Numerical: of central differences.
        landing_time: time in which a foot that has landed on its heel comes down [s]. tuned: with a
            foot that is flat at once rates were predicted 0.2 rad/s too low,
            test_stepping.test_predicted_rates_are_those_of_the_simulation
    """

    double: int = 16
    single: int = 40
    difference: float = 1e-4
    landing_time: float = 0.07


GRID = GridParameters()


@dataclass(frozen=True)
class AffineMap:
    """Map of zeta from the begin of a step to each of n phases: `factor * zeta + constant`.

    Args:
        factor: shape (n,).
        constant: [rad^2/s^2], shape (n,).
    """

    factor: Array
    constant: Array


@dataclass(frozen=True)
class PressureLine:
    """Where the ground force may act in a step, at n phases.

    With a shift of the indicator it acts at `base + direction * s`, where s is
    `middle + gain * shift` within bounds.

    Args:
        base, direction: from the ankle that stands [m], shape (..., n).
        middle, low, high: of s, shape (..., n).
        gain: of s [1/m], shape (..., n).
    """

    base: ComplexArray
    direction: ComplexArray
    middle: Array
    gain: Array
    low: Array
    high: Array

    def locate(self, shift: Array) -> ComplexArray:
        """Return the places with a shift [m], shape (..., n)."""
        s = np.clip(self.middle + self.gain * shift, self.low, self.high)
        return np.asarray(self.base + self.direction * s)

    def select(self, k: int) -> PressureLine:
        """Return the line at one phase, with two more axes."""
        return _map_arrays([self], lambda values: values[0][..., k, None, None])


@dataclass(frozen=True)
class ReducedStep:
    """Equation of a step, or of a batch of steps, at n phases from its begin to its landing.

    Args:
        phase: [rad], shape (..., n).
        force: terms of the components of the ground force, shape (..., n, 3, 3).
        line: where this force may act.
        rate: of the phase in the input [rad/s], shape (..., n).
        is_firm: whether the foot is flat or on its toes in single support, shape (..., n).
        impact: factor of the rate of the phase by the landing at the end, shape (...).
    """

    phase: Array
    force: Array
    line: PressureLine
    rate: Array
    is_firm: NDArray[np.bool_]
    impact: Array

    @staticmethod
    def from_constraints(biped: PlanarBiped, step: StepConstraints, rear: RearFoot) -> ReducedStep:
        """Return the equation of a step.

        Args:
            biped: body.
            step: its constraints.
            rear: what the step before it leaves.
        """
        p = step.phases
        double = np.linspace(p.begin, p.lift, GRID.double)
        single = np.linspace(p.lift, p.landing, GRID.single)
        e = GRID.difference
        force = np.concatenate(
            [
                sample_force(biped, lambda x: configure_double(biped, step, x, rear), double, e),
                sample_force(biped, lambda x: configure_single(biped, step, x), single, e),
            ]
        )
        phase = np.concatenate([double, single])
        return ReducedStep(
            phase,
            force,
            _place_force(biped, step, phase, rear.toe),
            rate=step.rate.evaluate_many(np.clip(phase, p.begin, p.landing))[:, 0],
            is_firm=(phase > p.flat) & (np.arange(len(phase)) >= GRID.double),
            impact=np.array(_find_impact(biped, step)),
        )

    @staticmethod
    def stack(steps: Sequence[ReducedStep]) -> ReducedStep:
        """Return a batch of steps, with one more axis in front."""
        return _map_arrays(steps, np.stack)

    def reshape(self, *shape: int) -> ReducedStep:
        """Return a batch of one axis with other axes in its place."""
        return _map_arrays([self], lambda values: values[0].reshape(shape + values[0].shape[1:]))

    def compute_affine_map(self, shift: float) -> AffineMap:
        """Return the map of zeta of one step with a constant shift of the indicator [m]."""
        terms = combine_terms(self.force, self.line.locate(np.array(shift)))
        slope = -2 * terms[..., RATE] / terms[..., ACCELERATION]
        source = -terms[..., CONSTANT] / terms[..., ACCELERATION]
        factor = np.exp(cumulative_trapezoid(slope, self.phase, initial=0.0))
        added = cumulative_trapezoid(source / factor, self.phase, initial=0.0)
        return AffineMap(factor, factor * added)

    def integrate(self, zeta: Array, ratio: Array) -> ReducedRun:
        """Return the end of steps whose indicator follows the rate of the phase.

        Args:
            zeta: at the begin [rad^2/s^2]; broadcast against the batch axes with two more.
            ratio: desired rate as a multiple of that of the input; likewise.
        """
        shape = (*self.phase.shape[:-1], *np.broadcast_shapes(zeta.shape, ratio.shape))
        zeta = np.broadcast_to(zeta, shape).copy()
        load = np.full(shape, np.inf)
        slip = np.zeros(shape)
        least = zeta.copy()
        weight = float(self.force[..., 0, UP, CONSTANT].flat[0])
        seconds = np.zeros(shape)
        for k in range(self.phase.shape[-1] - 1):
            length = self._at(self.phase, k + 1) - self._at(self.phase, k)
            first = self._find_slope(k, zeta, ratio)
            middle = np.maximum(zeta + length * first.slope, 1e-6)
            second = self._find_slope(k + 1, middle, ratio)
            change = 0.5 * length * (first.slope + second.slope)
            seconds += length / np.sqrt(2 * np.maximum(zeta + 0.5 * change, 1e-3))
            zeta = zeta + change
            least = np.minimum(least, zeta)
            zeta = np.maximum(zeta, 1e-6)
            firm = self.is_firm[..., k, None, None]
            load = np.where(firm, np.minimum(load, first.up / weight), load)
            up = np.maximum(first.up, CONTROL.least_load * weight)
            ratio_of_forces = np.abs(first.forward) / up
            slip = np.where(firm, np.maximum(slip, ratio_of_forces), slip)
        end = self.impact[..., None, None] ** 2 * zeta
        return ReducedRun(end, least, load, slip, seconds)

    def _at(self, values: Array, k: int) -> Array:
        return values[..., k, None, None]

    def _find_slope(self, k: int, zeta: Array, ratio: Array) -> _Slope:
        """Return the slope of zeta at phase k with the walker's policy."""
        error = np.sqrt(2 * zeta) - ratio * self._at(self.rate, k)
        place = self.line.select(k).locate(POLICY.rate_gain * error)
        force = self.force[..., k, None, None, :, :]
        terms = combine_terms(force, place)
        slope = -(2 * zeta * terms[..., RATE] + terms[..., CONSTANT]) / terms[..., ACCELERATION]

        def sum_terms(component: int) -> Array:
            f = force[..., component, :]
            return np.asarray(
                f[..., ACCELERATION] * slope + 2 * zeta * f[..., RATE] + f[..., CONSTANT]
            )

        return _Slope(slope, sum_terms(FORWARD), sum_terms(UP))


@dataclass(frozen=True)
class ReducedRun:
    """Ends of steps on their constraints, each of the shape of the batch.

    Args:
        zeta: half the squared rate of the phase after the landing [rad^2/s^2].
        least: smallest zeta within the step; below 0 the walker would stop.
        load: smallest vertical force in single support [body weights].
        slip: largest ratio of the forces along and across the ground in single support.
        seconds: duration [s].
    """

    zeta: Array
    least: Array
    load: Array
    slip: Array
    seconds: Array


@dataclass(frozen=True)
class _Slope:
    """Slope of zeta over the phase, and the ground force, forward and up [N]."""

    slope: Array
    forward: Array
    up: Array


def _map_arrays(items: Sequence[Fields], function: Callable[[list[Array]], Array]) -> Fields:
    """Return a dataclass of arrays whose fields are a function of those of the items."""
    values: dict[str, Any] = {}
    for name in type(items[0]).__dataclass_fields__:
        parts = [getattr(item, name) for item in items]
        nested = not isinstance(parts[0], np.ndarray)
        values[name] = _map_arrays(parts, function) if nested else function(parts)
    return type(items[0])(**values)


def configure_single(biped: PlanarBiped, step: StepConstraints, phase: Array) -> Array:
    """Return the coordinates in single support at phases [rad], (n,) -> (n, 9)."""
    joints = step.single.evaluate_many(phase)
    foot = step.toe_roll.evaluate_many(phase)
    foot[phase <= step.phases.heel_off] = 0.0
    return configure_single_support(biped, np.concatenate([joints, foot], 1).T, phase).T


def configure_double(
    biped: PlanarBiped, step: StepConstraints, phase: Array, rear: RearFoot
) -> Array:
    """Return the coordinates in double support at phases [rad], (n,) -> (n, 9).

    Foot 1 comes down on its heel; knee and ankle of leg 2 are those with which its toes rest.
    """
    view = biped.side_view
    knee_1, hip_1, hip_2 = step.double.evaluate_many(phase).T
    foot_1 = _lower_foot(step, phase, rear.landing_pitch)
    ankle = view.heel * (1 - np.exp(1j * foot_1))
    leg = -view.shin - view.thigh * np.exp(1j * knee_1)
    # The hip is in the direction of the phase, at the distance that the knee leaves.
    upward = 1j * np.exp(-1j * phase)
    along = (ankle * upward.conj()).real
    hip = upward * (along + np.sqrt(along**2 - np.abs(ankle) ** 2 + np.abs(leg) ** 2))
    shin_1 = np.angle((hip - ankle) / leg)
    thigh_1 = shin_1 + knee_1
    trunk = thigh_1 - hip_1
    thigh_2 = trunk + hip_2
    line = rear.toe - hip - view.thigh * np.exp(1j * thigh_2)
    shin = abs(view.shin)
    foot = abs(view.toe)
    length = np.clip(np.abs(line), abs(shin - foot) + 1e-6, shin + foot - 1e-6)
    at_knee = np.arccos((shin**2 + length**2 - foot**2) / (2 * shin * length))
    direction = line / np.abs(line) * np.exp(-1j * at_knee)  # The ankle is behind the line.
    shin_2 = np.angle(direction * shin / view.shin)
    foot_2 = np.angle((line - direction * shin) / view.toe)
    return np.stack(
        [hip.real, hip.imag, trunk, thigh_1, shin_1, foot_1, thigh_2, shin_2, foot_2], -1
    )


def _lower_foot(step: StepConstraints, phase: Array, pitch: float) -> Array:
    """Return the pitch of foot 1, which comes down from that of its landing [rad]."""
    rate = float(step.rate.evaluate(step.phases.begin).value[0])
    u = np.minimum((phase - step.phases.begin) / (rate * GRID.landing_time), 1.0)
    return np.asarray(max(pitch, 0.0) * (1 - u) ** 2)


def _place_force(
    biped: PlanarBiped, step: StepConstraints, phase: Array, toe: complex
) -> PressureLine:
    """Return where the ground force of a step may act, as the walker has it."""
    view = biped.side_view
    p = step.phases
    is_double = np.arange(len(phase)) < GRID.double
    pressure = step.pressure.evaluate_many(np.clip(phase, p.begin, p.landing))[:, 0]
    flat = np.full(len(phase), -1j * view.ankle_height)
    line = PressureLine(
        flat,
        np.ones(len(phase), complex),
        middle=pressure,
        gain=np.ones(len(phase)),
        low=np.full(len(phase), view.heel.real + CONSTRAINTS.margin),
        high=np.full(len(phase), view.toe.real - CONSTRAINTS.margin),
    )
    on_heel = phase < p.flat
    _fix_line(line, on_heel & ~is_double, view.heel)
    _fix_line(line, (phase > p.heel_off) & ~is_double, view.toe)
    near = np.where(on_heel, view.heel, -1j * view.ankle_height)[is_double]
    share = np.clip((phase[is_double] - p.begin) / (p.lift - p.begin), 0.0, 1.0)
    line.base[is_double] = toe
    line.direction[is_double] = near - toe
    line.middle[is_double] = POLICY.first_share + (1 - POLICY.first_share) * share
    line.gain[is_double] = 1 / np.abs(near - toe)
    line.low[is_double] = POLICY.least_share
    line.high[is_double] = np.where(on_heel, POLICY.most_heel_share, 1.0)[is_double]
    return line


def _fix_line(line: PressureLine, chosen: NDArray[np.bool_], place: complex) -> None:
    """Let the force act at one place at chosen phases."""
    line.base[chosen] = place
    line.low[chosen] = line.high[chosen] = 0.0


@dataclass(frozen=True)
class RearFoot:
    """What a step leaves to the one that follows it.

    Args:
        toe: place at which the joint of the rear toes rests, from the ankle that lands [m].
        landing_pitch: of the foot that lands [rad].
    """

    toe: complex
    landing_pitch: float

    @staticmethod
    def after(biped: PlanarBiped, before: StepConstraints) -> RearFoot:
        """Return what a step leaves."""
        q = configure_single(biped, before, np.array([before.phases.landing]))[0, EXCHANGED]
        places = biped.locate(q)
        toe = complex(places[TOE_2] - places[HEEL_1] + biped.side_view.heel)
        return RearFoot(toe, float(q[2 + FOOT_1]))


def _find_impact(biped: PlanarBiped, step: StepConstraints) -> float:
    """Return the factor of the rate of the phase by the landing at the end of a step."""
    e = GRID.difference
    at = step.phases.landing
    before, q, after = configure_single(biped, step, np.array([at - e, at, at + e]))
    landed = compute_landing_velocity(biped, q, (after - before) / (2 * e))[EXCHANGED]
    return float(biped.measure_leg_angle(q[EXCHANGED], landed, 0.0, HEEL_1).rate)

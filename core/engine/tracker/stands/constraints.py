"""Motion constraints of the steps of a walk that begins or ends in a stand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..biped import CENTER, PlanarBiped
from ..constraints import (
    DOUBLE_ROWS,
    SingleSupportFit,
    StepConstraints,
    configure_single_support,
    fit_input,
    fit_pressure,
    fit_rate,
    join_steps,
    measure_length,
    measure_rate,
)
from ..input_walk import StepSamples
from ..policies.step_lengths import StepFactors, scale_step
from ..step_phases import StandPhases
from .steps import STANDS, StandStep

Array = NDArray[np.float64]

# Number of phases at which curves are fitted before a start, and beyond a stop. Numerical: denser
# than in a step, as nothing but the stand holds the curves there
REST_PHASES = 60


@dataclass(frozen=True)
class StandFit:
    """Constraints of the steps of such a walk.

    Args:
        biped: body.
        steps: in their order.
    """

    biped: PlanarBiped
    steps: tuple[StandStep, ...]

    def fit(self, number: int, before: float = 1.0, factor: float = 1.0) -> StepConstraints:
        """Return the constraints of a step.

        Args:
            number: of the step.
            before: length of the step before it as a factor of that in the input.
            factor: the same of the step. The first and the last one keep their lengths.

        Raises:
            TaskError: the leg that stands turns back in the step.
        """
        step = self.steps[number]
        if step.begins_standing:
            return self._fit_first(step)
        samples = self._scale(step, StepFactors(before, factor))
        last = self._scale(self.steps[max(number - 1, 0)], StepFactors(before, before))
        fits = [SingleSupportFit.from_samples(self.biped, s) for s in (samples, last)]
        constraints = join_steps(self.biped, *fits)
        return self._add_stand(step, fits[0], constraints) if step.ends_standing else constraints

    def find_speed_ratio(self, number: int) -> float:
        """Return the speed of a step as a multiple of that in the input, 1 but before a stand.

        The body lands on its last foot with a capture point that leads it over this foot. A step in
        which the hip pauses keeps its speed, as its joints move fast over the phase.
        """
        following = self.steps[number + 1] if number + 1 < len(self.steps) else None
        if following is None or not following.ends_standing:
            return 1.0
        center = self.biped.points[[CENTER]]
        start = complex(self.biped.locate(following.samples.coordinates[0], center)[0])
        needed = (STANDS.capture - start.real) * np.sqrt(self.biped.gravity / start.imag)
        s = self.steps[number].samples
        hip = np.diff(s.coordinates[: s.landing + 1, 0]) / np.diff(s.time[: s.landing + 1])
        if hip.min() < 2 * STANDS.least_speed:
            return 1.0
        end = slice(s.landing - 2, s.landing + 1)
        places = self.biped.locate(s.coordinates[end], center)[:, 0].real
        planned = (places[-1] - places[0]) / (s.time[end][-1] - s.time[end][0])
        return float(np.clip(needed / max(planned, 1e-3), 1.0, STANDS.most_ratio))

    def _scale(self, step: StandStep, factors: StepFactors) -> StepSamples:
        is_kept = step.begins_standing or step.ends_standing
        if is_kept or factors == StepFactors(1.0, 1.0):
            return step.samples
        return scale_step(step.samples, self.biped, factors)

    def _fit_first(self, step: StandStep) -> StepConstraints:
        samples = step.samples
        fit = SingleSupportFit.from_samples(self.biped, samples)
        on = slice(0, samples.landing + 1)
        begin = samples.begin
        single = fit.single
        stand = StandPhases(
            _find_phase(fit, step.rear.heel_off - begin),
            _find_phase(fit, step.rear.lift - begin),
            np.inf,
        )
        phase = fit.phase[on]
        behind = phase[0] + np.linspace(-STANDS.rest_zone, 0.0, REST_PHASES + 1)[:-1]
        rate = fit_rate(fit).evaluate_many(phase)[:, 0]
        pressure = fit_pressure(self.biped, fit).evaluate_many(phase)[:, 0]
        rate = np.concatenate([rate[0] + STANDS.settling * (phase[0] - behind), rate])
        pressure = np.concatenate([np.full(len(behind), pressure[0]), pressure])
        span = (float(behind[0]), fit.phases.landing)
        phase = np.concatenate([behind, phase])
        return StepConstraints(
            samples.leg,
            replace(fit.phases, begin=span[0]),
            single,
            replace(single, coefficients=single.coefficients[..., : len(DOUBLE_ROWS)]),
            toe_roll=fit.toe_roll,
            pressure=fit_input(phase, pressure, span, STANDS.pieces),
            rate=fit_input(phase, rate, span, STANDS.pieces),
            time_phase=fit.phase[on],
            time_share=samples.time[on] / samples.duration,
            length=measure_length(samples, self.biped),
            duration=samples.duration,
            stand=stand,
        )

    def _add_stand(
        self, step: StandStep, fit: SingleSupportFit, constraints: StepConstraints
    ) -> StepConstraints:
        """Return the constraints of the last step, which hold the body in the stand."""
        samples = fit.samples
        end = fit.phases.landing
        beyond = end + np.linspace(0.0, STANDS.rest_zone, REST_PHASES + 1)[1:]
        before = fit.phase[: samples.landing + 1]
        phase = np.concatenate([before, beyond])
        rate = np.concatenate([measure_rate(fit), STANDS.settling * (end - beyond)])
        pressure = np.concatenate(
            [
                constraints.pressure.evaluate_many(before)[:, 0],
                self._find_pressure(constraints, end, beyond),
            ]
        )
        stand = StandPhases(
            -np.inf,
            _find_phase(fit, step.rear.lift - samples.begin),
            _find_phase(fit, step.true_time),
        )
        span = (constraints.phases.begin, float(beyond[-1]))
        phases = replace(constraints.phases, heel_off=np.inf, landing=span[1], late=span[1])
        return replace(
            constraints,
            rate=fit_input(phase, rate, span, STANDS.pieces),
            pressure=fit_input(phase, pressure, span, STANDS.pieces),
            phases=phases,
            stand=stand,
        )

    def _find_pressure(self, constraints: StepConstraints, end: float, beyond: Array) -> Array:
        """Return the places of the force that bring the body back to a phase [m], (n,) -> (n,).

        Args:
            constraints: of the step.
            end: phase of the stand [rad].
            beyond: phases [rad].
        """
        joints = np.append(constraints.single.evaluate(end).value, 0.0)
        q = np.stack(
            [configure_single_support(self.biped, joints, p) for p in (end, *map(float, beyond))]
        )
        center = self.biped.locate(q, self.biped.points[[CENTER]])[:, 0]
        pull = STANDS.settling**2 * center.imag / self.biped.gravity
        return np.asarray((center.real + pull * (center.real - center.real[0]))[1:])


def _find_phase(fit: SingleSupportFit, time: float) -> float:
    """Return the phase of the input at a time since the begin of a step [s]."""
    return float(np.interp(time, fit.samples.time, fit.phase))

"""Motion constraints: the joints of the biped as functions of the phase.

Abe 2011, equations 5 to 8. The phase is the angle of the line from the ankle that stands to the
hip. A step has curves for double support and for single support; the slopes of the first are those
after the impact that ends the step before it (equation 8, which is linear if single support is
fitted first). Two more curves hold the pitch of the foot that stands while it rolls over the heel
and over the toes, for which the paper's character has no contact state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline, UnivariateSpline

from ...errors import TaskError
from .biped import EXCHANGED, FOOT_1, HEEL_1, PlanarBiped
from .impact import compute_landing_velocity
from .input_walk import StepSamples
from .phase_curve import Condition, CurveSample, PhaseCurve, PhaseCurveFit
from .step_phases import StandPhases, StepPhases

Array = NDArray[np.float64]

# Differences of coordinates that are controlled: knee 1, hip 1, hip 2, knee 2, ankle 2; and the
# pitch of foot 1.
JOINTS = np.zeros((6, 9))
for _row, (_plus, _minus) in enumerate([(3, 4), (3, 2), (6, 2), (6, 7), (8, 7)]):
    JOINTS[_row, _plus] = 1.0
    JOINTS[_row, _minus] = -1.0
JOINTS[5, 2 + FOOT_1] = 1.0
# Rows of `JOINTS` that are controlled in double support, where the toes of leg 2 rest.
DOUBLE_ROWS = np.array([0, 1, 2])
SINGLE_ROWS = np.arange(5)


@dataclass(frozen=True)
class ConstraintParameters:
    """How constraints are fitted.

    Args:
        single_pieces, double_pieces, roll_pieces, input_pieces: pieces of the splines of single
            and double support, of the pitch of a foot that rolls, and of rate and place of the
            force in the input.
        stiffness: see `PhaseCurveFit`; with it joints are within a degree of the input,
            test_walker.test_single_support_follows_the_input.
        double_stiffness: the same of double support. tuned: a soft spline of its few samples had
            curvatures of 500 per radian, which are forces of several body weights
        roll_stiffness, input_stiffness: the same of the pitch of a foot that rolls, and of what is
            read from the input.
        slope_step: change of the phase for slopes of the whole configuration [rad]. Numerical: of
            central differences.
        margin: distance of the foot rotation indicator from heel and toes [m].
        pressure_smoothing: deviation of the coordinates from the input for smooth accelerations
            [rad] or [m].
        least_load: least load by which the place of the force in the input is divided [body
            weights]; as the feet change the load of accelerations may vanish, and the place would
            be anywhere.
    """

    single_pieces: int = 12
    double_pieces: int = 3
    roll_pieces: int = 6
    input_pieces: int = 8
    stiffness: float = 1e-8
    double_stiffness: float = 1e-4
    roll_stiffness: float = 1e-7
    input_stiffness: float = 1e-6
    slope_step: float = 1e-5
    margin: float = 0.01
    pressure_smoothing: float = 3e-4
    least_load: float = 0.2


CONSTRAINTS = ConstraintParameters()


@dataclass(frozen=True)
class StepConstraints:
    """Motion constraints of one step.

    Args:
        leg: index of leg 1 in the character.
        phases: where contacts change.
        single, double: controlled joints, 5 and 3 columns [rad].
        toe_roll: pitch of foot 1 from the rise of its heel, from the ground [rad].
        pressure: where the ground force of the input acts, forward from ankle 1 [m], over the
            phase.
        rate: rate of the phase in the input [rad/s].
        time_phase: increasing phases of the input up to the landing [rad], shape (m,).
        time_share: share of the duration of the step at which it has them, shape (m,).
        length: of the step [m].
        duration: of the step [s].
        slope: of the ground [rad].
        stand: contacts of foot 2 beside foot 1, in a step from or to a stand; None in others.
    """

    leg: int
    phases: StepPhases
    single: PhaseCurve
    double: PhaseCurve
    toe_roll: PhaseCurve
    pressure: PhaseCurve
    rate: PhaseCurve
    time_phase: Array
    time_share: Array
    length: float
    duration: float
    slope: float = 0.0
    stand: StandPhases | None = None

    @property
    def ends_standing(self) -> bool:
        """Whether foot 2 comes to rest beside foot 1, which ends the walk."""
        return self.stand is not None and self.stand.landing < np.inf

    def sample_foot(self, phase: float) -> CurveSample:
        """Return the pitch of foot 1 from the ground, one column [rad]."""
        if phase > self.phases.heel_off:
            return self.toe_roll.evaluate(phase)
        return CurveSample(np.zeros(1), np.zeros(1), np.zeros(1))


def fit_walk(biped: PlanarBiped, steps: tuple[StepSamples, ...]) -> tuple[StepConstraints, ...]:
    """Return the constraints of a step on the left and one on the right foot.

    Raises:
        TaskError: the leg that stands turns back in one of the steps.
    """
    return fit_step(biped, steps[0], steps[1]), fit_step(biped, steps[1], steps[0])


def fit_step(biped: PlanarBiped, step: StepSamples, before: StepSamples) -> StepConstraints:
    """Return the constraints of a step that follows another one.

    Raises:
        TaskError: the leg that stands turns back in one of the steps.
    """
    fits = [SingleSupportFit.from_samples(biped, samples) for samples in (step, before)]
    return join_steps(biped, *fits)


@dataclass(frozen=True)
class LandingState:
    """Coordinates at the end of a step, and their slopes over the phase, each (9,)."""

    q: Array
    slope: Array


@dataclass(frozen=True)
class SingleSupportFit:
    """Single support of a step.

    Args:
        samples: of the step.
        phase: of the samples [rad], shape (n,).
        joints: of the samples [rad], shape (n, 6).
        phases: where contacts change.
        single: controlled joints, 5 columns [rad].
        toe_roll: pitch of foot 1 from the rise of its heel [rad].
    """

    samples: StepSamples
    phase: Array
    joints: Array
    phases: StepPhases
    single: PhaseCurve
    toe_roll: PhaseCurve

    @staticmethod
    def from_samples(biped: PlanarBiped, samples: StepSamples) -> SingleSupportFit:
        """Return the fit to samples.

        Raises:
            TaskError: the leg that stands turns back.
        """
        q = samples.coordinates
        # Places are relative to the ankle of leg 1 while its foot is flat.
        phase = -np.angle((q[:, 0] + 1j * q[:, 1]) / 1j)
        if (np.diff(phase) <= 0).any():
            raise TaskError(
                "The leg that stands turns back within a step of the walk to follow, which has no "
                "phase then. Choose another style or a higher speed, or the engine 'centroidal'."
            )
        joints = q @ JOINTS.T
        s = samples
        phases = StepPhases(
            *(float(phase[k]) for k in (0, s.flat, s.lift, s.heel_off, s.landing, -1))
        )
        single = PhaseCurveFit(
            phase[s.lift :],
            joints[s.lift :, SINGLE_ROWS],
            (phases.lift, phases.late),
            CONSTRAINTS.single_pieces,
            [Condition(phases.landing, 0, joints[s.landing, SINGLE_ROWS])],
            CONSTRAINTS.stiffness,
        ).solve()
        toe_roll = _fit_toe_roll(s, phase, phases)
        return SingleSupportFit(samples, phase, joints, phases, single, toe_roll)

    def find_landing(self, biped: PlanarBiped) -> LandingState:
        """Return coordinates at the landing and their slopes, before the legs exchange roles."""
        step = CONSTRAINTS.slope_step
        at = self.phases.landing
        before, now, after = (self._configure(biped, at + d) for d in (-step, 0.0, step))
        return LandingState(now, (after - before) / (2 * step))

    def _configure(self, biped: PlanarBiped, phase: float) -> Array:
        joints = self.single.evaluate(phase).value
        foot = float(self.toe_roll.evaluate(phase).value[0])
        return configure_single_support(biped, np.append(joints, foot), phase, self.samples.slope)


def _fit_toe_roll(samples: StepSamples, phase: Array, phases: StepPhases) -> PhaseCurve:
    k = samples.heel_off
    pitch = samples.coordinates[k:, 2 + FOOT_1, None] - samples.slope
    rest = np.zeros(1)
    return PhaseCurveFit(
        phase[k:],
        pitch,
        (phases.heel_off, phases.late),
        CONSTRAINTS.roll_pieces,
        [
            Condition(phases.heel_off, 0, rest),
            Condition(phases.heel_off, 1, rest),
            Condition(phases.landing, 0, pitch[samples.landing - k]),
        ],
        CONSTRAINTS.roll_stiffness,
    ).solve()


def configure_single_support(
    biped: PlanarBiped, joints: Array, phase: float | Array, slope: float = 0.0
) -> Array:
    """Return coordinates (9,) with given joints and pitch of foot 1 from the ground (6,).

    The toes of foot 1 are where they are while the foot is flat.

    Args:
        biped: body.
        joints: joints and pitch of foot 1 [rad], shape (6,), or (6, n) for many, which are returned
            as (9, n).
        phase: [rad], or shape (n,).
        slope: of the ground [rad].
    """
    view = biped.side_view
    knee_1, hip_1, hip_2, knee_2, ankle_2, foot = joints
    foot = slope + foot
    ankle = view.toe * (np.exp(1j * slope) - np.exp(1j * foot))
    # The hip is on the line of the phase from the origin; its distance from the ankle is that of
    # a leg with the bent knee.
    line = -view.shin - view.thigh * np.exp(1j * knee_1)
    upward = 1j * np.exp(-1j * phase)
    beside = (ankle * np.conj(upward)).imag
    line_1 = upward * np.exp(-1j * np.arcsin(np.clip(beside / np.abs(line), -1, 1)))
    shin_1 = np.angle(line_1 / line)
    thigh_1 = shin_1 + knee_1
    trunk = thigh_1 - hip_1
    thigh_2 = trunk + hip_2
    shin_2 = thigh_2 - knee_2
    hip = ankle + line * np.exp(1j * shin_1)
    return np.array(
        [hip.real, hip.imag, trunk, thigh_1, shin_1, foot, thigh_2, shin_2, shin_2 + ankle_2]
    )


def join_steps(
    biped: PlanarBiped, fit: SingleSupportFit, before: SingleSupportFit
) -> StepConstraints:
    """Return the constraints of a step that follows another one.

    Args:
        biped: body.
        fit: single support of the step.
        before: single support of the step before it, which ends where this one begins.
    """
    samples = fit.samples
    landing = before.find_landing(biped)
    landed = compute_landing_velocity(biped, landing.q, landing.slope)[EXCHANGED]
    q = landing.q[EXCHANGED]
    angle = biped.measure_leg_angle(q, landed, samples.slope, HEEL_1)
    begin = float(angle.value)
    start_slope = JOINTS[DOUBLE_ROWS] @ landed / float(angle.rate)
    phases = StepPhases(
        begin,
        *(getattr(fit.phases, name) for name in ("flat", "lift", "heel_off", "landing", "late")),
    )
    lift = fit.single.evaluate(phases.lift)
    double = PhaseCurveFit(
        fit.phase[: samples.lift + 1],
        fit.joints[: samples.lift + 1, DOUBLE_ROWS],
        (begin, phases.lift),
        CONSTRAINTS.double_pieces,
        [
            Condition(begin, 0, (JOINTS @ q)[DOUBLE_ROWS]),
            Condition(begin, 1, start_slope),
            Condition(phases.lift, 0, lift.value[DOUBLE_ROWS]),
            Condition(phases.lift, 1, lift.slope[DOUBLE_ROWS]),
        ],
        CONSTRAINTS.double_stiffness,
    ).solve()
    return StepConstraints(
        samples.leg,
        phases,
        fit.single,
        double,
        toe_roll=fit.toe_roll,
        pressure=fit_pressure(biped, fit),
        rate=fit_rate(fit),
        time_phase=fit.phase[: samples.landing + 1],
        time_share=samples.time[: samples.landing + 1] / samples.time[samples.landing],
        length=measure_length(samples, biped),
        duration=float(samples.time[samples.landing]),
        slope=samples.slope,
    )


def measure_length(samples: StepSamples, biped: PlanarBiped) -> float:
    """Return the distance between the heels of both feet at the landing [m]."""
    places = biped.locate(samples.coordinates[samples.landing])
    rest = biped.side_view.heel * np.exp(1j * samples.slope)
    return float(abs(places[2] - rest))


def fit_rate(fit: SingleSupportFit) -> PhaseCurve:
    """Return the rate of the phase in the input [rad/s] over the phase."""
    span = (fit.phases.begin, fit.phases.landing)
    return fit_input(fit.phase[: fit.samples.landing + 1], measure_rate(fit), span)


def measure_rate(fit: SingleSupportFit) -> Array:
    """Return the rates of the phase in the input up to the landing [rad/s], shape (n,)."""
    on = slice(0, fit.samples.landing + 1)
    return np.asarray(CubicSpline(fit.samples.time[on], fit.phase[on])(fit.samples.time[on], 1))


def fit_input(
    phase: Array,
    values: Array,
    span: tuple[float, float],
    pieces: int = CONSTRAINTS.input_pieces,
) -> PhaseCurve:
    """Return one column that the policy reads from the input, over the phase.

    Args:
        phase: phases [rad], shape (n,).
        values: values at these phases, shape (n,).
        span: first and last phase of the curve [rad].
        pieces: number of its pieces.
    """
    return PhaseCurveFit(
        phase, values[:, None], span, pieces, stiffness=CONSTRAINTS.input_stiffness
    ).solve()


def fit_pressure(biped: PlanarBiped, fit: SingleSupportFit) -> PhaseCurve:
    """Return where the ground force of the input acts, forward from ankle 1 [m]."""
    samples = fit.samples
    on = slice(0, samples.landing + 1)
    time = samples.time[on]
    weight = np.full(len(time), 1 / CONSTRAINTS.pressure_smoothing)
    splines = [
        UnivariateSpline(time, column, w=weight, k=5, s=len(time))
        for column in samples.coordinates[on].T
    ]
    q, v, a = (np.stack([s(time, nu) for s in splines], -1) for nu in (0, 1, 2))
    dynamics = biped.compute_dynamics(q, v)
    force = (dynamics.mass @ a[..., None])[..., 0] + dynamics.bias
    # The sum over pitches is the moment about the hip.
    along = np.exp(1j * samples.slope)
    below = -1j * biped.side_view.ankle_height * along - (q[:, 0] + 1j * q[:, 1])
    moment = force[:, 2:].sum(1) - (below.real * force[:, 1] - below.imag * force[:, 0])
    lift = along.real * force[:, 1] - along.imag * force[:, 0]
    least = CONSTRAINTS.least_load * biped.gravity * biped.side_view.total_mass
    place = moment / np.maximum(lift, least)
    span = (fit.phases.begin, fit.phases.landing)
    return fit_input(fit.phase[on], place, span)

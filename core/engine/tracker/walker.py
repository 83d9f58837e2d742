"""A simulated walker: stages, policy of the foot rotation indicator, time steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .biped import (
    ANKLE_1,
    ANKLE_2,
    CENTER,
    EXCHANGED,
    FOOT_1,
    HEEL_1,
    HEEL_2,
    TOE_1,
    TOE_2,
    LegAngle,
    PlanarBiped,
)
from .blend import Blend
from .constraints import (
    CONSTRAINTS,
    DOUBLE_ROWS,
    JOINTS,
    StepConstraints,
    configure_single_support,
)
from .controller import ControlState, JointTargets, PhaseController, Stance
from .ground_gaits import GroundGaits, StepGround
from .ground_view import (
    GROUND_VIEW,
    expect_ground,
    feel_rise,
    find_ankle_height,
    remember_stumble,
    see_ground,
)
from .phase_curve import CurveSample
from .simulation import SIMULATION, BodySimulation, FallBounds, StepResult
from .walker_policy import POLICY, PolicyParameters
from .walker_state import TrunkPush, WalkerState

Array = NDArray[np.float64]


# Points of foot 1 that rest.
RESTING_POINTS = {Stance.HEEL: HEEL_1, Stance.FLAT: ANKLE_1, Stance.TOES: TOE_1}
FALL_BOUNDS = FallBounds(height=0.6, pitch=1.2)


@dataclass(frozen=True)
class PlanarWalker:
    """Control of a simulated biped that follows a walk by its phase.

    Args:
        simulation: biped and ground.
        gait: constraints of a step on each leg.
        speed_ratio: desired rate of the phase as a multiple of that of the walk.
        ground_gaits: the same on any ground; None if those of `gait` are followed everywhere.
        sees_ground: whether it sees the ground of the next step, or only feels that of the last.
        policy: of the foot rotation indicator, and of transitions.
        settled_integral: integral of the policy with which it begins to follow its constraints
            [rad]; None for that of the step before.
    """

    simulation: BodySimulation
    gait: tuple[StepConstraints, ...]
    speed_ratio: float = 1.0
    ground_gaits: GroundGaits | None = None
    sees_ground: bool = False
    policy: PolicyParameters = POLICY
    settled_integral: float | None = None

    def find_constraints(self, state: WalkerState) -> StepConstraints:
        """Return the constraints of the present step."""
        if self.ground_gaits is None:
            return self.gait[state.leg]
        return self.ground_gaits.choose(state.leg, state.ground)

    @property
    def biped(self) -> PlanarBiped:
        """The body."""
        return self.simulation.biped

    def start(self, leg: int = 0, distance: float = 0.0) -> WalkerState:
        """Return a state in single support on a leg, as soon as foot 2 has lifted.

        Args:
            leg: index of the leg in the character.
            distance: of its ankle along the path [m]. The ground is level there.
        """
        gait = self.gait[leg]
        phase = max(gait.phases.lift, gait.phases.flat)
        step = CONSTRAINTS.slope_step
        before, now, after = (
            configure_single_support(
                self.biped, np.append(gait.single.evaluate(phase + d).value, 0.0), phase + d
            )
            for d in (-step, 0.0, step)
        )
        rate = self.speed_ratio * float(gait.rate.evaluate(phase).value[0])
        now[0] += distance
        ground = self.simulation.ground
        now[1] += self.biped.side_view.ankle_height + ground.rest.locate(distance).height
        v = (after - before) / (2 * step) * rate
        return WalkerState(
            0.0, now, v, leg, Stance.FLAT, False, 0.0, None, 0.0, 0, ground.make_state()
        )

    def advance(self, state: WalkerState, pushes: Sequence[TrunkPush] = ()) -> WalkerState:
        """Return the state after a time step in which pushes may act."""
        control = self._observe(state)
        state = self._change_stage(state, control)
        control = replace(control, stance=state.stance, is_double=state.is_double)
        targets = self._make_targets(state, control)
        torque = PhaseController(self.biped).compute_torques(control, targets)
        force = self.biped.torque_map @ torque
        for push in pushes:
            jacobian = self.biped.move_points(state.q, state.v, push.point[None]).jacobian[0]
            force = force + jacobian.T @ push.force
        result = self.simulation.advance(
            (state.q, state.v), control.dynamics, control.points, force, state.surface
        )
        return self._finish(state, control, result)

    def begin_step(self, state: WalkerState) -> WalkerState:
        """Return the state of a walker that has been given other constraints at a landing."""
        if self.settled_integral is not None:
            state = replace(state, integral=self.settled_integral)
        state = replace(state, ground=self._see_ground(state, state.ground))
        return replace(state, blend=self._make_blend(state, self._observe(state)))

    def is_fallen(self, state: WalkerState) -> bool:
        """Return whether hip or trunk are where no walk has them."""
        return FALL_BOUNDS.is_fallen(self.simulation, state.q)

    def measure_phase(self, state: WalkerState) -> LegAngle:
        """Return the phase of a state: the angle of the leg that stands from the vertical."""
        resting = RESTING_POINTS[state.stance]
        return self.biped.measure_leg_angle(state.q, state.v, state.foot_rest, resting)

    def _observe(self, state: WalkerState) -> ControlState:
        q = state.q
        v = state.v
        biped = self.biped
        return ControlState(
            q,
            v,
            biped.compute_dynamics(q, v),
            biped.move_points(q, v),
            self.measure_phase(state),
            state.stance,
            state.is_double,
            state.foot_rest,
        )

    def _change_stage(self, state: WalkerState, control: ControlState) -> WalkerState:
        """Return the state after a change of stage by the phase."""
        gait = self.find_constraints(state)
        phase = _find_phase(control)
        if state.is_double and phase > gait.phases.lift:
            state = replace(state, is_double=False)
            state = replace(state, blend=self._make_blend(state, control))
        if state.stance == Stance.FLAT and phase > gait.phases.heel_off and not state.is_double:
            return self._rise_over_toes(state, control)
        if state.stance == Stance.TOES and phase < gait.phases.heel_off:
            state = replace(state, stance=Stance.FLAT)
        return state

    def _rise_over_toes(self, state: WalkerState, control: ControlState) -> WalkerState:
        """Return the state whose heel 1 rises, unless it is to wait."""
        risen = replace(state, stance=Stance.TOES)
        if not self.policy.waits_to_rise:
            return risen
        toe = float(control.points.position[TOE_1].real)
        if self._find_capture_point(state) < toe:
            return state
        return replace(risen, blend=self._make_blend(risen, control, is_rolling=True))

    def _find_capture_point(self, state: WalkerState) -> float:
        """Return the place along the path at which a ground force would stop the body [m]."""
        center = self.biped.points[[CENTER]]
        place = complex(self.biped.locate(state.q, center)[0])
        velocity = self.biped.move_points(state.q, state.v, center).jacobian[0] @ state.v
        return place.real + float(velocity[0]) * float(np.sqrt(place.imag / self.biped.gravity))

    def _sample_constraints(self, state: WalkerState, phase: float) -> CurveSample:
        """Return all six constraints; in double support the last two joints are meaningless."""
        gait = self.find_constraints(state)
        foot = gait.sample_foot(phase)
        joints = gait.single.evaluate(phase)
        if state.is_double:
            double = gait.double.evaluate(phase)
            joints = CurveSample(
                *(
                    np.concatenate([getattr(double, name), getattr(joints, name)[3:]])
                    for name in ("value", "slope", "curvature")
                )
            )
        return CurveSample(
            np.append(joints.value, foot.value + state.foot_rest),
            np.append(joints.slope, foot.slope),
            np.append(joints.curvature, foot.curvature),
        )

    def _make_blend(
        self, state: WalkerState, control: ControlState, is_rolling: bool = False
    ) -> Blend:
        """Return the errors of the constraints; that of the pitch of foot 1 if it is rolling."""
        phase = _find_phase(control)
        curve = self._sample_constraints(state, phase)
        error = JOINTS @ control.q - curve.value
        rate = JOINTS @ control.v - curve.slope * float(control.angle.rate)
        if not is_rolling:  # A foot that has landed comes down by time.
            error[5] = rate[5] = 0.0
        return Blend(error, rate, state.time, self.policy.blend)

    def _make_targets(self, state: WalkerState, control: ControlState) -> JointTargets:
        phase = _find_phase(control)
        rows = DOUBLE_ROWS if state.is_double else np.arange(5)
        if state.stance != Stance.FLAT:
            rows = np.append(rows, 5)
        sample = self._sample_constraints(state, phase)
        curve = CurveSample(sample.value[rows], sample.slope[rows], sample.curvature[rows])
        offset = None if state.blend is None else state.blend.sample(rows, state.time)
        place, share = self._choose_pressure(state, control)
        return JointTargets(rows, curve, place, share, offset)

    def _choose_pressure(self, state: WalkerState, control: ControlState) -> tuple[complex, float]:
        """Return the place of the ground force, and the share of the front foot (9 to 12)."""
        view = self.biped.side_view
        gait = self.find_constraints(state)
        phase = _find_phase(control)
        rate = float(control.angle.rate)
        places = control.points.position
        if state.stance != Stance.FLAT and not state.is_double:
            return complex(places[HEEL_1 if state.stance == Stance.HEEL else TOE_1]), 1.0
        inside = min(max(phase, gait.phases.begin), gait.phases.landing)
        error = rate - self.speed_ratio * float(gait.rate.evaluate(inside).value[0])
        policy = self.policy
        shift = policy.integral_gain * state.integral
        shift = min(max(shift, -policy.max_shift), policy.max_shift) + policy.rate_gain * error
        wanted = float(gait.pressure.evaluate(inside).value[0]) + shift
        margin = CONSTRAINTS.margin
        rear = view.heel.real + margin
        front = view.toe.real - margin
        turn = np.exp(1j * state.q[2 + FOOT_1])
        ankle = complex(places[ANKLE_1])
        if not state.is_double:
            inside = min(max(wanted, rear), front)
            return complex(ankle + turn * complex(inside, -view.ankle_height)), 1.0
        heel_only = state.stance == Stance.HEEL
        near = complex(places[HEEL_1]) if heel_only else ankle - 1j * turn * view.ankle_height
        far = complex(places[TOE_2])
        u = (phase - gait.phases.begin) / (gait.phases.lift - gait.phases.begin)
        share = policy.first_share + (1 - policy.first_share) * min(max(u, 0.0), 1.0)
        most = policy.most_heel_share if heel_only else 1.0
        share = min(max(share + shift / abs(near - far), policy.least_share), most)
        return near + (share - 1) * (near - far), share

    def _finish(self, state: WalkerState, control: ControlState, result: StepResult) -> WalkerState:
        """Return the state after a time step, with changes of stage by contacts."""
        dt = SIMULATION.time_step
        gait = self.find_constraints(state)
        phase = min(max(_find_phase(control), gait.phases.begin), gait.phases.landing)
        desired = self.speed_ratio * float(gait.rate.evaluate(phase).value[0])
        limit = self.policy.max_shift / self.policy.integral_gain
        integral = state.integral + dt * (float(control.angle.rate) - desired)
        state = replace(
            state,
            time=state.time + dt,
            q=result.q,
            v=result.v,
            surface=result.surface,
            integral=min(max(integral, -limit), limit),
        )
        if self._comes_to_rest(state, control, result):
            state = self._put_foot_flat(replace(state, stance=Stance.FLAT))
            state = replace(state, blend=self._make_blend(state, self._observe(state)))
        has_landed = HEEL_2 in result.impulses or TOE_2 in result.impulses
        if state.is_double or not has_landed or gait.ends_standing:
            return state
        ankles = self.biped.locate(state.q, self.biped.points[[ANKLE_1, ANKLE_2]])
        advance = float((ankles[1] - ankles[0]).real)
        if advance < self.policy.least_advance:
            return self._stumble(state) if advance > -self.policy.stumble_advance else state
        if state.waited < self.policy.max_wait and self._is_moving(state, result):
            return replace(state, waited=state.waited + 1)
        return self._exchange_legs(state, is_heel=TOE_2 not in result.impulses)

    def _comes_to_rest(self, state: WalkerState, control: ControlState, result: StepResult) -> bool:
        """Return whether foot 1 has come down on its toes, or an impact has changed its turn there.

        Toes that meet firm ground still turn in this time step and are stopped in the next one; on
        ground that yields a foot turns for longer.
        """
        if TOE_1 not in result.impulses or state.stance == Stance.TOES:
            return False
        if state.stance == Stance.HEEL:
            return True
        change = abs(float(result.v[2 + FOOT_1] - control.v[2 + FOOT_1]))
        return HEEL_1 in result.impulses and change > self.policy.rest_turn

    def _is_moving(self, state: WalkerState, result: StepResult) -> bool:
        """Return whether a point of foot 2 that touches the ground still moves."""
        touching = [p for p in (HEEL_2, TOE_2) if p in result.impulses]
        moved = self.biped.move_points(state.q, state.v, self.biped.points[touching])
        speeds = np.linalg.norm(moved.jacobian @ state.v, axis=-1)
        return bool(speeds.max() > self.policy.rest_speed)

    def _exchange_legs(self, state: WalkerState, is_heel: bool) -> WalkerState:
        rear_slope = state.foot_rest
        state = replace(
            state,
            q=state.q[EXCHANGED],
            v=state.v[EXCHANGED],
            leg=1 - state.leg,
            stance=Stance.HEEL if is_heel else Stance.FLAT,
            is_double=True,
            steps=state.steps + 1,
            slope_before=rear_slope,
            waited=0,
        )
        state = replace(state, ground=self._expect_ground(state, rear_slope))
        state = replace(state, foot_rest=state.ground.slope)
        if not is_heel:
            state = self._put_foot_flat(state)
        return replace(state, blend=self._make_blend(state, self._observe(state)))

    def _stumble(self, state: WalkerState) -> WalkerState:
        """Return the state with a higher swing, as foot 2 has met the ground in its swing."""
        lift = GROUND_VIEW.stumble_lift
        if state.ground.lift >= lift or self.ground_gaits is None or self.sees_ground:
            return state
        state = replace(state, ground=replace(state.ground, lift=lift))
        return replace(state, blend=self._make_blend(state, self._observe(state)))

    def _put_foot_flat(self, state: WalkerState) -> WalkerState:
        """Return the state with foot 1 at rest, whose pitch is that of the ground."""
        limit = self.policy.max_slope_angle
        slope = float(min(max(state.q[2 + FOOT_1], -limit), limit))
        length = self.gait[state.leg].length
        ground = expect_ground(state.ground, slope, state.slope_before, length)
        return replace(state, foot_rest=slope, ground=self._see_ground(state, ground))

    def _expect_ground(self, state: WalkerState, rear_slope: float) -> StepGround:
        """Return the ground that is expected as foot 1 lands."""
        slope = state.ground.next_slope
        behind = feel_rise(self.biped, state.q, state.ground, rear_slope)
        lift = remember_stumble(state.ground.lift)
        expected = replace(StepGround.on_slope(slope), behind=behind, lift=lift)
        return self._see_ground(state, expected)

    def _see_ground(self, state: WalkerState, felt: StepGround) -> StepGround:
        if not self.sees_ground or self.ground_gaits is None:
            return felt
        path = self.simulation.ground.rest
        ankle = float(self.biped.locate(state.q, self.biped.points[[ANKLE_1]])[0].real)
        seen = see_ground(path, self.biped, felt, (ankle, ankle + self.gait[state.leg].length))
        at_rest = complex(ankle, find_ankle_height(path, self.biped, ankle))
        lift = self.ground_gaits.find_lift(state.leg, seen, path, at_rest)
        return replace(seen, lift=lift)


def _find_phase(control: ControlState) -> float:
    """Return the phase: the angle of the leg that stands from the vertical [rad]."""
    return float(control.angle.value)

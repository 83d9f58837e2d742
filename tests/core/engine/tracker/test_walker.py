"""Motion constraints, contacts, and the walker that follows them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine.tracker.biped import HEEL_2, TOE_1, TOE_2, PlanarBiped
from footfall.core.engine.tracker.constraints import (
    DOUBLE_ROWS,
    JOINTS,
    StepConstraints,
    configure_single_support,
)
from footfall.core.engine.tracker.contacts import solve_impulses
from footfall.core.engine.tracker.controller import Stance
from footfall.core.engine.tracker.ground_gaits import GroundGaits
from footfall.core.engine.tracker.input_walk import StepSamples
from footfall.core.engine.tracker.path_ground import PathGround
from footfall.core.engine.tracker.phase_curve import Condition, PhaseCurveFit
from footfall.core.engine.tracker.record import collect_states
from footfall.core.engine.tracker.simulation import PlanarSimulation
from footfall.core.engine.tracker.walker import PlanarWalker
from footfall.core.engine.tracker.walker_state import TrunkPush, WalkerState
from footfall.core.fullbody.foot_path import FootSupport

Gait = tuple[StepConstraints, ...]


def _walk(
    walker: PlanarWalker, seconds: float, push: float = 0.0, push_time: float = np.inf
) -> WalkerState:
    """Return the last state of a walk with a push of 0.1 s on the trunk [N]."""
    state = walker.start()
    force = TrunkPush.on_trunk(walker.biped, np.array([push, 0.0]))
    while state.time < seconds and not walker.is_fallen(state):
        is_pushed = push_time <= state.time < push_time + 0.1
        state = walker.advance(state, [force] if is_pushed else [])
    return state


def test_curve_meets_its_conditions_and_fits() -> None:
    phase = np.linspace(-1, 1, 200)
    values = np.stack([np.sin(2 * phase), phase**2], 1)
    start = Condition(-1.0, 1, np.array([0.5, -2.0]))
    curve = PhaseCurveFit(phase, values, (-1.0, 1.0), 8, [start], 1e-9).solve()
    assert np.allclose(curve.evaluate(-1.0).slope, start.value, atol=1e-8)
    assert np.allclose(curve.evaluate(0.3).value, [np.sin(0.6), 0.09], atol=5e-3)
    ahead, behind = curve.evaluate(0.3 + 1e-5), curve.evaluate(0.3 - 1e-5)
    assert np.allclose(curve.evaluate(0.3).slope, (ahead.value - behind.value) / 2e-5, atol=1e-6)
    assert np.allclose(
        curve.evaluate(0.3).curvature, (ahead.slope - behind.slope) / 2e-5, atol=1e-4
    )


def test_curve_continues_straight_and_then_is_constant() -> None:
    phase = np.linspace(0, 1, 50)
    curve = PhaseCurveFit(phase, phase[:, None], (0.0, 1.0), 2).solve()
    assert curve.evaluate(1.0 + 0.5 * curve.margin).value[0] == pytest.approx(
        1.0 + 0.5 * curve.margin, abs=1e-5
    )
    far = curve.evaluate(3.0)
    assert far.value[0] == pytest.approx(1.0 + curve.margin, abs=1e-5)
    assert far.slope[0] == 0.0
    assert far.curvature[0] == 0.0


@pytest.mark.parametrize("tangential", [0.2, 3.0])
def test_impulses_stop_a_contact_or_slide_within_friction(tangential: float) -> None:
    impulse = solve_impulses(np.eye(2), np.array([-1.0, tangential]), 0.8)
    assert impulse[0] == pytest.approx(1.0, rel=1e-4)
    assert impulse[1] == pytest.approx(-min(tangential, 0.8), rel=1e-4)


def test_parting_contact_has_no_impulse() -> None:
    assert not solve_impulses(np.eye(2), np.array([1.0, 0.5]), 0.8).any()


def test_points_of_a_foot_share_its_friction_as_its_load() -> None:
    response = np.eye(4)
    response[1, 3] = response[3, 1] = 1.0
    impulse = solve_impulses(response, np.array([-0.1, -0.6, -0.9, -0.6]), 0.8)
    assert impulse == pytest.approx([0.1, 0.06, 0.9, 0.54], rel=1e-4)


@pytest.mark.parametrize(("coupling", "expected"), [(0.5, (1.0, 0.0)), (-0.8, (17 / 9, 10 / 9))])
def test_contact_beside_another_parts_unless_it_is_turned_down(
    coupling: float, expected: tuple[float, float]
) -> None:
    response = np.eye(4)
    response[0, 2] = response[2, 0] = coupling
    impulse = solve_impulses(response, np.array([-1.0, 0.0, -0.5 * coupling, 0.0]), 0.8)
    assert impulse[0::2] == pytest.approx(expected, rel=1e-3)


def test_single_support_follows_the_input(
    biped: PlanarBiped, steps: tuple[StepSamples, ...], gait: Gait
) -> None:
    for samples, constraints in zip(steps, gait, strict=True):
        inside = slice(samples.lift, samples.landing)
        q = samples.coordinates[inside]
        rolls = np.arange(samples.lift, samples.landing) >= samples.heel_off
        phase = np.where(
            rolls,
            biped.measure_leg_angle(q, 0 * q, resting=TOE_1).value,
            biped.measure_leg_angle(q, 0 * q).value,
        )
        joints = q @ JOINTS[:5].T
        errors = [
            constraints.single.evaluate(p).value - row for p, row in zip(phase, joints, strict=True)
        ]
        assert np.degrees(np.sqrt(np.mean(np.square(errors)))) < 1.0


def test_constraints_are_consistent_between_stages(gait: Gait) -> None:
    for constraints in gait:
        double = constraints.double.evaluate(constraints.phases.lift)
        single = constraints.single.evaluate(constraints.phases.lift)
        assert np.allclose(double.value, single.value[DOUBLE_ROWS], atol=1e-8)
        assert np.allclose(double.slope, single.slope[DOUBLE_ROWS], atol=1e-6)


def test_configuration_has_its_joints_and_its_phase(biped: PlanarBiped, gait: Gait) -> None:
    joints = np.append(gait[0].single.evaluate(0.2).value, -0.1)
    q = configure_single_support(biped, joints, 0.2)
    assert np.allclose(JOINTS @ q, joints, atol=1e-12)
    phase = biped.measure_leg_angle(q, 0 * q, resting=TOE_1).value
    assert phase == pytest.approx(0.2, abs=1e-12)
    assert biped.locate(q)[TOE_1] == pytest.approx(biped.side_view.toe, abs=1e-12)


def test_step_has_the_length_and_time_of_the_input(gait: Gait, speed: float) -> None:
    for constraints in gait:
        assert constraints.length / constraints.duration == pytest.approx(speed, rel=0.03)


def test_walk_on_flat_ground_does_not_fall(biped: PlanarBiped, gait: Gait, speed: float) -> None:
    walker = PlanarWalker(PlanarSimulation(biped, PathGround.level()), gait)
    end = _walk(walker, 15.0)
    assert not walker.is_fallen(end)
    assert end.q[0] / end.time == pytest.approx(speed, rel=0.05)


def test_soles_stay_out_of_the_ground(biped: PlanarBiped, gait: Gait) -> None:
    walker = PlanarWalker(PlanarSimulation(biped, PathGround.level()), gait)
    state = walker.start()
    lowest = 0.0
    for _ in range(360):
        state = walker.advance(state)
        places = biped.locate(state.q)
        toes = places[[TOE_1, TOE_2]].imag - biped.side_view.toe_height
        lowest = min(lowest, float(toes.min()), float(places[[0, HEEL_2]].imag.min()))
    assert lowest > -1e-3


def test_backward_push_makes_the_walk_late(biped: PlanarBiped, gait: Gait) -> None:
    walker = PlanarWalker(PlanarSimulation(biped, PathGround.level()), gait)
    plain, pushed = _walk(walker, 6.0), _walk(walker, 6.0, -200.0, 3.0)
    assert not walker.is_fallen(pushed)
    assert pushed.q[0] < plain.q[0] - 0.1


def test_pushes_at_the_same_time_add(biped: PlanarBiped, gait: Gait) -> None:
    walker = PlanarWalker(PlanarSimulation(biped, PathGround.level()), gait)
    start = walker.start()
    half, whole = (TrunkPush.on_trunk(biped, np.array([f, 20.0])) for f in (60.0, 120.0))
    upward = TrunkPush.on_trunk(biped, np.array([0.0, -20.0]))
    both = walker.advance(start, [half, half, upward])
    assert np.allclose(both.v, walker.advance(start, [whole]).v, atol=1e-9)
    assert both.v[0] > walker.advance(start).v[0] + 0.005


@pytest.mark.parametrize(
    ("degrees", "begin", "sees"),
    [(-12, 1.0, False), (-10, 1.42, False), (10, 1.56, False), (-18, 1.0, True)],
)
def test_walk_on_slopes(
    biped: PlanarBiped,
    steps: tuple[StepSamples, ...],
    gait: Gait,
    *,
    degrees: float,
    begin: float,
    sees: bool,
) -> None:
    slope = np.radians(degrees)
    ground = PathGround.slope(slope, begin)
    gaits = GroundGaits(biped, steps)
    walker = PlanarWalker(
        PlanarSimulation(biped, ground), gait, ground_gaits=gaits, sees_ground=sees
    )
    end = _walk(walker, 5.0)
    assert not walker.is_fallen(end)
    assert end.q[0] > 4.5
    assert end.q[1] - ground.locate(float(end.q[0])).height > 0.7


def test_forward_push_makes_the_walk_early(biped: PlanarBiped, gait: Gait) -> None:
    walker = PlanarWalker(PlanarSimulation(biped, PathGround.level()), gait)
    plain, pushed = _walk(walker, 5.0), _walk(walker, 5.0, 350.0, 2.0)
    assert not walker.is_fallen(pushed)
    assert pushed.q[0] > plain.q[0] + 0.1


def test_heel_that_slides_does_not_rest(biped: PlanarBiped, gait: Gait) -> None:
    walker = PlanarWalker(PlanarSimulation(biped, PathGround.level()), gait)
    resting = replace(walker.start(), stance=Stance.HEEL, v=np.zeros(9))
    along = np.eye(9)[0]
    sliding = replace(resting, time=0.1, v=along)
    # Foot 2 bears weight while the walker waits for it to come to rest.
    waiting = [
        replace(resting, stance=Stance.TOES, time=t, waited=n) for t, n in ((0.2, 1), (0.3, 2))
    ]
    waiting[0] = replace(waiting[0], v=along)
    toes_up = np.append(resting.q[:8], 0.3)
    waiting = [replace(s, q=toes_up) for s in waiting]
    support = collect_states([walker] * 4, [resting, sliding, *waiting]).support
    assert list(support[:, 0]) == [
        FootSupport.HEEL,
        FootSupport.SWING,
        FootSupport.BALL,
        FootSupport.BALL,
    ]
    assert list(support[2:, 1]) == [FootSupport.SWING, FootSupport.HEEL]

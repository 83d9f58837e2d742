"""Broad jumps with the optimal policy of the indicator, on the contacts of the simulation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine.tracker.biped import CENTER, TOE_1, PlanarBiped
from footfall.core.engine.tracker.jumps.fit import fit_jumper
from footfall.core.engine.tracker.jumps.jumper import Jumper, JumpStage
from footfall.core.engine.tracker.jumps.mirrored import MirroredState, find_poses
from footfall.core.engine.tracker.jumps.parameters import JumpGoal
from footfall.core.engine.tracker.jumps.policy import JumpPolicy
from footfall.core.engine.tracker.jumps.series import record_jumps
from footfall.core.engine.tracker.path_ground import PathGround
from footfall.core.engine.tracker.simulation import PlanarSimulation


@pytest.fixture(scope="module")
def goal(biped: PlanarBiped) -> JumpGoal:
    return JumpGoal.at_speed(biped, 1.0)


@pytest.fixture(scope="module")
def policy(biped: PlanarBiped, goal: JumpGoal) -> JumpPolicy:
    return JumpPolicy.optimize(biped, goal)


def test_poses_have_their_phases(biped: PlanarBiped, goal: JumpGoal) -> None:
    phase = np.linspace(-0.25, 0.0, 7)
    curves = goal.curves
    q = find_poses(biped, curves, phase)
    place = MirroredState.compute(biped, q, 0 * q).place
    assert np.allclose((place[:, CENTER] - place[:, TOE_1]).real, phase, atol=1e-9)
    assert np.allclose(place[:, CENTER].imag, curves.height(phase), atol=1e-9)
    assert np.allclose(q[:, 5], 0.0)


def test_policy_brakes_a_fast_body_and_speeds_a_slow_one(policy: JumpPolicy) -> None:
    assert policy.choose(-0.15, 1.4) > policy.choose(-0.15, 0.7) + 0.05
    assert policy.value[50, 30] < 0.1


def test_jumps_follow_each_other(biped: PlanarBiped, goal: JumpGoal, policy: JumpPolicy) -> None:
    level = PlanarSimulation(biped, PathGround.level())
    jumper = Jumper(level, goal, policy.choose)
    series = record_jumps(jumper, jumper.start(1.0), 5)
    assert series.jumps == 5
    assert not series.is_fallen
    assert series.com[-1, 0] > 2.0
    assert np.ptp(series.rates) < 0.2
    lifts = np.flatnonzero(np.diff((series.stage == JumpStage.AIR).astype(int)) > 0)
    knees = series.coordinates[lifts, 3] - series.coordinates[lifts, 4]
    assert np.degrees(knees).max() < 30  # straight legs at takeoff


def test_jumps_have_the_speed_that_is_set(biped: PlanarBiped) -> None:
    level = PlanarSimulation(biped, PathGround.level())
    for speed in (0.7, 1.2):
        jumper = fit_jumper(level, speed)
        series = record_jumps(jumper, jumper.start(speed), 5)
        assert series.speed == pytest.approx(speed, rel=0.05)


def test_jumps_go_on(biped: PlanarBiped) -> None:
    jumper = fit_jumper(PlanarSimulation(biped, PathGround.level()), 0.65)
    series = record_jumps(jumper, jumper.start(jumper.goal.shape.rate), 12)
    assert series.jumps == 12
    assert not series.is_fallen


def test_body_with_a_heavy_trunk_jumps(biped: PlanarBiped) -> None:
    view = biped.side_view
    inertia = view.inertia * np.array([1.5, 1, 1, 1, 1, 1, 1])
    heavy = PlanarBiped(replace(view, inertia=inertia), 9.81)
    jumper = fit_jumper(PlanarSimulation(heavy, PathGround.level()), 1.0)
    assert jumper.goal.curves.landing_pitch > -0.4
    assert not record_jumps(jumper, jumper.start(1.0), 4).is_fallen


@pytest.mark.parametrize(
    ("mass", "height", "toe"), [(0.6, 1.0, 0.0), (0.9, 1.0, 0.05), (1.15, 1.15, 0.08)]
)
def test_bodies_of_other_proportions_jump(
    biped: PlanarBiped, mass: float, height: float, toe: float
) -> None:
    """Trunk light or heavy and high, long feet, as on some rigs: ankles keep their range."""
    view = biped.side_view
    trunk = np.array([1.0, 0, 0, 0, 0, 0, 0])
    other = replace(
        view,
        mass=view.mass * (1 + (mass - 1) * trunk),
        center=view.center * (1 + (height - 1) * trunk),
        toe=view.toe + toe,
    )
    jumper = fit_jumper(PlanarSimulation(PlanarBiped(other, 9.81), PathGround.level()), 1.0)
    series = record_jumps(jumper, jumper.start(jumper.goal.shape.rate), 4)
    assert not series.is_fallen
    bend = (series.coordinates[:, 5] - series.coordinates[:, 4])[series.stage == JumpStage.FLAT]
    assert np.degrees(bend).max() < 38

"""The walker of five links: dynamics, and what tracking by phase and by time withstands."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture(scope="module")
def five_links(root: Path) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(root / "scripts")
        return importlib.import_module("five_links")


@pytest.fixture(scope="module")
def laboratory(five_links: ModuleType) -> object:
    robot = five_links.FiveLinks()
    gait = five_links.author_gait(robot)
    return five_links.Laboratory(robot, gait, five_links.make_reference(robot, gait))


def test_free_motion_keeps_its_energy(five_links: ModuleType) -> None:
    robot = five_links.FiveLinks()
    rng = np.random.default_rng(0)
    angle, rate = 0.3 * rng.normal(size=(2, 3, 5))
    state = five_links.State(angle, rate, np.array([0, 1, 0]))
    force = robot.accelerate(state, np.zeros((3, 4)), np.zeros(3))
    change = 1e-6

    def measure_energy(sign: int) -> np.ndarray:
        near = five_links.State(
            angle + sign * change * rate, rate + sign * change * force, state.stance
        )
        mass = robot.compute_dynamics(near).mass
        kinetic = 0.5 * np.einsum("bi,bij,bj->b", near.rate, mass, near.rate)
        height = (robot.moments[near.stance] * np.exp(1j * near.angle)).sum(-1).imag
        return kinetic + five_links.GRAVITY * height

    power = (measure_energy(1) - measure_energy(-1)) / (2 * change)
    assert np.abs(power).max() < 1e-4


def test_landing_stops_the_foot(five_links: ModuleType) -> None:
    robot = five_links.FiveLinks()
    rng = np.random.default_rng(1)
    angle, rate = 0.3 * rng.normal(size=(2, 5))
    landed = robot.land(angle, rate, 0)
    mass = robot.compute_dynamics(five_links.State(angle[None], landed[None], np.array([1]))).mass
    before = robot.compute_dynamics(five_links.State(angle[None], rate[None], np.array([0]))).mass
    assert landed @ mass[0] @ landed < rate @ before[0] @ rate


def test_tracking_by_phase_withstands_more_than_by_time(
    five_links: ModuleType, laboratory: object
) -> None:
    forces = np.array([0.0, -400.0, 400.0, -20.0])
    count = len(forces)
    ours = laboratory.track_phase(np.full(count, 0.05), np.full(count, 10.0))
    assert laboratory.push(ours, forces).all()
    regulator = laboratory.track_time([five_links.PAPER_WEIGHTS] * count)
    assert laboratory.push(regulator, forces).tolist() == [True, False, False, True]

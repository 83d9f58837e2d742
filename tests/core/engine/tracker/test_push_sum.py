"""The resultant of pushes that a motion records."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.engine.shared.motion_builder import PushSeries
from footfall.core.engine.tracker.motion_recorder import sum_pushes
from footfall.core.task import Push

TIMES = np.linspace(0.0, 1.0, 41)
COM = np.stack([1.3 * TIMES, 0 * TIMES, 0 * TIMES + 1.0], -1)


@pytest.fixture(scope="module")
def model() -> KinematicModel:
    return KinematicModel(load_character("humanoid"))


def _measure_torque(pushes: PushSeries) -> np.ndarray:
    return np.cross(pushes.point - COM, pushes.force) + pushes.moment


def test_halves_of_a_push_are_the_push(model: KinematicModel) -> None:
    whole = sum_pushes([Push(0.2, (-300, 0, 0), 0.4, "chest")], model, TIMES, COM)
    half = Push(0.2, (-150, 0, 0), 0.4, "chest")
    both = sum_pushes([half, half], model, TIMES, COM)
    assert np.abs(whole.point - COM).max() > 0.1
    assert np.allclose(both.force, whole.force)
    assert np.allclose(both.point, whole.point)
    assert not both.moment.any()


@pytest.mark.parametrize("second", [(-200, 0, 0), (300, 0, 0), (100, 0, 250)])
def test_overlapping_pushes_have_the_sum_of_their_torques(
    model: KinematicModel, second: tuple[float, float, float]
) -> None:
    pushes = [Push(0.2, (-300, 0, 0), 0.4, "chest"), Push(0.3, second, 0.4, "head")]
    parts = [sum_pushes([push], model, TIMES, COM) for push in pushes]
    both = sum_pushes(pushes, model, TIMES, COM)
    assert np.allclose(both.force, sum(part.force for part in parts))
    assert np.allclose(_measure_torque(both), sum(_measure_torque(part) for part in parts))
    heights = [(part.point - COM)[:, 2].max() for part in parts]
    assert (both.point - COM)[:, 2].max() <= max(heights) + 1e-12


def test_push_on_the_center_of_mass_has_no_torque(model: KinematicModel) -> None:
    push = sum_pushes([Push(0.2, (-300, 0, 0), 0.4)], model, TIMES, COM)
    assert push.force.any()
    assert np.array_equal(push.point, COM)

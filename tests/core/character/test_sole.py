"""Tests of the measurement of soles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.from_rig.sole import FootGeometry, measure_sole
from footfall.core.geometry import so3


def _make_foot(pitch: float) -> FootGeometry:
    """Return a foot of 25 cm below an ankle at the origin, pitched with its shin [rad]."""
    x, y, z = np.meshgrid(np.linspace(-0.06, 0.19, 11), [-0.04, 0, 0.04], [-0.09, -0.04])
    points = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    rotation = so3.rotation_about("y", pitch)
    return FootGeometry(
        ankle=np.zeros(3),
        shin=rotation @ [0.0, 0.0, -0.4],
        toe=None,
        skin=points @ rotation.T,
        bone_ends=np.array([[0.15, 0.0, -0.07]]) @ rotation.T,
        toe_skin=np.zeros((0, 3)),
    )


@pytest.mark.parametrize("degrees", [-40, -22, 0, 22, 40])
def test_sole_of_a_pitched_foot_is_that_of_a_level_one(degrees: float) -> None:
    forward = np.array([1.0, 0.0, 0.0])
    level = measure_sole(_make_foot(0.0), forward, leg_length=0.85)
    pitched = measure_sole(_make_foot(float(np.radians(degrees))), forward, leg_length=0.85)
    np.testing.assert_allclose(level.heel[2], -0.09)
    np.testing.assert_allclose(level.tip[0] - level.heel[0], 0.965 * 0.25, atol=1e-9)
    for name in ("heel", "ball", "tip"):
        np.testing.assert_allclose(getattr(pitched, name), getattr(level, name), atol=1e-6)


def test_the_width_of_a_sole_is_that_on_the_side_nearer_to_its_ankle() -> None:
    forward = np.array([1.0, 0.0, 0.0])
    foot = _make_foot(0.0)
    assert measure_sole(foot, forward, leg_length=0.85).half_width == pytest.approx(0.04)
    shifted = replace(foot, skin=foot.skin + [0.0, 0.015, 0.0])
    assert measure_sole(shifted, forward, leg_length=0.85).half_width == pytest.approx(0.025)
    bare = replace(foot, skin=np.zeros((0, 3)))
    assert measure_sole(bare, forward, leg_length=0.85).half_width == 0

"""Rotation channels: Blender reads them as the given rotations, and they never flip."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.addon.animation.rotations import to_channels
from footfall.core.geometry import so3
from hypothesis import given
from hypothesis import strategies as st
from mathutils import Euler, Quaternion, Vector

MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def _read(values: np.ndarray, mode: str) -> np.ndarray:
    if mode == "QUATERNION":
        return np.array(Quaternion(values).to_matrix())
    if mode == "AXIS_ANGLE":
        return np.array(Quaternion(Vector(values[1:]), values[0]).to_matrix())
    return np.array(Euler(values, mode).to_matrix())


@pytest.mark.parametrize("mode", MODES)
@given(st.integers(0, 10_000))
def test_blender_reads_the_given_rotations(mode: str, seed: int) -> None:
    wander = np.cumsum(np.random.default_rng(seed).normal(scale=0.08, size=(60, 3)), 0)
    turned = so3.exp(wander[:1]) @ so3.exp(wander)
    values = to_channels(turned, mode)
    for row, wanted in zip(values[::7], turned[::7], strict=True):
        np.testing.assert_allclose(_read(row, mode), wanted, atol=2e-6)


@pytest.mark.parametrize("mode", MODES[2:])
def test_euler_angles_go_through_the_pole_without_a_flip(mode: str) -> None:
    """The middle axis turns past 90 degrees, where the usual angles jump by half a turn."""
    middle = np.zeros((80, 3))
    middle[:, "XYZ".index(mode[1])] = np.linspace(0, 2.8, 80)
    values = to_channels(so3.exp(middle), mode)
    assert np.abs(np.diff(values, axis=0)).max() < 0.1


def test_axis_angle_holds_its_axis_where_nothing_turns() -> None:
    angles = np.concatenate([np.zeros(20), np.linspace(0, 1, 40), np.zeros(5)])
    values = to_channels(so3.exp(angles[:, None] * np.array([0.0, 0.0, 1.0])), "AXIS_ANGLE")
    np.testing.assert_allclose(values[:, 1:], np.tile([0, 0, 1], (65, 1)), atol=1e-9)
    np.testing.assert_allclose(values[:, 0], angles, atol=1e-9)

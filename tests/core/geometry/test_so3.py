"""Rotations: derivatives by finite differences, SciPy as the judge."""

from __future__ import annotations

import numpy as np
from footfall.core.geometry import so3
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

vectors = arrays(float, (4, 3), elements=st.floats(-1.7, 1.7))


@given(vectors)
def test_exp_is_scipys(v: np.ndarray) -> None:
    np.testing.assert_allclose(so3.exp(v), Rotation.from_rotvec(v).as_matrix(), atol=1e-12)


@given(vectors)
def test_log_undoes_exp(v: np.ndarray) -> None:
    np.testing.assert_allclose(so3.log(so3.exp(v)), v, atol=1e-7)


@given(vectors)
def test_quaternions_convert_in_both_directions(v: np.ndarray) -> None:
    q = so3.quat_exp(v)
    np.testing.assert_allclose(so3.quat_to_matrix(q), so3.exp(v), atol=1e-12)
    np.testing.assert_allclose(
        so3.quat_to_matrix(so3.quat_from_matrix(so3.exp(v))), so3.exp(v), atol=1e-9
    )
    np.testing.assert_allclose(so3.quat_log(q), v, atol=1e-9)


@given(vectors)
def test_right_jacobian_by_finite_differences(v: np.ndarray) -> None:
    h = 1e-6
    for k in range(3):
        d = np.zeros(3)
        d[k] = h
        slope = (so3.log(so3.exp(v) @ so3.exp(d)) - so3.log(so3.exp(v) @ so3.exp(-d))) / (2 * h)
        np.testing.assert_allclose(so3.right_jacobian_inverse(v)[..., k], slope, atol=2e-5)


def test_between_turns_one_direction_into_the_other() -> None:
    rng = np.random.default_rng(0)
    for a, b in rng.normal(size=(20, 2, 3)):
        turned = so3.rotation_between(a, b) @ a / np.linalg.norm(a)
        np.testing.assert_allclose(turned, b / np.linalg.norm(b), atol=1e-12)
    a = np.array([0.0, 0.0, 1.0])
    np.testing.assert_allclose(so3.rotation_between(a, -a) @ a, -a, atol=1e-12)


def test_rotations_between_are_those_of_each_pair() -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 7, 3))
    b[0] = 2 * a[0]  # no turn
    expected = [so3.rotation_between(x, y) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(so3.rotations_between(a, b), expected, atol=1e-12)


def test_continuous_quaternions_never_jump() -> None:
    angles = np.linspace(0, 12, 200)
    q = so3.quat_exp(np.stack([angles, 0 * angles, 0 * angles], -1))
    flipped = q * np.where(np.arange(200) % 3 == 0, -1.0, 1.0)[:, None]
    steps = np.linalg.norm(np.diff(so3.quat_unwrap(flipped), axis=0), axis=1)
    assert steps.max() < 0.05


def test_products_and_quaternions_of_matrices() -> None:
    """Against products in turn, and against SciPy, half turns included."""
    turns = so3.exp(np.random.default_rng(7).normal(scale=2.0, size=(13, 3)))
    product = np.eye(3)
    for step, result in zip(turns, so3.cumulative_products(turns)[1:], strict=True):
        product = step @ product
        np.testing.assert_allclose(result, product, atol=1e-12)
    every = np.concatenate([turns, [so3.rotation_about(axis, np.pi) for axis in "xyz"]])
    np.testing.assert_allclose(so3.quat_to_matrix(so3.quat_from_matrix(every)), every, atol=1e-12)


def test_wrapped_angles_lose_whole_turns_alone() -> None:
    angles = np.linspace(-20.0, 20.0, 401)
    result = so3.wrap_angle(angles)
    assert np.abs(result).max() <= np.pi + 1e-12
    np.testing.assert_allclose(np.exp(1j * result), np.exp(1j * angles), atol=1e-12)
    np.testing.assert_allclose(so3.wrap_angle(np.pi + 0.1), 0.1 - np.pi)


def test_angles_repeat_to_the_last_bit() -> None:
    """Headings of the same matrices, wherever their numbers lie in memory: what is planned from
    them is then the same, too.
    """
    rng = np.random.default_rng(0)
    turns = so3.exp(rng.normal(size=(200, 3)))
    once = so3.yaw_from_matrix(turns)
    for _ in range(300):
        # moves what is allocated next
        between = [np.zeros(size) for size in rng.integers(1, 6000, 5)]
        assert np.array_equal(so3.yaw_from_matrix(turns.copy()), once), len(between)

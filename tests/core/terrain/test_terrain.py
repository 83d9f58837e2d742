"""Grounds: heights of planes with exact solutions, and comparisons between kinds of ground."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.errors import TerrainError
from footfall.core.terrain import FlatGround, HeightField, MeshGround, make_rolling_hills
from footfall.core.terrain.ground import fit_slope, sample_normals
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays


def _tilted() -> HeightField:
    x, y = np.meshgrid(np.arange(20) * 0.25, np.arange(16) * 0.25, indexing="ij")
    return HeightField(0.2 * x - 0.1 * y + 1.0, (0.0, 0.0), 0.25)


def test_height_field_is_exact_on_a_plane() -> None:
    xy = np.random.default_rng(0).uniform(0.1, 3.6, (500, 2))
    np.testing.assert_allclose(
        _tilted().sample_heights(xy), 0.2 * xy[:, 0] - 0.1 * xy[:, 1] + 1.0, atol=1e-12
    )
    up = np.array([-0.2, 0.1, 1.0])
    np.testing.assert_allclose(
        sample_normals(_tilted(), xy), np.tile(up / np.linalg.norm(up), (500, 1)), atol=1e-9
    )


def test_mesh_of_a_height_field_is_the_same_ground() -> None:
    field = make_rolling_hills(np.random.default_rng(3), 10.0, 6.0)
    surface = field.to_mesh()
    mesh = MeshGround(surface.vertices, surface.triangles)
    xy = np.random.default_rng(1).uniform([-2.9, -2.9], [9.8, 2.9], (2000, 2))
    np.testing.assert_allclose(mesh.sample_heights(xy), field.sample_heights(xy), atol=1e-9)


def test_no_ground_is_not_a_number() -> None:
    mesh = _tilted().to_mesh()
    for ground in (_tilted(), MeshGround(mesh.vertices, mesh.triangles)):
        assert np.isnan(
            ground.sample_heights(np.array([[-1.0, 1.0], [100.0, 0.0], [np.nan, 0.0]]))
        ).all()


def test_highest_face_counts() -> None:
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    vertices = np.concatenate([square, square * 0.5 + [0.25, 0.25, 2.0]])
    triangles = np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])
    np.testing.assert_allclose(
        MeshGround(vertices, triangles).sample_heights([[0.5, 0.5], [0.1, 0.1]]), [2.0, 0.0]
    )


@given(
    arrays(float, (5, 3), elements=st.floats(-3, 3)),
    arrays(np.int64, (4, 3), elements=st.integers(0, 4)),
)
def test_any_mesh_is_taken_or_refused(vertices: np.ndarray, triangles: np.ndarray) -> None:
    try:
        ground = MeshGround(vertices, triangles)
    except TerrainError:
        return
    heights = ground.sample_heights(np.random.default_rng(0).uniform(-3, 3, (50, 2)))
    there = heights[np.isfinite(heights)]
    assert (there >= vertices[:, 2].min() - 1e-6).all()
    assert (there <= vertices[:, 2].max() + 1e-6).all()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: HeightField([[0.0]], (0, 0), 1.0), "at least 2 x 2"),
        (lambda: HeightField([[0.0, np.nan], [0, 0]], (0, 0), 1.0), "finite"),
        (lambda: HeightField(np.zeros((2, 2)), (0, 0), -1.0), "positive"),
        (lambda: MeshGround([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 1, 2]]), "stood on"),
        (lambda: MeshGround([[0, 0, np.inf]], []), "finite"),
        (lambda: MeshGround([[0, 0, 0]], [[0, 0, 7]]), "does not exist"),
    ],
)
def test_bad_grounds_say_what_is_wrong(make: object, says: str) -> None:
    with pytest.raises(TerrainError, match=says):
        make()  # type: ignore[operator]


def test_slope_fit_finds_a_plane_and_stays_level_without_points() -> None:
    xy = np.random.default_rng(0).uniform(-1, 1, (200, 2)) * 20
    slope = fit_slope(xy, 0.1 * xy[:, 0] + 3.0)
    np.testing.assert_allclose(slope.gradient, [0.1, 0.0], atol=1e-3)
    assert fit_slope(xy, np.full(200, np.nan)).inclination_cosine == 1.0


def test_rolling_hills_keep_their_promises() -> None:
    field = make_rolling_hills(np.random.default_rng(0), 20.0, 8.0)
    again = make_rolling_hills(np.random.default_rng(0), 20.0, 8.0)
    np.testing.assert_array_equal(field.heights, again.heights)
    near = np.random.default_rng(1).uniform(-0.6, 0.6, (100, 2))
    assert np.abs(field.sample_heights(near)).max() < 0.01
    assert (FlatGround().sample_heights(near) == 0).all()

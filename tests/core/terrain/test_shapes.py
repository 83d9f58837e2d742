"""Shapes that a scene brings: outlines, ground with a hole, tops of stones."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.errors import TerrainError
from footfall.core.terrain import (
    FlatGround,
    crop_ground,
    cut_hole,
    find_convex_outline,
    find_narrowest_box,
    find_stone_top,
    make_rolling_hills,
)

LEG = 0.93


def _turned(points: np.ndarray, angle: float) -> np.ndarray:
    c = np.cos(angle)
    s = np.sin(angle)
    return points @ np.array([[c, s], [-s, c]])


def test_the_narrowest_box_of_a_turned_rectangle_is_itself() -> None:
    rng = np.random.default_rng(0)
    corners = np.array([(-1, -0.2), (1, -0.2), (1, 0.2), (-1, 0.2)])
    points = np.concatenate([corners, rng.uniform((-1, -0.2), (1, 0.2), (200, 2))])
    box = find_narrowest_box(_turned(points, 0.7) + [3, -2])
    assert (box.length, box.width) == pytest.approx((2, 0.4))
    np.testing.assert_allclose(box.center, [3, -2], atol=1e-9)
    assert abs(box.direction @ [np.cos(0.7), np.sin(0.7)]) == pytest.approx(1)
    np.testing.assert_allclose(box.swap_sides().direction @ box.direction, 0, atol=1e-12)


@pytest.mark.parametrize("points", [[(0, 0), (2, 2)], [(0, 0), (1, 1), (2, 2)]])
def test_points_on_a_line_have_a_box_without_width(points: list[tuple[float, float]]) -> None:
    box = find_narrowest_box(points)
    assert box.length == pytest.approx(np.sqrt(8))
    assert box.width == pytest.approx(0)


def test_a_hole_in_the_plane_and_in_hills_is_cut_exactly() -> None:
    outline = find_convex_outline([(3, -1), (8, -1.5), (9, 0), (8, 1), (3, 1), (5, 0)])
    assert len(outline) == 5
    hills = make_rolling_hills(np.random.default_rng(0), 15, 6.0, bump_height=0.15, slope_deg=10.0)
    points = np.random.default_rng(1).uniform((1, -2.5), (12, 2.5), (4000, 2))
    sides = np.roll(outline, -1, 0) - outline
    away = points[:, None] - outline
    inside = (sides[:, 0] * away[..., 1] - sides[:, 1] * away[..., 0] > 1e-9).all(1)
    for ground in (FlatGround(), hills):
        cut = cut_hole(ground, outline)
        assert cut is not None
        np.testing.assert_array_equal(np.isnan(cut.sample_heights(points)), inside)
        np.testing.assert_allclose(
            cut.sample_heights(points[~inside]), ground.sample_heights(points[~inside]), atol=1e-12
        )
        inner = crop_ground(ground, outline)
        if isinstance(ground, FlatGround):
            assert inner is ground
            continue
        assert inner is not None
        np.testing.assert_array_equal(np.isnan(inner.sample_heights(points)), ~inside)
        np.testing.assert_allclose(
            inner.sample_heights(points[inside]), ground.sample_heights(points[inside]), atol=1e-12
        )


def test_ground_inside_or_outside_an_outline_is_kept_or_removed() -> None:
    hills = make_rolling_hills(np.random.default_rng(0), 5, 4.0, spacing=0.2)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    assert crop_ground(hills, 20.0 * square) is hills
    assert crop_ground(hills, square + [50.0, 0.0]) is None


def _disc(z: np.ndarray | float = 0.0, radius: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """A fan of rings around the origin; z of each ring from the middle out."""
    shares = np.linspace(0, 1, 9)[1:]
    angle = 2 * np.pi * np.arange(24) / 24
    rings = np.concatenate(
        [np.stack([radius * s * np.cos(angle), radius * s * np.sin(angle)], -1) for s in shares]
    )
    xy = np.concatenate([np.zeros((1, 2)), rings])
    heights = np.concatenate([[np.ravel(z)[0]], np.repeat(np.broadcast_to(z, 9)[1:], 24)])
    k = np.arange(24)
    faces = [np.stack([0 * k, 1 + k, 1 + (k + 1) % 24], -1)]
    for ring in range(7):
        a = 1 + 24 * ring + k
        b = 1 + 24 * ring + (k + 1) % 24
        faces += [np.stack([a, a + 24, b + 24], -1), np.stack([a, b + 24, b], -1)]
    return np.column_stack([xy, heights]), np.concatenate(faces)


def test_a_dome_is_trodden_on_at_its_crown() -> None:
    rim = np.linspace(0, 1, 9)
    vertices, triangles = _disc(0.15 * np.sqrt(1 - 0.99 * rim**2))
    top = find_stone_top(vertices + [2, 1, 0], triangles, LEG)
    np.testing.assert_allclose(top.footholds, [[2, 1]], atol=0.01)
    assert float(top.ground.sample_heights([2.0, 1.0])) == pytest.approx(0.15, abs=0.003)
    assert np.ptp(top.ground.vertices[:, 2]) < 0.01


def test_a_slab_keeps_its_tilt() -> None:
    vertices, triangles = _disc()
    vertices[:, 2] = 0.3 * vertices[:, 0]
    top = find_stone_top(vertices, triangles, LEG)
    np.testing.assert_allclose(
        top.ground.sample_heights([[0.1, 0.0], [-0.1, 0.05]]), [0.03, -0.03], atol=2e-3
    )


@pytest.mark.parametrize(
    ("radius", "slope", "says"), [(0.02, 0.0, "too small"), (0.2, 1.2, "inclined by 50 degrees")]
)
def test_says_why_a_stone_cannot_be_stepped_on(radius: float, slope: float, says: str) -> None:
    vertices, triangles = _disc(0.0, radius)
    vertices[:, 2] = slope * vertices[:, 0]
    with pytest.raises(TerrainError, match=says):
        find_stone_top(vertices, triangles, LEG)

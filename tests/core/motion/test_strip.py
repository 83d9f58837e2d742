"""The strip of a motion: its camera, its cells, faces, hurdles and gaps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.motion.body_drawing import (
    build_face,
    compute_convex_outline,
    measure_body_extent,
)
from footfall.core.motion.course_camera import build_course_camera
from footfall.core.motion.picture import save_picture
from footfall.core.motion.strip import lay_out_strip
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.terrain import FlatGround, Slab, make_slab_ground


@pytest.fixture(scope="module")
def horse() -> Motion:
    return generate(SCENARIOS["horse-walk"].build_task(fps=60, seconds=3))


def test_camera_does_not_follow_the_sway(walk: Motion) -> None:
    camera = build_course_camera(walk, FlatGround().sample_heights, np.arange(walk.frames))
    middle = slice(walk.frames // 6, -walk.frames // 6)
    assert np.ptp(walk.com[middle, 1]) > 0.01, "there is no sway to see"
    assert np.ptp(camera.course_points[middle, 1]) < 0.15 * np.ptp(walk.com[middle, 1])
    assert np.abs(camera.course_points[:, 2]).max() == 0.0
    speed = np.diff(camera.course_points[middle, 0]) * walk.fps
    surge = np.diff(walk.com[middle, 0]) * walk.fps
    assert np.ptp(speed) < 0.3 * np.ptp(surge)
    assert speed.mean() == pytest.approx(surge.mean(), rel=0.03)


def test_camera_keeps_the_heading_of_the_path(walk: Motion) -> None:
    turned = so3.quat_from_matrix(
        so3.exp(np.array([0.0, 0.0, 0.8])) @ so3.quat_to_matrix(walk.link_orientation)
    )
    camera = build_course_camera(
        replace(walk, link_orientation=turned), FlatGround().sample_heights, np.arange(40, 200)
    )
    assert camera.heading == pytest.approx(0.0, abs=1e-6)


def test_cells_hold_the_whole_body(horse: Motion) -> None:
    frames = np.linspace(60, 120, 8).astype(int)
    layout = lay_out_strip(horse, frames, FlatGround().sample_heights)
    for look, cell in zip(layout.camera_angles, layout.cells, strict=True):
        for k in frames:
            extent = measure_body_extent(
                horse, int(k), layout.camera.view_at(int(k), look.azimuth, look.elevation)
            )
            assert cell.left < extent.low[0] < extent.high[0] < cell.right, look.name
            assert cell.low < extent.low[1] < extent.high[1] < cell.high, look.name


@pytest.mark.parametrize(("azimuth", "eyes"), [(0.0, 2), (-90.0, 1), (180.0, 0)])
def test_faces_look_ahead(walk: Motion, azimuth: float, eyes: int) -> None:
    view = build_course_camera(walk, FlatGround().sample_heights, np.arange(60)).view_at(
        30, azimuth, 0.0
    )
    assert len(build_face(walk, 30, view)) == eyes + 1  # and a nose


def test_noses_show_in_profile(walk: Motion) -> None:
    camera = build_course_camera(walk, FlatGround().sample_heights, np.arange(60))
    nose = build_face(walk, 30, camera.view_at(30, -90.0, 0.0))[-1]
    skull = max(
        (s for s in walk.solids if walk.link_names[s.link] == "head"),
        key=lambda solid: solid.radius,
    )
    middle = walk.link_position[30, skull.link, 0] - camera.course_points[30, 0]
    assert nose.outline[:, 0].max() > middle + 1.2 * skull.radius


def test_muzzles_have_eyes_on_their_sides(horse: Motion) -> None:
    camera = build_course_camera(horse, FlatGround().sample_heights, np.arange(60))
    assert len(build_face(horse, 30, camera.view_at(30, -90.0, 0.0))) == 1


def test_hurdles_are_kept_for_pictures() -> None:
    task = SCENARIOS["humanoid-hurdles"].build_task(fps=30, seconds=2)
    motion = generate(task)
    assert motion.hurdles.shape == (len(task.hurdles), 2, 3)
    np.testing.assert_allclose(motion.hurdles[..., 2], 0.6)
    np.testing.assert_allclose(motion.hurdles[0, 0, :2], task.hurdles[0].start)


def test_gaps_are_seen(walk: Motion, tmp_path: Path) -> None:
    from matplotlib.image import imread
    from scipy.ndimage import binary_opening

    gap = make_slab_ground([Slab((-20.0, 1.6), (-3.0, 3.0)), Slab((1.9, 20.0), (-3.0, 3.0))])
    save_picture(walk, tmp_path / "whole.png", FlatGround().sample_heights)
    save_picture(walk, tmp_path / "gap.png", gap.sample_heights)
    shares = []
    for name in ("whole.png", "gap.png"):
        red, _, blue = np.moveaxis(imread(tmp_path / name)[..., :3], -1, 0)
        # areas only: the soft edges of thin blue curves have such colours, too
        shares.append(binary_opening((blue > red + 0.04) & (red > 0.7), np.ones((3, 3))).mean())
        assert (tmp_path / name).stat().st_size < 300_000
    assert shares[0] < 1e-3 < 5e-3 < shares[1]


def test_outline_of_points_on_a_line_is_its_ends() -> None:
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.5)])
    assert len(compute_convex_outline(square)) == 4
    edge = np.array([(2.0, 0.1), (2.0, 0.3), (2.0, 0.0), (2.0, 0.2)])
    ends = sorted(map(tuple, compute_convex_outline(edge).tolist()))
    assert ends == [(2.0, 0.0), (2.0, 0.3)]

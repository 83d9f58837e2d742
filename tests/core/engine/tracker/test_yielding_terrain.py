"""Walks over the terrains of a task that yield, from the task file to the motion file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np
import pytest
from footfall.core.engine import create_driver, generate
from footfall.core.engine.safety.judge import MotionBounds, judge_motion
from footfall.core.errors import TaskError, TerrainError
from footfall.core.motion import Motion, load_motion, save_motion
from footfall.core.motion.measures import measure
from footfall.core.motion.scenery import build_link_marks
from footfall.core.motion.surface import MovingSurface, make_height_function
from footfall.core.task import Path, SpeedProfile, Task
from footfall.core.task.ground_entry import ground_to_table, read_ground
from footfall.core.terrain import BridgeTerrain, FlatGround, SpongyTerrain

START = (1.0, 2.0)
# The path leads along y, so that the frame of the path is not that of the world.
TASK = Task(Path([START, (1.0, 22.0)]), SpeedProfile(1.3), seconds=3.0, fps=60, engine="tracker")
MAT = SpongyTerrain((1.0, 3.5), (1.0, 20.0), stiffness=15_000.0)
BRIDGE = BridgeTerrain((1.0, 3.5), (1.0, 9.5), links=12, sag=0.12, mass=30.0)


@pytest.fixture(scope="module")
def on_mat() -> Motion:
    return generate(replace(TASK, ground=MAT))


@pytest.fixture(scope="module")
def on_bridge() -> Motion:
    return generate(replace(TASK, ground=BRIDGE))


def _measure_gaps(motion: Motion) -> np.ndarray:
    """Return heights of contacts at rest above the ground that moves [m]."""
    surface = MovingSurface.from_motion(motion)
    assert surface is not None
    frames, points = np.nonzero(motion.contact_active)
    places = motion.contact_position[frames, points]
    heights = np.array(
        [surface.sample_heights(k, p[:2]) for k, p in zip(frames, places, strict=True)]
    )
    return (places[:, 2] - heights)[np.isfinite(heights)]


def test_feet_sink_into_a_mat_and_it_comes_back(on_mat: Motion) -> None:
    assert on_mat.surface_line is not None
    depth = -on_mat.surface_line[..., 2]
    assert 0.025 < depth.max() < 0.08
    assert depth[-1].max() < depth.max()
    # The mat of the first footprint has come back.
    assert depth[-1, depth[:90].max(0).argmax()] < 0.005
    assert np.percentile(np.abs(_measure_gaps(on_mat)), 95) < 0.003
    # A judge for which the ground is at rest sees the feet in it.
    assert on_mat.contact_position[..., 2].min() < -0.02


def test_feet_move_with_a_bridge(on_bridge: Motion) -> None:
    line = on_bridge.surface_line
    assert line is not None
    assert np.allclose(line[:, 0], [1.0, 3.5, 0.0])
    assert np.allclose(line[:, -1], [1.0, 9.5, 0.0])
    links = np.linalg.norm(np.diff(line, axis=1), axis=2)
    assert np.ptp(links) < 1e-3
    assert np.ptp(line[..., 2], axis=0).max() > 0.015
    assert np.percentile(np.abs(_measure_gaps(on_bridge)), 95) < 0.003


def test_pictures_show_the_moving_ground(on_mat: Motion, on_bridge: Motion) -> None:
    assert on_mat.surface_line is not None
    frame, column = np.unravel_index(
        on_mat.surface_line[..., 2].argmin(), on_mat.surface_line.shape[:2]
    )
    deepest = on_mat.surface_line[frame, column]
    height = make_height_function(on_mat, int(frame), MAT.sample_heights)
    beside = deepest[:2] + [0.7, 0.0]
    assert height(np.array([deepest[:2], beside])) == pytest.approx([deepest[2], 0.0], abs=1e-9)
    # Lines between links, but not between columns.
    assert len(build_link_marks(on_bridge, 0)[0].ends) == BRIDGE.links + 1
    assert build_link_marks(on_mat, 0) == []


def test_walks_on_ground_that_yields_are_sound(on_mat: Motion, on_bridge: Motion) -> None:
    for motion, terrain in ((on_mat, MAT), (on_bridge, BRIDGE)):
        assert judge_motion(motion, terrain, MotionBounds()).is_deliverable
        figures = measure(motion, terrain.sample_heights)
        assert figures.drift_m < 0.002
        assert figures.penetration_m < 0.003
        assert figures.momentum_residual < 0.02


def test_moving_ground_is_kept_in_the_file(on_bridge: Motion, tmp_path: FilePath) -> None:
    loaded = load_motion(save_motion(on_bridge, tmp_path))
    assert loaded.surface_line is not None
    assert np.array_equal(loaded.surface_line, on_bridge.surface_line)
    assert loaded.surface_width == on_bridge.surface_width
    part = loaded.take_frames(slice(3, 9))
    assert part.surface_line is not None
    assert len(part.surface_line) == 6


@pytest.mark.parametrize("terrain", [MAT, BRIDGE])
def test_terrains_are_kept_in_a_task_file(terrain: SpongyTerrain | BridgeTerrain) -> None:
    assert read_ground(ground_to_table(terrain)) == terrain
    scaled = terrain.in_units(2.0, 0.5)
    assert scaled.length == pytest.approx(terrain.length / 2)
    back = scaled.in_units(0.5, 2.0)
    assert ground_to_table(back) == ground_to_table(terrain)


def test_wrong_numbers_of_terrains_are_refused() -> None:
    with pytest.raises(TerrainError, match="stiffness of the yielding ground is -1"):
        read_ground({"kind": "spongy", "stiffness": -1.0})
    with pytest.raises(TerrainError, match="can be at most 1000 m long"):
        SpongyTerrain((0.0, 0.0), (1e200, 0.0))
    with pytest.raises(TerrainError, match="has no length"):
        SpongyTerrain((1.0, 1.0), (1.0, 1.0))
    with pytest.raises(TerrainError, match=r"must sag by 0\.2 to 4 m"):
        BridgeTerrain(sag=8.0)
    with pytest.raises(TerrainError, match="has 1 links"):
        BridgeTerrain(links=1)
    with pytest.raises(TaskError, match="bounce"):
        read_ground({"kind": "spongy", "bounce": 1.0})


def test_heights_at_rest_are_those_of_the_mesh() -> None:
    places = np.array([[1.0, 3.0], [1.0, 6.5], [2.0, 6.5], [1.5, 6.5]])
    height = BRIDGE.sample_heights(places)
    assert height[:2] == pytest.approx([0.0, -BRIDGE.sag], abs=1e-9)
    assert np.isnan(height[2])
    assert height[3] == pytest.approx(-BRIDGE.sag, abs=1e-9)


def test_paths_across_ground_that_yields_are_refused() -> None:
    across = replace(TASK, ground=SpongyTerrain((0.0, 5.0), (3.0, 5.0)))
    with pytest.raises(TaskError, match="does not lead along the yielding ground"):
        generate(across)
    narrow = replace(TASK, ground=replace(MAT, width=0.1))
    with pytest.raises(TaskError, match="must be at least"):
        generate(narrow)


def test_bridges_that_swing_too_fast_are_refused() -> None:
    with pytest.raises(TaskError, match=r"has 60 links, .* at most 17 links, or let it sag more"):
        generate(replace(TASK, ground=replace(BRIDGE, links=60)))


def test_driven_bodies_and_jumps_need_firm_ground() -> None:
    with pytest.raises(TaskError, match="needs firm ground"):
        create_driver(replace(TASK, ground=MAT))
    with pytest.raises(TaskError, match="needs firm ground"):
        generate(replace(TASK, ground=BRIDGE, style="jump", speed=SpeedProfile(1.0)))


def test_firm_ground_has_no_moving_ground() -> None:
    assert generate(replace(TASK, ground=FlatGround(), seconds=0.5)).surface_line is None

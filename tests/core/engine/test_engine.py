"""Whole motions: limits by the independent checker, determinism, bodies of any size, and stops."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.errors import Cancelled, TaskError
from footfall.core.motion import Motion
from footfall.core.motion.measures import measure
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import Path as Way
from footfall.core.task import Profile, SpeedProfile, Task
from footfall.core.task.task import Start
from footfall.core.terrain import FlatGround, HeightField, MeshGround
from judging import RUN_LIMITS, WALK_LIMITS, find_exceeded, judge_motion, measure_figures

# jumps and bars have separate tests
STEPPING = tuple(
    name
    for name in SCENARIOS
    if name.startswith("humanoid-") and not name.endswith(("-jumps", "-flips", "-monkeybars"))
)
STRAIGHT = ("humanoid-walk", "humanoid-run", "humanoid-fast-run")
COMMON_LIMITS = {
    "skate_p95_m_per_s": 0.01,
    "float_p95_m": 0.005,
    "friction_p99": 0.8,
    "relaxed_share": 0.01,
    "off_terrain_contacts": 0,
}
OBSTACLES = {
    "drift_max_m": 0.002,
    "penetration_max_m": 0.005,
    "momentum_residual_bw": 0.03,
    "angular_residual": 0.03,
    "pop_max_deg_per_frame2": 8,
}
RUNS = (
    "humanoid-run",
    "humanoid-fast-run",
    "humanoid-walk-run",
    "humanoid-run-varying-speed",
    "humanoid-terrain-run",
    "humanoid-moon",
)
ROUGH = (
    "humanoid-leap",
    "humanoid-terrain-leap",
    "humanoid-step-up-down",
    "humanoid-stair-walk",
    "humanoid-push",
    "humanoid-hurdles",
    "humanoid-stones",
    "humanoid-terrain-stones",
    "humanoid-stair-forefoot",
)
# Scenarios that exceed the limits above for some of five seeds: these bounds only guard against
# getting worse.
SHORT = {
    "humanoid-fast-run": {
        "momentum_residual_bw": 0.015,
        "pop_max_deg_per_frame2": 4.5,
        "style_rms_deg": 4.8,
    },
    "humanoid-run-varying-speed": {
        "momentum_residual_bw": 0.025,
        "angular_residual": 0.0195,
        "pop_max_deg_per_frame2": 5.2,
    },
    "humanoid-leap": {"drift_max_m": 0.0035, "relaxed_share": 0.011, "pop_max_deg_per_frame2": 9},
    "humanoid-hurdles": {"pop_max_deg_per_frame2": 9},
    "humanoid-push": {"drift_max_m": 0.0022},
    "humanoid-spin": {"pop_max_deg_per_frame2": 4},
}
# Scenarios without terrain, obstacles or pushes from the seed are the same for every seed.
SEEDED = [name for name in STEPPING if "terrain" in name or name in ROUGH]


def _bars(name: str) -> dict[str, float]:
    bars = COMMON_LIMITS | (
        OBSTACLES if name in ROUGH else RUN_LIMITS if name in RUNS else WALK_LIMITS
    )
    if name in STRAIGHT:
        bars |= {"style_rms_deg": 2 if name == "humanoid-walk" else 3}
    if name in (*STRAIGHT, "humanoid-terrain-walk", "humanoid-walk-and-stop"):
        bars |= {"speed_error": 0.03}
    if name in ("humanoid-walk", "humanoid-sharp-turn", "humanoid-walk-and-stop"):
        bars |= {"friction_p99": 0.6}
    return bars | SHORT.get(name, {})


def _check(judge_folder: Path | None, folder: Path, name: str, seed: int) -> None:
    motion = generate(SCENARIOS[name].build_task(fps=120, seconds=10, seed=seed))
    figures = judge_motion(judge_folder, folder, motion)
    assert not find_exceeded(figures, _bars(name))
    assert figures["pull_min_n"] >= -1


@pytest.mark.parametrize("name", STEPPING)
def test_first_seed_is_within_the_limits(
    judge_folder: Path | None, tmp_path: Path, name: str
) -> None:
    _check(judge_folder, tmp_path, name, 0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize("name", SEEDED)
def test_more_seeds_are_within_the_limits(
    judge_folder: Path | None, tmp_path: Path, name: str, seed: int
) -> None:
    _check(judge_folder, tmp_path, name, seed)


def test_measures_agree_with_the_checker(shared: Path, tmp_path: Path, walk: Motion) -> None:
    figures = judge_motion(shared, tmp_path, walk)
    ours = measure(walk, FlatGround().sample_heights)
    assert ours.drift_m == pytest.approx(figures["drift_max_m"], abs=1e-5)
    assert ours.penetration_m == pytest.approx(figures["penetration_max_m"], abs=1e-9)
    assert ours.style_deg == pytest.approx(figures["style_rms_deg"], rel=1e-3)
    assert ours.friction == pytest.approx(figures["friction_p99"], rel=0.05)
    assert ours.momentum_residual == pytest.approx(figures["momentum_residual_bw"], abs=0.004)
    assert ours.angular_residual == pytest.approx(figures["angular_residual"], abs=0.004)
    measured_figures = measure_figures(walk)
    assert set(measured_figures) <= set(figures)
    for key in ("pop_max_deg_per_frame2", "float_p95_m", "friction_p99", "relaxed_share"):
        assert measured_figures[key] == pytest.approx(figures[key], rel=0.1, abs=1e-6)
    for key in ("momentum_residual_bw", "angular_residual"):
        assert measured_figures[key] == pytest.approx(figures[key], rel=0.3)


def test_measures_detect_broken_motions(walk: Motion) -> None:
    good = measure(walk, FlatGround().sample_heights)
    slid = walk.contact_position + np.linspace(0, 1, walk.frames)[:, None, None] * [0.3, 0, 0]
    assert (
        measure(replace(walk, contact_position=slid), FlatGround().sample_heights).drift_m
        > 10 * good.drift_m + 0.01
    )
    assert (
        measure(
            replace(walk, contact_position=walk.contact_position - [0, 0, 0.02]),
            FlatGround().sample_heights,
        ).penetration_m
        > 0.019
    )
    floating = replace(walk, contact_force=walk.contact_force * 0.5)
    assert measure(floating, FlatGround().sample_heights).momentum_residual > 0.4


def test_same_task_same_motion() -> None:
    """Equal within rounding, since the order of numpy's sums depends on memory alignment."""
    task = SCENARIOS["humanoid-terrain-walk"].build_task(seconds=2, seed=5)
    first = generate(task)
    second = generate(task)
    for f in fields(Motion):
        if isinstance(getattr(first, f.name), np.ndarray):
            np.testing.assert_allclose(
                getattr(first, f.name),
                getattr(second, f.name),
                rtol=1e-7,
                atol=1e-7,
                err_msg=f.name,
            )


def test_clip_has_the_requested_length() -> None:
    motion = generate(SCENARIOS["humanoid-walk"].build_task(fps=24, seconds=2.5))
    assert motion.frames == 61
    assert motion.fps == pytest.approx(24)
    assert motion.report.clip_seconds == pytest.approx(2.5)


def test_body_stops_at_the_end_of_the_path() -> None:
    motion = generate(Task(Way([[0, 0], [2.5, 0]]), SpeedProfile(1.2), seconds=6))
    assert motion.com[-1, 0] == pytest.approx(2.5, abs=0.15)
    assert np.linalg.norm(motion.com[-1] - motion.com[-15]) < 0.01


@pytest.mark.parametrize("slope", [(0.0, 0.04), (0.05, 0.03)])
def test_body_stands_still_on_a_slope(slope: tuple[float, float]) -> None:
    """Feet at different heights carry the body at a constant height for any time."""
    x, y = np.meshgrid(np.arange(-4, 9, 0.5), np.arange(-4, 4, 0.5), indexing="ij")
    ground = HeightField(slope[0] * x + slope[1] * y, (-4, -4), 0.5)
    motion = generate(Task(Way([[0, 0], [2.5, 0]]), SpeedProfile(1.2), ground=ground, seconds=14))
    late = motion.com[int(6 * motion.fps) :]
    assert np.ptp(late, axis=0).max() < 0.02
    assert not motion.relaxed.any()


def test_lower_speed_than_requested_is_reported() -> None:
    corners = Way([[0, 0], [6, 0], [6, 6], [0, 6]])
    notes = generate(Task(corners, SpeedProfile(4.0), seconds=3)).report.notes
    assert any("the speed was lowered" in note for note in notes)
    assert not generate(Task(corners, SpeedProfile(1.0), seconds=3)).report.notes


def test_speed_determines_walk_or_run() -> None:
    """At 1.6 m/s a foot is always in contact, at 2.6 m/s there is flight between the steps."""
    for speed, flies in ((1.6, False), (2.6, True)):
        motion = generate(Task(Way([[0, 0], [30, 0]]), SpeedProfile(speed), seconds=3))
        assert bool((~motion.contact_active.any(1)).mean() > 0.1) == flies


def test_strides_and_width_are_as_requested() -> None:
    path = Way([[0, 0], [30, 0]])
    speed = SpeedProfile(1.2)
    motion = generate(
        Task(
            path,
            speed,
            seconds=6,
            style="walk",
            stride_length=Profile("stride", 1.1),
            step_width_factor=Profile("width", 0.0),
        )
    )
    footsteps = [f.position for f in motion.footsteps if f.leg == 0 and 0 < f.time < 6]
    assert np.diff(np.array(footsteps)[:, 0]) == pytest.approx(1.1, abs=0.05)
    assert np.abs([f.position[1] for f in motion.footsteps]).max() < 0.03


def test_from_standing() -> None:
    motion = generate(Task(Way([[0, 0], [9, 0]]), SpeedProfile(1.2), seconds=4, start="standing"))
    assert np.linalg.norm(motion.com[3] - motion.com[0]) < 0.02
    assert (motion.com[-1] - motion.com[-16])[0] * 2 == pytest.approx(1.2, abs=0.15)


@pytest.mark.parametrize("scale", [0.05, 8.0])
def test_small_and_large_ground_and_gravity_scale(scale: float) -> None:
    """Froude similarity: with scaled lengths, gravity and time the motion is the same."""
    points = np.array([[0, 0], [6, 0.0]])
    speed = 1.2
    plain = generate(Task(Way(points), SpeedProfile(speed), seconds=2))
    heavy = generate(
        Task(
            Way(points),
            SpeedProfile(speed * np.sqrt(scale)),
            seconds=2 / np.sqrt(scale),
            fps=30 * np.sqrt(scale),
            gravity=9.81 * scale,
        )
    )
    np.testing.assert_allclose(heavy.link_position, plain.link_position, atol=1e-4)


@pytest.mark.parametrize("stage", ["sketch", "plan", "full body"])
def test_generation_can_be_cancelled(stage: str) -> None:
    def progress(now: str, share: float) -> None:
        if now == stage:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        generate(SCENARIOS["humanoid-walk"].build_task(seconds=2), progress)


def test_progress_rises_to_one() -> None:
    shares: list[float] = []
    generate(
        SCENARIOS["humanoid-walk"].build_task(seconds=2), lambda stage, share: shares.append(share)
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 5


def test_unknown_engine_and_style_are_refused_with_the_valid_names() -> None:
    with pytest.raises(TaskError, match="centroidal"):
        generate(Task(Way([[0, 0], [1, 0]]), SpeedProfile(1.0), engine="steam"))
    with pytest.raises(TaskError, match="walk"):
        generate(Task(Way([[0, 0], [1, 0]]), SpeedProfile(1.0), style="waltz"))


def test_motion_file_keeps_the_terrain(tmp_path: Path) -> None:
    task = SCENARIOS["humanoid-terrain-walk"].build_task(seconds=2, seed=1)
    motion = generate(task)
    assert motion.terrain_vertices is not None
    assert motion.terrain_triangles is not None
    mesh = MeshGround(motion.terrain_vertices, motion.terrain_triangles)
    xy = np.random.default_rng(0).uniform([0, -2], [4, 2], (100, 2))
    np.testing.assert_allclose(mesh.sample_heights(xy), task.ground.sample_heights(xy), atol=1e-9)


@pytest.mark.parametrize(
    ("speed", "start"),
    [
        (2.0, "moving"),
        (2.0, "standing"),
        (4.5, "moving"),
        (4.5, "standing"),
    ],
)
def test_a_run_stops_at_its_paths_end_and_stands(
    judge_folder: Path | None, tmp_path: Path, speed: float, start: Start
) -> None:
    motion = generate(
        Task(Way([[0, 0], [3 * speed, 0]]), SpeedProfile(speed), seconds=7, fps=120, start=start)
    )
    figures = judge_motion(judge_folder, tmp_path, motion)
    assert not find_exceeded(figures, COMMON_LIMITS | RUN_LIMITS | {"penetration_max_m": 0.004})
    assert motion.com[-1, 0] == pytest.approx(3 * speed, abs=0.1)
    assert motion.com[-1, 2] == pytest.approx(
        motion.com[0, 2] if start == "standing" else 0.94, abs=0.04
    )
    assert motion.contact_active[-1].reshape(2, -1)[:, :2].all(), "heels and balls"

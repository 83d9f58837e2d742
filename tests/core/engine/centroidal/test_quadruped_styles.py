"""Styles of quadrupeds: gait, height, neck, head and tail, limits, and refused combinations."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.clip import Knobs, list_quadruped_styles, load_builtin_quadruped_style
from footfall.core.clip.pose.carriage import apply_carriage, measure_rest_rise
from footfall.core.clip.style.quadruped_style import load_quadruped_style
from footfall.core.engine import generate
from footfall.core.errors import FootfallError, TaskError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.sketch.gait.gait_body import build_gait_body
from footfall.core.task import Path as Way
from footfall.core.task import SpeedProfile, Task, load_task, save_task
from footfall.core.terrain import HeightField
from judging import find_exceeded, has_flight_phase, judge_motion
from selection import mark_exhaustive

WALKING = {
    "drift_max_m": 0.001,
    "penetration_max_m": 0.003,
    "momentum_residual_bw": 0.01,
    "angular_residual": 0.015,
    "relaxed_share": 0.0,
}
RUNNING = WALKING | {"momentum_residual_bw": 0.025, "angular_residual": 0.02}
KEPT = tuple(
    name for name in list_quadruped_styles() if load_builtin_quadruped_style(name).gait is not None
)
SHARES = (0.5, 1.0, 2.0)  # of the preferred speed
BODIES = ("horse", "dog")
SLOPED = [
    ("walk", 1.0, 10.0),
    ("stalk", 1.0, -10.0),
    ("trot", 1.0, 10.0),
    ("pace", 1.0, -10.0),
    ("canter", 0.5, 10.0),
]


def _speed(body: str, style: str, share: float) -> float:
    return (
        share
        * load_builtin_quadruped_style(style).preferred_speed
        * float(np.sqrt(9.81 * build_gait_body(load_builtin(body)).hip_height))
    )


def _motion(
    body: str,
    style: str,
    share: float = 1.0,
    slope: float = 0.0,
    seconds: float = 2.5,
    fps: float = 120.0,
    **changes: object,
) -> Motion:
    x, y = np.meshgrid(np.arange(-60, 120.0), np.arange(-6, 7.0), indexing="ij")
    if slope:
        changes["ground"] = HeightField(np.tan(np.radians(slope)) * x + 0 * y, (-60, -6), 1.0)
    task = Task(
        Way([[0, 0], [100, 0]]),
        SpeedProfile(_speed(body, style, share)),
        character=body,
        style=style,
        seconds=seconds,
        fps=fps,
        **changes,
    )  # type: ignore[arg-type]
    return generate(task)


def _missed(judge_folder: Path | None, folder: Path, motion: Motion) -> dict[str, float]:
    """Return the figures of a motion that exceed the limits of its gait."""
    return find_exceeded(
        judge_motion(judge_folder, folder, motion), RUNNING if has_flight_phase(motion) else WALKING
    )


def _raised(motion: Motion, link: int) -> np.ndarray:
    """Return the pitch of a link relative to its pose in a stand [degrees]. (n,)."""
    forward = so3.quat_to_matrix(motion.link_orientation[:, link])[..., 0]
    return np.degrees(np.arcsin(np.clip(forward[:, 2], -1, 1)))


@pytest.mark.parametrize(
    ("style", "share", "body"),
    # usually one speed of each style and body
    mark_exhaustive(
        product(KEPT, SHARES, BODIES),
        lambda case: (KEPT.index(case[0]) + SHARES.index(case[1]) + BODIES.index(case[2])) % 3 == 0,
    ),
)
def test_motions_on_level_ground_are_within_the_limits(
    judge_folder: Path | None, tmp_path: Path, style: str, share: float, body: str
) -> None:
    assert not _missed(judge_folder, tmp_path, _motion(body, style, share))


@pytest.mark.parametrize(("style", "share", "slope"), SLOPED)
def test_motions_on_slopes_are_within_the_limits(
    judge_folder: Path | None, tmp_path: Path, style: str, share: float, slope: float
) -> None:
    assert not _missed(judge_folder, tmp_path, _motion("dog", style, share, slope))


@pytest.mark.parametrize("style", ["walk", "trot", "pace", "gallop"])
def test_a_style_keeps_its_gait(style: str) -> None:
    motion = _motion("horse", style, seconds=3.0, fps=30.0)
    strikes = [
        np.array([f.strike for f in motion.footsteps if f.leg == leg and 0.3 < f.strike < 2.7])
        for leg in range(4)
    ]
    period = float(np.diff(strikes[0]).mean())
    lag = {"walk": 0.20, "trot": 0.48, "pace": 0.04, "gallop": 0.36}[style]
    after = (strikes[2][:, None] - strikes[0]) / period
    assert np.abs((after - lag + 0.5) % 1 - 0.5).min(1).max() < 0.06


def test_a_horse_nods_twice_a_stride_and_a_dog_that_stands_does_not() -> None:
    motion = _motion("horse", "walk", seconds=4.0, fps=60.0)
    neck = load_builtin("horse").neck[0]
    strikes = np.array([f.strike for f in motion.footsteps if f.leg == 0 and f.strike > 0.2])
    phase = np.interp(np.arange(motion.frames) / 60, strikes, np.arange(len(strikes)))
    whole = (phase > 0) & (phase < 2)
    raised = _raised(motion, neck)[whole]
    spectrum = np.abs(
        np.array([(raised * np.exp(-2j * np.pi * k * phase[whole])).mean() for k in (1, 2, 3)])
    )
    assert 2 * spectrum[1] > 3.0
    assert spectrum[1] > 3 * max(spectrum[0], spectrum[2])
    task = Task(
        Way([[0, 0], [3, 0]]),
        SpeedProfile(0.9),
        character="dog",
        style="walk",
        start="standing",
        seconds=8.0,
    )
    stood = generate(task)
    dog = load_builtin("dog")
    for link in (*dog.neck, *dog.tail):
        assert abs(_raised(stood, link)[[0, 3, -3, -1]]).max() < 1.5


def test_stalking_is_low_with_a_level_neck_and_a_still_head() -> None:
    usual = _motion("dog", "walk", 0.5)
    low = _motion("dog", "stalk", 1.0)
    dog = load_builtin("dog")
    hips = build_gait_body(load_builtin("dog")).hip_height
    assert usual.com[:, 2].mean() - low.com[:, 2].mean() > 0.12 * hips
    model = KinematicModel(dog)
    stands = np.degrees(measure_rest_rise(model, dog.neck, (dog.head,), 1.0))
    assert stands + _raised(low, dog.neck[-1]).mean() == pytest.approx(0, abs=10)
    assert _raised(low, dog.head).std() < 0.5


def test_curves_turn_joints_by_their_angles() -> None:
    model = KinematicModel(load_builtin("dog"))
    style = load_builtin_quadruped_style("walk")
    phase = np.linspace(0, 1, 9)[:-1]
    poses = np.tile(model.neutral, (len(phase), 1))
    apply_carriage(model, style, poses, phase, np.zeros(len(phase)), np.zeros(len(phase)))
    np.testing.assert_allclose(poses, np.tile(model.neutral, (len(phase), 1)), atol=1e-12)
    apply_carriage(model, style, poses, phase, np.ones(len(phase)), np.zeros(len(phase)))
    placed = model.compute_link_poses(poses)
    stands = model.compute_link_poses(model.neutral[None])
    head = model.character.head
    end = model.character.tail[-1]
    assert np.corrcoef(placed.origin[:, head, 2], style.curve_at("neck", phase))[0, 1] > 0.98
    to_left = placed.origin[:, end, 1] - stands.origin[0, end, 1]
    assert np.corrcoef(to_left, style.curve_at("tail_swing", phase))[0, 1] > 0.98
    apply_carriage(
        model,
        load_builtin_quadruped_style("gallop"),
        poses,
        phase,
        np.ones(len(phase)),
        np.zeros(len(phase)),
    )
    assert (
        model.compute_link_poses(poses).origin[:, end, 2] > stands.origin[0, end, 2] + 0.02
    ).all()


@pytest.mark.parametrize(
    ("body", "changes", "says"),
    [
        (
            "dog",
            {"style": "sneak"},
            "'sneak' is one for people; those that fit dog are: natural, canter",
        ),
        ("dog", {"style": "walk.bvh"}, "walk.bvh cannot be opened"),
        ("dog", {"style": "moonwalk"}, "no style 'moonwalk' for four legs"),
        ("humanoid", {"style": "stalk"}, "one for four legs. For people there are: arms-wide"),
        ("hexapod", {"style": "trot"}, "no styles for hexapod"),
        ("dog", {"knobs": Knobs(lean=4.0)}, "knob lean changes styles of people only"),
        (
            "horse",
            {"style": "trot", "gait": "pace"},
            "'trot' is 'trot', and the requested gait is 'pace'",
        ),
    ],
)
def test_unsuitable_style_is_refused_with_the_suitable_ones(
    body: str, changes: dict[str, object], says: str
) -> None:
    with pytest.raises(FootfallError, match=says):
        generate(Task(Way([[0, 0], [9, 0]]), SpeedProfile(1.0), character=body, **changes))  # type: ignore[arg-type]


def test_redundant_gait_and_gait_with_the_natural_style_are_accepted() -> None:
    for changes in ({"style": "trot", "gait": "trot"}, {"style": "natural", "gait": "trot"}):
        generate(
            Task(Way([[0, 0], [9, 0]]), SpeedProfile(1.5), character="dog", seconds=0.5, **changes)
        )  # type: ignore[arg-type]


def test_bodies_without_neck_and_tail_follow_the_rest_of_a_style() -> None:
    motion = _motion("anymal", "stalk", seconds=1.5, fps=30.0)
    usual = _motion("anymal", "walk", 0.5, seconds=1.5, fps=30.0)
    assert motion.com[:, 2].mean() < usual.com[:, 2].mean() - 0.05


def test_every_built_in_style_is_described_and_repeats_smoothly() -> None:
    assert list_quadruped_styles()[0] == "natural"
    fine = np.linspace(0, 2, 400)
    for name in list_quadruped_styles():
        style = load_builtin_quadruped_style(name)
        assert style.about
        assert style.sources or style.gait is None
        for curve in ("trunk", "neck", "head", "tail", "tail_swing", "spine"):
            value = np.degrees(style.curve_at(curve, fine))
            np.testing.assert_allclose(value[0], value[-1], atol=1e-9)
            assert np.abs(np.diff(value)).max() < 1.0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("preferred = 'fast'", "must be a number"),
        ("gait = 'walk'", "'preferred'"),
        ("preferred = 0.4\nelbow = 3", "entry 'elbow'"),
        ("preferred = 0.4\ncrouch = 3", "from -0.02 to 0.3"),
        ("preferred = 0.4\nneck = ['a']", "must be degrees"),
        ("preferred = 0.4\nneck = []", "must be degrees"),
        ("preferred = ", "not a style file"),
        ("preferred = 0.4\nsources = 3", "a list"),
        ("preferred = 0.4\ngait = 'trot'\nphases = [0.5, 2, 0]", "three numbers from 0 to 1"),
        ("preferred = 0.4\nphases = [0.5, 0.5, 0]", "no gait"),
    ],
)
def test_invalid_style_file_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "custom.toml").write_text(text)
    with pytest.raises(TaskError, match=says):
        load_quadruped_style(tmp_path / "custom.toml")


def test_user_style_is_named_by_its_path_and_stored_in_a_task(tmp_path: Path) -> None:
    (tmp_path / "low.toml").write_text(
        'preferred = 0.4\ngait = "walk"\ncrouch = 0.18\nneck = [1, -1]\n'
    )
    task = Task(
        Way([[0, 0], [9, 0]]),
        SpeedProfile(0.9),
        character="dog",
        style=str(tmp_path / "low.toml"),
        seconds=1.5,
    )
    save_task(task, tmp_path / "t.toml")
    low = generate(load_task(tmp_path / "t.toml"))
    usual = _motion("dog", "walk", seconds=1.5)
    assert low.com[:, 2].mean() < usual.com[:, 2].mean() - 0.02


def test_speeds_of_built_in_styles_rise_with_the_gaits() -> None:
    speeds = [
        load_builtin_quadruped_style(name).preferred_speed
        for name in ("stalk", "walk", "trot", "canter", "gallop")
    ]
    assert all(a < b for a, b in pairwise(speeds))

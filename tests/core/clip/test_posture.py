"""Upper bodies of clips without a gait: the posture that is held longest, on any legs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.clip import (
    Recipe,
    Recording,
    extract_posture,
    find_posture,
    find_style,
    find_upper_body,
    load_recipe,
    save_style,
)
from footfall.core.clip.style.mixing import UPPER_BODY_ROWS
from footfall.core.clip.style.style import ROWS
from footfall.core.engine import generate
from footfall.core.errors import ClipError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.task import SpeedProfile, Task
from judging import WALK_LIMITS, find_exceeded, judge_motion
from recordings import make_recording

# Angles of arms that hold a box in front of the belly [degrees]
CARRYING = {"arm": 20.0, "arm_out": 4.0, "arm_turn": 25.0, "elbow": 85.0}
NO_GAIT = (
    "cmu_02_04_jump_balance",
    "cmu_131_03_hop",
    "bvhpython_mocapbank",
    "cmu_06_08_sideways_dribble",
)


def _generate_motion(
    style: str, upper: str | None = None, seconds: float = 3.0, **settings: object
) -> Motion:
    speed = load_recipe(Recipe(style, upper_style=upper)).preferred_speed * float(
        np.sqrt(9.81 * 0.93)
    )
    return generate(
        Task(
            make_straight_path(30),
            SpeedProfile(speed),
            style=style,
            upper_style=upper,
            seconds=seconds,
            fps=120,
            **settings,
        )
    )  # type: ignore[arg-type]


def _style_file(folder: Path, **rows: float) -> Path:
    """Write a walk whose arms keep constant angles [degrees] to a file."""
    style = find_style("walk")
    cycles = []
    for cycle in (style.standing, *style.cycles):
        table = cycle.curves.copy()
        for name, angle in rows.items():
            for row in (name, f"{name}.R"):
                table[ROWS.index(row)] = 0
                table[ROWS.index(row), 0] = np.radians(angle)
        cycles.append(replace(cycle, curves=table))
    return save_style(
        replace(style, cycles=tuple(cycles[1:]), custom_standing=cycles[0]), folder / "held.toml"
    )


@pytest.fixture(scope="module")
def carrying(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """Return a clip of a standing person with a box."""
    file = _style_file(tmp_path_factory.mktemp("held"), **CARRYING)
    task = Task(
        make_straight_path(0.05),
        SpeedProfile(0.3),
        style=str(file),
        seconds=2.0,
        fps=30,
        start="standing",
    )
    return make_recording(generate(task))


def test_a_posture_is_read_as_it_is_held(carrying: Recording) -> None:
    posture = extract_posture(carrying)
    assert posture.is_still
    assert posture.summary == "It shows no walk: its upper body is held as it is"
    for name, angle in CARRYING.items():
        np.testing.assert_allclose(np.degrees(posture.angles[name]), angle, atol=7, err_msg=name)
    again = extract_posture(
        replace(carrying, positions=carrying.positions[:1], rotations=carrying.rotations[:1])
    )
    for name, angles in posture.angles.items():  # A single pose is enough.
        np.testing.assert_allclose(again.angles[name], angles, atol=np.radians(4), err_msg=name)


@pytest.mark.parametrize("turn", [0.0, 2.0])
def test_facing_does_not_matter(carrying: Recording, turn: float) -> None:
    about = so3.rotation_about("z", np.array(turn))
    turned = replace(
        carrying, positions=carrying.positions @ about.T, rotations=about @ carrying.rotations
    )
    for name, angles in extract_posture(carrying).angles.items():
        np.testing.assert_allclose(extract_posture(turned).angles[name], angles, atol=1e-6)


def test_arms_may_differ_and_only_the_upper_body_is_taken(carrying: Recording) -> None:
    posture = extract_posture(carrying)
    angles = {name: angle.copy() for name, angle in posture.angles.items()}
    angles["elbow"][1] = np.radians(15)
    upper_style = replace(posture, angles=angles).style
    natural = find_style("natural")
    for a, b in zip(
        (upper_style.standing, *upper_style.cycles),
        (natural.standing, *natural.cycles),
        strict=True,
    ):
        assert np.degrees(a.get_curve("elbow")[0].real - a.get_curve("elbow.R")[0].real) > 60
        legs = [k for k in range(len(ROWS)) if k not in UPPER_BODY_ROWS]
        np.testing.assert_array_equal(a.curves[legs], b.curves[legs])
        assert (a.stride, a.duty, a.rise) == (b.stride, b.duty, b.rise)


def test_what_is_held_the_longest_counts(carrying: Recording, walk: Motion) -> None:
    """The arms hang, hold a box for a while, and hang again."""
    hang = make_recording(walk)
    hang = replace(
        hang,
        positions=hang.positions[:1] + (carrying.positions[:1, :1] - hang.positions[:1, :1]),
        rotations=hang.rotations[:1],
    )
    parts = [(hang, 12), (carrying, 40), (hang, 12)]
    clip = replace(
        carrying,
        positions=np.concatenate([np.repeat(c.positions[:1], n, 0) for c, n in parts]),
        rotations=np.concatenate([np.repeat(c.rotations[:1], n, 0) for c, n in parts]),
    )
    posture = extract_posture(clip)
    assert np.degrees(posture.angles["elbow"]) == pytest.approx([85, 85], abs=8)
    assert not posture.is_still
    assert "is left out" in posture.summary
    assert (posture.begin, posture.end) == pytest.approx((12 / 30, 52 / 30), abs=0.1)


@pytest.mark.parametrize("name", NO_GAIT)
def test_recorded_clips_without_a_gait_give_an_upper_body(shared: Path, name: str) -> None:
    path = shared / f"data/bvh/{name}.bvh"
    held = find_posture(path)
    assert held is not None
    with pytest.raises(ClipError):
        find_style(path)
    cycle = find_upper_body(path).cycle_at(0.4)
    assert not np.abs(cycle.get_curve("arm")[1:]).any()
    assert all(np.isfinite(angle).all() for angle in held.angles.values())
    load_recipe(Recipe("march", upper_style=str(path)))


def test_clips_of_walks_give_an_upper_body_that_moves(shared: Path, tmp_path: Path) -> None:
    path = shared / "data/bvh/cmu_02_01_walk.bvh"
    assert find_posture(path) is None
    assert find_upper_body(path) is find_style(path)
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY")
    with pytest.raises(ClipError, match="no MOTION"):
        find_upper_body(broken)


@pytest.mark.parametrize("style", ["walk", "sneak"])
def test_legs_walk_below_a_held_posture(
    shared: Path, tmp_path: Path, carrying: Recording, style: str
) -> None:
    upper = save_style(extract_posture(carrying).style, tmp_path / "carrying.toml")
    motion = _generate_motion(style, str(upper))
    assert not find_exceeded(judge_motion(shared, tmp_path, motion), WALK_LIMITS)
    chest = so3.quat_to_matrix(motion.link_orientation[:, motion.link_names.index("chest")])
    for side in "LR":
        arm, fore = (
            so3.quat_to_matrix(
                motion.link_orientation[:, motion.link_names.index(f"{part}.{side}")]
            )
            for part in ("upper_arm", "forearm")
        )
        bent = np.degrees(np.arccos(np.clip((arm[..., 2] * fore[..., 2]).sum(-1), -1, 1)))
        assert bent == pytest.approx(85, abs=10)
        seen = np.swapaxes(chest, 1, 2) @ fore[..., 2, None]
        assert (
            np.degrees(
                np.arccos(
                    np.clip(
                        seen[:, :, 0] @ seen.mean(0)[:, 0] / np.linalg.norm(seen.mean(0)), -1, 1
                    )
                )
            ).max()
            < 12
        )

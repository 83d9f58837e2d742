"""Bars overhead: accepted tasks, motions along them, and limits by the independent checker."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.character.character import Character
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.clip.pose.hanging import HangingAngles, measure_arm_length, reach_with_arms
from footfall.core.engine import generate
from footfall.core.engine.centroidal.modes.hanging.handholds import plan_handholds
from footfall.core.engine.shared import character
from footfall.core.errors import CharacterError, TaskError
from footfall.core.motion import Motion, load_motion, save_motion
from footfall.core.plan.forces import build_force_faces
from footfall.core.plan.weights import PlanLimits
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import (
    Jump,
    MonkeyBars,
    Push,
    SpeedProfile,
    SteppingStones,
    Task,
    load_task,
    save_task,
)
from footfall.core.task import Path as Way
from judging import find_exceeded, judge_motion
from selection import mark_exhaustive


def _rungs(count: int = 8, apart: float = 0.38, height: float = 2.4) -> np.ndarray:
    return np.column_stack([apart * np.arange(count), np.zeros(count), np.full(count, height)])


def _task(rungs: np.ndarray, **values: object) -> Task:
    given: dict[str, object] = {
        "speed": SpeedProfile(0.0),
        "start": "standing",
        "seconds": 4.0,
        "fps": 60.0,
    } | values
    return Task(Way([[0, 0], [6, 0]]), monkey_bars=MonkeyBars(rungs), **given)  # type: ignore[arg-type]


def test_task_file_keeps_bars(tmp_path: Path) -> None:
    task = _task(_rungs())
    save_task(task, tmp_path / "task.toml")
    result = load_task(tmp_path / "task.toml").monkey_bars
    assert result is not None
    np.testing.assert_array_equal(result.rungs, _rungs())


@pytest.mark.parametrize(
    ("rungs", "message"),
    [
        ([], "at least two rungs"),
        ([[0, 0, 2.4]], "at least two rungs"),
        ([[0, 0], [0.4, 0]], "at least two rungs"),
        ([[0, 0, 2.4], [0.4, 0, np.nan]], "Rung 2 of the bars"),
        ([[0, 0, 2.4], [0.4, 0, 2.4], [0.42, 0, 2.4]], "Rungs 2 and 3"),
    ],
)
def test_invalid_rungs_are_refused(rungs: list[list[float]], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        MonkeyBars(rungs)


def test_file_with_invalid_bars_is_refused(tmp_path: Path) -> None:
    save_task(replace(_task(_rungs()), monkey_bars=None), tmp_path / "task.toml")
    text = (tmp_path / "task.toml").read_text()
    for bars, message in (("[bars]\nrungs = [[0, 0, 2.4]]", "at least two"), ("bars = 3", "bars")):
        (tmp_path / "task.toml").write_text(
            f"{bars}\n{text}" if bars == "bars = 3" else f"{text}\n{bars}\n"
        )
        with pytest.raises(TaskError, match=message):
            load_task(tmp_path / "task.toml")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"start": "moving"}, "standing"),
        ({"jumps": (Jump(1.0, 0.3),)}, "jumps"),
        ({"pushes": (Push(1.0, (0.0, 100.0, 0.0)),)}, "pushes"),
        ({"stepping_stones": SteppingStones([[1.0, 0.0]])}, "stones"),
    ],
)
def test_fields_that_conflict_with_bars_are_refused(
    values: dict[str, object], message: str
) -> None:
    with pytest.raises(TaskError, match=message):
        _task(_rungs(), **values)


@pytest.mark.parametrize(
    ("rungs", "message"),
    [
        (_rungs(apart=0.9), "Rung 2 is 0.90 m from rung 1; arms of 0.63 m reach 0.63 m"),
        (_rungs(apart=0.12), "Rung 2 is only 0.12 m"),
        (
            _rungs() + [[0, 0, 0.3 * (k > 3)] for k in range(8)],
            "Rung 5 is 0.30 m higher than rung 4",
        ),
        (_rungs(height=2.0), "Rung 1 is 2.00 m above the ground"),
        ([[0, 0, 2.4], [0.4, 0, 2.4], [0.4, 0.4, 2.4]], "turns by 90 degrees at rung 2"),
    ],
)
def test_rungs_out_of_reach_are_named(rungs: np.ndarray, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        generate(_task(np.asarray(rungs, float)))


def _without(arms: str) -> Character:
    whole = load_builtin("humanoid")
    return replace(
        whole,
        limbs=tuple(
            replace(limb, hand=None) if limb.name in arms else limb for limb in whole.limbs
        ),
    )


def test_a_body_without_two_hands_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for arms in ("arm.L", "arm.L arm.R"):
        monkeypatch.setattr(character, "load_character", lambda name, arms=arms: _without(arms))
        with pytest.raises(CharacterError, match="a left and a right arm with hands"):
            generate(_task(_rungs()))


def test_impossible_speed_is_reported() -> None:
    task = _task(_rungs(), speed=SpeedProfile(0.05))
    result = plan_handholds(task, MonkeyBars(_rungs()), load_builtin("humanoid"), 0.63, 1.03, 10.0)
    assert "0.05 were requested" in result.notes[0]
    assert not plan_handholds(
        replace(task, speed=SpeedProfile(0.5)),
        MonkeyBars(_rungs()),
        load_builtin("humanoid"),
        0.63,
        1.03,
        10.0,
    ).notes


def test_hands_alternate_and_one_always_holds() -> None:
    result = plan_handholds(
        _task(_rungs()), MonkeyBars(_rungs()), load_builtin("humanoid"), 0.63, 1.03, 10.0
    )
    assert [g.leg for g in result.grips] == [2, 3] * 4
    assert (result.overlaps[:, 1] > result.overlaps[:, 0]).all()
    assert (np.diff(result.overlaps.ravel()) > 0).all()


def test_arms_reach_the_positions_of_hands() -> None:
    model = KinematicModel(load_builtin("humanoid"))
    rng = np.random.default_rng(3)
    n = 40
    pose = HangingAngles(
        np.tile(np.eye(3), (n, 1, 1)),
        rng.uniform(-0.5, 0.5, n),
        rng.uniform(-0.2, 0.2, n),
        rng.uniform(-0.2, 0.6, (n, 2)),
        rng.uniform(0.1, 1.0, (n, 2)),
    ).compute_poses(model)
    placed = model.compute_link_poses(pose)
    shoulder = placed.origin[:, [arm.links[0] for arm in model.character.grasping_arms]]
    positions = rng.normal(size=(n, 2, 3)) * [0.3, 0.2, 0.1] + [0.0, 0.0, 1.0]
    away = (
        rng.uniform(0.3, 0.99, (n, 2, 1))
        * measure_arm_length(model)
        * positions
        / np.linalg.norm(positions, axis=2, keepdims=True)
    )
    reached = model.compute_centroidal_dynamics(
        reach_with_arms(model, pose, shoulder + away)
    ).hand_grip
    np.testing.assert_allclose(reached, shoulder + away, atol=1e-9)


def test_the_jacobian_of_a_hand_is_its_derivative() -> None:
    model = KinematicModel(load_builtin("humanoid"))
    rng = np.random.default_rng(5)
    step = 1e-6
    pose = model.integrate(model.neutral[None], 0.5 * rng.normal(size=(1, model.nv)))
    every = step * np.eye(model.nv)
    ahead, back = (
        model.compute_centroidal_dynamics(
            model.integrate(np.tile(pose, (model.nv, 1)), sign * every)
        ).hand_grip
        for sign in (1, -1)
    )
    result = np.moveaxis((ahead - back) / (2 * step), 0, -1)
    np.testing.assert_allclose(
        model.compute_centroidal_dynamics(pose).hand_jacobian[0], result, atol=1e-8
    )


def test_a_grip_is_pulled_and_a_sole_is_pushed() -> None:
    limits = PlanLimits(friction=0.6)
    faces = build_force_faces(np.tile(np.eye(3), (2, 1, 1)), np.array([False, True]), limits)

    def inside(force: list[float]) -> list[bool]:
        return list((faces.normals @ np.array(force) <= faces.bounds + 1e-12).all(1))

    assert inside([0, 0, 0]) == inside([0.1, 0, 1]) == [True, True]
    assert inside([0.7, 0, 1]) == [False, True]  # beyond friction, but possible for a grip
    assert inside([0, 0, 3.5]) == [True, False]  # the limit of a leg is higher than that of a hand
    assert inside([0, 0, -0.1]) == [False, False]


@pytest.fixture(scope="module")
def swung() -> Motion:
    return generate(_task(_rungs(7), seconds=7.0))


def test_hands_hold_rung_after_rung(swung: Motion) -> None:
    hands = [k for k, name in enumerate(swung.contact_names) if name.endswith("/grip")]
    active = swung.contact_active[:, hands]
    place = swung.contact_position[:, hands]
    assert active.any(1).all()
    assert not swung.contact_active[:, : hands[0]].any()  # feet stay off the ground
    held = {
        (round(float(x), 2), hand)
        for k in range(swung.frames)
        for hand in range(2)
        if active[k, hand]
        for x in place[k, hand, :1]
    }
    assert held == {(round(0.38 * k, 2), k % 2) for k in range(7)}
    assert np.abs(place[..., 2][active] - 2.4).max() < 1e-3
    assert (swung.contact_force[~swung.contact_active] == 0).all()


def test_body_comes_to_rest_at_the_last_rungs(swung: Motion) -> None:
    speed = np.linalg.norm(swung.com[-1] - swung.com[-4]) * swung.fps / 3
    assert abs(swung.com[-1, 0] - 5.5 * 0.38) < 0.08
    assert speed < 0.15


def test_supporting_arm_is_nearly_straight(swung: Motion) -> None:
    hands = [k for k, name in enumerate(swung.contact_names) if name.endswith("/grip")]
    for hand, arm in zip(hands, ("L", "R"), strict=True):
        alone = swung.contact_active[:, hand] & (swung.contact_active[:, hands].sum(1) == 1)
        shoulder = swung.link_origin[:, swung.link_names.index(f"upper_arm.{arm}")]
        reach = np.linalg.norm(swung.contact_position[:, hand] - shoulder, axis=1)
        assert np.median(reach[alone]) > 0.94 * 0.63


def test_a_motion_file_keeps_grips_and_rungs(swung: Motion, tmp_path: Path) -> None:
    result = load_motion(save_motion(swung, tmp_path))
    assert (
        [f.grip for f in result.footsteps]
        == [f.grip for f in swung.footsteps]
        == [True] * len(swung.footsteps)
    )
    np.testing.assert_array_equal(result.rungs, swung.rungs)
    np.testing.assert_allclose(result.rungs.mean(1), _rungs(7), atol=1e-12)


BARS = {
    "drift_max_m": 0.002,
    "penetration_max_m": 0.005,
    "momentum_residual_bw": 0.03,
    "angular_residual": 0.03,
    "relaxed_share": 0.01,
    "pop_max_deg_per_frame2": 8.0,
    "off_terrain_contacts": 0,
}


def _judged(motion: Motion, judge_folder: Path | None, folder: Path) -> dict[str, float]:
    return find_exceeded(judge_motion(judge_folder, folder, motion), BARS)


def test_scenario_is_within_the_limits(judge_folder: Path | None, tmp_path: Path) -> None:
    assert not _judged(
        generate(SCENARIOS["humanoid-monkeybars"].build_task(fps=120, seconds=6)),
        judge_folder,
        tmp_path,
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", mark_exhaustive(range(1, 5), lambda seed: seed == 1))
def test_every_seed_is_within_the_limits(
    judge_folder: Path | None, tmp_path: Path, seed: int
) -> None:
    assert not _judged(
        generate(SCENARIOS["humanoid-monkeybars"].build_task(fps=120, seconds=10, seed=seed)),
        judge_folder,
        tmp_path,
    )


@pytest.mark.parametrize("variant", ["climb", "descend", "curve", "moon"])
def test_other_bars_are_within_the_limits(
    judge_folder: Path | None, tmp_path: Path, variant: str
) -> None:
    rungs = _rungs(10)
    along = 0.19 * np.arange(10)
    values: dict[str, object] = {"fps": 120.0}
    if variant == "climb":
        rungs[:, 2] += 0.05 * np.arange(10)
    elif variant == "descend":
        rungs[:, 2] += 0.05 * np.arange(10)[::-1]
    elif variant == "curve":
        rungs[:, :2] = np.column_stack([2 * np.sin(along), 2 * (1 - np.cos(along))])
    else:
        values |= {"gravity": 1.62, "seconds": 8.0, "fps": 60.0}
    assert not _judged(generate(_task(rungs, **values)), judge_folder, tmp_path)


def test_clip_of_few_frames_has_the_momentum_of_limbs() -> None:
    motion = generate(_task(_rungs(), seconds=0.3, fps=12.0))
    assert motion.frames == 5
    assert motion.report.notes == ()

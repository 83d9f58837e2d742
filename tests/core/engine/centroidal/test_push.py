"""Pushes: their effect on the body, the recovery, and when the body falls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.shared.scaling import Scale
from footfall.core.errors import TaskError
from footfall.core.geometry import so3
from footfall.core.motion import Motion, load_motion, save_motion
from footfall.core.plan.external import ExternalForce
from footfall.core.task import Path as Way
from footfall.core.task import Push, SpeedProfile, Task, load_task, save_task
from judging import find_exceeded, judge_motion

WALK = Task(Way([[0, 0], [30, 0]]), SpeedProfile(1.15), seconds=6, fps=60)


def _pushed(*pushes: Push) -> Motion:
    return generate(replace(WALK, pushes=pushes))


def test_force_and_its_integrals_agree() -> None:
    push = ExternalForce(0.3, 0.5, np.array([0.2, -0.4, 0.1]), lambda t: np.zeros((len(t), 3)))
    times = np.linspace(0.1, 0.8, 7001)
    integrals = push.integrate_force(times, 0.1)
    dt = times[1] - times[0]
    summed = np.cumsum(push.force_at(times), axis=0) * dt
    np.testing.assert_allclose(integrals.integral, summed, atol=2e-4)
    np.testing.assert_allclose(integrals.double_integral, np.cumsum(summed, axis=0) * dt, atol=2e-4)
    assert np.abs(push.force_at(times)).max() == pytest.approx(0.4, rel=1e-6)


def test_push_has_hardly_any_effect_before_its_time() -> None:
    calm = generate(WALK)
    hit = _pushed(Push(2.0, (0, 300, 0)))
    times = np.arange(calm.frames) / calm.fps
    off = np.abs(hit.planned_com - calm.planned_com).max(1)
    assert off[times < 1.4].max() < 2e-3
    # The second pass uses the limbs' momentum of the first, whose poses are smoothed:
    # a small part of the effect comes before the push.
    assert off[times < 2.0].max() < 0.02
    assert off[times > 2.3].max() > 0.1


@pytest.mark.parametrize(
    "force", [(0, 300, 0), (0, -300, 0), (400, 0, 0), (-200, 0, 0), (0, 0, -800)]
)
def test_recovers_and_walks_on(force: tuple[float, float, float]) -> None:
    hit = generate(replace(WALK, seconds=9, pushes=(Push(2.0, force),)))
    times = np.arange(hit.frames) / hit.fps
    impulse = hit.push_force.sum(0) / hit.fps
    np.testing.assert_allclose(
        impulse, 0.875 * 0.2 * np.array(force), atol=0.02 * np.abs(force).max()
    )
    velocity = np.gradient(hit.com, 1 / hit.fps, axis=0)
    given = impulse / hit.link_mass.sum()
    during = velocity[np.argmin(np.abs(times - 2.2))] - velocity[np.argmin(np.abs(times - 2.0))]
    horizontal = np.linalg.norm(given[:2])
    if horizontal > 0:
        assert during[:2] @ given[:2] / horizontal > 0.5 * horizontal, "the push must be felt"
    off = np.hypot(velocity[:, 0] - 1.15, velocity[:, 1])
    assert off[times > 4].max() < 0.7, (
        "and be over after a few steps, except for the return to the path"
    )
    assert np.abs(velocity[times > 8, 1]).max() < 0.28
    assert np.abs(hit.com[times > 8, 1]).max() < 0.15, "and the body be back on it"
    assert not [note for note in hit.report.notes if "falls" in note]


@pytest.mark.parametrize(("size", "angle"), [(300, 90), (400, 90), (300, 135), (400, 0)])
def test_a_strong_push_is_caught_by_quick_steps(size: float, angle: float) -> None:
    turn = np.radians(angle)
    hit = _pushed(Push(1.5, (size * np.cos(turn), size * np.sin(turn), 0)))
    assert not [note for note in hit.report.notes if "falls" in note]
    assert np.linalg.norm(hit.com - hit.planned_com, axis=1).max() < 0.01
    strikes = np.array([f.strike for f in hit.footsteps])
    assert np.diff(strikes[(strikes > 1.6) & (strikes < 3)]).min() < 0.42, (
        "people walk at 0.54 s a step"
    )


def test_push_towards_the_stance_foot_is_followed_by_two_side_steps() -> None:
    hit = _pushed(Push(1.65, (0, 300, 0)))
    before, near, out = [f for f in hit.footsteps if f.strike > 1.45][:3]
    assert (before.leg, near.leg, out.leg) == (0, 1, 0), (
        "the left foot carries the body as it is pushed to the left"
    )
    assert near.strike < 1.65 + 0.35
    assert before.position[1] - near.position[1] > -0.06, "feet cross by no more than legs can pass"
    assert out.position[1] - near.position[1] > 0.5


def test_a_push_on_the_head_turns_the_body() -> None:
    low, high = (_pushed(Push(2.0, (0, 150, 0), body_part=at)) for at in ("com", "head"))
    torque = np.cross(high.push_point - high.com, high.push_force)
    assert torque[:, 0].min() < -20
    assert np.abs(np.cross(low.push_point - low.com, low.push_force)).max() < 1e-6


@pytest.mark.parametrize(
    ("moment", "force", "at"),
    [
        ((0, 0, -25), (0, 0, 0), "com"),
        ((0, 60, 0), (0, 0, 0), "head"),
        ((-40, 0, 15), (0, 150, 0), "chest"),
    ],
)
def test_moment_turns_the_body_and_the_checker_confirms_it(
    moment: tuple[float, float, float],
    at: str,
    force: tuple[float, float, float],
    shared: Path,
    tmp_path: Path,
) -> None:
    hit = generate(replace(WALK, fps=120, seconds=5, pushes=(Push(2.0, force, 0.2, at, moment),)))
    given = hit.push_moment.sum(0) / hit.fps
    np.testing.assert_allclose(
        given, 0.875 * 0.2 * np.array(moment), atol=0.01 * np.abs(moment).max()
    )
    figures = judge_motion(shared, tmp_path, hit)
    bars = {
        "drift_max_m": 0.0005,
        "penetration_max_m": 0.003,
        "momentum_residual_bw": 0.007,
        "angular_residual": 0.013,
        "friction_p99": 0.6,
        "relaxed_share": 0,
    }
    assert not find_exceeded(figures, bars)
    again = load_motion(save_motion(hit, tmp_path / "again"))
    assert again.contact_names == hit.contact_names
    for name in (
        "push_force",
        "push_point",
        "push_moment",
        "contact_force",
        "contact_position",
        "contact_active",
    ):
        np.testing.assert_array_equal(getattr(again, name), getattr(hit, name), err_msg=name)
    without = judge_motion(
        shared, tmp_path, replace(hit, push_moment=np.zeros_like(hit.push_moment))
    )
    assert without["angular_residual"] > 1.5 * figures["angular_residual"], (
        "the moment must be in the file"
    )


def test_moment_twists_in_its_direction_and_has_no_effect_before() -> None:
    calm, left, right = (
        generate(replace(WALK, seconds=3.5, pushes=pushes))
        for pushes in (
            (),
            (Push(2.0, (0, 0, 0), moment=(0, 0, 30)),),
            (Push(2.0, (0, 0, 0), moment=(0, 0, -30)),),
        )
    )
    yaw = [
        np.degrees(so3.yaw_from_matrix(so3.quat_to_matrix(m.link_orientation[:, 0])))
        for m in (calm, left, right)
    ]
    times = np.arange(calm.frames) / calm.fps
    assert (yaw[1] - yaw[0])[(times > 2) & (times < 2.6)].max() > 8
    assert (yaw[2] - yaw[0])[(times > 2) & (times < 2.6)].min() < -8
    assert np.abs(yaw[1] - yaw[0])[times < 1.9].max() < 3
    assert np.abs(yaw[1] - yaw[0])[times > 3.2].max() < 6, "and it continues straight"
    assert np.abs(left.push_force).max() == 0


def test_moments_scale_and_files_keep_them(tmp_path: Path) -> None:
    push = Push(1.0, (0, 10, 0), moment=(1, -2, 3))
    scale = Scale(2.0, 3.0)
    small = push.in_units(scale.length, scale.time)
    assert small.moment == pytest.approx(np.array([1, -2, 3]) * 9 / 4)
    motion = replace(generate(replace(WALK, seconds=1)), push_moment=np.full((61, 3), 5.0))
    assert scale.to_task_scale(motion).push_moment == pytest.approx(
        np.full((61, 3), 5.0 * 2 / 9 * 2)
    )
    save_task(replace(WALK, pushes=(push, Push(2.0, (1, 0, 0)))), tmp_path / "task.toml")
    assert load_task(tmp_path / "task.toml").pushes == (push, Push(2.0, (1, 0, 0)))


@pytest.mark.parametrize(
    "push", [Push(2.0, (-1500, 0, 0)), Push(2.0, (0, 0, 0), moment=(0, 0, 250))]
)
def test_push_that_is_too_strong_is_reported_as_a_fall(push: Push) -> None:
    assert any("falls" in note for note in _pushed(push).report.notes)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"force": (0, np.nan, 0)}, "three numbers"),
        ({"force": (0, 1)}, "three numbers"),
        ({"seconds": 0}, "between"),
        ({"body_part": "tail"}, "can act at"),
        ({"moment": (0, np.inf, 0)}, "newton meters"),
        ({"moment": 20}, "newton meters"),
        ({"time": np.inf}, "at inf s"),
    ],
)
def test_messages(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(TaskError, match=says):
        Push(**{"time": 1.0, "force": (0, 1, 0), **wrong})  # type: ignore[arg-type]

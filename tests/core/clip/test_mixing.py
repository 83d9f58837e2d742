"""Mixed styles and replaced upper bodies: their curves, their motions, and the bars they keep."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from footfall.core.cli import main
from footfall.core.clip import Knobs, Recipe, StyleShare, load_builtin_style, load_recipe
from footfall.core.clip.style.mixing import UPPER_BODY_ROWS, mix_styles, replace_upper_body
from footfall.core.clip.style.style import ROWS, Cycle, Style
from footfall.core.engine import generate
from footfall.core.errors import TaskError
from footfall.core.geometry.so3 import quat_to_matrix
from footfall.core.motion import Motion, load_motion
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.task import SpeedProfile, Task, load_task, save_task
from judging import RUN_LIMITS, WALK_LIMITS, find_exceeded, has_flight_phase, judge_motion

# Limits of styles that do not keep the bars, so that they do not get worse.
RELAXED_LIMITS = {
    "march": {"angular_residual": 0.0085, "style_rms_deg": 3.9},
    "catwalk": {"style_rms_deg": 3.3},
}
UNIT_SPEED = np.sqrt(9.81 * 0.93)  # Speed of the built-in humanoid at Froude number 1 [m/s]


def _mean(cycle: Cycle, row: str) -> float:
    return float(np.degrees(cycle.get_curve(row)[0].real))


def _generate_walk(
    style: str, seconds: float = 3.0, fps: float = 120.0, **settings: object
) -> Motion:
    made = load_recipe(Recipe(style, **settings))  # type: ignore[arg-type]
    return generate(
        Task(
            make_straight_path(30),
            SpeedProfile(made.preferred_speed * UNIT_SPEED),
            style=style,
            seconds=seconds,
            fps=fps,
            **settings,
        )
    )  # type: ignore[arg-type]


def test_nothing_mixed_in_changes_nothing_and_all_of_it_all() -> None:
    old = load_builtin_style("old")
    proud = load_builtin_style("proud")
    assert mix_styles(old, ((proud, 0.0),)) is old
    other = mix_styles(old, ((proud, 1.0),))
    assert other.preferred_speed == pytest.approx(proud.preferred_speed)
    for speed in (0.3, 0.4, 0.5):
        mine = other.cycle_at(speed)
        theirs = proud.cycle_at(speed)
        assert mine.rise == pytest.approx(theirs.rise, abs=2e-3)
        np.testing.assert_allclose(mine.curves, theirs.curves, atol=np.radians(0.6))


@pytest.mark.parametrize("share", [0.3, 0.7])
def test_a_share_lies_between(share: float) -> None:
    old = load_builtin_style("old")
    proud = load_builtin_style("proud")
    mixed = mix_styles(old, ((proud, share),))
    for a, b, c in zip(
        *([s.cycle_at(v) for v in (0.25, 0.4)] + [s.standing] for s in (old, proud, mixed)),
        strict=True,
    ):
        for row in ("chest_lean", "head_nod", "elbow", "pelvis_tilt"):
            assert _mean(c, row) == pytest.approx(
                (1 - share) * _mean(a, row) + share * _mean(b, row), abs=0.3
            ), row
        assert c.width == pytest.approx((1 - share) * a.width + share * b.width, abs=0.02)
    assert old.preferred_speed < mixed.preferred_speed < proud.preferred_speed


def test_three_styles_come_to_the_same_in_any_order() -> None:
    tired = (load_builtin_style("tired"), 0.2)
    march = (load_builtin_style("march"), 0.3)
    a, b = (
        mix_styles(load_builtin_style("walk"), others)
        for others in ((tired, march), (march, tired))
    )
    np.testing.assert_allclose(a.cycle_at(0.4).curves, b.cycle_at(0.4).curves, atol=1e-9)


@pytest.mark.parametrize(
    ("style", "other"), [("walk", "sprint"), ("run", "old"), ("natural", "sprint"), ("old", "jog")]
)
def test_gaits_stay_what_they_are(style: str, other: str) -> None:
    """A walk mixed with a run stays a walk and takes the posture of the run; a run stays a run."""
    base = load_builtin_style(style)
    mixed = mix_styles(base, ((load_builtin_style(other), 0.6),))
    assert mixed.change_speed == base.change_speed
    # At lower speeds any gait slows down to standing.
    for speed in np.linspace(base.cycles[0].speed, 1.5, 20):
        assert (mixed.cycle_at(speed).duty > 0.5) == (base.cycle_at(speed).duty > 0.5)
    if style == "walk":
        assert _mean(mixed.cycle_at(0.4), "elbow") > _mean(base.cycle_at(0.4), "elbow") + 15


def test_the_upper_body_is_replaced_and_legs_stay() -> None:
    legs = load_builtin_style("march")
    upper = load_builtin_style("tired")
    combined = replace_upper_body(legs, upper)
    legs_cycle, upper_cycle, out = (s.cycle_at(0.4) for s in (legs, upper, combined))
    mine = [k for k, row in enumerate(ROWS) if k not in UPPER_BODY_ROWS and row != "pelvis_tilt"]
    np.testing.assert_allclose(out.curves[mine], legs_cycle.curves[mine], atol=1e-9)
    rows = [k for k in UPPER_BODY_ROWS if ROWS[k] != "chest_lean"]
    np.testing.assert_allclose(out.curves[rows], upper_cycle.curves[rows], atol=np.radians(0.6))
    # The difference of 22 degrees is limited, since the legs have to balance it.
    assert 8 < _mean(out, "chest_lean") - _mean(legs_cycle, "chest_lean") <= 12.01
    assert (out.stride, out.duty) == (
        pytest.approx(legs_cycle.stride),
        pytest.approx(legs_cycle.duty),
    )


def test_the_upper_body_of_the_same_style_changes_nothing() -> None:
    style = load_builtin_style("limp")
    again = replace_upper_body(style, style)
    for speed in (0.1, 0.25, 0.5, 0.8):
        np.testing.assert_allclose(
            again.cycle_at(speed).curves, style.cycle_at(speed).curves, atol=1e-9
        )
        assert again.cycle_at(speed).rise == pytest.approx(style.cycle_at(speed).rise)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: StyleShare("old", 1.2), "between 0 and 1"),
        (lambda: StyleShare("old", float("nan")), "between 0 and 1"),
        (
            lambda: Recipe("walk", (StyleShare("old", 0.7), StyleShare("proud", 0.6))),
            "1.30 together",
        ),
        (lambda: load_recipe(Recipe("walk", (StyleShare("olden", 0.5),))), "no style 'olden'"),
        (lambda: load_recipe(Recipe("walk", upper_style="unknown")), "no style 'unknown'"),
        (
            lambda: Task(
                make_straight_path(5),
                SpeedProfile(1.0),
                mixed_styles=(StyleShare("old", 0.7), StyleShare("proud", 0.6)),
            ),
            "1.30 together",
        ),
    ],
)
def test_wrong_recipes_are_refused(make: object, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        make()  # type: ignore[operator]


def test_recipes_survive_the_task_file(tmp_path: Path) -> None:
    task = Task(
        make_straight_path(5),
        SpeedProfile(1.0),
        style="old",
        mixed_styles=(StyleShare("proud", 0.3), StyleShare("march", 0.1)),
        upper_style="sneak",
        knobs=Knobs(lean=3),
    )
    save_task(task, tmp_path / "task.toml")
    again = load_task(tmp_path / "task.toml")
    assert again.recipe == task.recipe
    (tmp_path / "bad.toml").write_text(
        (tmp_path / "task.toml").read_text().replace("proud = 0.3", 'proud = "much"')
    )
    with pytest.raises(TaskError, match="share of 'proud'"):
        load_task(tmp_path / "bad.toml")


def test_the_command_line_mixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["run", "humanoid-walk", "--seconds", "1", "--style", "old", "--out", str(tmp_path)]
    assert main([*settings, "--mix", "proud=0.5", "--upper", "march"]) == 0
    mixed = load_motion(tmp_path / "motion.npz")
    assert main(settings) == 0
    assert mixed.com[:, 2].mean() > load_motion(tmp_path / "motion.npz").com[:, 2].mean() + 0.01
    assert main([*settings, "--mix", "proud"]) != 0
    assert "STYLE=SHARE" in capsys.readouterr().err


def test_shares_are_seen_in_the_motion() -> None:
    """Chest and body rise as the proud style is mixed into the old one."""
    motions = [
        _generate_walk(
            "old", 2.0, 30.0, mixed_styles=(StyleShare("proud", share),) if share else ()
        )
        for share in (0.0, 0.4, 0.8)
    ]
    chest = motions[0].link_names.index("chest")
    leans = [quat_to_matrix(m.link_orientation[:, chest])[:, 2, 0].mean() for m in motions]
    # the chest's forward axis points less downward
    assert leans[0] < leans[1] - 0.05 < leans[2] - 0.1
    rise = [m.com[:, 2].mean() for m in motions]
    assert rise[0] < rise[1] < rise[2]


@pytest.mark.parametrize(
    ("style", "settings"),
    [
        ("old", {"mixed_styles": (StyleShare("proud", 0.3),)}),
        ("walk", {"mixed_styles": (StyleShare("sprint", 0.5),)}),
        ("sneak", {"upper_style": "march"}),
        ("jog", {"upper_style": "tired"}),
        ("march", {"upper_style": "sneak"}),
        (
            "catwalk",
            {
                "mixed_styles": (StyleShare("march", 0.3), StyleShare("proud", 0.3)),
                "upper_style": "arms-wide",
            },
        ),
    ],
)
def test_what_is_mixed_keeps_the_bars(
    shared: Path, tmp_path: Path, style: str, settings: dict[str, object]
) -> None:
    motion = _generate_walk(style, **settings)
    bars = (
        (RUN_LIMITS if has_flight_phase(motion) else WALK_LIMITS)
        | {"style_rms_deg": 3.0}
        | RELAXED_LIMITS.get(style, {})
    )
    assert not find_exceeded(judge_motion(shared, tmp_path, motion), bars)


def test_styles_of_clips_are_mixed_as_those_of_the_shelf(shared: Path) -> None:
    clip = str(shared / "data" / "bvh" / "cmu_02_01_walk.bvh")
    mixed = load_recipe(Recipe("walk", (StyleShare(clip, 0.5),)))
    assert isinstance(mixed, Style)
    a = load_builtin_style("walk").cycle_at(0.4)
    b = load_recipe(Recipe(clip)).cycle_at(0.4)
    c = mixed.cycle_at(0.4)
    assert c.toe_out == pytest.approx(0.5 * (a.toe_out + b.toe_out), abs=0.5)

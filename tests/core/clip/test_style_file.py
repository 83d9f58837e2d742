"""Style files: a saved style comes back unchanged, and broken files are refused with a message."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.cli import main
from footfall.core.clip import (
    Cycle,
    Knobs,
    Recipe,
    Style,
    StyleShare,
    find_style,
    list_builtin_styles,
    load_builtin_style,
    load_recipe,
    load_style,
    save_style,
)
from footfall.core.errors import TaskError

MAX_DEGREES = 1e-4


def _list_numbers(cycle: Cycle) -> list[float]:
    return [getattr(cycle, f.name) for f in fields(cycle) if f.name != "curves"]


def _assert_equal(a: Style, b: Style) -> None:
    assert (a.name, a.about, a.sources, a.preferred_speed, a.change_speed) == (
        b.name,
        b.about,
        b.sources,
        b.preferred_speed,
        b.change_speed,
    )
    assert (a.custom_standing is None) == (b.custom_standing is None)
    for one, other in zip((a.standing, *a.cycles), (b.standing, *b.cycles), strict=True):
        assert _list_numbers(one) == _list_numbers(other)
        assert np.degrees(np.abs(one.curves - other.curves)).max() < MAX_DEGREES


@pytest.mark.parametrize("name", list_builtin_styles())
@pytest.mark.parametrize(
    "knobs", [Knobs(), Knobs(lean=7.0, arm_swing=1.4, knee_lift=12.0, cadence=1.1, step_length=0.1)]
)
def test_the_whole_shelf_comes_back(tmp_path: Path, name: str, knobs: Knobs) -> None:
    style = load_recipe(Recipe(name, knobs=knobs))
    _assert_equal(load_style(save_style(style, tmp_path / "a.toml")), style)


def test_a_separate_right_side_and_texts_of_any_kind_come_back(tmp_path: Path) -> None:
    limp = load_builtin_style("limp")
    assert (
        np.abs(limp.cycles[0].get_curve("knee.R") - limp.cycles[0].get_curve("knee")).max() > 0.01
    )
    style = replace(
        limp, name='Größe "7"\\\n\x7f', about="läuft\tso", sources=("a 'b' \"c\"", "\u202e")
    )
    _assert_equal(load_style(save_style(style, tmp_path / "größe.toml")), style)


def test_the_style_of_a_clip_comes_back_from_its_file(tmp_path: Path, shared: Path) -> None:
    style = load_recipe(
        Recipe(
            str(shared / "data" / "bvh" / "cmu_02_03_run.bvh"),
            (StyleShare("proud", 0.3),),
            "march",
            Knobs(bounce=1.2),
        )
    )
    path = save_style(style, tmp_path / "mine.toml")
    _assert_equal(find_style(path), style)
    assert path.stat().st_size < 100_000


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("something else")
    with pytest.raises(TaskError, match="there already"):
        save_style(load_builtin_style("walk"), path)
    assert path.read_text() == "something else"
    with pytest.raises(TaskError, match=r"\.toml"):
        save_style(load_builtin_style("walk"), tmp_path / "a.bvh")
    with pytest.raises(TaskError, match="cannot be written"):
        save_style(load_builtin_style("walk"), tmp_path / "no such" / "a.toml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("stride = ", "stride = -", "a stride is above 0"),
        ("duty = 0", "duty = nan #", "duty .* must be a number"),
        ("thigh = [", "thigh = ['x', ", "must be a number"),
        ("knee = [", "knees = [", "has no knee"),
        ("sway = ", "swaying = 1\nsway = ", "unknown entry 'swaying'"),
        ("preferred = ", "preferred = true #", "must be a number"),
        ("change = ", "change = 9.0 #", "must lie below it"),
        ("[stood]", "[[stood]]", "must be a table"),
        ("[[cycle]]", "[cycle]", "cannot|must be a list|not a style"),
        ("name = ", "name = 7 #", "must be text"),
        ("sources = [", "parts = [7]\nsources = [", "two `parts`"),
        ("sources = [", "base = 'broken'\nsources = [", "made of itself|unknown entry"),
    ],
)
def test_a_broken_file_says_what_is_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = save_style(load_builtin_style("proud"), tmp_path / "whole.toml")
    text = path.read_text(encoding="utf-8")
    assert old in text
    broken = tmp_path / "broken.toml"
    broken.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(TaskError, match=message):
        load_style(broken)


def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """Numbers for the height of the body, which now follows from its legs, are ignored."""
    path = save_style(load_builtin_style("proud"), tmp_path / "whole.toml")
    text = path.read_text(encoding="utf-8")
    (tmp_path / "old.toml").write_text(
        text.replace("sway = ", "crouch = 0.02\nbounce = 0.01\nsway = "), encoding="utf-8"
    )
    (tmp_path / "based.toml").write_text("base = 'whole'\n[set]\ncrouch = 0.02\n", encoding="utf-8")
    for name in ("old", "based"):
        style = load_style(tmp_path / f"{name}.toml")
        np.testing.assert_array_equal(
            style.cycle_at(0.4).curves, load_style(path).cycle_at(0.4).curves
        )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("base = 'loop'", "made of itself"),
        ("base = 'walk'\npreferred = 'x'", "must be a number"),
        ("base = 3", "must be text"),
        ("base = 'walk'\n[set]\nlean = 'x'", "no curve or number 'lean'"),
        ("base = 'walk'\n[set]\nelbow = 'x'", "must be a number"),
        ("base = 'walk'\n[right]\nset = 3", "must be a table"),
        ("x" * 5_000_000, "5 MB"),
        ("", "at least one cycle"),
    ],
)
def test_a_file_on_another_one_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    save_style(load_builtin_style("walk"), tmp_path / "walk.toml")
    path = tmp_path / "loop.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TaskError, match=message):
        load_style(path)


def test_the_command_saves_and_describes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    assert main(["style", "proud", "--save", str(path)]) == 0
    assert "proud: Chest out" in capsys.readouterr().out
    _assert_equal(load_style(path), load_builtin_style("proud"))
    assert main(["style", str(path)]) == 0
    assert main(["style", "proud", "--save", str(path)]) == 2
    assert "there already" in capsys.readouterr().err
    assert main(["style", "proud", "--plot", str(tmp_path / "a.png")]) == 2
    assert main(["style", "unknown"]) == 2

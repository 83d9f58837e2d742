"""Task, style and motion files that were written by 0.1.0 before its packages were renamed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest
from footfall.core.clip import find_style, load_style
from footfall.core.motion import load_motion
from footfall.core.task import load_task, save_task


@pytest.fixture
def earlier(root: Path) -> Path:
    """The folder of files made before."""
    return root / "tests" / "data" / "earlier"


def test_earlier_task_file_loads_and_saves_to_the_same_bytes(earlier: Path, tmp_path: Path) -> None:
    task = load_task(earlier / "task.toml")
    assert task.style == "march"
    assert task.pushes[0].body_part == "chest"
    assert task.pinned_steps[0].side == "L"
    assert task.hurdles[0].height == pytest.approx(0.1)
    assert task.knobs.lean == pytest.approx(5.0)
    save_task(task, tmp_path / "task.toml")
    assert (tmp_path / "task.toml").read_bytes() == (earlier / "task.toml").read_bytes()


def test_earlier_style_file_holds_the_curves_of_its_style(earlier: Path) -> None:
    style = load_style(earlier / "style.toml")
    assert style.name == "before"
    table = tomllib.loads((earlier / "style.toml").read_text(encoding="utf-8"))
    assert table["about"] == "A style saved before the redesign"
    assert type(style) is type(find_style("proud"))


def test_earlier_motion_file_has_all_its_arrays(earlier: Path) -> None:
    motion = load_motion(earlier / "motion" / "motion.npz")
    frames = len(motion.planned_com)
    assert frames == 13
    assert motion.link_position.shape[0] == frames
    assert np.isfinite(motion.link_position).all()
    assert len(motion.footsteps) > 0

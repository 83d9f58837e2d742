"""The examples of docs/extending.md are run as they stand there."""

from __future__ import annotations

import re
import shutil
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import footfall as ff
import numpy as np
import pytest
from footfall.core import engine as engines
from footfall.core.character.from_file.body_file import load_body
from footfall.core.clip.style.shelf import STYLES_FOLDER
from footfall.core.errors import TaskError
from footfall.core.task.record import require_kinds

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


def _read_blocks(section: str, language: str = "python") -> list[str]:
    """Return the code blocks of a section, without their indent."""
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    blocks = re.findall(rf"^( *)```{language}\n(.*?)^ *```", text, re.S | re.M)
    return [textwrap.dedent(block) for _, block in blocks]


def _walk(**fields: Any) -> ff.Task:
    return ff.Task(ff.Path([[0, 0], [3, 0]]), ff.SpeedProfile(1.4), seconds=0.5, **fields)


def test_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = _read_blocks("An engine")
    (tmp_path / "careful").mkdir()
    (tmp_path / "careful" / "__init__.py").touch()
    for module, block in zip(("info", "generate"), blocks, strict=True):
        (tmp_path / "careful" / f"{module}.py").write_text(block)
    monkeypatch.setattr(engines, "__path__", [*engines.__path__, str(tmp_path)])
    from footfall.core.engine.careful.info import INFO  # type: ignore[import-not-found]

    monkeypatch.setitem(engines.ENGINES, INFO.name, INFO)
    motion = ff.generate(_walk(engine="careful"))
    planned = ff.generate(_walk())
    assert motion.report.engine == "careful"
    distances = [float(m.com[-1, 0] - m.com[0, 0]) for m in (motion, planned)]
    assert 0.3 < distances[0] / distances[1] < 0.7
    with pytest.raises(TaskError, match="'careful' cannot do pinned footsteps"):
        ff.generate(_walk(engine="careful", pinned_steps=(ff.PinnedStep("L", 0.3, (0.4, 0.1)),)))


def test_body(tmp_path: Path) -> None:
    dog = ROOT / "core" / "character" / "bodies" / "dog.toml"
    shutil.copy(dog, tmp_path)
    (tmp_path / "puppy.toml").write_text(_read_blocks("A character", "toml")[0])
    puppy = load_body(tmp_path / "puppy.toml")
    assert puppy.mass == 12.0
    ratio = puppy.leg_length / load_body(dog).leg_length
    assert ratio == pytest.approx(np.cbrt(12.0 / load_body(dog).mass))


def test_style(tmp_path: Path) -> None:
    for file in STYLES_FOLDER.glob("*.toml"):
        shutil.copy(file, tmp_path)
    (tmp_path / "cautious.toml").write_text(_read_blocks("A style", "toml")[0])
    motion = ff.generate(_walk(style=str(tmp_path / "cautious.toml")))
    natural = ff.generate(_walk())
    assert not np.allclose(motion.link_orientation, natural.link_orientation, atol=0.02)


def test_control_rig() -> None:
    pytest.importorskip("bpy")
    names: dict[str, Any] = {}
    exec(_read_blocks("A control rig")[0], names)
    assert names["PUPPET"].name == "Puppet"
    assert names["PUPPET"].sides == ("L", "R")


def test_field_of_a_task() -> None:
    part, field = _read_blocks("A field of a task")
    names: dict[str, Any] = {"__name__": __name__, "Task": ff.Task}
    exec(compile(part, "part", "exec", dont_inherit=True), names)
    body = textwrap.indent(field, "    ")
    exec(compile(f"class WindyTask(Task):\n{body}", "field", "exec", dont_inherit=True), names)
    windy_task = require_kinds(dataclass(frozen=True, kw_only=True)(names["WindyTask"]))
    gust = names["Gust"](1.0, 6.0)
    task = windy_task(ff.Path([[0, 0], [3, 0]]), ff.SpeedProfile(1.0), gusts=(gust,))
    assert task.in_units(2.0, 4.0).gusts == (names["Gust"](0.25, 12.0),)
    assert task.shifted(2.0).gusts == (names["Gust"](3.0, 6.0),)
    assert windy_task.from_table(task.to_table()).gusts == task.gusts
    with pytest.raises(TaskError, match="unknown entry 'force'"):
        windy_task.from_table({**task.to_table(), "gust": [{"force": 1.0}]})


def test_scenario() -> None:
    names: dict[str, Any] = {}
    exec(_read_blocks("A scenario")[0], names)
    motion = ff.generate(names["STROLL"].build_task(fps=30, seconds=0.5))
    assert motion.frames == 16

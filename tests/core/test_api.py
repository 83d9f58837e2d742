"""The interface for scripts: its names, its examples, and an import that loads nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import footfall
import pytest


def _list_examples() -> list[str]:
    page = Path(__file__).resolve().parents[2] / "docs" / "api.md"
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("name", footfall.__all__)
def test_public_name_is_imported_and_documented(root: Path, name: str) -> None:
    assert getattr(footfall, name) is not None
    assert f"`{name}`" in (root / "docs" / "api.md").read_text(encoding="utf-8")


def test_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = footfall.nothing
    assert "generate" in dir(footfall)


@pytest.mark.parametrize("number", range(len(_list_examples())))
def test_example_runs(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(_list_examples()[number], f"example {number}", "exec"), names)
    motions = [value for value in names.values() if isinstance(value, footfall.Motion)]
    for motion in motions:
        assert motion.frames > 10
        measures = footfall.measure(motion)
        assert measures.penetration_m < 0.005
        assert measures.drift_m < 0.002
    assert motions


def test_import_loads_neither_numpy_nor_core() -> None:
    code = (
        "import sys, footfall; "
        "print([n for n in sys.modules if n == 'numpy' or n.startswith('footfall.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

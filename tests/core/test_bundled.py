"""What the extension bundles: exact versions, of all that the core needs, as the tests run with."""

from __future__ import annotations

import re
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement


@pytest.fixture
def extension(root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script that builds the extension."""
    monkeypatch.syspath_prepend(str(root / "scripts"))
    import extension  # type: ignore[import-not-found]

    return extension


def _read_dependencies(root: Path) -> dict[str, Requirement]:
    """Dependencies of the core by name, without numpy, which Blender has."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"^dependencies = \[(.*?)\]", text, re.MULTILINE | re.DOTALL)
    assert listed
    requirements = [Requirement(entry) for entry in re.findall(r'"([^"]+)"', listed[1])]
    return {r.name: r for r in requirements if r.name != "numpy"}


def test_each_dependency_has_an_exact_version(root: Path, extension: ModuleType) -> None:
    dependencies = _read_dependencies(root)
    for python in extension.PYTHONS:
        pins = extension.read_pins(python)
        assert set(pins) == set(dependencies), python
        for name, pinned in pins.items():
            assert re.fullmatch(r"\d+(\.\d+)+", pinned), f"{name} {pinned} for {python}"
            assert dependencies[name].specifier.contains(pinned), f"{name} {pinned} for {python}"


def test_tests_run_with_the_bundled_versions(extension: ModuleType) -> None:
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if python not in extension.PYTHONS:
        pytest.skip("the extension is not built for this Python")
    pins = extension.read_pins(python)
    assert {name: version(name) for name in pins} == pins


def test_wheels_that_are_not_pinned_are_refused(extension: ModuleType) -> None:
    good = []
    for python in extension.PYTHONS:
        for name, pinned in extension.read_pins(python).items():
            file = f"{name.replace('-', '_')}-{pinned}"
            tag = f"cp{python.replace('.', '')}"
            is_pure = name in ("cma", "tomli-w")
            good.append(f"{file}-py3-none-any.whl" if is_pure else f"{file}-{tag}-{tag}-x.whl")
    good = sorted(set(good))
    assert extension.find_wrong_wheels(good) == []
    newer = ["scipy-9.0.0-cp313-cp313-x.whl" if "scipy" in x and "cp313" in x else x for x in good]
    wrong = extension.find_wrong_wheels(newer)
    assert len(wrong) == 2
    assert "scipy-9.0.0" in wrong[0]
    assert "is missing" in wrong[1]
    assert "daqp" in extension.find_wrong_wheels([x for x in good if "daqp" not in x])[0]


def test_built_extensions_hold_the_pinned_wheels(root: Path, extension: ModuleType) -> None:
    built = sorted((root / "dist").glob("footfall-*.zip"), key=lambda p: p.stat().st_mtime)
    if not built:
        pytest.skip("no extension has been built here; `make extension` checks its wheels itself")
    names = [Path(name).name for name in zipfile.ZipFile(built[-1]).namelist()]
    assert extension.find_wrong_wheels([n for n in names if n.endswith(".whl")]) == []

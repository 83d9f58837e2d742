"""The house rules that a machine can check."""

from __future__ import annotations

import ast
import graphlib
import tomllib
from pathlib import Path

import pytest
from prose import check_file

SHIPPED = ("core", "addon", "operators", "panels")
FLOORS = (
    "scripting",
    "cli",
    "bench",
    "worker",
    "scenarios",
    "engine",
    "sketch",
    "plan",
    "fullbody",
    "slip",
    "simulate",
    "task",
    "clip",
    "character",
    "terrain",
    "motion",
    "geometry",
    "files",
    "quadratic_programs",
    "errors",
)


def _modules(root: Path, *folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]


def _imports(path: Path) -> list[tuple[int, str]]:
    """Return level and name of every module that a file imports."""
    out = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            out += [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            out += (
                [(node.level, node.module)]
                if node.module
                else [(node.level, alias.name) for alias in node.names]
            )
    return out


def test_core_does_not_import_blender(root: Path) -> None:
    for path in _modules(root, "core"):
        packages = {name.split(".")[0] for level, name in _imports(path) if level == 0}
        assert not packages & {"bpy", "mathutils", "gpu", "bmesh"}, path


def test_shipped_code_imports_itself_relatively(root: Path) -> None:
    for path in [*_modules(root, *SHIPPED), root / "__init__.py"]:
        assert "footfall" not in {
            name.split(".")[0] for level, name in _imports(path) if level == 0
        }, path


def test_core_imports_only_point_down(root: Path) -> None:
    core = root / "core"
    for path in _modules(root, "core"):
        inside = path.relative_to(core)
        floor = inside.parts[0].removesuffix(".py")
        for level, name in _imports(path):
            if level == 0 or floor == "__init__":
                continue
            base = [*inside.parent.parts][: len(inside.parent.parts) - (level - 1)]
            target = [*base, *name.split(".")][0]
            assert FLOORS.index(target) >= FLOORS.index(floor), (
                f"{inside} imports {name}, which is above it"
            )


def _name(root: Path, path: Path) -> str:
    return (
        ".".join(path.relative_to(root).with_suffix("").parts)
        .removesuffix("__init__")
        .removesuffix(".")
    )


def _imported_modules(root: Path, path: Path, modules: set[str]) -> set[str]:
    """Return our modules that a file imports: at its top, in functions or for type checking."""
    package = _name(root, path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    out = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            base = [*base, *node.module.split(".")] if node.module else base
            for alias in node.names:
                inner = ".".join([*base, alias.name])
                out.add(inner if inner in modules else ".".join(base))
    return out & modules


def test_imports_form_no_cycle(root: Path) -> None:
    paths = {
        _name(root, path): path for path in [root / "registration.py", *_modules(root, *SHIPPED)]
    }
    graph = {
        name: _imported_modules(root, path, set(paths)) - {name} for name, path in paths.items()
    }
    assert len(list(graphlib.TopologicalSorter(graph).static_order())) == len(graph)


def test_private_names_stay_in_their_modules(root: Path) -> None:
    for path in _modules(root, *SHIPPED):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                names = [alias.name for alias in node.names if alias.name.startswith("_")]
                assert not names, f"{path} imports {names}"


def test_package_list_is_complete(root: Path) -> None:
    listed = set(
        tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    )
    files = [
        *_modules(root, *SHIPPED),
        *(root / "core").rglob("*.toml"),
        *(root / "presets").rglob("*.json"),
    ]
    there = {"footfall"} | {
        ".".join(["footfall", *path.parent.relative_to(root).parts]) for path in files
    }
    assert listed == there


def test_manifest_and_project_agree(root: Path) -> None:
    manifest = tomllib.loads((root / "blender_manifest.toml").read_text())
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert manifest["version"] == project["version"]
    assert manifest["id"] == project["name"] == "footfall"
    assert len(manifest["tagline"]) <= 64
    assert not manifest["tagline"].endswith(".")
    assert all(len(reason) <= 64 for reason in manifest["permissions"].values())


@pytest.mark.parametrize("folder", SHIPPED)
def test_files_are_short(root: Path, folder: str) -> None:
    for path in _modules(root, folder):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, (
            f"{path.name} is longer than 400 lines; split it"
        )


# Findings that stay, by file and text, with the reason.
ALLOWED_FINDINGS = {
    ("core/motion/report_file.py", "eased"): "a key of report files",
    ("core/engine/centroidal/generate.py", "carried"): "carried out, of a plan",
    ("core/engine/centroidal/modes/stride_sketch.py", "sketch_strides"): "one table of steps",
    ("core/engine/preview/feet/swing.py", "make_target"): "one constructor call",
    ("core/slip/rollout.py", "_integrate_phases"): "one loop over the phases",
    ("core/errors.py", "carried"): "carried out, of a plan",
    ("addon/bake/history.py", "own"): "a custom property of .blend files",
    ("addon/bake/properties.py", "own"): "a property of .blend files",
    ("addon/footsteps/edits.py", "gone"): "a part of a digest in .blend files",
    ("addon/rigs/part_list.py", "told"): "a property of .blend files",
    ("addon/rigs/part_list.py", "found"): "a property of .blend files",
    ("addon/scene/style_summary.py", "told"): "a property of .blend files",
    ("addon/settings/character.py", "found"): "a property of .blend files",
    ("addon/settings/character.py", "told"): "a property of .blend files",
    ("addon/settings/copy.py", "told"): "a property of .blend files",
    ("addon/settings/style.py", "told"): "a property of .blend files",
    ("addon/settings/style.py", "own"): "a label that users know",
    ("operators/character_settings.py", "own"): "a label that users know",
    ("panels/style.py", "own"): "a label that users know",
    ("operators/mapping.py", "ask"): "a dialog asks",
    ("operators/style.py", "ask"): "a dialog asks",
    ("panels/markers.py", "draw_item"): "the signature is Blender's",
}


@pytest.mark.parametrize("folder", SHIPPED)
def test_code_speaks_plain_english_in_short_functions(root: Path, folder: str) -> None:
    findings = [finding for path in _modules(root, folder) for finding in check_file(path)]
    unexpected = [
        str(finding)
        for finding in findings
        if not any(
            finding.path == root / file and word in finding.text.lower()
            for file, word in ALLOWED_FINDINGS
        )
    ]
    assert not unexpected, "\n".join(unexpected)


# Files whose subject is the words, and texts that stay, by file and text.
WORD_LISTS = ("tests/support/prose.py", "tests/core/test_house.py")
ALLOWED_IN_TESTS = {
    ("tests/blender/operators/test_whose.py", "goes"): "a text that is wrapped",
    ("tests/blender/settings/test_saved_styles.py", "own"): "a message of an operator",
}


@pytest.mark.parametrize("folder", ["tests", "demo", "scripts"])
def test_tests_and_scripts_use_plain_english(root: Path, folder: str) -> None:
    """Sizes of functions are not limited here: a test may be long, and a script may be one list."""
    unexpected = [
        str(finding)
        for path in _modules(root, folder)
        if path.relative_to(root).as_posix() not in WORD_LISTS
        for finding in check_file(path)
        if finding.kind in ("words", "name", "comment", "unit first")
        and not any(
            path == root / file and word in finding.text.lower() for file, word in ALLOWED_IN_TESTS
        )
    ]
    assert not unexpected, "\n".join(unexpected)

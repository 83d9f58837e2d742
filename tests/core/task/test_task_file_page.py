"""The pages on task files list exactly their entries, and the example is a task."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING
from pathlib import Path as FilePath

import pytest
from footfall.core.character.recognition.skeleton import Skeleton
from footfall.core.engine.preview.info import INFO as PREVIEW
from footfall.core.task import (
    ForbiddenArea,
    Hurdle,
    Jump,
    KeyPose,
    PathFacing,
    PinnedStep,
    Projectile,
    Push,
    StandingPose,
    Task,
)
from footfall.core.task.field_kinds import Flag, Number, Text, UnitsOfNumbers
from footfall.core.task.file import task_from_data
from footfall.core.task.ground_entry import DEFAULT_HILL_SIZES, GROUND_KEYS
from footfall.core.task.part import TaskPart
from footfall.core.task.record import kind_of, list_fields
from footfall.core.task.skeleton_entry import read_character, skeleton_to_table

DOCS = FilePath(__file__).resolve().parents[3] / "docs"
PAGE = DOCS / "task-file.md"
PARTS_PAGE = DOCS / "task-file-parts.md"
TURN = (1.0, 0.0, 0.0, 0.0)
# Parts with a value for every entry, by their section of the page.
PARTS: dict[str, TaskPart] = {
    "Facing": PathFacing([0.0, 90.0], [0.0, 1.0]),
    "Pushes": Push(1.0, (0, 100, 0), moment=(0, 0, 10)),
    "Projectiles": Projectile(1.0, launch_position=(5, 0, 1)),
    "Pinned footsteps": PinnedStep(
        "L", 1.0, (0, 0), heading=0.0, contact_times=(0, 1, 2, 3), follows_previous=True
    ),
    "Forbidden ground": ForbiddenArea(((0, 0),), 1.0),
    "Hurdles": Hurdle((0, 0), (1, 0)),
    "Jumps": Jump(1.0, 0.3),
}


def _read_rows(section: str) -> Iterator[list[str]]:
    """Yield the cells of the rows of a section's tables, without head and rule."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (PAGE, PARTS_PAGE))
    text = pages.split(f"\n## {section}\n")[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    yield from rows[2:]


def _list_entries(section: str, column: int = 0) -> list[str]:
    return [entry for row in _read_rows(section) for entry in re.findall(r"`(\w+)`", row[column])]


def test_every_entry_is_listed_in_order() -> None:
    kinds = [kind_of(f) for f in list_fields(Task)]
    expected = [kind.key for kind in kinds if not isinstance(kind, UnitsOfNumbers)]
    assert _list_entries("Entries") == expected


def test_types_ranges_and_defaults_are_those_of_the_fields() -> None:
    rows = {row[0].strip("`† "): row for row in _read_rows("Entries")}
    for field in list_fields(Task):
        kind = kind_of(field)
        if isinstance(kind, UnitsOfNumbers):
            continue
        _, entry_type, _, allowed, default, _ = rows[kind.key]
        if isinstance(kind, Flag):
            assert (entry_type, default) == ("boolean", str(field.default).lower())
        elif isinstance(kind, Number):
            assert entry_type == ("integer" if kind.number_type is int else "number")
            assert default == ("none" if field.default is None else f"{field.default:g}")
            for bound in (kind.minimum, kind.maximum):
                assert abs(bound) == float("inf") or f"{bound:g}" in allowed, kind.key
        elif isinstance(kind, Text):
            assert entry_type == "text"
            assert default == ("none" if field.default is None else f'`"{field.default}"`')
            for choice in kind.choices or ():
                assert f"`{choice}`" in allowed
        is_required = field.default is MISSING and field.default_factory is MISSING
        assert (default == "required") == is_required, kind.key


def test_marked_entries_are_those_that_the_simulated_engine_refuses() -> None:
    marked = {row[0].split("`")[1] for row in _read_rows("Entries") if "†" in row[0]}
    refused = {
        kind_of(f).key
        for f in list_fields(Task)
        if kind_of(f).feature is not None and f.name not in PREVIEW.features
    }
    assert marked == refused - {"gait"}


@pytest.mark.parametrize("section", PARTS)
def test_entries_of_a_part_are_listed(section: str) -> None:
    table = PARTS[section].to_table()
    assert table is not None
    assert sorted(_list_entries(section)) == sorted(table)


def test_entries_of_poses_ground_and_skeleton_are_listed() -> None:
    poses = (StandingPose((0, 0, 1), {"head": TURN}), KeyPose(1.0, {"head": TURN}))
    assert set(_list_entries("Poses", 1)) == {key for pose in poses for key in pose.to_table()}
    grounds = {
        row[0].strip("`"): set(re.findall(r"`([a-z_]+)`", row[1])) for row in _read_rows("Terrain")
    }
    assert grounds == {kind: set(keys) for kind, keys in GROUND_KEYS.items()}
    hills = next(row[1] for row in _read_rows("Terrain") if row[0] == "`hills`")
    for key, default in DEFAULT_HILL_SIZES.items():
        assert f"`{key}` ({default:g}" in hills
    skeleton = Skeleton(
        ("a",),
        (-1,),
        [[0, 0, 0]],
        [[0, 0, 1]],
        [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]],
        deform_bones=frozenset({"a"}),
        parts={"pelvis": "a"},
        separate_bones=frozenset({"a"}),
    )
    table = skeleton_to_table(skeleton)
    assert _list_entries("Character") == list(table)
    again = read_character(table)
    assert isinstance(again, Skeleton)
    for name in ("deform_bones", "parts", "separate_bones"):
        assert getattr(again, name) == getattr(skeleton, name)


def test_the_example_is_a_task() -> None:
    example = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)[0]
    task = task_from_data(tomllib.loads(example))
    assert task.knobs.lean == 5.0
    assert len(task.pushes) == 1

"""Task files with entries missing, added or replaced: each is read, or refused with a message."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w
from footfall.core.errors import FootfallError
from footfall.core.task import load_task

MALFORMED: tuple[Any, ...] = (
    10**400,
    2**63,
    -1,
    0,
    1e308,
    1e-320,
    float("nan"),
    float("inf"),
    True,
    "",
    "x\0y",
    "../../etc/passwd",
    "a" * 3000,
    [],
    [[]],
    [[1, 2], [3]],
    [1, 2, 3],
    ["x"],
    [float("nan")] * 3,
    {},
    {"a": 1},
)
EXTRAS = {
    "upper": "proud",
    "mixed": {"march": 0.2},
    "look": {"places": [[1, 2, 1.5]], "times": [0.0]},
    "struck": [{"time": 1.0, "turns": {"head": [1, 0, 0, 0]}}],
    "stones": {"places": [[1.0, 0.0], [1.5, 0.1]]},
}


def list_places(table: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the keys that lead to every entry of nested tables and lists."""
    entries = table.items() if isinstance(table, dict) else enumerate(table)
    places = []
    for key, value in entries:
        places.append((*above, key))
        if isinstance(value, dict | list):
            places += list_places(value, (*above, key))
    return places


def damage(table: dict[str, Any], random: np.random.Generator) -> None:
    """Remove an entry, add an unknown one, or replace one."""
    places = list_places(table)
    *above, last = places[random.integers(len(places))]
    owner: Any = table
    for key in above:
        owner = owner[key]
    kind = random.random()
    if kind < 0.15:
        del owner[last]
    elif kind < 0.25 and isinstance(owner, dict):
        owner["bogus"] = 1
    else:
        owner[last] = copy.deepcopy(MALFORMED[random.integers(len(MALFORMED))])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.filterwarnings("ignore:overflow")
def test_malformed_task_is_read_or_refused(root: Path, tmp_path: Path, seed: int) -> None:
    text = (root / "tests" / "data" / "earlier" / "task.toml").read_text(encoding="utf-8")
    base = {**tomllib.loads(text), **EXTRAS}
    del base["hurdle"]
    random = np.random.default_rng(seed)
    messages = []
    for _ in range(60):
        table = copy.deepcopy(base)
        for _ in range(random.integers(1, 3)):
            damage(table, random)
        file = tmp_path / "task.toml"
        file.write_text(tomli_w.dumps(table), encoding="utf-8")
        try:
            load_task(file)
        except FootfallError as error:
            messages.append(str(error))
    assert len(messages) > 20
    assert all("task.toml" in message for message in messages)

"""Styles as files, and those that come with Footfall.

A style file is TOML: `name`, `about` in a line, `sources`, `preferred` speed, and one of three:

- a `[[cycle]]` for each of a few speeds, with every number of a `Cycle` and every curve as equally spaced samples in degrees,
  `[stood]` for how it stands, and `change`, the speed from which on cycles are of another gait (`style_file.py`);
- `parts`, the names of one style that walks and one that runs, and `change`, the speed between them;
- `base`, the name of another style, and what is otherwise: `[knobs]`, curves and numbers that are `[set]` at all speeds, and
  those that are `[add]`ed to the base's own; of a base that walks and runs, legs and numbers are those of the walk alone.
  `[right.set]` and `[right.add]` tell limbs of the right side; `right_longer`, `right_later` and `right_lower` are numbers as
  any other.
"""
from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from ...errors import FootfallError, TaskError
from .knobs import Knobs, adjusted
from .style import CURVES, LEGS, LIMBS, ROWS, Cycle, Style
from .style_file import NUMBERS, RETIRED, curve_of, number_of, read_style, refuse_other_kinds

MOST_BYTES = 4_000_000
SHELF = Path(__file__).parents[1] / "styles"
Gait = Literal["walk", "run", "stand"]
KNOWN = ("name", "about", "base", "preferred", "sources", "knobs", "set", "add", "right")


def load_style(path: Path) -> Style:
    """Read a style file.

    Raises:
        TaskError: it cannot be opened, is not TOML, lacks a number or a curve, has an unknown one, or has none or unordered speeds.
    """
    return _loaded(path, ())


def _loaded(path: Path, above: tuple[Path, ...]) -> Style:
    """The style of a file on which those above are based."""
    if path in above:
        raise TaskError(f"The style {path.name} is made of itself; name another one that is beside it.")
    data = _opened(path)
    refuse_other_kinds(data, path.name)
    if "parts" in data:
        return _joined(path, data, above)
    if "base" in data:
        return _derived(path, data, above)
    return read_style(data, path)


def _opened(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise TaskError(f"{path.name} is not a style file: it has {path.stat().st_size / 1e6:.0f} MB.")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TaskError(f"The style {path} cannot be opened: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TaskError(f"{path.name} is not a style file: {error}.") from error


def _beside(path: Path, name: str, above: tuple[Path, ...]) -> Style:
    """Another style in the same folder; those of the shelf are read once."""
    return builtin_style(name) if path.parent == SHELF else _loaded(path.with_name(f"{name}.toml"), (*above, path))


def _joined(path: Path, data: dict[str, Any], above: tuple[Path, ...]) -> Style:
    """A style of two parts beside it."""
    parts = data["parts"]
    if not (isinstance(parts, list) and len(parts) == 2 and "change" in data):
        raise TaskError(f"The style {path.name} needs two `parts` and the speed of the `change` between them.")
    slow, fast = (_beside(path, part, above) for part in parts)
    change = float(data["change"])
    cycles = (*(c for c in slow.cycles if c.speed < change - 0.02), replace(slow.at(change), speed=change - 0.01),
              replace(fast.at(change), speed=change), *(c for c in fast.cycles if c.speed > change))
    return Style(data.get("name", path.stem), float(data.get("preferred", slow.preferred)),
                 tuple(dict.fromkeys((*slow.sources, *fast.sources))), cycles, change, slow.stood, data.get("about", ""))


def _derived(path: Path, data: dict[str, Any], above: tuple[Path, ...]) -> Style:
    """Another style beside it with what is otherwise."""
    strange = [key for key in data if key not in KNOWN]
    if strange:
        raise TaskError(f"The style {path.name} has the unknown entry {strange[0]!r}; one with a base knows: {', '.join(KNOWN)}.")
    if not path.with_name(f"{data['base']}.toml").is_file():
        raise TaskError(f"The style {path.name} is based on {data['base']!r}, which is not beside it.")
    base, right = _beside(path, data["base"], above), data.get("right", {})
    try:
        changes = _Changes(path.name, data.get("set", {}), data.get("add", {}), right)
        knobs = read_knobs(data.get("knobs", {}))
    except FootfallError as error:
        raise TaskError(f"The style {path.name}: {error}") from error
    cycles = tuple(changes.of(c, "walk" if c.speed < base.change else "run") for c in base.cycles)
    changed = replace(base, cycles=cycles, stood=changes.of(base.standing, "stand"))
    style = adjusted(changed, knobs)
    return replace(style, name=data.get("name", path.stem), preferred=float(data.get("preferred", style.preferred)),
                   sources=tuple(dict.fromkeys((*data.get("sources", ()), *base.sources))), about=data.get("about", ""))


class _Changes:
    """Curves and numbers of a cycle that are set or added to."""

    def __init__(self, file: str, set_: dict[str, Any], add: dict[str, Any], right: dict[str, Any]) -> None:
        self.file = file
        self.set, self.add = ({**table, **{f"{key}.R": v for key, v in right.get(which, {}).items()}}
                              for which, table in (("set", set_), ("add", add)))
        for key in (*self.set, *self.add):
            if key not in (*CURVES, *NUMBERS, *RETIRED, *(f"{limb}.R" for limb in LIMBS)):
                raise TaskError(f"There is no curve or number {key!r}; there are: {', '.join((*CURVES, *NUMBERS))}; "
                                f"of the right side: {', '.join(LIMBS)}.")
        for limb in LIMBS:                  # the right side goes with the left where it is not told
            for table in (self.set, self.add):
                if limb in table:
                    table.setdefault(f"{limb}.R", table[limb])

    def of(self, cycle: Cycle, gait: Gait) -> Cycle:
        """A cycle with them; a run takes those of the upper body on, and a body that stands what that is like on the whole."""
        table, numbers = cycle.curves.copy(), {}
        for told, keeps in ((self.set, 0.0), (self.add, 1.0)):
            for key, value in told.items():
                if key in RETIRED:
                    continue
                if gait != "walk" and (key in NUMBERS or key.removesuffix(".R") in LEGS):
                    continue
                if key in NUMBERS:
                    numbers[key] = keeps * getattr(cycle, key) + number_of(value, key, self.file)
                else:
                    row, terms = ROWS.index(key), slice(None) if gait != "stand" else slice(1)
                    table[row, terms] = keeps * table[row, terms] + curve_of(value, key, self.file)[terms]
        return replace(cycle, curves=table, **numbers)


def read_knobs(table: object) -> Knobs:
    """Knobs from a table of a file.

    Raises:
        TaskError: no table, an unknown knob, or one that is no number or beyond its ends.
    """
    known = [f.name for f in fields(Knobs)]
    if not isinstance(table, dict):
        raise TaskError("The entry 'knobs' must be a table, written as [knobs].")
    for name, value in table.items():
        if name not in known:
            raise TaskError(f"There is no knob {name!r}; there are: {', '.join(known)}.")
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TaskError(f"The knob {name} must be a number; it is {value!r}.")
    return Knobs(**{name: float(value) for name, value in table.items()})


@lru_cache
def builtin_styles() -> tuple[str, ...]:
    """Names of the styles on the shelf."""
    return tuple(sorted(p.stem for p in SHELF.glob("*.toml")))


def line_about(name: str) -> str:
    """What a style on the shelf is like, in a line, without the work of making it."""
    return str(_opened(SHELF / f"{name}.toml").get("about", ""))


@lru_cache
def builtin_style(name: str) -> Style:
    """A style from the shelf by its name."""
    if name not in builtin_styles():
        raise TaskError(f"There is no style {name!r} on the shelf; there are: {', '.join(builtin_styles())}.")
    return load_style(SHELF / f"{name}.toml")

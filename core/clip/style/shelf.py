"""Style files and built-in styles.

A style file is TOML with `name`, a line `about` the style, `sources`, the `preferred` speed, and
one of the following:

- a `[[cycle]]` for each of a few speeds, with all numbers of a `Cycle` and all curves as equally
  spaced samples in degrees; `[stood]` for the standing pose; and `change`, the speed from which on
  cycles have another gait (`style_file.py`);
- `parts`, the names of a style that walks and of one that runs, and `change`, the speed between
  them;
- `base`, the name of another style, with changes: `[knobs]`, curves and numbers that are `[set]` at
  all speeds, and curves and numbers that are `[add]`ed to those of the base. If the base walks and
  runs, changes of the legs and of numbers apply to the walk only. `[right.set]` and `[right.add]`
  change limbs of the right side; `right_longer`, `right_later` and `right_lower` are numbers as any
  other.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from ...errors import FootfallError, TaskError
from ...files.source import read_toml
from ...files.values import is_number, is_plain_name, show_value
from .knobs import Knobs, apply_knobs
from .style import CURVES, LEG_CURVES, LIMB_CURVES, ROWS, Cycle, Style
from .style_file import (
    NUMBER_NAMES,
    RETIRED_KEYS,
    check_entry_types,
    check_style,
    parse_curve,
    parse_number,
    read_style,
)
from .style_format import STYLE_FILE

MAX_BASES = 16  # Longest chain of styles that are based on each other; longer ones are a cycle
STYLES_FOLDER = Path(__file__).parents[1] / "styles"
Gait = Literal["walk", "run", "stand"]
# Entries of a style file with a base.
VALID_KEYS = ("name", "about", "base", "preferred", "sources", "knobs", "set", "add", "right")


def load_style(path: Path) -> Style:
    """Return the style of a file.

    Raises:
        TaskError: the file cannot be opened, is not TOML, has a missing, unknown or invalid entry,
            or has no cycles in order of their speed.
    """
    return _StyleReader().load(path, ())


class _StyleReader:
    """Reader of a style file and of those that it names, each of them once."""

    def __init__(self) -> None:
        self.loaded: dict[Path, Style] = {}

    def load(self, path: Path, dependents: tuple[Path, ...]) -> Style:
        """Return the style of a file.

        Args:
            dependents: files of the styles that are made of it.
        """
        if path not in self.loaded:
            self.loaded[path] = self._load(path, dependents)
        return self.loaded[path]

    def _load(self, path: Path, dependents: tuple[Path, ...]) -> Style:
        """Read the style of a file; see `load`."""
        if path in dependents or len(dependents) > MAX_BASES:
            raise TaskError(
                f"The style {path.name} is made of itself; name another one that is beside it."
            )
        data = read_toml(path, STYLE_FILE)
        check_entry_types(data, path.name)
        if "parts" in data:
            style = self._join_parts(path, data, dependents)
        elif "base" in data:
            style = self._derive_style(path, data, dependents)
        else:
            return read_style(data, path)
        return check_style(style, path.name)

    def _load_sibling(self, path: Path, name: str, dependents: tuple[Path, ...]) -> Style:
        """Return another style in the same folder; built-in ones are read once."""
        return (
            load_builtin_style(name)
            if path.parent == STYLES_FOLDER
            else self.load(path.with_name(f"{name}.toml"), (*dependents, path))
        )

    def _join_parts(self, path: Path, data: dict[str, Any], dependents: tuple[Path, ...]) -> Style:
        """Return a style of two parts in the same folder."""
        parts = data["parts"]
        if not (len(parts) == 2 and all(map(is_plain_name, parts)) and "change" in data):
            raise TaskError(
                f"The style {path.name} needs two `parts`, names of styles beside it, and the "
                "speed of the `change` between them."
            )
        slow, fast = (self._load_sibling(path, part, dependents) for part in parts)
        change_speed = float(data["change"])
        cycles = (
            *(c for c in slow.cycles if c.speed < change_speed - 0.02),
            replace(slow.cycle_at(change_speed), speed=change_speed - 0.01),
            replace(fast.cycle_at(change_speed), speed=change_speed),
            *(c for c in fast.cycles if c.speed > change_speed),
        )
        return Style(
            data.get("name", path.stem),
            float(data.get("preferred", slow.preferred_speed)),
            tuple(dict.fromkeys((*slow.sources, *fast.sources))),
            cycles=cycles,
            change_speed=change_speed,
            custom_standing=slow.custom_standing,
            about=data.get("about", ""),
        )

    def _derive_style(
        self, path: Path, data: dict[str, Any], dependents: tuple[Path, ...]
    ) -> Style:
        """Return another style in the same folder with changes."""
        unknown = [key for key in data if key not in VALID_KEYS]
        if unknown:
            raise TaskError(
                f"The style {path.name} has the unknown entry {show_value(unknown[0])}; one with a "
                f"base may have: {', '.join(VALID_KEYS)}."
            )
        name = data["base"]
        if not (is_plain_name(name) and path.with_name(f"{name}.toml").is_file()):
            raise TaskError(
                f"The style {path.name} is based on {show_value(name)}, which is not beside it."
            )
        base = self._load_sibling(path, name, dependents)
        right = data.get("right", {})
        try:
            changes = _CycleChanges(path.name, data.get("set", {}), data.get("add", {}), right)
            knobs = read_knobs(data.get("knobs", {}))
        except FootfallError as error:
            raise TaskError(f"The style {path.name}: {error}") from error
        cycles = tuple(
            changes.apply(c, "walk" if c.speed < base.change_speed else "run") for c in base.cycles
        )
        standing = changes.apply(base.standing, "stand")
        changed = check_style(replace(base, cycles=cycles, custom_standing=standing), path.name)
        style = apply_knobs(changed, knobs)
        return replace(
            style,
            name=data.get("name", path.stem),
            preferred_speed=float(data.get("preferred", style.preferred_speed)),
            sources=tuple(dict.fromkeys((*data.get("sources", ()), *base.sources))),
            about=data.get("about", ""),
        )


class _CycleChanges:
    """Changes of the curves and numbers of a cycle.

    Args:
        file: name of the style file, for messages.
        set_: entries that replace curves and numbers.
        add: entries that are added to curves and numbers.
        right: tables `set` and `add` of the right side.

    Raises:
        TaskError: an entry is not a curve or number.
    """

    def __init__(
        self, file: str, set_: dict[str, Any], add: dict[str, Any], right: dict[str, Any]
    ) -> None:
        self.file = file
        self.replaced_values, self.added_values = (
            {**table, **{f"{key}.R": v for key, v in right.get(which, {}).items()}}
            for which, table in (("set", set_), ("add", add))
        )
        for key in (*self.replaced_values, *self.added_values):
            if key not in (
                *CURVES,
                *NUMBER_NAMES,
                *RETIRED_KEYS,
                *(f"{limb}.R" for limb in LIMB_CURVES),
            ):
                raise TaskError(
                    f"There is no curve or number {show_value(key)}; there are: "
                    f"{', '.join((*CURVES, *NUMBER_NAMES))}; of the right side: "
                    f"{', '.join(LIMB_CURVES)}."
                )
        # The right side changes as the left side does unless it has an entry.
        for limb in LIMB_CURVES:
            for table in (self.replaced_values, self.added_values):
                if limb in table:
                    table.setdefault(f"{limb}.R", table[limb])

    def apply(self, cycle: Cycle, gait: Gait) -> Cycle:
        """Return a cycle with the changes.

        In a run only the upper body changes, in standing only its mean posture.
        """
        table = cycle.curves.copy()
        numbers = {}
        for values, base_factor in ((self.replaced_values, 0.0), (self.added_values, 1.0)):
            for key, value in values.items():
                if key in RETIRED_KEYS:
                    continue
                if gait != "walk" and (key in NUMBER_NAMES or key.removesuffix(".R") in LEG_CURVES):
                    continue
                if key in NUMBER_NAMES:
                    numbers[key] = base_factor * getattr(cycle, key) + parse_number(
                        value, key, self.file
                    )
                else:
                    row = ROWS.index(key)
                    terms = slice(None) if gait != "stand" else slice(1)
                    table[row, terms] = (
                        base_factor * table[row, terms] + parse_curve(value, key, self.file)[terms]
                    )
        return replace(cycle, curves=table, **numbers)


def read_knobs(table: object) -> Knobs:
    """Return the knobs of a table of a file.

    Raises:
        TaskError: the entry is not a table, or a knob is unknown, not a number or out of its range.
    """
    knob_names = [f.name for f in fields(Knobs)]
    if not isinstance(table, dict):
        raise TaskError("The entry 'knobs' must be a table, written as [knobs].")
    for name, value in table.items():
        if name not in knob_names:
            raise TaskError(
                f"There is no knob {show_value(name)}; there are: {', '.join(knob_names)}."
            )
        if not (isinstance(value, float) or is_number(value)):  # `Knobs` checks the range.
            raise TaskError(f"The knob {name} must be a number; it is {show_value(value)}.")
    return Knobs(**{name: float(value) for name, value in table.items()})


@lru_cache
def list_builtin_styles() -> tuple[str, ...]:
    """Return the names of the built-in styles."""
    return tuple(sorted(p.stem for p in STYLES_FOLDER.glob("*.toml")))


def describe_builtin_style(name: str) -> str:
    """Return the description of a built-in style without building the style."""
    return str(read_toml(STYLES_FOLDER / f"{name}.toml", STYLE_FILE).get("about", ""))


@lru_cache
def load_builtin_style(name: str) -> Style:
    """Return a built-in style.

    Raises:
        TaskError: there is no style of that name.
    """
    if name not in list_builtin_styles():
        raise TaskError(
            f"There is no style {name!r} on the shelf; there are: "
            f"{', '.join(list_builtin_styles())}."
        )
    return load_style(STYLES_FOLDER / f"{name}.toml")

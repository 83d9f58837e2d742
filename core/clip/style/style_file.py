"""Style files with all numbers and curves of every cycle, which depend on no other file."""

from __future__ import annotations

from dataclasses import MISSING, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from ...errors import TaskError
from ...files.values import (
    NumberRange,
    is_list_of_texts,
    is_short_text,
    read_number,
    show_value,
)
from .quadruped_style import QuadrupedStyle, format_quadruped_style
from .style import (
    CURVES,
    LIMB_CURVES,
    OPTIONAL_CURVES,
    Coefficients,
    Cycle,
    Style,
    build_table,
    fit_fourier,
)
from .style_format import MAX_SAMPLES, sample_curve

# Largest difference between coefficients of equal curves of both sides [rad]. Numerical: rounding.
CURVE_TOLERANCE = 1e-9
NUMBER_NAMES = tuple(f.name for f in fields(Cycle) if f.name != "curves")
REQUIRED_KEYS = (
    *(f.name for f in fields(Cycle) if f.name != "curves" and f.default is MISSING),
    *(c for c in CURVES if c not in OPTIONAL_CURVES),
)
# Entries of files of earlier versions, which are ignored: the height of the body now follows from
# its legs.
RETIRED_KEYS = ("crouch", "bounce", "off_higher")
MAX_NUMBER = 1e6  # Largest magnitude of a number
# Largest speed [sqrt(g l)] and longest stride [leg lengths], far beyond those of any animal; larger
# numbers are damage
MAX_SPEED = 100.0
MAX_STRIDE = 100.0
# Type of each entry of a file.
ENTRY_TYPES = {
    "base": str,
    "parts": list,
    "cycle": list,
    "stood": dict,
    "knobs": dict,
    "set": dict,
    "add": dict,
    "right": dict,
}
TYPE_DESCRIPTIONS = {str: "text in quotes", list: "a list", dict: "a table"}


def save_style(style: Style | QuadrupedStyle, path: Path, overwrite: bool = False) -> Path:
    """Write a style to a TOML file with all its numbers and curves, and return the path.

    Args:
        style: style for people or for four legs.
        path: path of the file.
        overwrite: whether an existing file may be replaced.

    Raises:
        TaskError: the name does not end in .toml, the file exists, or it cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() != ".toml":
        raise TaskError(f"A style's file ends in .toml; {path.name!r} does not.")
    text = (
        format_quadruped_style(style) if isinstance(style, QuadrupedStyle) else format_style(style)
    )
    try:
        with open(path, "w" if overwrite else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise TaskError(
            f"The file {path.name} is there already, and nothing was written. Choose another name."
        ) from error
    except OSError as error:
        raise TaskError(
            f"The style {path} cannot be written: {error.strerror or error}."
        ) from error
    return path


def format_style(style: Style) -> str:
    """Return a style as the text of its file."""
    header: dict[str, Any] = {
        "name": style.name,
        "about": style.about,
        "preferred": float(style.preferred_speed),
    }
    if np.isfinite(style.change_speed):
        header["change"] = float(style.change_speed)
    header["sources"] = list(style.sources)
    parts = [
        (
            "# Speeds are v / sqrt(g l), lengths in leg lengths l, angles in degrees; curves are "
            "equally spaced over a cycle.\n"
        ),
        tomli_w.dumps(header),
    ]
    if style.custom_standing is not None:
        parts.append(_format_cycle("stood", "[stood]", style.custom_standing))
    parts += [_format_cycle("cycle", "[[cycle]]", cycle) for cycle in style.cycles]
    return "\n".join(parts)


def _format_cycle(key: str, header: str, cycle: Cycle) -> str:
    """Return a cycle as the text of its table.

    Args:
        key: key of the table.
        header: first line of the table.
    """
    lines = [header, *(f"{name} = {float(getattr(cycle, name))!r}" for name in NUMBER_NAMES)]
    lines += [f"{name} = {sample_curve(cycle.get_curve(name))}" for name in CURVES]
    asymmetric_limbs = [
        limb
        for limb in LIMB_CURVES
        if np.abs(cycle.get_curve(f"{limb}.R") - cycle.get_curve(limb)).max() > CURVE_TOLERANCE
    ]
    if asymmetric_limbs:
        lines += [
            f"[{key}.right]",
            *(
                f"{limb} = {sample_curve(cycle.get_curve(f'{limb}.R'))}"
                for limb in asymmetric_limbs
            ),
        ]
    return "\n".join(lines) + "\n"


def check_entry_types(data: dict[str, Any], file: str) -> None:
    """Check the types of the entries of a style file.

    Raises:
        TaskError: an entry has the wrong type; the message names it.
    """
    if not all(is_short_text(data.get(key, "")) for key in ("name", "about")):
        raise TaskError(
            f"The entries 'name' and 'about' of the style {file} must be text in quotes."
        )
    if not is_list_of_texts(data.get("sources", [])):
        raise TaskError(f"The entry 'sources' of the style {file} must be a list of texts.")
    for key, kind in ENTRY_TYPES.items():
        if key in data and not isinstance(data[key], kind):
            raise TaskError(
                f"The entry {key!r} of the style {file} must be {TYPE_DESCRIPTIONS[kind]}."
            )
    if not all(isinstance(table, dict) for table in data.get("right", {}).values()):
        raise TaskError(f"Each entry of 'right' of the style {file} must be a table.")
    for key in ("preferred", "change"):
        if key in data:
            parse_number(data[key], key, file)


def read_style(data: dict[str, Any], path: Path) -> Style:
    """Return the style of a file with all numbers and curves.

    Args:
        data: entries of the file.
        path: path of the file.

    Raises:
        TaskError: a number or a curve is missing, unknown or invalid, or the cycles are not in
            order.
    """
    name = path.name
    cycles = tuple(read_cycle(table, name) for table in data.get("cycle", ()))
    _check_speeds(cycles, name)
    change_speed = (
        parse_number(data["change"], "change", name) if "change" in data else float("inf")
    )
    if "change" in data and not cycles[0].speed < change_speed <= cycles[-1].speed:
        raise TaskError(
            f"The `change` of gait of the style {name} is at {change_speed:g}; cycles must lie "
            "below it and from it on."
        )
    preferred_speed = parse_number(
        data.get("preferred", cycles[len(cycles) // 2].speed), "preferred", name
    )
    custom_standing = read_cycle(data["stood"], name) if "stood" in data else None
    return check_style(
        Style(
            data.get("name", path.stem),
            preferred_speed,
            tuple(data.get("sources", ())),
            cycles=cycles,
            change_speed=change_speed,
            custom_standing=custom_standing,
            about=data.get("about", ""),
        ),
        name,
    )


def check_style(style: Style, file: str) -> Style:
    """Return a style after checking the numbers of its cycles and their order.

    Raises:
        TaskError: a number is out of its range, or speeds do not rise.
    """
    _check_speeds(style.cycles, file)
    if not 0 < style.preferred_speed < MAX_SPEED:
        raise TaskError(
            f"The style {file} has the preferred speed {style.preferred_speed:g}; it must be above "
            f"0 and below {MAX_SPEED:g}."
        )
    for cycle in (style.standing, *style.cycles):
        _check_cycle(cycle, file)
    return style


def _check_speeds(cycles: tuple[Cycle, ...], file: str) -> None:
    """Raise a `TaskError` unless the speeds of the cycles are positive and rise."""
    if not cycles or any(a.speed >= b.speed for a, b in pairwise(cycles)):
        raise TaskError(
            f"The style {file} needs at least one cycle, and its cycles in order of rising speed."
        )
    if cycles[0].speed <= 0:
        raise TaskError(
            f"The slowest cycle of the style {file} has the speed {cycles[0].speed:g}; it must be "
            "above 0. The standing pose belongs in [stood]."
        )


def _check_cycle(cycle: Cycle, file: str) -> None:
    """Raise a `TaskError` unless the numbers of a cycle are in their ranges."""
    is_possible = (
        0 <= cycle.speed < MAX_SPEED
        and 0 < cycle.stride < MAX_STRIDE
        and 0 < cycle.duty < 1
        and 0 < cycle.duty + cycle.right_longer < 1
    )
    if not is_possible:
        raise TaskError(
            f"A cycle of the style {file} has a stride of {cycle.stride:g}, a duty of "
            f"{cycle.duty:g} and a speed of {cycle.speed:g}; a stride is above 0, a duty between 0 "
            "and 1 also with `right_longer`, and no speed below 0."
        )
    if not (
        np.isfinite(cycle.curves).all()
        and all(abs(getattr(cycle, name)) <= MAX_NUMBER for name in NUMBER_NAMES)
    ):
        raise TaskError(f"A cycle of the style {file} has numbers that are too large.")


def read_cycle(table: object, file: str) -> Cycle:
    """Return the cycle of a table.

    Args:
        table: entry of a style file.
        file: name of the file, for messages.

    Raises:
        TaskError: as `read_style`.
    """
    right = table.get("right", {}) if isinstance(table, dict) else None
    if not isinstance(table, dict) or not isinstance(right, dict):
        raise TaskError(
            f"Cycles of the style {file} must be tables, written as [[cycle]], and their right "
            "sides [cycle.right]."
        )
    missing = [key for key in REQUIRED_KEYS if key not in table]
    if missing:
        raise TaskError(f"A cycle of the style {file} has no {', '.join(missing)}.")
    valid_keys = (*NUMBER_NAMES, *RETIRED_KEYS, *CURVES, "right")
    unknown = [key for key in table if key not in valid_keys] + [
        key for key in right if key not in LIMB_CURVES
    ]
    if unknown:
        raise TaskError(
            f"A cycle of the style {file} has the unknown entry {show_value(unknown[0])}; its "
            f"entries may be: {', '.join((*NUMBER_NAMES, *CURVES))}; of the right side: "
            f"{', '.join(LIMB_CURVES)}."
        )
    numbers = {key: parse_number(table[key], key, file) for key in NUMBER_NAMES if key in table}
    curves = {key: parse_curve(table[key], key, file) for key in CURVES if key in table}
    curves |= {f"{key}.R": parse_curve(samples, key, file) for key, samples in right.items()}
    return Cycle(**numbers, curves=build_table(curves))


def parse_number(value: object, label: str, file: str) -> float:
    """Return a number of a style file.

    Args:
        value: entry of the file.
        label: name of the entry, for messages.
        file: name of the file, for messages.

    Raises:
        TaskError: the entry is not a number.
    """
    allowed = NumberRange(-MAX_NUMBER, MAX_NUMBER)
    return read_number(value, f"{label} of the style {file}", TaskError, allowed)


def parse_curve(value: object, label: str, file: str) -> Coefficients:
    """Return the Fourier series of a curve of a style file, (HARMONICS + 1,) [rad].

    Args:
        value: list of equally spaced samples or a constant angle [degrees].
        label: name of the curve, for messages.
        file: name of the file, for messages.

    Raises:
        TaskError: the entry is neither.
    """
    samples = value if isinstance(value, list) else [value]
    if not 1 <= len(samples) <= MAX_SAMPLES:
        raise TaskError(
            f"The curve {label} of the style {file} has {len(samples)} samples; it must have 1 to "
            f"{MAX_SAMPLES}."
        )
    return fit_fourier(
        [parse_number(sample, f"A sample of the curve {label}", file) for sample in samples]
    )

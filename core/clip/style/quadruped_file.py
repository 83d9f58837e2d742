"""Style files for four legs as text, which `load_quadruped_style` reads."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import tomli_w

from ...errors import TaskError
from ...files.source import read_toml
from .curve_samples import sample_curve
from .quadruped_style import CURVES, NUMBER_RANGES, QuadrupedStyle
from .source import STYLE_FILE


def is_quadruped_file(path: Path) -> bool:
    """Return whether a style file is one for four legs and not for people.

    False is returned for a file that cannot be read.
    """
    try:
        data = read_toml(path, STYLE_FILE)
    except TaskError:
        return False
    return not {"base", "cycle", "knobs", "parts"} & set(data) and bool(
        {"gait", "phases", *NUMBER_RANGES, *CURVES} & set(data)
    )


def format_quadruped_style(style: QuadrupedStyle) -> str:
    """Return a style for four legs as the text of its file, without entries at their defaults."""
    entries: dict[str, Any] = {"name": style.name, "about": style.about}
    if style.gait is not None:
        entries["gait"] = style.gait
    entries |= {"preferred": float(style.preferred_speed), "sources": list(style.sources)}
    if style.phases is not None:
        entries["phases"] = [float(p) for p in style.phases]
    defaults = {f.name: f.default for f in fields(QuadrupedStyle)}
    entries |= {
        name: float(value)
        for name in NUMBER_RANGES
        if (value := getattr(style, name)) != defaults[name]
    }
    lines = [
        f"{name} = {sample_curve(curve)}"
        for name in CURVES
        if (curve := getattr(style, name)).any()
    ]
    header = (
        "# Speeds are v / sqrt(g h), lengths in hip heights h, curves degrees over a stride of "
        "the left hind foot."
    )
    return "\n".join([header, tomli_w.dumps(entries), *lines]) + "\n"

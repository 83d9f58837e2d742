"""Styles for four legs as text of their files, which `load_quadruped_style` reads."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from ...errors import TaskError
from ...files.source import read_toml
from .quadruped_style import CURVES, NUMBER_RANGES, QuadrupedStyle
from .source import STYLE_FILE
from .style import HARMONICS, Coefficients, evaluate_harmonics

# of a curve; its Fourier series comes back from more than twice its terms
CURVE_SAMPLES = 2 * HARMONICS + 4
DECIMALS = 6  # after the point, degrees


def is_quadruped_file(path: Path) -> bool:
    """Whether the file of a style is one for four legs, rather than for people;
    no for what cannot be read.
    """
    try:
        data = read_toml(path, STYLE_FILE)
    except TaskError:
        return False
    return not {"base", "cycle", "knobs", "parts"} & set(data) and bool(
        {"gait", "phases", *NUMBER_RANGES, *CURVES} & set(data)
    )


def format_quadruped_style(style: QuadrupedStyle) -> str:
    """A style for four legs as the text of its file: what is not as usual."""
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
        f"{name} = {_sample_curve(curve)}"
        for name in CURVES
        if (curve := getattr(style, name)).any()
    ]
    header = (
        "# Speeds are v / sqrt(g h), lengths in hip heights h, curves degrees over a stride of "
        "the left hind foot."
    )
    return "\n".join([header, tomli_w.dumps(entries), *lines]) + "\n"


def _sample_curve(curve: Coefficients) -> list[float] | float:
    """A curve in degrees, or the one angle that it keeps to; 0.0 has no sign."""
    values = np.degrees((evaluate_harmonics(np.arange(CURVE_SAMPLES) / CURVE_SAMPLES) @ curve).real)
    rounded = [round(float(v), DECIMALS) + 0.0 for v in values]
    return rounded[0] if np.ptp(rounded) == 0 else rounded

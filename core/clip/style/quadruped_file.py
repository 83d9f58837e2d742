"""Styles for four legs as text of their files, which `load_quadruped` reads."""
from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from .quadruped_style import CURVES, NUMBERS, QuadrupedStyle
from .style import HARMONICS, Coefficients, harmonics

SAMPLES = 2 * HARMONICS + 4       # of a curve; its Fourier series comes back from more than twice its terms
PLACES = 6                # after the point, degrees


def tells_quadruped(path: Path) -> bool:
    """Whether the file of a style is one for four legs, rather than for people; no for what cannot be read."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return not {"base", "cycle", "knobs", "parts"} & set(data) and bool({"gait", "phases", *NUMBERS, *CURVES} & set(data))


def quadruped_text(style: QuadrupedStyle) -> str:
    """A style for four legs as the text of its file: what is not as usual."""
    told: dict[str, Any] = {"name": style.name, "about": style.about}
    if style.gait is not None:
        told["gait"] = style.gait
    told |= {"preferred": float(style.preferred), "sources": list(style.sources)}
    if style.phases is not None:
        told["phases"] = [float(p) for p in style.phases]
    usual = {f.name: f.default for f in fields(QuadrupedStyle)}
    told |= {name: float(value) for name in NUMBERS if (value := getattr(style, name)) != usual[name]}
    lines = [f"{name} = {_samples(curve)}" for name in CURVES if (curve := getattr(style, name)).any()]
    head = "# Speeds are v / sqrt(g h), lengths in hip heights h, curves degrees over a stride of the left hind foot."
    return "\n".join([head, tomli_w.dumps(told), *lines]) + "\n"


def _samples(curve: Coefficients) -> list[float] | float:
    """A curve in degrees, or the one angle that it keeps to; 0.0 has no sign."""
    values = np.degrees((harmonics(np.arange(SAMPLES) / SAMPLES) @ curve).real)
    told = [round(float(v), PLACES) + 0.0 for v in values]
    return told[0] if np.ptp(told) == 0 else told

"""Styles for four legs: gait, bounce, and motion of neck, head, tail and spine over a stride.

Every curve is given from one strike of the left hind foot to the next. Raised is positive, for the
spine rounded, for a swing to the left. Neck and tail are relative to their carriage in the rest
pose, so that a style fits a giraffe and a pig. They are given in degrees and as a share of the
angle from that carriage to the horizontal. Speeds are v / sqrt(g h) and lengths in hip heights h. A
style has no effect on a standing body; its effect grows up to the preferred speed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w
from numpy.typing import NDArray

from ...errors import TaskError
from ...files.source import read_toml
from ...files.values import NumberRange, is_list_of_texts, is_number, is_short_text, show_value
from .style import HARMONICS, Coefficients, evaluate_harmonics, fit_fourier
from .style_format import MAX_SAMPLES, STYLE_FILE, sample_curve

Array = NDArray[np.float64]

STYLES_FOLDER = Path(__file__).parents[1] / "quadrupeds"
DEFAULT_STYLE = "natural"


def _make_zero_curve() -> Coefficients:
    """Return the Fourier series of zero, (HARMONICS + 1,)."""
    return np.zeros(HARMONICS + 1, complex)


def _define_number(minimum: float, maximum: float, default: float | None) -> Any:
    """Return the dataclass field of a number with its range."""
    return field(default=default, metadata={"least": minimum, "most": maximum})


@dataclass(frozen=True)
class QuadrupedStyle:
    """Style of a body on four legs.

    Curves are Fourier series of shape (HARMONICS + 1,) [rad].

    Args:
        name: name of the style.
        preferred_speed: speed if a task does not specify one [sqrt(g h)].
        gait: gait at all speeds; None for the gait that follows from the speed.
        about: description in one line.
        sources: publications.
        phases: touch-downs of the right hind, left fore and right fore foot after the left hind
            foot [strides]; None for those of the gait.
        duty: share of the stride for which a foot is down; None for that of the gait.
        quick: strides per second, as a multiple of the usual number; below 1 strides are longer.
        crouch: drop of the body below its rest pose [hip heights]. It is larger where the legs
            reach far.
        bounce: rise and fall of the body, as a multiple of the usual one.
        lift: lift of the feet, as a multiple of the usual one.
        neck_level: share of the angle from the carriage of the neck to the horizontal.
        tail_level: share of the angle from the carriage of the tail to the horizontal.
        tail_late: delay of each link of the tail after the one before it [strides].
        head_steady: share of the pitch of neck and trunk that the head does not follow.
        trunk: pitch of the trunk, front up.
        neck: pitch of the neck.
        head: pitch of the head.
        tail: pitch of the tail.
        tail_swing: swing of the tail.
        spine: bend of the spine.
    """

    name: str
    preferred_speed: float
    gait: str | None = None
    about: str = ""
    sources: tuple[str, ...] = ()
    phases: tuple[float, float, float] | None = None
    duty: float | None = _define_number(0.2, 0.78, None)
    quick: float = _define_number(0.6, 1.4, 1.0)
    crouch: float = _define_number(-0.02, 0.3, 0.0)
    bounce: float = _define_number(0.0, 1.8, 1.0)
    lift: float = _define_number(0.5, 2.5, 1.0)
    neck_level: float = _define_number(-0.5, 1.3, 0.0)
    tail_level: float = _define_number(-0.5, 1.5, 0.0)
    tail_late: float = _define_number(0.0, 0.2, 0.1)
    head_steady: float = _define_number(0.0, 1.0, 0.0)
    trunk: Coefficients = field(default_factory=_make_zero_curve)
    neck: Coefficients = field(default_factory=_make_zero_curve)
    head: Coefficients = field(default_factory=_make_zero_curve)
    tail: Coefficients = field(default_factory=_make_zero_curve)
    tail_swing: Coefficients = field(default_factory=_make_zero_curve)
    spine: Coefficients = field(default_factory=_make_zero_curve)

    @property
    def has_tail_motion(self) -> bool:
        """Whether the style moves a tail."""
        return bool(self.tail_level or self.tail.any() or self.tail_swing.any())

    def curve_at(self, name: str, phase: Array) -> Array:
        """Return a curve at phases of the left hind foot, (n,) -> (n,) [rad]."""
        return np.asarray((evaluate_harmonics(phase) * getattr(self, name)).sum(1).real)


CURVES = ("trunk", "neck", "head", "tail", "tail_swing", "spine")
# Smallest and largest value of each number.
NUMBER_RANGES = {
    f.name: (f.metadata["least"], f.metadata["most"])
    for f in fields(QuadrupedStyle)
    if "least" in f.metadata
}
# Range of the preferred speed [sqrt(g h)]: from a creep to beyond the gallop of a greyhound
PREFERRED_SPEED_RANGE = (0.05, 5.0)
VALID_KEYS = ("name", "about", "preferred", "gait", "sources", "phases", *NUMBER_RANGES, *CURVES)


def load_quadruped_style(path: Path) -> QuadrupedStyle:
    """Return the style for four legs in a file.

    Raises:
        TaskError: the file cannot be opened, is not TOML, has no preferred speed, or has an entry
            that is unknown or invalid.
    """
    data = read_toml(path, STYLE_FILE)
    unknown = [key for key in data if key not in VALID_KEYS]
    if unknown:
        raise TaskError(
            f"{path.name} is no style for four legs because of its entry "
            f"{show_value(unknown[0])}; its entries may be: {', '.join(VALID_KEYS)}."
        )
    has_text = all(is_short_text(data.get(key, "")) for key in ("name", "about", "gait"))
    if not (has_text and is_list_of_texts(data.get("sources", []))):
        raise TaskError(
            f"The name, the gait and the line about the style {path.name} must be text, its "
            "sources a list of texts."
        )
    texts: dict[str, Any] = {key: data[key] for key in ("about", "gait") if key in data}
    numbers: dict[str, Any] = {
        key: _read_number(path, data, key, *limits)
        for key, limits in NUMBER_RANGES.items()
        if key in data
    }
    if "phases" in data:
        texts["phases"] = _read_phases(path, data)
    curves: dict[str, Any] = {
        key: _read_curve(path, key, data[key]) for key in CURVES if key in data
    }
    return QuadrupedStyle(
        data.get("name", path.stem),
        _read_number(path, data, "preferred", *PREFERRED_SPEED_RANGE),
        sources=tuple(data.get("sources", ())),
        **texts,
        **numbers,
        **curves,
    )


def _read_number(
    path: Path, data: dict[str, Any], key: str, minimum: float, maximum: float
) -> float:
    """Return a number of a style file."""
    value: Any = data.get(key)
    if not is_number(value, NumberRange(minimum, maximum)):
        raise TaskError(
            f"The entry {key!r} of the style {path.name} is {show_value(value)}; it must be a "
            f"number from {minimum:g} to {maximum:g}."
        )
    return float(value)


def _read_phases(path: Path, data: dict[str, Any]) -> tuple[float, ...]:
    """Return the phases of a style file."""
    values = data["phases"]
    is_valid = (
        isinstance(values, list)
        and len(values) == 3
        and all(is_number(v, NumberRange(0.0, 1.0)) for v in values)
    )
    if not is_valid:
        raise TaskError(
            f"The phases of the style {path.name} must be three numbers from 0 to 1: when right "
            "hind, left fore and right fore foot come down after the left hind one, in strides."
        )
    if "gait" not in data:
        raise TaskError(
            f"The style {path.name} has phases but no gait; name the gait that they are closest to."
        )
    return tuple(float(v) for v in values)


def _read_curve(path: Path, key: str, entry: object) -> Coefficients:
    """Return the Fourier series of equally spaced samples, or of one angle [degrees]."""
    samples: list[Any] = entry if isinstance(entry, list) else [entry]
    if not 1 <= len(samples) <= MAX_SAMPLES or not all(
        is_number(v, NumberRange(-90.0, 90.0)) for v in samples
    ):
        raise TaskError(
            f"The curve {key!r} of the style {path.name} must be degrees from -90 to 90: one "
            "number, or a list of them equally spaced over a stride."
        )
    return fit_fourier(samples)


@lru_cache
def list_quadruped_styles() -> tuple[str, ...]:
    """Return the names of the built-in styles for four legs, the default one first."""
    return tuple(
        sorted(
            (p.stem for p in STYLES_FOLDER.glob("*.toml")),
            key=lambda name: (name != DEFAULT_STYLE, name),
        )
    )


@lru_cache
def load_builtin_quadruped_style(name: str) -> QuadrupedStyle:
    """Return a built-in style for four legs.

    Raises:
        TaskError: there is no style of that name.
    """
    if name not in list_quadruped_styles():
        raise TaskError(
            f"There is no style {name!r} for four legs; there are: "
            f"{', '.join(list_quadruped_styles())}."
        )
    return load_quadruped_style(STYLES_FOLDER / f"{name}.toml")


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

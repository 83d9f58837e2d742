"""A style for four legs: its gait, how the body rides, and how neck, head,
tail and spine go with the strides.

Every curve goes from one strike of the left hind foot to its next. Signs: raised is positive, of
the spine rounded, of a swing to the left. Neck and tail are told against how they are carried as
the body stands, so that a style fits a giraffe and a pig: by degrees, and by the share of the way
from there to level. Speeds are v / sqrt(g h) and lengths in hip heights h. A body that stands has
nothing of it; all grows with the speed up to the style's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from ...files.source import read_toml
from ...files.values import NumberRange, is_list_of_texts, is_number, is_short_text, show_value
from .source import STYLE_FILE
from .style import HARMONICS, Coefficients, evaluate_harmonics, fit_fourier

Array = NDArray[np.float64]

STYLES_FOLDER = Path(__file__).parents[1] / "quadrupeds"
DEFAULT_STYLE = "natural"
MAX_SAMPLES = 10_000  # of one curve


def _make_zero_curve() -> Coefficients:
    return np.zeros(HARMONICS + 1, complex)


def _define_number(minimum: float, maximum: float, default: float | None) -> Any:
    return field(default=default, metadata={"least": minimum, "most": maximum})


@dataclass(frozen=True)
class QuadrupedStyle:
    """How a body on four legs goes.

    Args:
        preferred_speed: v / sqrt(g h) at which it goes unless told otherwise.
        gait: the one that is kept, None for those that the speed brings about.
        phases: of the touch-downs of the right hind, left fore and right fore foot after the left
            hind one, strides, where they are not the gait's own.
        duty: share of the stride that feet are down, where it is not the gait's own.
        quick: multiple of the strides' usual number a second; below 1 slower, longer strides.
        crouch: hip heights that the body rides lower than it stands; where its legs must reach far
            it rides low in any case.
        bounce: multiple of its rise and fall.
        lift: multiple of how high feet are lifted.
        neck_level, tail_level: share of the way from how it is carried to level.
        tail_late: strides by which each link of a tail swings after the one before it.
        head_steady: share of the neck's and the trunk's nodding that the
            head does not take part in.
        trunk, neck, head, tail, tail_swing, spine: (HARMONICS + 1,) Fourier series, rad. The
            trunk's is its nose raised.
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
        """Whether it says what a tail does."""
        return bool(self.tail_level or self.tail.any() or self.tail_swing.any())

    def curve_at(self, name: str, phase: Array) -> Array:
        """A curve at phases of the left hind foot, rad. (n,) -> (n,)."""
        return np.asarray((evaluate_harmonics(phase) * getattr(self, name)).sum(1).real)


CURVES = ("trunk", "neck", "head", "tail", "tail_swing", "spine")
NUMBER_RANGES = {
    f.name: (f.metadata["least"], f.metadata["most"])
    for f in fields(QuadrupedStyle)
    if "least" in f.metadata
}
PREFERRED_SPEED_RANGE = (0.05, 5.0)  # Range of the preferred speed [sqrt(g h)]
VALID_KEYS = ("name", "about", "preferred", "gait", "sources", "phases", *NUMBER_RANGES, *CURVES)


def load_quadruped_style(path: Path) -> QuadrupedStyle:
    """Read a file of a style for four legs.

    Raises:
        TaskError: it cannot be opened, is not TOML, lacks its speed, or has an entry that is
            unknown or means nothing.
    """
    data = read_toml(path, STYLE_FILE)
    unknown = [key for key in data if key not in VALID_KEYS]
    if unknown:
        raise TaskError(
            f"{path.name} is no style for four legs because of its entry "
            f"{show_value(unknown[0])}; such a style knows: {', '.join(VALID_KEYS)}."
        )
    has_text = all(is_short_text(data.get(key, "")) for key in ("name", "about", "gait"))
    if not (has_text and is_list_of_texts(data.get("sources", []))):
        raise TaskError(
            f"The name, the gait and the line about the style {path.name} must be words, its "
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
    value: Any = data.get(key)
    if not is_number(value, NumberRange(minimum, maximum)):
        raise TaskError(
            f"The entry {key!r} of the style {path.name} is {show_value(value)}; it must be a "
            f"number from {minimum:g} to {maximum:g}."
        )
    return float(value)


def _read_phases(path: Path, data: dict[str, Any]) -> tuple[float, ...]:
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
            f"The style {path.name} tells phases and no gait; name the gait that they are nearest "
            "to."
        )
    return tuple(float(v) for v in values)


def _read_curve(path: Path, key: str, entry: object) -> Coefficients:
    """A curve from equally spaced samples in degrees, or one number."""
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
    """Names of the styles for four legs on the shelf, the one for any speed first."""
    return tuple(
        sorted(
            (p.stem for p in STYLES_FOLDER.glob("*.toml")),
            key=lambda name: (name != DEFAULT_STYLE, name),
        )
    )


@lru_cache
def load_builtin_quadruped_style(name: str) -> QuadrupedStyle:
    """A style for four legs from the shelf by its name.

    Raises:
        TaskError: there is none of that name.
    """
    if name not in list_quadruped_styles():
        raise TaskError(
            f"There is no style {name!r} for four legs; there are: "
            f"{', '.join(list_quadruped_styles())}."
        )
    return load_quadruped_style(STYLES_FOLDER / f"{name}.toml")

"""A style: how a body moves over one cycle, at a few speeds, and the gait that goes with each.

A style is a TOML file: `name`, `gait`, `sources`, and a `[[cycle]]` for each of a few speeds. Every curve has equally spaced
samples from the strike of the foot described to its next strike, in degrees; those of pelvis and chest are told for the
cycle of the left foot, those of the right side follow by mirroring half a cycle later. Signs: forward, outward, flexed and
toes up are positive; `turn` brings this side forward, `list` raises it, `tilt` and `lean` go forward.
Speeds are v / sqrt(g l) and lengths in leg lengths l, so that a style fits bodies of any size.

A style may also be made of two others: `parts` names one that walks and one that runs, `change` the speed between them.
"""
from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import TaskError

Array = NDArray[np.float64]
Coefficients = NDArray[np.complex128]

CURVES = ("thigh", "knee", "ankle", "pelvis_turn", "pelvis_list", "pelvis_tilt", "chest_turn", "chest_list", "chest_lean",
          "arm", "arm_out", "arm_turn", "elbow")
GAP = 0.3           # that is put between the keys of a walk and those of a run, for poses to go from one to the other in time
HARMONICS = 6       # of a smoothed curve; gait curves hold little beyond the fifth
SHELF = Path(__file__).parent / "styles"


@dataclass(frozen=True)
class Cycle:
    """One speed's numbers, or a blend of two speeds'."""

    speed: float              # v / sqrt(g l)
    stride: float             # length of two steps, leg lengths
    duty: float               # share of the cycle that a foot is on the ground
    heel_off: float           # share of the stance at which the heel leaves
    flat: float               # share of the stance at which the ball comes down
    strike_pitch: float       # degrees, toes up
    toe_off_pitch: float      # degrees, toes down
    crouch: float             # how far the hips ride below straight legs, leg lengths
    bounce: float             # amplitude of the rise over the standing foot, leg lengths
    sway: float               # amplitude of the centre of mass to the side, leg lengths
    behind: float             # how far feet stand behind the body in mid-contact, leg lengths
    width: float              # of a step from the middle, half hip widths
    toe_out: float            # degrees
    curves: Coefficients      # (len(CURVES), HARMONICS + 1) of Fourier series, radians


def _fourier(samples: list[float]) -> Coefficients:
    c = np.fft.rfft(np.radians(samples)) / len(samples)
    c = c[:HARMONICS + 1]
    c[1:] *= 2
    return c


def blend(a: Cycle, b: Cycle, share: float) -> Cycle:
    """Between two cycles, share 0 giving a and 1 giving b; curves and numbers mix linearly, the stride geometrically."""
    mixed = {f.name: (1 - share) * getattr(a, f.name) + share * getattr(b, f.name) for f in fields(Cycle)}
    mixed["stride"] = a.stride ** (1 - share) * b.stride**share
    return Cycle(**mixed)


STANDING = {"thigh": 6.0, "knee": 12.0, "ankle": 6.0, "arm_out": 6.0, "arm_turn": 10.0, "elbow": 10.0}     # degrees
STANDING_CROUCH = 0.012       # leg lengths; knees a little bent, which leaves the legs some play


@dataclass(frozen=True)
class Style:
    """Cycles by rising speed, asked for at any speed.

    The cycles from `change` on, if any, are of another gait than those below: nothing lies between them.
    """

    name: str
    preferred: float          # v / sqrt(g l) at which it goes unless told otherwise
    sources: tuple[str, ...]
    cycles: tuple[Cycle, ...]
    change: float = float("inf")

    def at(self, speed: float) -> Cycle:
        """The cycle at a speed v / sqrt(g l).

        Between two cycles it is blended. Below the slowest the stride shortens with the root of the speed and the body draws
        itself up to standing; above the fastest the curves stay and the stride goes on lengthening with the speed.
        """
        own = [c for c in self.cycles if (c.speed >= self.change) == (speed >= self.change)]
        speeds = np.array([c.speed for c in own])
        if speed < speeds[0]:
            first = own[0]
            share = float(np.sqrt(max(speed, 0.0) / first.speed))
            slowed = blend(_standing(first), first, share)
            return replace(slowed, speed=speed, stride=max(first.stride * share, 0.05))
        if speed >= speeds[-1]:
            last = own[-1]
            grown = (speed / speeds[-1]) ** 0.6
            return replace(last, speed=speed, stride=last.stride * grown, duty=last.duty / grown)
        k = int(np.searchsorted(speeds, speed, side="right")) - 1
        a, b = own[k], own[k + 1]
        power = np.log(b.stride / a.stride) / np.log(b.speed / a.speed)          # strides go with a power of the speed
        mixed = blend(a, b, float((speed - a.speed) / (b.speed - a.speed)))
        return replace(mixed, stride=a.stride * float((speed / a.speed) ** power))

    @property
    def keys(self) -> Array:
        """Where the standing body and each cycle lie on the line that `curves` is asked along. (1 + cycles,)."""
        return np.array([0.0, *(c.speed + GAP * (c.speed >= self.change) for c in self.cycles)])

    def key(self, speeds: ArrayLike, second: ArrayLike) -> Array:
        """Keys of speeds, given by how much the body is in the second gait, 0 to 1. (n,), (n,) -> (n,)."""
        speed, share = np.asarray(speeds, float), np.asarray(second, float)
        if np.isinf(self.change):
            return speed
        return (1 - share) * np.minimum(speed, self.change) + share * (np.maximum(speed, self.change) + GAP)

    def curves(self, keys: Array) -> Coefficients:
        """Fourier coefficients of all curves at many keys. (n,) -> (n, len(CURVES), HARMONICS + 1)."""
        own = self.keys
        table = np.stack([_standing(self.cycles[0]).curves, *(c.curves for c in self.cycles)])
        k = np.clip(np.searchsorted(own, keys, side="right") - 1, 0, len(own) - 2)
        share = np.clip((keys - own[k]) / (own[k + 1] - own[k]), 0, 1)
        share = np.where(k == 0, share * (2 - share), share)[:, None, None]     # small motions soon, but without a jerk
        return np.asarray(table[k] * (1 - share) + table[k + 1] * share, complex)


def curve_at(curves: Coefficients, name: str, phase: Array) -> Array:
    """A curve in radians, each row with its own coefficients. (n, len(CURVES), HARMONICS + 1), (n,) -> (n,)."""
    turns = np.exp(2j * np.pi * phase[:, None] * np.arange(HARMONICS + 1))
    return (turns * curves[:, CURVES.index(name)]).sum(1).real


def _standing(first: Cycle) -> Cycle:
    curves = np.zeros_like(first.curves)
    for name, degrees in STANDING.items():
        curves[CURVES.index(name), 0] = np.radians(degrees)
    return replace(first, speed=0.0, curves=curves, crouch=STANDING_CROUCH, bounce=0.0, duty=0.5 * (1 + first.duty),
                   strike_pitch=0.4 * first.strike_pitch, toe_off_pitch=0.4 * first.toe_off_pitch)


def load_style(path: Path) -> Style:
    """Read a style file.

    Raises:
        TaskError: it is not TOML, lacks a number or a curve, or has none or unordered speeds.
    """
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskError(f"{path.name} is not a style file: {error}.") from error
    if "parts" in data:
        return _joined(path, data)
    numbers = [f.name for f in fields(Cycle) if f.name != "curves"]
    cycles = []
    for table in data.get("cycle", []):
        missing = [key for key in (*numbers, *CURVES) if key not in table]
        if missing:
            raise TaskError(f"A cycle of the style {path.name} lacks {', '.join(missing)}.")
        curves = np.stack([_fourier(table[key]) for key in CURVES])
        cycles.append(Cycle(**{key: float(table[key]) for key in numbers}, curves=curves))
    if not cycles or any(a.speed >= b.speed for a, b in pairwise(cycles)):
        raise TaskError(f"The style {path.name} needs at least one cycle, and its cycles in order of rising speed.")
    preferred = float(data.get("preferred", cycles[len(cycles) // 2].speed))
    return Style(data.get("name", path.stem), preferred, tuple(data.get("sources", ())), tuple(cycles))


def _joined(path: Path, data: dict[str, Any]) -> Style:
    """A style of two parts beside it."""
    parts = data["parts"]
    if not (isinstance(parts, list) and len(parts) == 2 and isinstance(data.get("change"), float)):
        raise TaskError(f"The style {path.name} needs two `parts` and the speed of the `change` between them.")
    slow, fast = (load_style(path.with_name(f"{part}.toml")) for part in parts)
    change = float(data["change"])
    cycles = (*(c for c in slow.cycles if c.speed < change - 0.02), replace(slow.at(change), speed=change - 0.01),
              replace(fast.at(change), speed=change), *(c for c in fast.cycles if c.speed > change))
    return Style(data.get("name", path.stem), float(data.get("preferred", slow.preferred)),
                 tuple(dict.fromkeys((*slow.sources, *fast.sources))), cycles, change)


def builtin_styles() -> tuple[str, ...]:
    """Names of the styles on the shelf."""
    return tuple(sorted(p.stem for p in SHELF.glob("*.toml")))


@lru_cache
def builtin_style(name: str) -> Style:
    """A style from the shelf by its name."""
    if name not in builtin_styles():
        raise TaskError(f"There is no style {name!r} on the shelf; there are: {', '.join(builtin_styles())}.")
    return load_style(SHELF / f"{name}.toml")

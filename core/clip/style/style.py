"""A style: how a body moves over one cycle, at a few speeds, and the gait that goes with each.

Every curve goes from the strike of the foot described to its next strike; those of pelvis, chest and head are told for the
cycle of the left foot. The right side has the left one's curves, mirrored, unless it has its own. Signs: forward, outward,
flexed and toes up are positive; `turn` brings this side forward, `list` raises it, `tilt` and `lean` go forward. The head is
told against looking ahead and level: `head_turn` to the left, `head_nod` down, `head_list` to the right.
Speeds are v / sqrt(g l) and lengths in leg lengths l, so that a style fits bodies of any size. `shelf.py` reads styles from files.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Coefficients = NDArray[np.complex128]

CURVES = ("thigh", "knee", "ankle", "pelvis_turn", "pelvis_list", "pelvis_tilt", "chest_turn", "chest_list", "chest_lean",
          "arm", "arm_out", "arm_turn", "elbow", "head_turn", "head_nod", "head_list")
UNTOLD = ("head_turn", "head_nod", "head_list")          # that a style need not tell: the head looks ahead
LIMBS = ("thigh", "knee", "ankle", "arm", "arm_out", "arm_turn", "elbow")      # that the right side may have of its own
LEGS = ("thigh", "knee", "ankle")           # whose curves mean nothing to another gait
ROWS = (*CURVES, *(f"{name}.R" for name in LIMBS))
UNEVEN = ("right_longer", "right_later", "right_lower")      # numbers by which the right foot differs
GAP = 0.3           # that is put between the keys of a walk and those of a run, for poses to go from one to the other in time
HARMONICS = 6       # of a smoothed curve; gait curves hold little beyond the fifth
TOGETHER = 0.45     # share of the cycle by which the right foot is late or early, from which on both feet land as one


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
    sway: float               # amplitude of the centre of mass to the side, leg lengths
    behind: float             # how far feet stand behind the body in mid-contact, leg lengths
    width: float              # of a step from the middle, half hip widths
    toe_out: float            # degrees
    curves: Coefficients      # (len(ROWS), HARMONICS + 1) of Fourier series, radians
    right_longer: float = 0.0     # share of the cycle that the right foot is longer on the ground than the left
    right_later: float = 0.0      # share of the cycle that the right foot's contact comes later than half-way between the left's;
                                  # 0.5 or -0.5 where both feet land and leave together
    right_lower: float = 0.0      # leg lengths that the hips ride lower over the right foot
    rise: float = 1.0             # multiple of the rise and fall that the legs give the body

    def curve(self, name: str) -> Coefficients:
        """The coefficients of a row. (HARMONICS + 1,)."""
        return np.asarray(self.curves[ROWS.index(name)])

    @property
    def together(self) -> bool:
        """Whether both feet land and leave as one: the body hops."""
        return abs(self.right_later) > TOGETHER

    @property
    def grounded(self) -> float:
        """The duty at which the body would just not fly any more: a walk's is higher, a run's lower."""
        return 1.0 if self.together else 0.5

    @property
    def walks(self) -> bool:
        """Whether a foot is always on the ground."""
        return self.duty > self.grounded

    def of_side(self, side: int) -> Cycle:
        """The cycle as one side's foot has it; 1 for the left, -1 for the right."""
        if side > 0 or not self.right_longer:
            return self
        return replace(self, duty=self.duty + self.right_longer)


def fourier(samples: ArrayLike) -> Coefficients:
    """A curve from equally spaced samples over a cycle, in degrees, or from one number that it keeps to.

    (n,) -> (HARMONICS + 1,).
    """
    told = np.radians(np.atleast_1d(np.asarray(samples, float)))
    c = np.zeros(HARMONICS + 1, complex)
    found = np.fft.rfft(told)[:HARMONICS + 1] / len(told)
    c[:len(found)] = found
    c[1:] *= 2
    return c


def table_of(curves: Mapping[str, Coefficients]) -> Coefficients:
    """All rows from those that are told: the head at rest, the right side as the left, where nothing else is said."""
    nothing = np.zeros(HARMONICS + 1, complex)
    own = {name: curves.get(name, nothing) if name in UNTOLD else curves[name] for name in CURVES}
    return np.stack([curves[row] if row in curves else own[row.removesuffix(".R")] for row in ROWS])


def blend(a: Cycle, b: Cycle, share: float) -> Cycle:
    """Between two cycles, share 0 giving a and 1 giving b; curves and numbers mix linearly, the stride geometrically."""
    mixed = {f.name: (1 - share) * getattr(a, f.name) + share * getattr(b, f.name) for f in fields(Cycle)}
    mixed["stride"] = a.stride ** (1 - share) * b.stride**share
    return Cycle(**mixed)


STANDING = {"thigh": 6.0, "knee": 12.0, "ankle": 6.0, "arm_out": 6.0, "arm_turn": 10.0, "elbow": 10.0}     # degrees


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
    stood: Cycle | None = None      # how it stands; None for upright and at ease
    about: str = ""

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
            slowed = blend(self.standing, first, share)
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
    def standing(self) -> Cycle:
        """The pose of the standing body, as a cycle of speed 0."""
        return _standing(self.cycles[0]) if self.stood is None else self.stood

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

    def later(self, keys: Array) -> Array:
        """How much later than half a cycle after the left foot the right one strikes, share of the cycle. (n,) -> (n,)."""
        return np.interp(keys, self.keys, [c.right_later - 0.5 * c.right_longer for c in (self.standing, *self.cycles)])

    def curves(self, keys: Array) -> Coefficients:
        """Fourier coefficients of all rows at many keys. (n,) -> (n, len(ROWS), HARMONICS + 1)."""
        own = self.keys
        table = np.stack([self.standing.curves, *(c.curves for c in self.cycles)])
        k = np.clip(np.searchsorted(own, keys, side="right") - 1, 0, len(own) - 2)
        share = np.clip((keys - own[k]) / (own[k + 1] - own[k]), 0, 1)
        share = np.where(k == 0, share * (2 - share), share)[:, None, None]     # small motions soon, but without a jerk
        return np.asarray(table[k] * (1 - share) + table[k + 1] * share, complex)


def harmonics(phase: Array) -> Coefficients:
    """What the terms of a Fourier series are multiplied by. (n,) -> (n, HARMONICS + 1)."""
    return np.asarray(np.exp(2j * np.pi * phase[:, None] * np.arange(HARMONICS + 1)))


def curve_at(curves: Coefficients, name: str, phase: Array) -> Array:
    """A row in radians, each moment with its own coefficients. (n, len(ROWS), HARMONICS + 1), (n,) -> (n,)."""
    return (harmonics(phase) * curves[:, ROWS.index(name)]).sum(1).real


def turned_round(curves: Coefficients, duty: Array, onward: Array) -> Coefficients:
    """Rows of a body that does not go the way it faces: people walk backward much as they walk forward, seen in reverse, and
    sidewards as half of each.

    Source: Winter, Pluck and Yang 1989, J Motor Behavior 21:291.

    Args:
        curves: (n, len(ROWS), HARMONICS + 1).
        duty: (n,) share of the cycle that a foot is on the ground: in reverse its strike is its lift.
        onward: (n,) cosine of the angle between the way and the facing.
    """
    reverse = np.conj(curves * harmonics(duty)[:, None])
    share = 0.5 * (1 + onward)[:, None, None]
    return np.asarray(share * curves + (1 - share) * reverse)


def _standing(first: Cycle) -> Cycle:
    curves = np.zeros_like(first.curves)
    for k, row in enumerate(ROWS):
        curves[k, 0] = np.radians(STANDING.get(row.removesuffix(".R"), 0.0))
    even = {} if first.together else dict.fromkeys(UNEVEN, 0.0)           # nobody limps who stands
    return replace(first, speed=0.0, curves=curves, duty=0.5 * (1 + first.duty),
                   strike_pitch=0.4 * first.strike_pitch, toe_off_pitch=0.4 * first.toe_off_pitch, **even)

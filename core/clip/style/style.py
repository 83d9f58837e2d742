"""A style: how a body moves over one cycle, at a few speeds, and the gait that goes with each.

Every curve goes from the strike of the foot described to its next strike; those of pelvis, chest
and head are told for the cycle of the left foot. The right side has the left one's curves,
mirrored, unless it has its own. Signs: forward, outward, flexed and toes up are positive; `turn`
brings this side forward, `list_angle` raises it, `tilt` and `lean` go forward. The head is told
against looking ahead and level: `head_turn` to the left, `head_nod` down, `head_list` to the right.
Speeds are v / sqrt(g l) and lengths in leg lengths l, so that a style fits bodies of any size.
`shelf.py` reads styles from files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Coefficients = NDArray[np.complex128]

CURVES = (
    "thigh",
    "knee",
    "ankle",
    "pelvis_turn",
    "pelvis_list",
    "pelvis_tilt",
    "chest_turn",
    "chest_list",
    "chest_lean",
    "arm",
    "arm_out",
    "arm_turn",
    "elbow",
    "head_turn",
    "head_nod",
    "head_list",
)
# that a style need not tell: the head looks ahead
OPTIONAL_CURVES = ("head_turn", "head_nod", "head_list")
# that the right side may have of its own
LIMB_CURVES = ("thigh", "knee", "ankle", "arm", "arm_out", "arm_turn", "elbow")
LEG_CURVES = ("thigh", "knee", "ankle")  # whose curves mean nothing to another gait
ROWS = (*CURVES, *(f"{name}.R" for name in LIMB_CURVES))
# numbers by which the right foot differs
ASYMMETRY_NUMBERS = ("right_longer", "right_later", "right_lower")
# that is put between the keys of a walk and those of a run,
# for poses to go from one to the other in time
GAIT_KEY_GAP = 0.3
HARMONICS = 6  # of a smoothed curve; gait curves hold little beyond the fifth
# share of the cycle by which the right foot is late or early, from which on both feet land as one
MIN_HOP_DELAY = 0.45


@dataclass(frozen=True)
class Cycle:
    """One speed's numbers, or a blend of two speeds'."""

    speed: float  # v / sqrt(g l)
    stride: float  # length of two steps, leg lengths
    duty: float  # share of the cycle that a foot is on the ground
    heel_off: float  # share of the stance at which the heel leaves
    flat: float  # share of the stance at which the ball comes down
    strike_pitch: float  # degrees, toes up
    toe_off_pitch: float  # degrees, toes down
    sway: float  # amplitude of the centre of mass to the side, leg lengths
    behind: float  # how far feet stand behind the body in mid-contact, leg lengths
    width: float  # of a step from the middle, half hip widths
    toe_out: float  # degrees
    curves: Coefficients  # (len(ROWS), HARMONICS + 1) of Fourier series, radians
    # share of the cycle that the right foot is longer on the ground than the left
    right_longer: float = 0.0
    # share of the cycle that the right foot's contact comes later than half-way between the left's;
    # 0.5 or -0.5 where both feet land and leave together
    right_later: float = 0.0
    right_lower: float = 0.0  # leg lengths that the hips ride lower over the right foot
    rise: float = 1.0  # multiple of the rise and fall that the legs give the body

    def get_curve(self, name: str) -> Coefficients:
        """The coefficients of a row. (HARMONICS + 1,)."""
        return np.asarray(self.curves[ROWS.index(name)])

    @property
    def is_hop(self) -> bool:
        """Whether both feet land and leave as one: the body hops."""
        return abs(self.right_later) > MIN_HOP_DELAY

    @property
    def flight_limit_duty(self) -> float:
        """The duty at which the body would just not fly any more:
        a walk's is higher, a run's lower.
        """
        return 1.0 if self.is_hop else 0.5

    @property
    def is_walk(self) -> bool:
        """Whether a foot is always on the ground."""
        return self.duty > self.flight_limit_duty

    def for_side(self, side: int) -> Cycle:
        """The cycle as one side's foot has it; 1 for the left, -1 for the right."""
        if side > 0 or not self.right_longer:
            return self
        return replace(self, duty=self.duty + self.right_longer)


def fit_fourier(samples: ArrayLike) -> Coefficients:
    """A curve from equally spaced samples over a cycle, in degrees,
    or from one number that it keeps to.

    (n,) -> (HARMONICS + 1,).
    """
    angles = np.radians(np.atleast_1d(np.asarray(samples, float)))
    coefficients = np.zeros(HARMONICS + 1, complex)
    spectrum = np.fft.rfft(angles)[: HARMONICS + 1] / len(angles)
    coefficients[: len(spectrum)] = spectrum
    coefficients[1:] *= 2
    return coefficients


def build_table(curves: Mapping[str, Coefficients]) -> Coefficients:
    """All rows from those that are told: the head at rest, the right side as the left,
    where nothing else is said.
    """
    zero_curve = np.zeros(HARMONICS + 1, complex)
    left_curves = {
        name: curves.get(name, zero_curve) if name in OPTIONAL_CURVES else curves[name]
        for name in CURVES
    }
    return np.stack(
        [curves[row] if row in curves else left_curves[row.removesuffix(".R")] for row in ROWS]
    )


def blend_cycles(a: Cycle, b: Cycle, share: float) -> Cycle:
    """Between two cycles, share 0 giving a and 1 giving b; curves and numbers mix linearly,
    the stride geometrically.
    """
    mixed = {
        f.name: (1 - share) * getattr(a, f.name) + share * getattr(b, f.name) for f in fields(Cycle)
    }
    mixed["stride"] = a.stride ** (1 - share) * b.stride**share
    return Cycle(**mixed)


# degrees
STANDING_ANGLES = {
    "thigh": 6.0,
    "knee": 12.0,
    "ankle": 6.0,
    "arm_out": 6.0,
    "arm_turn": 10.0,
    "elbow": 10.0,
}


@dataclass(frozen=True)
class Style:
    """Cycles by rising speed, asked for at any speed.

    The cycles from `change_speed` on, if any, are of another gait than those below:
    nothing lies between them.
    """

    name: str
    preferred_speed: float  # v / sqrt(g l) at which it goes unless told otherwise
    sources: tuple[str, ...]
    cycles: tuple[Cycle, ...]
    change_speed: float = float("inf")
    custom_standing: Cycle | None = None  # how it stands; None for upright and at ease
    about: str = ""

    def cycle_at(self, speed: float) -> Cycle:
        """The cycle at a speed v / sqrt(g l).

        Between two cycles it is blended. Below the slowest the stride shortens with the root of the
        speed and the body draws itself up to standing; above the fastest the curves stay and the
        stride goes on lengthening with the speed.
        """
        gait_cycles = [
            c for c in self.cycles if (c.speed >= self.change_speed) == (speed >= self.change_speed)
        ]
        speeds = np.array([c.speed for c in gait_cycles])
        if speed < speeds[0]:
            slowest = gait_cycles[0]
            share = float(np.sqrt(max(speed, 0.0) / slowest.speed))
            slowed_cycle = blend_cycles(self.standing, slowest, share)
            return replace(slowed_cycle, speed=speed, stride=max(slowest.stride * share, 0.05))
        if speed >= speeds[-1]:
            fastest = gait_cycles[-1]
            growth = (speed / speeds[-1]) ** 0.6
            return replace(
                fastest, speed=speed, stride=fastest.stride * growth, duty=fastest.duty / growth
            )
        k = int(np.searchsorted(speeds, speed, side="right")) - 1
        a = gait_cycles[k]
        b = gait_cycles[k + 1]
        # strides go with a power of the speed
        exponent = np.log(b.stride / a.stride) / np.log(b.speed / a.speed)
        mixed = blend_cycles(a, b, float((speed - a.speed) / (b.speed - a.speed)))
        return replace(mixed, stride=a.stride * float((speed / a.speed) ** exponent))

    @property
    def standing(self) -> Cycle:
        """The pose of the standing body, as a cycle of speed 0."""
        return (
            _make_standing_cycle(self.cycles[0])
            if self.custom_standing is None
            else self.custom_standing
        )

    @property
    def keys(self) -> Array:
        """Where the standing body and each cycle lie on the line that `curves_at` is
        asked along. (1 + cycles,).
        """
        return np.array(
            [0.0, *(c.speed + GAIT_KEY_GAP * (c.speed >= self.change_speed) for c in self.cycles)]
        )

    def find_keys(self, speeds: ArrayLike, second_gait_share: ArrayLike) -> Array:
        """Keys of speeds, given by how much the body is in the second gait,
        0 to 1. (n,), (n,) -> (n,).
        """
        speed = np.asarray(speeds, float)
        share = np.asarray(second_gait_share, float)
        if np.isinf(self.change_speed):
            return speed
        return (1 - share) * np.minimum(speed, self.change_speed) + share * (
            np.maximum(speed, self.change_speed) + GAIT_KEY_GAP
        )

    def right_delay_at(self, keys: Array) -> Array:
        """How much later than half a cycle after the left foot the right one strikes,
        share of the cycle. (n,) -> (n,).
        """
        return np.interp(
            keys,
            self.keys,
            [c.right_later - 0.5 * c.right_longer for c in (self.standing, *self.cycles)],
        )

    def curves_at(self, keys: Array) -> Coefficients:
        """Fourier coefficients of all rows at many keys. (n,) -> (n, len(ROWS), HARMONICS + 1)."""
        cycle_keys = self.keys
        table = np.stack([self.standing.curves, *(c.curves for c in self.cycles)])
        k = np.clip(np.searchsorted(cycle_keys, keys, side="right") - 1, 0, len(cycle_keys) - 2)
        share = np.clip((keys - cycle_keys[k]) / (cycle_keys[k + 1] - cycle_keys[k]), 0, 1)
        # small motions soon, but without a jerk
        share = np.where(k == 0, share * (2 - share), share)[:, None, None]
        return np.asarray(table[k] * (1 - share) + table[k + 1] * share, complex)


def evaluate_harmonics(phase: Array) -> Coefficients:
    """What the terms of a Fourier series are multiplied by. (n,) -> (n, HARMONICS + 1)."""
    return np.asarray(np.exp(2j * np.pi * phase[:, None] * np.arange(HARMONICS + 1)))


def curve_at(curves: Coefficients, name: str, phase: Array) -> Array:
    """A row in radians, each moment with its own coefficients.
    (n, len(ROWS), HARMONICS + 1), (n,) -> (n,).
    """
    return (evaluate_harmonics(phase) * curves[:, ROWS.index(name)]).sum(1).real


def reverse_curves(curves: Coefficients, duty: Array, direction_cosine: Array) -> Coefficients:
    """Rows of a body that does not go the way it faces: people walk backward much as they walk
    forward, seen in reverse, and sidewards as half of each.

    Source: Winter, Pluck and Yang 1989, J Motor Behavior 21:291.

    Args:
        curves: (n, len(ROWS), HARMONICS + 1).
        duty: (n,) share of the cycle that a foot is on the ground:
            in reverse its strike is its lift.
        direction_cosine: (n,) cosine of the angle between the way and the facing.
    """
    reverse = np.conj(curves * evaluate_harmonics(duty)[:, None])
    share = 0.5 * (1 + direction_cosine)[:, None, None]
    return np.asarray(share * curves + (1 - share) * reverse)


def _make_standing_cycle(slowest: Cycle) -> Cycle:
    curves = np.zeros_like(slowest.curves)
    for k, row in enumerate(ROWS):
        curves[k, 0] = np.radians(STANDING_ANGLES.get(row.removesuffix(".R"), 0.0))
    # nobody limps who stands
    symmetric = {} if slowest.is_hop else dict.fromkeys(ASYMMETRY_NUMBERS, 0.0)
    return replace(
        slowest,
        speed=0.0,
        curves=curves,
        duty=0.5 * (1 + slowest.duty),
        strike_pitch=0.4 * slowest.strike_pitch,
        toe_off_pitch=0.4 * slowest.toe_off_pitch,
        **symmetric,
    )

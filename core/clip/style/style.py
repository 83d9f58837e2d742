"""Styles: the motion of a body over one cycle at several speeds, and the gait of each.

Every curve is given from one strike of a foot to its next; those of pelvis, chest and head from
strikes of the left foot. The right side has the curves of the left side, mirrored, unless it has
separate ones. Forward, outward, flexed and toes up are positive. `turn` moves this side forward,
`list` raises it, `tilt` and `lean` are forward. The head is relative to looking forward and level,
with `head_turn` to the left, `head_nod` down and `head_list` to the right. Speeds are v / sqrt(g l)
and lengths in leg lengths l, so a style fits bodies of any size. `shelf.py` reads style files.
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
# Curves that a style may leave out; without them the head looks forward.
OPTIONAL_CURVES = ("head_turn", "head_nod", "head_list")
# Curves that the right side may have separately.
LIMB_CURVES = ("thigh", "knee", "ankle", "arm", "arm_out", "arm_turn", "elbow")
LEG_CURVES = ("thigh", "knee", "ankle")  # Curves that differ between gaits
# Rows of the table of curves.
ROWS = (*CURVES, *(f"{name}.R" for name in LIMB_CURVES))
# Numbers that describe the difference of the right foot.
ASYMMETRY_NUMBERS = ("right_longer", "right_later", "right_lower")
# Distance between the keys of a walk and of a run, along which poses change in time.
GAIT_KEY_GAP = 0.3
HARMONICS = 6  # Number of harmonics of a curve; curves of gaits have little beyond the fifth
# Delay of the right foot from which on both feet land together [share of the cycle].
MIN_HOP_DELAY = 0.45
MIN_STRIDE = 0.05  # Shortest stride of a slow walk [leg lengths]
# Exponent of the speed with which strides grow beyond the fastest cycle.
STRIDE_GROWTH_EXPONENT = 0.6


@dataclass(frozen=True)
class Cycle:
    """A cycle at one speed, which may be a blend of two cycles.

    The field names are the keys of style files.

    Args:
        speed: speed [sqrt(g l)].
        stride: length of two steps [leg lengths].
        duty: share of the cycle for which a foot is on the ground.
        heel_off: time at which the heel lifts, as a share of the stance.
        flat: time at which the ball comes down, as a share of the stance.
        strike_pitch: pitch of the foot at its strike, toes up [degrees].
        toe_off_pitch: pitch of the foot at its lift, toes down [degrees].
        sway: lateral amplitude of the center of mass [leg lengths].
        behind: distance of the feet behind the center of mass in mid-contact [leg lengths].
        width: distance of a foot from the middle [half hip widths].
        toe_out: outward turn of the feet [degrees].
        curves: (len(ROWS), HARMONICS + 1) Fourier coefficients [rad].
        right_longer: additional duty of the right foot [share of the cycle].
        right_later: delay of the contact of the right foot after the middle between contacts of
            the left foot [share of the cycle]; 0.5 or -0.5 if both feet land together.
        right_lower: additional drop of the hips over the right foot [leg lengths].
        rise: rise and fall of the body, as a multiple of that which follows from the legs.
    """

    speed: float
    stride: float
    duty: float
    heel_off: float
    flat: float
    strike_pitch: float
    toe_off_pitch: float
    sway: float
    behind: float
    width: float
    toe_out: float
    curves: Coefficients
    right_longer: float = 0.0
    right_later: float = 0.0
    right_lower: float = 0.0
    rise: float = 1.0

    def get_curve(self, name: str) -> Coefficients:
        """Return the Fourier coefficients of a row, (HARMONICS + 1,) [rad]."""
        return np.asarray(self.curves[ROWS.index(name)])

    @property
    def is_hop(self) -> bool:
        """Whether both feet land and lift together."""
        return abs(self.right_later) > MIN_HOP_DELAY

    @property
    def flight_limit_duty(self) -> float:
        """Smallest duty without a flight phase; that of a walk is higher, of a run lower."""
        return 1.0 if self.is_hop else 0.5

    @property
    def is_walk(self) -> bool:
        """Whether a foot is always on the ground."""
        return self.duty > self.flight_limit_duty

    def for_side(self, side: int) -> Cycle:
        """Return the cycle of the foot of one side, 1 for the left and -1 for the right."""
        if side > 0 or not self.right_longer:
            return self
        return replace(self, duty=self.duty + self.right_longer)


def fit_fourier(samples: ArrayLike) -> Coefficients:
    """Return the Fourier series of a curve, (HARMONICS + 1,) [rad].

    Args:
        samples: (n,) equally spaced samples over a cycle, or a constant [degrees].
    """
    angles = np.radians(np.atleast_1d(np.asarray(samples, float)))
    coefficients = np.zeros(HARMONICS + 1, complex)
    spectrum = np.fft.rfft(angles)[: HARMONICS + 1] / len(angles)
    coefficients[: len(spectrum)] = spectrum
    coefficients[1:] *= 2
    return coefficients


def build_table(curves: Mapping[str, Coefficients]) -> Coefficients:
    """Return the table of all rows, (len(ROWS), HARMONICS + 1).

    Missing rows of the head are zero, those of the right side are those of the left side.

    Args:
        curves: (HARMONICS + 1,) Fourier coefficients by row.
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
    """Return a blend of two cycles, `a` at share 0 and `b` at share 1.

    Curves and numbers are blended linearly, the stride geometrically.
    """
    mixed = {
        f.name: (1 - share) * getattr(a, f.name) + share * getattr(b, f.name) for f in fields(Cycle)
    }
    mixed["stride"] = a.stride ** (1 - share) * b.stride**share
    return Cycle(**mixed)


# Angles of the standing pose, if a style does not specify one [degrees]: a human at ease, whose
# knees and elbows are not locked.
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
    """Cycles in order of their speed, which are interpolated.

    Args:
        name: name of the style.
        preferred_speed: speed if a task does not specify one [sqrt(g l)].
        sources: publications.
        cycles: cycles in order of their speed.
        change_speed: speed from which on cycles have another gait [sqrt(g l)]. Cycles on both sides
            of it are not blended.
        custom_standing: standing pose; None for a relaxed upright pose.
        about: description in one line.
    """

    name: str
    preferred_speed: float
    sources: tuple[str, ...]
    cycles: tuple[Cycle, ...]
    change_speed: float = float("inf")
    custom_standing: Cycle | None = None
    about: str = ""

    def cycle_at(self, speed: float) -> Cycle:
        """Return the cycle at a speed [sqrt(g l)].

        Between two cycles it is a blend of them. Below the slowest cycle the stride shortens with
        the square root of the speed and the pose approaches standing. Above the fastest cycle the
        curves stay the same and the stride continues to grow with the speed.
        """
        gait_cycles = [
            c for c in self.cycles if (c.speed >= self.change_speed) == (speed >= self.change_speed)
        ]
        speeds = np.array([c.speed for c in gait_cycles])
        if speed < speeds[0]:
            slowest = gait_cycles[0]
            share = float(np.sqrt(max(speed, 0.0) / slowest.speed))
            slowed_cycle = blend_cycles(self.standing, slowest, share)
            return replace(
                slowed_cycle, speed=speed, stride=max(slowest.stride * share, MIN_STRIDE)
            )
        if speed >= speeds[-1]:
            fastest = gait_cycles[-1]
            growth = (speed / speeds[-1]) ** STRIDE_GROWTH_EXPONENT
            return replace(
                fastest, speed=speed, stride=fastest.stride * growth, duty=fastest.duty / growth
            )
        k = int(np.searchsorted(speeds, speed, side="right")) - 1
        a = gait_cycles[k]
        b = gait_cycles[k + 1]
        # The stride is a power of the speed.
        exponent = np.log(b.stride / a.stride) / np.log(b.speed / a.speed)
        mixed = blend_cycles(a, b, float((speed - a.speed) / (b.speed - a.speed)))
        return replace(mixed, stride=a.stride * float((speed / a.speed) ** exponent))

    @property
    def standing(self) -> Cycle:
        """Standing pose, as a cycle of speed 0."""
        return (
            _make_standing_cycle(self.cycles[0])
            if self.custom_standing is None
            else self.custom_standing
        )

    @property
    def keys(self) -> Array:
        """(1 + cycles,) keys of the standing pose and of each cycle, for `curves_at`.

        A key is a speed, with a gap of `GAIT_KEY_GAP` between the two gaits.
        """
        return np.array(
            [0.0, *(c.speed + GAIT_KEY_GAP * (c.speed >= self.change_speed) for c in self.cycles)]
        )

    def find_keys(self, speeds: ArrayLike, second_gait_share: ArrayLike) -> Array:
        """Return keys at speeds, (n,).

        Args:
            speeds: (n,) speeds [sqrt(g l)].
            second_gait_share: (n,) share of the second gait, from 0 to 1.
        """
        speed = np.asarray(speeds, float)
        share = np.asarray(second_gait_share, float)
        if np.isinf(self.change_speed):
            return speed
        return (1 - share) * np.minimum(speed, self.change_speed) + share * (
            np.maximum(speed, self.change_speed) + GAIT_KEY_GAP
        )

    def right_delay_at(self, keys: Array) -> Array:
        """Return the delay of the strike of the right foot at keys, (n,) -> (n,).

        It is relative to half a cycle after the strike of the left foot [share of the cycle].
        """
        return np.interp(
            keys,
            self.keys,
            [c.right_later - 0.5 * c.right_longer for c in (self.standing, *self.cycles)],
        )

    def curves_at(self, keys: Array) -> Coefficients:
        """Return Fourier coefficients at keys, (n,) -> (n, len(ROWS), HARMONICS + 1)."""
        cycle_keys = self.keys
        table = np.stack([self.standing.curves, *(c.curves for c in self.cycles)])
        k = np.clip(np.searchsorted(cycle_keys, keys, side="right") - 1, 0, len(cycle_keys) - 2)
        share = np.clip((keys - cycle_keys[k]) / (cycle_keys[k + 1] - cycle_keys[k]), 0, 1)
        # Near standing the pose changes quickly at first, but without a jerk.
        share = np.where(k == 0, share * (2 - share), share)[:, None, None]
        return np.asarray(table[k] * (1 - share) + table[k + 1] * share, complex)


def evaluate_harmonics(phase: Array) -> Coefficients:
    """Return the terms of a Fourier series at phases, (n,) -> (n, HARMONICS + 1)."""
    return np.asarray(np.exp(2j * np.pi * phase[:, None] * np.arange(HARMONICS + 1)))


def curve_at(curves: Coefficients, name: str, phase: Array) -> Array:
    """Return a curve at phases, (n,) [rad].

    Args:
        curves: (n, len(ROWS), HARMONICS + 1) Fourier coefficients at each phase.
        name: row of the curve.
        phase: (n,) phases.
    """
    return (evaluate_harmonics(phase) * curves[:, ROWS.index(name)]).sum(1).real


def reverse_curves(curves: Coefficients, duty: Array, direction_cosine: Array) -> Coefficients:
    """Return curves of a body that does not move in the direction it faces.

    People walk backward about as they walk forward with time reversed (Winter, Pluck and Yang 1989,
    J Motor Behavior 21:291). Sideways the mean of both is used.

    Args:
        curves: (n, len(ROWS), HARMONICS + 1) Fourier coefficients.
        duty: (n,) share of the cycle for which a foot is on the ground, needed since the strike
            becomes the lift when time is reversed.
        direction_cosine: (n,) cosine of the angle between direction of travel and facing.
    """
    reverse = np.conj(curves * evaluate_harmonics(duty)[:, None])
    share = 0.5 * (1 + direction_cosine)[:, None, None]
    return np.asarray(share * curves + (1 - share) * reverse)


def _make_standing_cycle(slowest: Cycle) -> Cycle:
    """Return the relaxed upright pose as a cycle, with numbers from the slowest cycle."""
    curves = np.zeros_like(slowest.curves)
    for k, row in enumerate(ROWS):
        curves[k, 0] = np.radians(STANDING_ANGLES.get(row.removesuffix(".R"), 0.0))
    # A standing body does not limp.
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

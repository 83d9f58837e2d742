"""The way of each foot: heel strike, flat, toe-off, and a swing that the style draws and the ground raises.

Pitch is the angle of the foot against its resting place, toes up positive.
"""
from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ..character.character import Foot
from ..geometry import so3
from ..geometry.quintic import Quintic
from ..motion.footstep import Footstep
from ..terrain import Ground
from .bar_clearance import Bar, hop_over
from .clearance import raise_over
from .roll import Roll, on_ball, pitched, rolling, rolls

Array = NDArray[np.float64]


class Hold(IntEnum):
    """What of a foot rests on the ground. A swinging foot has a way of its own, a free one goes where the pose has it."""

    SWING = 0
    HEEL = 1
    FLAT = 2
    BALL = 3
    FREE = 4


@dataclass(frozen=True)
class FootPath:
    """One foot at n times. All places in world axes, metres."""

    hold: NDArray[np.int64]       # (n,) of Hold
    rotation: Array               # (n, 3, 3) wished for
    origin: Array                 # (n, 3) of the foot's link, wished for
    rest: Array                   # (n, 3, 3) of the sole where it rests; in a swing between its two rests
    heel: Array                   # (n, 3) where the heel rests; only in a contact
    pivot: Array                  # (n, 3) where the pivot over the toes rests; only in a contact
    bend: Array                   # (n,) by which the toes are bent up against the foot, rad
    firm: Array                   # (n,) how firmly a swing is held to its path: 1 at both ends, 0 in the middle


FULL_DROP = 0.1                 # m that a swing leads down, from which on it is wholly out before it sinks
# m, and upward as a foot leaves: what leaves the ground faster than it is drawn would dip into a slope, while a foot that is drawn
# faster is late all through its swing (thighs of runs were off by 6 degrees, tests/core/engine/test_human.py)
DETOUR, UP_DETOUR = 0.015, 0.06
PITCH_DETOUR = np.radians(3)
SETTLES = 0.6                   # of a swing's firmness, from which on it goes to where it stands whether the leg reaches or not


@dataclass(frozen=True)
class _Contact:
    """A footstep's own curve of pitch and the places it pivots about."""

    footstep: Footstep
    heel: Array
    pivot: Array
    pitch: Quintic
    foot: Foot

    @staticmethod
    def of(f: Footstep, foot: Foot, roll: Roll) -> _Contact:
        """The contact's roll: down flat from the strike, level, and over the toes to the lift."""
        heel, pivot = (f.position + f.rotation @ (p - foot.centre) for p in (foot.heel, foot.pivot))
        return _Contact(f, heel, pivot, rolling(f, roll) if f.raised is None else on_ball(f, f.raised, roll), foot)

    def origin(self, times: Array, about_heel: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Origin (n, 3) and rotation (n, 3, 3) of the foot, rolling about its heel or its pivot."""
        rotation = pitched(self.footstep.rotation, self.pitch(times))
        about_heel = (about_heel != self.footstep.toes_first) & (self.footstep.raised is None)
        by_heel = self.heel - rotation @ self.foot.heel
        by_pivot = self.pivot - rotation @ self.foot.pivot
        return np.where(about_heel[:, None], by_heel, by_pivot), rotation

    def end(self, time: float, lands: bool) -> Array:
        """Place of the foot's origin and pitch at an end of the contact, and their rates. (2, 4)."""
        at, f = np.array([time]), self.footstep
        pitch, rate = self.pitch(at), self.pitch(at, 1)
        about_heel = lands != f.toes_first and f.raised is None
        rests, foot = (self.heel, self.foot.heel) if about_heel else (self.pivot, self.foot.pivot)
        rotation = pitched(f.rotation, pitch[0])
        turning = rate[0] * rotation @ np.array([foot[2], 0.0, -foot[0]])             # a rotation about -y, by the pitch
        return np.array([[*rests - rotation @ foot, pitch[0]], [*turning, rate[0]]])


def foot_path(times: Array, footsteps: list[Footstep], foot: Foot, drawn: Array, drawn_pitch: Array,
              ground: Ground, clear: float, hip: Array, leg: float, bars: Sequence[Bar] = (),
              behind: float = 0.0) -> FootPath:
    """The path of one foot through its footsteps.

    Args:
        times: (n,) rising.
        footsteps: of this foot, in order; the first strikes before the first time.
        drawn: (n, 3) origins that the style's pose gives, placed along the plan; only their shape counts.
        drawn_pitch: (n,) pitches that it gives, rad.
        clear: height over the ground that the foot keeps in the middle of a swing, m.
        hip: (n, 3) places of the hip joint in the style's pose, placed along the plan.
        leg: length of the leg from hip to the foot's origin, m.
        bars: that swings pass over.
        behind: length behind the heel that swings carry over edges too, m.
    """
    n = len(times)
    curve = CubicSpline(times, np.column_stack([drawn, drawn_pitch]))
    strikes = [f.strike for f in footsteps]
    seen = slice(max(bisect_right(strikes, times[0]) - 1, 0), bisect_left(strikes, times[-1]) + 1)      # the others are elsewhen
    contacts = [_Contact.of(f, foot, roll)
                for f, roll in zip(footsteps[seen], rolls(footsteps, foot, times, curve, hip, leg)[seen], strict=True)]
    path = FootPath(np.zeros(n, np.int64), np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1)),
                    np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n), np.ones(n))
    for k, c in enumerate(contacts):
        _fill_contact(path, times, c)
        if k + 1 < len(contacts):
            _fill_swing(path, times, c, contacts[k + 1], curve, ground, clear, bars, behind)
    swinging = path.hold == Hold.SWING
    drawn_in = within_reach(path.origin[swinging], hip[swinging], leg) - path.origin[swinging]
    firm = np.where(np.gradient(path.firm) > 0, path.firm, 0.0)[swinging]             # a foot that lands gets where it stands
    settled = np.clip((firm - SETTLES) / (1 - SETTLES), 0, 1)[:, None]
    path.origin[swinging] += (1 - settled**2 * (3 - 2 * settled)) * drawn_in
    return path


def _fill_contact(path: FootPath, times: Array, c: _Contact) -> None:
    f = c.footstep
    on = slice(*np.searchsorted(times, [f.strike, np.nextafter(f.lift, np.inf)]))
    t = times[on]
    first, last = (Hold.BALL, Hold.HEEL) if f.toes_first else (Hold.HEEL, Hold.BALL)
    whole = np.where(t < f.flat, first, np.where(t <= f.heel_off, Hold.FLAT, last))
    path.hold[on] = whole if f.raised is None else Hold.BALL
    path.origin[on], path.rotation[on] = c.origin(t, t < 0.5 * (f.flat + f.heel_off))
    path.rest[on], path.heel[on], path.pivot[on] = f.rotation, c.heel, c.pivot
    path.bend[on] = np.maximum(-c.pitch(t), 0.0) * c.foot.has_toe


def _fill_swing(path: FootPath, times: Array, a: _Contact, b: _Contact, curve: CubicSpline, ground: Ground, clear: float,
                bars: Sequence[Bar], behind: float) -> None:
    begin, end = a.footstep.lift, b.footstep.strike
    on = slice(*np.searchsorted(times, [np.nextafter(begin, np.inf), end]))
    t = times[on]
    if not t.size:
        return
    u = (t - begin) / (end - begin)
    leaves, lands = a.end(begin, False), b.end(end, True)
    drawn = curve(t) + _bridge(t, (begin, end), leaves, lands, curve)
    origin, pitch = drawn[:, :3], drawn[:, 3]
    smooth = u**3 * (10 - 15 * u + 6 * u * u)
    turn = so3.log(a.footstep.rotation.T @ b.footstep.rotation)
    rest = a.footstep.rotation @ so3.exp(smooth[:, None] * turn)
    rotation = pitched(rest, pitch)
    bend = (_unbending(u, max(-leaves[0, 3], 0.0)) + _unbending(1 - u, max(-lands[0, 3], 0.0))) * a.foot.has_toe
    origin[:, :2] = _out_first(u, origin[:, :2], _step_down(a.footstep, b.footstep))
    origin[:, 2] += raise_over(ground, a.foot, origin, rotation, bend, u, clear, behind)
    origin[:, 2] += hop_over(bars, a.foot, t, origin, rotation, bend)
    path.origin[on], path.rotation[on], path.rest[on], path.bend[on] = origin, rotation, rest, bend
    path.firm[on] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2


def _step_down(a: Footstep, b: Footstep) -> float:
    """How much lower a footstep is than the slope of the ground under both soles would have it, m: a slope has no edge."""
    way = b.position - a.position
    normal = a.rotation[:, 2] + b.rotation[:, 2]
    return float(-(normal @ way) / max(normal[2], 1e-6))


def _out_first(u: Array, level: Array, drop: float) -> Array:
    """The level part of a swing, sooner out where it leads down: the heel must be past the edge before it sinks. (n, 2)."""
    share = min(max(drop, 0.0) / FULL_DROP, 1.0)
    sooner = np.minimum(u + 1.5 * share * u * u * (1 - u), 1.0)
    return np.stack([np.interp(sooner, u, level[:, axis]) for axis in range(2)], -1)


def within_reach(origin: Array, hip: Array, leg: float) -> Array:
    """Places drawn in towards the hip so that the leg need not be stretched straight for them. (n, 3)."""
    away = origin - hip
    length = np.linalg.norm(away, axis=1, keepdims=True)
    begin, end = 0.9965 * leg, 0.9995 * leg
    over = np.maximum(length - begin, 0.0)
    allowed = np.where(over > 0, begin + (end - begin) * np.tanh(over / (end - begin)), length)
    return hip + away * (allowed / length)


def _unbending(u: Array, start: float) -> Array:
    """Toes that straighten over the first third of a swing, from what they are bent by at its start."""
    s = np.clip(u / 0.35, 0, 1)
    return start * (1 - s**3 * (10 - 15 * s + 6 * s * s))


def _bridge(t: Array, span: tuple[float, float], first: Array, last: Array, curve: CubicSpline) -> Array:
    """What must be added to a curve over a span so that place and pitch at both ends, and their rates, (2, 4), come out as given;
    calm ends. (n, 4).

    A rate that the curve does not have at an end takes the path aside by 0.15 times the span; what would exceed the detours
    is left out. At an end that lies outside the times for which the curve is known nothing is added.
    """
    errors = np.zeros((2, 3, 4))
    for error, time, end in zip(errors, span, (first, last), strict=True):
        if not curve.x[0] <= time <= curve.x[-1]:
            continue
        error[0], error[1] = end[0] - curve(time), end[1] - curve(time, 1)
        longest = 0.15 * (span[1] - span[0]) * np.array([np.linalg.norm(error[1, :2]), *np.abs(error[1, 2:])])
        up = UP_DETOUR if time == span[0] and error[1, 2] > 0 else DETOUR
        error[1] *= np.minimum(1.0, np.array([DETOUR, up, PITCH_DETOUR]) / np.maximum(longest, 1e-9))[[0, 0, 1, 2]]
    return Quintic(span, errors)(t)

"""Footfalls of any number of legs along a way: when each foot comes down, where, and when it leaves.

The strides follow each other at the law's rate for the speed of the moment; lags and duty of each stride are the law's with a
limit on how much they change from one to the next, so that gaits blend; the fit then sets all contacts right together. A body
that stands has its feet square under its hips, lifts them in the order of its gait and comes to stand so again.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..course.progress import Way
from ..gait.gait_law import RhythmLaw
from ..gait.gait_names import name_gait
from ..gait.rhythm import Rhythm
from .stride_fit import StrideProblem, fit_strides

Array = NDArray[np.float64]

MOST_SHIFT = 0.08       # strides that a leg's lag changes by from one stride to the next
MOST_DUTY = 0.06        # that the duty factor does
LEAST_SWING = 0.8       # of its usual time, that a foot is in the air in any case
UNDER_WAY = 0.02        # v / sqrt(g h) below which a body counts as standing at the first moment
SQUARE = 0.06           # hip heights that a foot may stand off its place under the hip without stepping again
WITH_FIRST = 0.85       # lag beyond which a leg of a body that sets off goes with the first one instead of a stride later


@dataclass(frozen=True)
class Footfall:
    """One contact of one foot.

    `touch_down` is -infinity where the foot stood from before, `lift_off` infinity where it stands for good. `body` is the
    distance along the path of the body's middle when the foot's hip is over it, `place` that of the hip, and so of the foot.
    Strides are counted alike for all legs, and those before the first moment are negative.
    """

    leg: int
    stride: int
    touch_down: float       # s
    lift_off: float         # s
    body: float             # m
    place: float            # m
    middle: float           # s, at which the hip is over the foot; for feet that stand, some moment at which it is

    @property
    def duration(self) -> float:
        """How long the foot is down, s."""
        return self.lift_off - self.touch_down


@dataclass(frozen=True)
class Strides:
    """What each stride of a stretch of going was to be and became."""

    first: int                          # number of the first one
    rhythms: tuple[Rhythm, ...]         # what the law says, within the limits of change
    middle: Array                       # (strides, legs) s, middles of the contacts
    begins: float                       # s, at which the body sets off
    ends: float                         # s, at which it stands again; infinity where it goes on

    @property
    def phases(self) -> Array:
        """Of each leg after the first one of the rear row, in strides, unwrapped. (strides - 1, legs)."""
        lead = _leader(self.rhythms[0])
        return (self.middle[:-1] - self.middle[:-1, lead, None]) / np.diff(self.middle[:, lead])[:, None]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the gait of each stride as it became."""
        return tuple(name_gait(r.body, p % 1.0, r.duty) for r, p in zip(self.rhythms, self.phases, strict=False))


@dataclass(frozen=True)
class FootfallPlan:
    """All footfalls, by touch-down, and the strides that they belong to."""

    footfalls: tuple[Footfall, ...]
    stretches: tuple[Strides, ...]

    def of(self, leg: int) -> tuple[Footfall, ...]:
        """Those of one leg, in order."""
        return tuple(f for f in self.footfalls if f.leg == leg)

    def gait(self, time: float) -> str:
        """Name of the gait at a moment; "stand" before, between and after its stretches."""
        for s in self.stretches:
            if s.begins <= time < s.ends:
                k = int(np.searchsorted(s.middle[:, _leader(s.rhythms[0])], time, side="right")) - 1
                return s.names[int(np.clip(k, 0, len(s.names) - 1))]
        return "stand"


def plan_footfalls(law: RhythmLaw, time: ArrayLike, distance: ArrayLike, standing: bool = False) -> FootfallPlan:
    """The footfalls of a body that is at distances along its path at moments, and the one of each foot before those.

    Args:
        time: rising moments, s. (n,).
        distance: of the body's middle along the path, never falling, m. (n,).
        standing: whether the body stood before the first moment. Otherwise it came straight on, and the first hind foot is
            under its hip at that moment.

    Raises:
        TaskError: moments that do not rise, or a way that goes back.
    """
    way = Way.of(law, time, distance, standing)
    under_way = not standing and float(way.at(way.begin, "speed")) > UNDER_WAY * law.unit_speed
    feet = [] if under_way else _stand(law, way)
    stretches: list[Strides] = []
    for k, span in enumerate(way.moving(law)):
        number = 1 + max((f.stride for f in feet), default=0)
        stretch, duty = _strides(law, way, span, k == 0 and under_way, number)
        contacts = _contacts(law, way, stretch, duty)
        feet = _joined(feet, contacts, law, stretch)
        used = 1 + max(f.stride for f in contacts) - stretch.first
        stretches.append(replace(stretch, rhythms=stretch.rhythms[:used], middle=stretch.middle[:used]))
    last = {f.leg: f.touch_down for f in sorted(feet, key=lambda f: f.touch_down) if f.lift_off < way.begin}
    there = [f for f in feet if f.touch_down <= way.end and (f.lift_off >= way.begin or f.touch_down == last[f.leg])]
    return FootfallPlan(tuple(sorted(there, key=lambda f: (f.touch_down, f.middle, f.leg))), tuple(stretches))


def _leader(rhythm: Rhythm) -> int:
    """The leg that lags are counted from."""
    body = rhythm.body
    return min(range(len(body.legs)), key=lambda k: (body.row[k], body.second[k]))


def _stand(law: RhythmLaw, way: Way) -> list[Footfall]:
    at = float(way.at(way.begin, "distance"))
    return [Footfall(leg, 0, -np.inf, np.inf, at, at + float(a), way.begin) for leg, a in enumerate(law.body.ahead)]


def _strides(law: RhythmLaw, way: Way, span: tuple[float, float], moving: bool, number: int) -> tuple[Strides, Array]:
    """The strides from a moment on until all feet can have come to stand after another one, and their contacts' duty factors.

    Args:
        span: when the body sets off, and when it stands again or infinity.
        moving: the body is under way and has its first hind foot under its hip at the start, in the middle of stride 0;
            otherwise it stands and lifts that foot then.
        number: of the first stride of a body that stands.
    """
    start, stop = span
    first = law.at(float(way.at(start, "speed")), float(way.at(start, "pace")))
    wrapped = first.lags - np.floor(first.lags + 1e-9)
    if moving:
        lead, low, base = 0.0, -2, -2
    else:
        wrapped = np.where(wrapped > WITH_FIRST, wrapped - 1, wrapped)
        lead, low, base = -0.5 * first.duty, 1, number          # turns from lifting a foot to the middle of its contact: 1 + lead
    offset = float(way.at(start, "turns")) + lead
    high = int(np.ceil(float(way.at(min(stop, way.end), "turns")) - offset)) + 2
    beat = way.after_turns(offset + np.arange(low, high + 1))
    rhythms = _rhythms(law, way, beat, wrapped - first.lags)
    lags = np.stack([r.lags for r in rhythms])                                      # (strides, legs)
    guess = way.after_turns(offset + np.arange(low, high + 1)[:, None] + lags)
    wished = law.stride_time(way.at(0.5 * (guess[1:] + guess[:-1]), "pace"))
    anchored = np.zeros(guess.shape, bool)
    anchored[-low if moving else 0] = (np.arange(guess.shape[1]) == _leader(first)) | (not moving)
    fitted = fit_strides(StrideProblem(law.body, way, guess, lags, wished, anchored))
    duty = np.array([r.duty for r in rhythms])
    share = np.interp(np.arange(len(duty))[:, None] + lags - lags.min(1, keepdims=True), np.arange(len(duty)), duty)
    return Strides(base, tuple(rhythms), fitted, start, stop), share


def _rhythms(law: RhythmLaw, way: Way, beat: Array, turned: Array) -> list[Rhythm]:
    """What the law says at moments, changing by no more than feet can from one to the next.

    Args:
        turned: whole strides that each leg is counted off by. (legs,).
    """
    out: list[Rhythm] = []
    for speed, pace in zip(way.at(beat, "speed"), way.at(beat, "pace"), strict=True):
        new = law.at(float(speed), float(pace), out[-1].passed if out else ())
        new = replace(new, lags=new.lags + turned)
        if out:
            change = new.lags - out[-1].lags
            change *= min(MOST_SHIFT / max(float(np.abs(change).max()), 1e-9), 1.0)
            duty = out[-1].duty + float(np.clip(new.duty - out[-1].duty, -MOST_DUTY, MOST_DUTY))
            new = replace(new, lags=out[-1].lags + change, duty=duty)
        out.append(new)
    return out


def _contacts(law: RhythmLaw, way: Way, s: Strides, duty: Array) -> list[Footfall]:
    """The contacts of a stretch; where it ends, each foot's last one is square under its hip."""
    own = np.gradient(s.middle, axis=0)                                             # (strides, legs) s
    body = way.at(s.middle, "distance")
    down, off = s.middle - 0.5 * duty * own, s.middle + 0.5 * duty * own
    swing = 0.5 * ((1 - duty) * own)[:-1] + 0.5 * ((1 - duty) * own)[1:]
    short = 0.5 * np.maximum(LEAST_SWING * swing - (down[1:] - off[:-1]), 0.0)      # where strides become much quicker or slower
    off[:-1] -= short
    down[1:] += short
    rest = float(way.at(s.ends, "distance")) if np.isfinite(s.ends) else np.inf
    last = np.full(len(law.body.legs), len(s.middle) - 1)
    if np.isfinite(rest):                            # turns do not end before every foot has come to where the body rests
        last = np.argmax(body > rest - SQUARE * law.body.hip_height, axis=0)
    out = []
    for leg, ahead in enumerate(law.body.ahead):
        for k in range(last[leg] + 1):
            rests = bool(k == last[leg] and np.isfinite(rest))
            at = rest if rests else float(body[k, leg])
            out.append(Footfall(leg, s.first + k, float(down[k, leg]), np.inf if rests else float(off[k, leg]), at,
                                at + float(ahead), float(s.middle[k, leg])))
    return out


def _joined(before: list[Footfall], after: list[Footfall], law: RhythmLaw, s: Strides) -> list[Footfall]:
    """Feet that stood, lifted in time for their first step."""
    out = list(before)
    for k, foot in enumerate(out):
        if foot.lift_off < np.inf:
            continue
        first = next(f for f in after if f.leg == foot.leg)
        if first.lift_off == np.inf and abs(first.place - foot.place) < SQUARE * law.body.hip_height:
            after = [f for f in after if f is not first]              # it moves too little for a step
            continue
        swing = (1 - s.rhythms[0].duty) * float(s.middle[1, foot.leg] - s.middle[0, foot.leg])
        out[k] = replace(foot, lift_off=first.touch_down - swing)
    return out + after

"""When the feet of a body on four legs stand, how fast it goes over them, and which stride is its cleanest."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ....errors import ClipError
from .actor import QuadrupedActor

Array = NDArray[np.float64]
Spans = list[tuple[int, int]]

FEET = ("left hind", "right hind", "left fore", "right fore")
LOWEST = 0.03             # share of the frames in which a foot is at its lowest
DOWN = 0.05               # hip heights over that up to which it stands
SMOOTH = 0.012            # s, of what speeds are taken from
SWEPT = 0.35              # share of the body's speed that a foot which stands goes backward with, as the body sees it
STILL_DOWN, STILL_SWEPT = 0.08, 0.1      # the same two at the ends of a contact, which may begin and end softly
STAYS = 0.3               # of what its feet say, that a body of a clip that was made to stay in place goes by itself at most
LEAST_SPEED = 0.05        # sqrt(g h)
GAP, SHORTEST = 0.4, 0.15       # sqrt(h / g) within a contact that a low foot may be swept too slowly, and of a contact at least
ASTRAY = np.radians(35)   # between where the body looks and where it goes
MOST_TURN = np.radians(50)      # within a stride
MOST_OPEN = 0.3           # hip heights that joints are off at most where a stride closes


@dataclass(frozen=True)
class FourStride:
    """One stride, from a touch-down of the left hind foot to its next.

    Args:
        begin, end: frames.
        strikes, lifts: of each foot's contact that begins within the stride, frames. (4,).
        contacts: of each foot, all there are, frames.
        speed: m/s.
        in_place: whether the clip stays where it is, and its feet tell the speed.
    """

    begin: int
    end: int
    strikes: Array
    lifts: Array
    contacts: tuple[Spans, ...]
    speed: float
    in_place: bool


def find_stride(actor: QuadrupedActor) -> FourStride:
    """The cleanest stride.

    Raises:
        ClipError: there is none; the message says why.
    """
    speed, in_place = _speed(actor)
    contacts = tuple(_contacts(actor, leg, speed) for leg in range(4))
    hind = [a for a, _ in contacts[0] if a > 0]
    found: list[tuple[float, FourStride]] = []
    why = "the left hind foot does not come down twice"
    for a, b in pairwise(hind):
        own = [[(s, e) for s, e in spans if a <= s < b and s > 0 and e < len(actor.ahead) - 1] for spans in contacts]
        went = speed if in_place else float(actor.ahead[a:b].mean())
        gap = _gap(actor, a, b)
        if any(len(spans) != 1 for spans in own):
            leg = next(k for k in range(4) if len(own[k]) != 1)
            why = f"the {FEET[leg]} foot comes down {len(own[leg])} times in a stride"
        elif abs(actor.facing[b] - actor.facing[a]) > MOST_TURN:
            why = "it turns all the time"
        elif not in_place and abs(np.arctan2(actor.aside[a:b].mean(), went)) > ASTRAY:
            why = "it goes backward or sideways"
        elif gap > MOST_OPEN:
            why = "no stride ends as it began"
        else:
            strikes, lifts = np.array([spans[0] for spans in own], float).T
            if in_place:
                went = _swept(actor, strikes, lifts)
            # of a loop the one in the middle, which has whole contacts on both sides
            found.append((gap - (0.01 if actor.loop and a >= actor.loop else 0.0),
                          FourStride(a, b, strikes, lifts, contacts, went, in_place)))
    if not found:
        raise ClipError(f"The clip {actor.name} has no whole stride on four legs: {why}. Show at least two steps with each foot, "
                        "straight ahead, or one stride as a loop.")
    return min(found, key=lambda told: told[0])[1]


def _above(actor: QuadrupedActor) -> Array:
    """How far each foot is over where it is at its lowest, m. (n, 4)."""
    lows = actor.poses.lows
    return np.asarray(lows - np.quantile(lows, LOWEST, axis=0))


def _swings(actor: QuadrupedActor) -> Array:
    """How fast each foot goes forward as the body sees it, m/s. (n, 4)."""
    x = gaussian_filter1d(actor.poses.feet[..., 0], SMOOTH / actor.dt, axis=0, mode="nearest")
    return np.asarray(np.gradient(x, actor.dt, axis=0))


def _speed(actor: QuadrupedActor) -> tuple[float, bool]:
    """How fast the body goes, m/s, and whether only its feet tell so.

    Raises:
        ClipError: it goes nowhere, or backward.
    """
    low, swings = _above(actor) < DOWN * actor.hip_height, _swings(actor)
    backward = low & (swings < 0)
    swept = -float(np.median(swings[backward])) if backward.any() else 0.0
    own = float(np.hypot(actor.ahead.mean(), actor.aside.mean()))
    least = LEAST_SPEED * actor.unit_speed
    if own > max(STAYS * swept, least):
        return own, False
    if swept < least:
        raise ClipError(f"The clip {actor.name} shows a body on four legs that goes nowhere: its feet move by {swept:.2f} m/s "
                        "at most while they stand. Footfall learns from walks, trots and gallops.")
    if np.median(swings[low]) > 0:
        raise ClipError(f"The clip {actor.name} shows a body on four legs that goes backward. Footfall learns from gaits ahead.")
    return swept, True


def _contacts(actor: QuadrupedActor, leg: int, speed: float) -> Spans:
    """Frames in which a foot stands: low, and left behind by the body; from first to last."""
    above, swings = _above(actor)[:, leg] / actor.hip_height, _swings(actor)[:, leg] / speed
    low, may = above < STILL_DOWN, (above < STILL_DOWN) & (swings < -STILL_SWEPT)
    grown: Spans = []
    for a, b in _runs((above < DOWN) & (swings < -SWEPT)):
        while a > 0 and may[a - 1]:
            a -= 1
        while b < len(may) and may[b]:
            b += 1
        if grown and a - grown[-1][1] <= GAP * actor.unit_time / actor.dt and low[grown[-1][1]:a].all():
            grown[-1] = (grown[-1][0], max(b, grown[-1][1]))
        else:
            grown.append((a, b))
    return [(a, b) for a, b in grown if (b - a) * actor.dt >= SHORTEST * actor.unit_time]


def _runs(on: NDArray[np.bool_]) -> Spans:
    """Frames from and up to which something holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def _swept(actor: QuadrupedActor, strikes: Array, lifts: Array) -> float:
    """How fast the feet of a stride pass under the body while they stand, m/s: what it would go over them."""
    x = actor.poses.feet[..., 0]
    ways = [x[int(a), leg] - x[int(b) - 1, leg] for leg, (a, b) in enumerate(zip(strikes, lifts, strict=True))]
    return float(np.sum(ways) / (np.sum(lifts - strikes - 1) * actor.dt))


def _gap(actor: QuadrupedActor, a: int, b: int) -> float:
    """How far joints are off where a stride closes, the root of the mean square, hip heights."""
    off = np.concatenate([v[b] - v[a] for v in (actor.poses.tops, actor.poses.feet)])
    return float(np.sqrt((off**2).sum(1).mean()) / actor.hip_height)

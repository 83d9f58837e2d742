"""The strides of an actor: which of them could be taken for its gait, and how clean each is."""
from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...geometry import so3
from .actor import FPS, POINTS, Actor
from .angles import SAMPLES
from .contacts import Feet

Array = NDArray[np.float64]

STRIDES = (0.35, 2.6)     # s that two steps of a walk or run take
OTHER = (0.3, 0.7)        # share of the cycle at which the other foot strikes
LEAST_SPEED = 0.08        # sqrt(g l)
ASTRAY = np.radians(35)   # between where the body looks and where it goes
MOST_TURN = np.radians(50)       # within a cycle
MOST_OPEN = 0.25          # leg lengths that joints are off at most where the cycle closes
# how far off a cycle may be before it is as bad as one that is off by as much of the others
OPEN, CHANGE, TURN, RISE = 0.04, 0.08, np.radians(10), 0.05
LOOP = 0.06               # leg lengths within which the last pose is the first one again
FACING = 0.1              # s, over which the facing is evened out at the ends of a cycle


@dataclass(frozen=True)
class Stride:
    """A stretch from one strike of a foot to its next, frames; and how unclean it is."""

    side: int
    begin: int
    end: int
    other: int
    heading: Array            # (SAMPLES + 1,) rad
    badness: float


def find_strides(actor: Actor, feet: Feet) -> tuple[list[Stride], str]:
    """All strides that could be taken, and why none is there."""
    out, why = [], "no foot comes down twice"
    facing = _facing(actor)
    mean = gaussian_filter1d(actor.hips.mean(1), 0.05 * FPS, axis=0, mode="nearest")
    u = actor.unit_speed
    for side in (0, 1):
        strikes = [round(s.strike * FPS) for s in feet.of(side) if s.strike * FPS > 1]
        others = np.array([round(s.strike * FPS) for s in feet.of(1 - side)])
        for a, b in pairwise(strikes):
            inside = others[(others > a + OTHER[0] * (b - a)) & (others < a + OTHER[1] * (b - a))]
            went = (mean[b] - mean[a])[:2]
            speed = float(np.linalg.norm(went)) * FPS / (b - a)
            turned = float(facing[b] - facing[a])
            astray = abs(so3.wrapped(np.arctan2(went[1], went[0]) - float(facing[a:b].mean())))
            if len(inside) == 1 and not STRIDES[0] <= (b - a) / FPS <= STRIDES[1]:
                why = f"a stride takes {(b - a) / FPS:.1f} s, which may be for another frame rate"
            elif len(inside) != 1:
                why = "its feet do not come down in turn, as in a walk or a run"
            elif speed < LEAST_SPEED * u:
                why = "it does not go anywhere"
            elif astray > ASTRAY:
                why = "it goes backward or sideways"
            elif abs(turned) > MOST_TURN:
                why = "it turns all the time"
            else:
                heading = np.arctan2(went[1], went[0]) + turned * (np.arange(SAMPLES + 1) / SAMPLES - 0.5)
                badness, gap = _badness(actor, facing, mean, a, b)
                if gap > MOST_OPEN:
                    why = "no stride ends as it began"
                    continue
                out.append(Stride(side, a, b, int(inside[0]), heading, badness))
    return out, why




def _facing(actor: Actor) -> Array:
    """Which way the hips look, rad, without jumps. (n,)."""
    across = gaussian_filter1d(actor.hips[:, 0] - actor.hips[:, 1], FACING * FPS, axis=0, mode="nearest")
    return np.unwrap(so3.angle(-across[:, 0], across[:, 1]))


def _badness(actor: Actor, facing: Array, mean: Array, a: int, b: int) -> tuple[float, float]:
    """How far a stride is from steady, straight and closed; and the last alone, leg lengths."""
    leg = actor.leg_length
    gap = _difference(actor, facing, a, b) / leg
    half = (a + b) // 2
    first, second = (float(np.linalg.norm((mean[k] - mean[j])[:2])) / (k - j) for j, k in ((a, half), (half, b)))
    change = abs(first - second) / (first + second) * 2
    rise = abs(mean[b, 2] - mean[a, 2]) / leg
    return gap / OPEN + change / CHANGE + abs(float(facing[b] - facing[a])) / TURN + rise / RISE, gap


def _difference(actor: Actor, facing: Array, a: int, b: int) -> float:
    """How far joints of two frames are from each other, as the body sees them: the root of the mean square, m."""
    points = [getattr(actor, name) for name in ("knees", "ankles", "elbows", "wrists") if getattr(actor, name) is not None]
    poses = []
    for k in (a, b):
        c, s = np.cos(facing[k]), np.sin(facing[k])
        own = np.concatenate([p[k] for p in points]) - actor.hips[k].mean(0)
        poses.append(own @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]))
    return float(np.sqrt(((poses[0] - poses[1]) ** 2).sum(1).mean()))


def put_in_line(actor: Actor) -> Actor | None:
    """A clip that ends as it begins, three times over; None where it does not."""
    if _difference(actor, _facing(actor), 0, actor.frames - 1) > LOOP * actor.leg_length:
        return None
    went = (actor.hips[-1] - actor.hips[0]).mean(0)

    def tiled(values: Array | None, moves: bool) -> Array | None:
        if values is None:
            return None
        return np.concatenate([values[:-1] + k * went * moves for k in range(3)])

    names = (*POINTS, "pelvis", "chest", "feet", "skull")
    longer: dict[str, Any] = {name: tiled(getattr(actor, name), name in POINTS) for name in names}
    return replace(actor, **longer)

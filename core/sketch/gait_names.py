"""What a gait is called, from the order and the phases of its footfalls.

Symmetrical gaits of four legs, whose left and right feet alternate evenly, are told apart by the lag from a hind foot to the
fore foot of its side and by the duty factor; asymmetrical ones by how far the two feet of a pair are apart. Sources:
Hildebrand 1965, Symmetrical gaits of horses, Science 150:701; Hildebrand 1977, Analysis of asymmetrical gaits, J. Mammalogy
58:131. More legs go in a wave from the rear: Wilson 1966, Insect walking, Annual Review of Entomology 11:103.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .gait_body import GaitBody

Array = NDArray[np.float64]

EVEN = 0.1              # strides by which the feet of a pair may be off half a stride in a symmetrical gait
EIGHTH = 0.0625         # half of the eighth of a stride that each of Hildebrand's classes of lag is wide
TOGETHER = 0.0625       # strides within which two feet count as coming down at once
DIAGONAL = 0.1          # the same of the diagonal pair of a canter
RIPPLE = 0.22           # lag from one leg to the next before it, below which legs lift one by one
ALTERNATE = 0.42        # the same, above which every second leg moves with the first
BY_PAIRS = {2: "trot", 3: "tripod", 4: "tetrapod"}      # the name of legs that move in two sets, by the number of rows


def apart(a: float, b: float) -> float:
    """Distance of two phases around the stride, 0 to 0.5."""
    return abs((a - b + 0.5) % 1.0 - 0.5)


def mean_phase(phases: Sequence[float]) -> float:
    """Mean of phases around the stride, 0 to 1: that of 0.9 and 0.2 is 0.05."""
    return float(np.angle(np.exp(2j * np.pi * np.array(phases)).sum()) / (2 * np.pi) % 1.0)


def name_gait(body: GaitBody, phases: Array, duty: float) -> str:
    """The name of a gait.

    One leg: "hop". Two: "walk", "run" or "hop". Four: "walk" (footfalls of a lateral sequence), "diagonal walk" (the diagonal
    one), "trot", "pace", "amble" (a lateral sequence with flights or without a foot to spare), "canter", "gallop", "half bound",
    "bound", "pronk". Six and more: "wave", "ripple", "tripod", "tetrapod", "alternating" and, where the sides do not
    alternate, "irregular".

    Args:
        phases: of each leg's touch-down, in strides. (legs,).
        duty: share of the stride that a foot is down.
    """
    if len(body.legs) == 1:
        return "hop"
    if body.rows == 1 and len(body.legs) == 2:
        if apart(float(phases[0]), float(phases[1])) < TOGETHER:
            return "hop"
        return "walk" if duty >= 0.5 else "run"
    return _four(body, phases, duty) if body.four_legged else _wave(body, phases)


def _four(body: GaitBody, phases: Array, duty: float) -> str:
    at = {(leg.row, leg.side): float(p) for leg, p in zip(body.legs, phases, strict=True)}
    hind, fore = apart(at[0, 1], at[0, -1]), apart(at[1, 1], at[1, -1])
    if min(hind, fore) >= 0.5 - EVEN:
        return _symmetrical(mean_phase([at[1, s] - at[0, s] for s in (1, -1)]), duty)
    if hind < TOGETHER:
        if fore >= TOGETHER:
            return "half bound"
        return "pronk" if apart(at[0, 1], at[1, 1]) < TOGETHER else "bound"
    first = 1 if (at[0, -1] - at[0, 1]) % 1.0 < 0.5 else -1            # the side of the hind foot that comes down first
    three_beats = apart(at[0, -first], at[1, first]) < DIAGONAL        # the other hind foot with its diagonal fore foot
    return "canter" if three_beats and hind > 0.25 - TOGETHER else "gallop"


def _symmetrical(lag: float, duty: float) -> str:
    """A name by the lag from a hind foot to the fore foot of its side, in strides."""
    if apart(lag, 0.0) <= EIGHTH:
        return "pace"
    if apart(lag, 0.5) <= EIGHTH:
        return "trot"
    if lag < 0.5:
        return "walk" if duty >= 0.5 else "amble"
    return "diagonal walk" if duty >= 0.5 else "diagonal amble"


def _wave(body: GaitBody, phases: Array) -> str:
    at = {(leg.row, leg.side): float(p) for leg, p in zip(body.legs, phases, strict=True)}
    if any(apart(at[r, 1], at[r, -1]) < 0.5 - EVEN for r in range(body.rows) if (r, 1) in at and (r, -1) in at):
        return "irregular"
    steps = [at[r + 1, s] - at[r, s] for r, s in at if (r + 1, s) in at]
    if not steps:
        return "irregular"
    lag = mean_phase(steps)
    if min(lag, 1 - lag) < RIPPLE:
        return "wave"
    return "ripple" if min(lag, 1 - lag) < ALTERNATE else BY_PAIRS.get(body.rows, "alternating")

"""What a gait is called, from the order and the phases of its footfalls.

Those of four legs are named in `clip/recording/quadruped/gait_names.py`, as clips have them too. More legs go in a wave from
the rear: Wilson 1966, Insect walking, Annual Review of Entomology 11:103.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...clip.recording.quadruped.gait_names import EVEN, TOGETHER, apart, mean_phase, name_four
from .gait_body import GaitBody

Array = NDArray[np.float64]

RIPPLE = 0.22           # lag from one leg to the next before it, below which legs lift one by one
ALTERNATE = 0.42        # the same, above which every second leg moves with the first
BY_PAIRS = {2: "trot", 3: "tripod", 4: "tetrapod"}      # the name of legs that move in two sets, by the number of rows


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
    if not body.four_legged:
        return _wave(body, phases)
    return name_four({(leg.row, leg.side): float(p) for leg, p in zip(body.legs, phases, strict=True)}, duty)


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

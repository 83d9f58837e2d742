"""What a gait is called, from the order and the phases of its footfalls.

Those of four legs are named in `clip/recording/quadruped/gait_names.py`, as clips have them too.
More legs go in a wave from the rear: Wilson 1966, Insect walking, Annual Review of Entomology
11:103.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...clip.recording.quadruped.gait_names import (
    SIMULTANEITY_TOLERANCE,
    SYMMETRY_TOLERANCE,
    compute_mean_phase,
    measure_phase_distance,
    name_quadruped_gait,
)
from .gait_body import GaitBody

Array = NDArray[np.float64]

MAX_WAVE_LAG = 0.22  # lag from one leg to the next before it, below which legs lift one by one
MIN_ALTERNATING_LAG = 0.42  # the same, above which every second leg moves with the first
# the name of legs that move in two sets, by the number of rows
GAIT_BY_ROW_COUNT = {2: "trot", 3: "tripod", 4: "tetrapod"}


def name_gait(body: GaitBody, phases: Array, duty: float) -> str:
    """The name of a gait.

    One leg: "hop". Two: "walk", "run" or "hop". Four: "walk" (footfalls of a lateral sequence),
    "diagonal walk" (the diagonal one), "trot", "pace", "amble" (a lateral sequence with flights or
    without a foot to spare), "canter", "gallop", "half bound", "bound", "pronk". Six and more:
    "wave", "ripple", "tripod", "tetrapod", "alternating" and, where the sides do not alternate,
    "irregular".

    Args:
        phases: of each leg's touch-down, in strides. (legs,).
        duty: share of the stride that a foot is down.
    """
    if len(body.legs) == 1:
        return "hop"
    if body.row_count == 1 and len(body.legs) == 2:
        if measure_phase_distance(float(phases[0]), float(phases[1])) < SIMULTANEITY_TOLERANCE:
            return "hop"
        return "walk" if duty >= 0.5 else "run"
    if not body.is_four_legged:
        return _name_wave_gait(body, phases)
    return name_quadruped_gait(
        {(leg.row, leg.side): float(p) for leg, p in zip(body.legs, phases, strict=True)}, duty
    )


def _name_wave_gait(body: GaitBody, phases: Array) -> str:
    phase_by_place = {
        (leg.row, leg.side): float(p) for leg, p in zip(body.legs, phases, strict=True)
    }
    if any(
        measure_phase_distance(phase_by_place[r, 1], phase_by_place[r, -1])
        < 0.5 - SYMMETRY_TOLERANCE
        for r in range(body.row_count)
        if (r, 1) in phase_by_place and (r, -1) in phase_by_place
    ):
        return "irregular"
    row_lags = [
        phase_by_place[r + 1, s] - phase_by_place[r, s]
        for r, s in phase_by_place
        if (r + 1, s) in phase_by_place
    ]
    if not row_lags:
        return "irregular"
    lag = compute_mean_phase(row_lags)
    if min(lag, 1 - lag) < MAX_WAVE_LAG:
        return "wave"
    return (
        "ripple"
        if min(lag, 1 - lag) < MIN_ALTERNATING_LAG
        else GAIT_BY_ROW_COUNT.get(body.row_count, "alternating")
    )

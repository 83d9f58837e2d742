"""Names of gaits, from the order and the phases of their footfalls.

Gaits of four legs are named in `clip/recording/quadruped/gait_names.py`, which also names those of
clips. More legs move in a wave from the rear: Wilson 1966, Insect walking, Annual Review of
Entomology 11:103.
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

# Lag from a leg to the next one in front of it below which legs lift one by one [strides]
MAX_WAVE_LAG = 0.22
# The same lag above which every second leg moves with the first one [strides]
MIN_ALTERNATING_LAG = 0.42
# Name of a gait in which legs move in two sets, by the number of rows
GAIT_BY_ROW_COUNT = {2: "trot", 3: "tripod", 4: "tetrapod"}


def name_gait(body: GaitBody, phases: Array, duty: float) -> str:
    """Return the name of a gait.

    One leg: "hop". Two: "walk", "run" or "hop". Four: "walk" (footfalls of a lateral sequence),
    "diagonal walk" (the diagonal one), "trot", "pace", "amble" (a lateral sequence with a duty
    factor below 0.5), "canter", "gallop", "half bound", "bound", "pronk". Six and more: "wave",
    "ripple", "tripod", "tetrapod", "alternating" and, if the sides do not alternate, "irregular".

    Args:
        phases: (legs,) touch-downs of the legs [strides].
        duty: share of the stride for which a foot is down.
    """
    if len(body.legs) == 1:
        return "hop"
    if body.row_count == 1 and len(body.legs) == 2:
        if measure_phase_distance(float(phases[0]), float(phases[1])) < SIMULTANEITY_TOLERANCE:
            return "hop"
        return "walk" if duty >= 0.5 else "run"
    if not body.is_quadruped:
        return _name_wave_gait(body, phases)
    return name_quadruped_gait(
        {(leg.row, leg.side): float(p) for leg, p in zip(body.legs, phases, strict=True)}, duty
    )


def _name_wave_gait(body: GaitBody, phases: Array) -> str:
    """Return the name of a gait of any other number of legs."""
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

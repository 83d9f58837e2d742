"""What a gait of four feet is called, from the order and the phases of its footfalls.

Symmetrical gaits, whose left and right feet alternate evenly, are told apart by the lag from a hind
foot to the fore foot of its side and by the duty factor; asymmetrical ones by how far the two feet
of a pair are apart. Sources: Hildebrand 1965, Symmetrical gaits of horses, Science 150:701;
Hildebrand 1977, Analysis of asymmetrical gaits, J. Mammalogy 58:131.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

# strides by which the feet of a pair may be off half a stride in a symmetrical gait
SYMMETRY_TOLERANCE = 0.1
# half of the eighth of a stride that each of Hildebrand's classes of lag is wide
LAG_TOLERANCE = 0.0625
SIMULTANEITY_TOLERANCE = 0.0625  # strides within which two feet count as coming down at once
DIAGONAL_TOLERANCE = 0.1  # the same of the diagonal pair of a canter


def measure_phase_distance(a: float, b: float) -> float:
    """Distance of two phases around the stride, 0 to 0.5."""
    return abs((a - b + 0.5) % 1.0 - 0.5)


def compute_mean_phase(phases: Sequence[float]) -> float:
    """Mean of phases around the stride, 0 to 1: that of 0.9 and 0.2 is 0.05."""
    return float(np.angle(np.exp(2j * np.pi * np.array(phases)).sum()) / (2 * np.pi) % 1.0)


def name_quadruped_gait(touch_downs: Mapping[tuple[int, int], float], duty: float) -> str:
    """The name of a gait.

    Args:
        touch_downs: each foot's touch-down in strides, by its row, 0 hind and 1 fore,
            and its side, 1 left and -1 right.
        duty: share of the stride that a foot is down.
    """
    hind_distance = measure_phase_distance(touch_downs[0, 1], touch_downs[0, -1])
    fore_distance = measure_phase_distance(touch_downs[1, 1], touch_downs[1, -1])
    if min(hind_distance, fore_distance) >= 0.5 - SYMMETRY_TOLERANCE:
        return _name_symmetrical_gait(
            compute_mean_phase([touch_downs[1, s] - touch_downs[0, s] for s in (1, -1)]), duty
        )
    if hind_distance < SIMULTANEITY_TOLERANCE:
        if fore_distance >= SIMULTANEITY_TOLERANCE:
            return "half bound"
        return (
            "pronk"
            if measure_phase_distance(touch_downs[0, 1], touch_downs[1, 1]) < SIMULTANEITY_TOLERANCE
            else "bound"
        )
    # the side of the hind foot that comes down first
    first_side = 1 if (touch_downs[0, -1] - touch_downs[0, 1]) % 1.0 < 0.5 else -1
    # the other hind foot with its diagonal fore foot
    has_three_beats = (
        measure_phase_distance(touch_downs[0, -first_side], touch_downs[1, first_side])
        < DIAGONAL_TOLERANCE
    )
    return (
        "canter" if has_three_beats and hind_distance > 0.25 - SIMULTANEITY_TOLERANCE else "gallop"
    )


def _name_symmetrical_gait(lag: float, duty: float) -> str:
    """A name by the lag from a hind foot to the fore foot of its side, in strides."""
    if measure_phase_distance(lag, 0.0) <= LAG_TOLERANCE:
        return "pace"
    if measure_phase_distance(lag, 0.5) <= LAG_TOLERANCE:
        return "trot"
    if lag < 0.5:
        return "walk" if duty >= 0.5 else "amble"
    return "diagonal walk" if duty >= 0.5 else "diagonal amble"

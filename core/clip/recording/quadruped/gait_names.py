"""Names of four-legged gaits, from the order and the phases of their footfalls.

In symmetrical gaits the left and right feet alternate evenly. They are distinguished by the lag
from a hind foot to the fore foot of its side and by the duty factor (Hildebrand 1965, Symmetrical
gaits of horses, Science 150:701). Asymmetrical gaits are distinguished by the lag between the two
feet of a pair (Hildebrand 1977, Analysis of asymmetrical gaits, J. Mammalogy 58:131).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

# Deviation of the feet of a pair from half a stride up to which a gait is symmetrical [strides].
SYMMETRY_TOLERANCE = 0.1
# Half the width of Hildebrand's classes of the lag, an eighth of a stride [strides].
LAG_TOLERANCE = 0.0625
# Lag up to which two feet come down at the same time [strides], as close as two classes.
SIMULTANEITY_TOLERANCE = LAG_TOLERANCE
# The same for the diagonal pair of a canter [strides], whose hind foot often comes down first
DIAGONAL_TOLERANCE = 0.1


def measure_phase_distance(a: float, b: float) -> float:
    """Return the distance of two phases on the circle, from 0 to 0.5."""
    return abs((a - b + 0.5) % 1.0 - 0.5)


def compute_mean_phase(phases: Sequence[float]) -> float:
    """Return the mean of phases on the circle, from 0 to 1; that of 0.9 and 0.2 is 0.05."""
    return float(np.angle(np.exp(2j * np.pi * np.array(phases)).sum()) / (2 * np.pi) % 1.0)


def name_quadruped_gait(touch_downs: Mapping[tuple[int, int], float], duty: float) -> str:
    """Return the name of a gait.

    Args:
        touch_downs: touch-down of each foot [strides] by its row, 0 for hind and 1 for fore, and
            its side, 1 for left and -1 for right.
        duty: share of the stride for which a foot is down.
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
    # Side of the hind foot that comes down first
    first_side = 1 if (touch_downs[0, -1] - touch_downs[0, 1]) % 1.0 < 0.5 else -1
    # Whether the other hind foot comes down with its diagonal fore foot
    has_three_beats = (
        measure_phase_distance(touch_downs[0, -first_side], touch_downs[1, first_side])
        < DIAGONAL_TOLERANCE
    )
    return (
        "canter" if has_three_beats and hind_distance > 0.25 - SIMULTANEITY_TOLERANCE else "gallop"
    )


def _name_symmetrical_gait(lag: float, duty: float) -> str:
    """Return the name of a symmetrical gait.

    Args:
        lag: lag from a hind foot to the fore foot of its side [strides].
        duty: share of the stride for which a foot is down.
    """
    if measure_phase_distance(lag, 0.0) <= LAG_TOLERANCE:
        return "pace"
    if measure_phase_distance(lag, 0.5) <= LAG_TOLERANCE:
        return "trot"
    if lag < 0.5:
        return "walk" if duty >= 0.5 else "amble"
    return "diagonal walk" if duty >= 0.5 else "diagonal amble"

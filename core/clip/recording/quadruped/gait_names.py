"""What a gait of four feet is called, from the order and the phases of its footfalls.

Symmetrical gaits, whose left and right feet alternate evenly, are told apart by the lag from a hind foot to the fore foot of its
side and by the duty factor; asymmetrical ones by how far the two feet of a pair are apart. Sources: Hildebrand 1965, Symmetrical
gaits of horses, Science 150:701; Hildebrand 1977, Analysis of asymmetrical gaits, J. Mammalogy 58:131.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

EVEN = 0.1              # strides by which the feet of a pair may be off half a stride in a symmetrical gait
EIGHTH = 0.0625         # half of the eighth of a stride that each of Hildebrand's classes of lag is wide
TOGETHER = 0.0625       # strides within which two feet count as coming down at once
DIAGONAL = 0.1          # the same of the diagonal pair of a canter


def apart(a: float, b: float) -> float:
    """Distance of two phases around the stride, 0 to 0.5."""
    return abs((a - b + 0.5) % 1.0 - 0.5)


def mean_phase(phases: Sequence[float]) -> float:
    """Mean of phases around the stride, 0 to 1: that of 0.9 and 0.2 is 0.05."""
    return float(np.angle(np.exp(2j * np.pi * np.array(phases)).sum()) / (2 * np.pi) % 1.0)


def name_four(at: Mapping[tuple[int, int], float], duty: float) -> str:
    """The name of a gait.

    Args:
        at: each foot's touch-down in strides, by its row, 0 hind and 1 fore, and its side, 1 left and -1 right.
        duty: share of the stride that a foot is down.
    """
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

"""Path of each hand from grip to grip.

Between two grips a hand sinks off the first one, passes the body and rises to the second one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..geometry.curves import smootherstep
from ..motion.footstep import Footstep

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HandSwingParameters:
    """Shape of the path of a hand between two grips.

    Half or twice of each moves hands on bars by 3 to 15 cm and worsens no measure
    (docs/dev/parameters.csv).
    """

    # Depth by which the hand sinks in mid-swing, with a bent elbow, in arm lengths
    dip_ratio: float = 0.22
    # Distance by which it moves outward, around the head, in arm lengths
    outward_ratio: float = 0.18
    # Delay in mid-swing of the forward motion after the sinking, as a share of the swing
    forward_delay: float = 0.12


HAND_SWING = HandSwingParameters()


@dataclass(frozen=True)
class HandPath:
    """Path of the grip of one hand at n times, in world axes."""

    is_holding: NDArray[np.bool_]  # Whether the hand holds on, (n,)
    place: Array  # Target position of the grip [m], exact while the hand holds, (n, 3)
    # Weight of the path of a free hand, from 0 in mid-swing to 1 at both ends, (n,)
    firmness: Array

    def slice_frames(self, part: slice) -> HandPath:
        """Return the path in a part of the frames."""
        return HandPath(self.is_holding[part], self.place[part], self.firmness[part])


def build_hand_path(times: Array, grips: list[Footstep], side: int, arm_length: float) -> HandPath:
    """Return the path of one hand through its grips.

    Args:
        times: n increasing times [s].
        grips: grips of this hand, in order. The first one begins before the first time, and the
            last one ends after the last time.
        side: side of the hand, 1 for left or -1 for right.
        arm_length: distance from the shoulder to the grip with a straight arm [m].
    """
    n = len(times)
    path = HandPath(np.zeros(n, bool), np.zeros((n, 3)), np.ones(n))
    for grip in grips:
        selected = (times >= grip.strike) & (times <= grip.lift)
        path.is_holding[selected] = True
        path.place[selected] = grip.position
    outward = HAND_SWING.outward_ratio
    dip = HAND_SWING.dip_ratio
    for a, b in pairwise(grips):
        selected = (times > a.lift) & (times < b.strike)
        u = (times[selected] - a.lift) / (b.strike - a.lift)
        bump = (64 * (u * (1 - u)) ** 3)[:, None]
        across = 0.5 * (a.rotation[:, 1] + b.rotation[:, 1])
        detour = side * outward * arm_length * across - dip * arm_length * np.array([0.0, 0.0, 1.0])
        path.place[selected] = (
            a.position
            + smootherstep(u - HAND_SWING.forward_delay * 4 * u * (1 - u))[:, None]
            * (b.position - a.position)
            + bump * detour
        )
        path.firmness[selected] = np.abs(2 * u - 1) ** 2
    return path

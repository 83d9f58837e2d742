"""Where hip, knee and ankle of a leg are, also of legs that lack some of their bones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..recognition.anatomy import LegBones
from ..recognition.skeleton import Skeleton

Array = NDArray[np.float64]

ANKLE_HEIGHT_SHARE = 0.25  # of the hip's height above the sole, of a leg in one piece


def locate_leg_joints(
    leg: LegBones, skeleton: Skeleton, heads: Array, tails: Array, skin: Mapping[str, Array]
) -> Array:
    """Places of hip, knee and ankle. (3, 3).

    A leg without a foot has its ankle at its last bone's end. One in a single piece has ankle and
    knee in it, on the way straight down from the hip, where they would be.

    Args:
        heads, tails: (n, 3) of the skeleton's bones, and `skin` its points, in axes with z up.
    """
    if leg.foot is not None and len(leg.segments) > 1:
        return heads[[leg.hip, leg.knee, leg.foot]]
    last = leg.segments[-1]
    points = skin.get(skeleton.names[last], np.zeros((0, 3)))
    if len(leg.segments) > 1:
        return np.stack(
            [heads[leg.hip], heads[leg.knee], _locate_leg_end(heads[last], tails[last], points)]
        )
    hip = heads[leg.hip]
    floor = float(np.quantile(points[:, 2], 0.02)) if len(points) else float(tails[last, 2])
    ankle = np.array([hip[0], hip[1], floor + ANKLE_HEIGHT_SHARE * (hip[2] - floor)])
    return np.stack([hip, 0.5 * (hip + ankle), ankle])


def _locate_leg_end(head: Array, tail: Array, skin: Array) -> Array:
    """Where a leg's last bone ends: at its tail, or at the end of its skin
    where the tail is elsewhere.
    """
    if not len(skin):
        return tail
    lowest_skin = skin[skin[:, 2] <= np.quantile(skin[:, 2], 0.1)].mean(0)
    offset = lowest_skin - head
    return (
        head + 0.9 * offset
        if np.linalg.norm(tail - lowest_skin) > 0.3 * np.linalg.norm(offset)
        else tail
    )

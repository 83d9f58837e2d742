"""Toes, which are no links of the model: they lie on the ground where the foot stands, and
follow the foot in the air.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..geometry import so3
from ..terrain import Ground
from .foot_path import FootPath, FootSupport

Array = NDArray[np.float64]

MAX_TOE_BEND = np.radians(75)


@dataclass(frozen=True)
class SoleMotion:
    """The sole of one foot at n frames."""

    points: Array  # (n, 3, 3) heel, ball, tip
    toes: Array  # (n, 3, 3) rotation of the toes


def place_sole(
    foot: Foot, path: FootPath, origin: Array, rotation: Array, ground: Ground
) -> SoleMotion:
    """Sole points and toes of a foot as it came out of the full body.

    While heel or ball rest, the toes keep the rest's orientation as far as they only bend up. In
    the air they straighten, as the path has planned it, and are bent up where their tip would enter
    the ground.

    Args:
        origin, rotation: (n, 3), (n, 3, 3) of the foot's link.
    """
    heel = origin + rotation @ foot.heel
    pivot = origin + rotation @ foot.pivot
    toes = rotation @ so3.rotation_about("y", -path.toe_bend)
    if foot.has_toe:
        resting = (path.support == FootSupport.BALL) | (path.support == FootSupport.FLAT)
        toes[resting] = path.rest_rotation[resting]
        toes = _bend_out_of_ground(foot, pivot, toes, ground)
    points = np.stack(
        [heel, pivot + toes @ (foot.ball - foot.pivot), pivot + toes @ (foot.tip - foot.pivot)], 1
    )
    return SoleMotion(points, toes)


def _bend_out_of_ground(foot: Foot, pivot: Array, toes: Array, ground: Ground) -> Array:
    """Bend toes up until their tip is out of the ground;
    also where it rises in front of a resting foot.
    """
    arm = foot.tip - foot.pivot
    for _ in range(3):
        tip = pivot + toes @ arm
        height = ground.sample_heights(tip[:, :2])
        penetration = np.where(np.isfinite(height), height - tip[:, 2], -1.0)
        bend = np.where(
            penetration > 0,
            np.minimum(penetration / max(float(np.linalg.norm(arm)), 1e-6), MAX_TOE_BEND),
            0.0,
        )
        if not (bend > 0).any():
            break
        toes = toes @ so3.rotation_about("y", -bend)
    return toes

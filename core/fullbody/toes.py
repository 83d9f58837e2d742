"""Toes, which are not links of the model.

They lie on the ground while the foot stands, and follow the foot in the air.
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

# Largest angle by which one iteration bends toes up [rad], that of human toes
MAX_TOE_BEND = np.radians(75)
# Iterations that bend toes out of the ground. Numerical: on level ground the first one is exact.
BEND_ITERATIONS = 3


@dataclass(frozen=True)
class SoleMotion:
    """Sole of one foot at n frames."""

    points: Array  # Positions of heel, ball and tip [m], (n, 3, 3)
    toes: Array  # Rotation of the toes, (n, 3, 3)


def place_sole(
    foot: Foot, path: FootPath, origin: Array, rotation: Array, ground: Ground
) -> SoleMotion:
    """Return the points of the sole and the toes of a foot in solved poses.

    While the ball or the whole sole rests, the toes keep the orientation of the rest. In the air
    they straighten as in the path. They are bent up where their tip would enter the ground.

    Args:
        foot: shape of the foot.
        path: planned path of the foot, n frames.
        origin: origin of the foot's link [m], shape (n, 3).
        rotation: rotation of the foot's link, shape (n, 3, 3).
        ground: ground.
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
    """Return toes (n, 3, 3) that are bent up until their tip is above the ground.

    The ground may also rise in front of a foot that rests.

    Args:
        pivot: position of the joint of the toes [m], shape (n, 3).
        toes: rotation of the toes, shape (n, 3, 3).
    """
    arm = foot.tip - foot.pivot
    for _ in range(BEND_ITERATIONS):
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

"""Where feet rest: at a place on firm ground, or where the simulation has them on moving ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...geometry import so3
from ...motion import Footstep

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlanarFoot:
    """A foot of the planar walk at n times, in the frame of the path.

    Args:
        origin: of its link [m], shape (n, 3).
        pitch: [rad], shape (n,).
        rest_pitch: the same at the nearest time at which it is flat [rad], shape (n,).
        yaw: turn about the vertical [rad].
    """

    origin: Array
    pitch: Array
    rest_pitch: Array
    yaw: float


@dataclass(frozen=True)
class Footing:
    """The place of a contact at n times.

    Args:
        heel: place of the heel while it rests [m], shape (n, 3).
        pivot: place of the joint of the toes while it rests [m], shape (n, 3).
        slope: pitch of the flat foot [rad], shape (n,).
        rotation: of the flat foot, shape (n, 3, 3).
    """

    heel: Array
    pivot: Array
    slope: Array
    rotation: Array

    @staticmethod
    def on_firm_ground(foot: Foot, step: Footstep, count: int) -> Footing:
        """Return a contact that stays at the place of a footstep, at n times."""
        heel, pivot = (
            step.position + step.rotation @ (p - foot.sole_center) for p in (foot.heel, foot.pivot)
        )
        return Footing(
            np.tile(heel, (count, 1)),
            np.tile(pivot, (count, 1)),
            np.full(count, step.slope),
            np.tile(step.rotation, (count, 1, 1)),
        )

    @staticmethod
    def on_moving_ground(foot: Foot, planar: PlanarFoot) -> Footing:
        """Return a contact that is where the simulation has the foot."""
        yaw = so3.rotation_about("z", planar.yaw)
        turned = so3.rotation_about("y", -planar.pitch) @ yaw
        return Footing(
            planar.origin + turned @ foot.heel,
            planar.origin + turned @ foot.pivot,
            planar.rest_pitch,
            so3.rotation_about("y", -planar.rest_pitch) @ yaw,
        )

"""Footsteps set down beside ground that they are forbidden, where no other time for them would do."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...motion.footstep import Footstep
from ...task import Task
from .sole import forbidden_ground

Array = NDArray[np.float64]

FARTHEST = 0.5        # leg lengths from its place that a foot is set down beside it at most
TRIED = 0.05          # leg lengths between places tried
ACROSS = 0.08         # leg lengths that it stays on its own side of the other foot
ASIDE = 1.5           # how much worse a m to the side is than one ahead or behind


def set_down_beside(task: Task, foot: Foot, place: Array, yaw: float, heading: float, side: int, other: Footstep | None,
                    leg_length: float) -> Array:
    """The nearest place to one (2,) that no forbidden ground takes; the place itself where there is none within reach. (2,).

    Args:
        yaw: of the foot, rad.
        heading: of the body, rad.
        side: of the foot, 1 left or -1 right.
        other: the foot that stands meanwhile, on whose inner side it does not come down.
    """
    if not task.forbidden or not _barred(task, foot, place[None], yaw)[0]:
        return place
    steps = np.arange(-FARTHEST, FARTHEST + 1e-9, TRIED) * leg_length
    along, beside = (g.ravel() for g in np.meshgrid(steps, steps))
    ahead, left = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    places = place + along[:, None] * ahead + beside[:, None] * left
    free = ~_barred(task, foot, places, yaw)
    if other is not None:
        free &= side * ((places - other.position[:2]) @ left) >= ACROSS * leg_length
    if not free.any():
        return place
    return np.asarray(places[int(np.argmin(np.where(free, np.hypot(along, ASIDE * beside), np.inf)))])


def _barred(task: Task, foot: Foot, places: Array, yaw: float) -> NDArray[np.bool_]:
    return forbidden_ground(task.floor, foot, places, np.full(len(places), yaw))

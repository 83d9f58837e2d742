"""Footsteps set down beside ground that they are forbidden,
where no other time for them would do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...motion.footstep import Footstep
from ...task import Task
from .sole import is_forbidden_ground

Array = NDArray[np.float64]

MAX_SEARCH_DISTANCE = 0.5  # leg lengths from its place that a foot is set down beside it at most
SEARCH_SPACING = 0.05  # leg lengths between places tried
MIN_LATERAL_SEPARATION = 0.08  # leg lengths that it stays on its own side of the other foot
LATERAL_COST_FACTOR = 1.5  # how much worse a m to the side is than one ahead or behind


def find_allowed_place(
    task: Task,
    foot: Foot,
    place: Array,
    yaw: float,
    heading: float,
    side: int,
    other_step: Footstep | None,
    leg_length: float,
) -> Array:
    """The nearest place to one (2,) that no forbidden ground takes; the place itself where there is
    none within reach. (2,).

    Args:
        yaw: of the foot, rad.
        heading: of the body, rad.
        side: of the foot, 1 left or -1 right.
        other_step: the foot that stands meanwhile, on whose inner side it does not come down.
    """
    if not task.forbidden_areas or not _is_forbidden(task, foot, place[None], yaw)[0]:
        return place
    offsets = (
        np.arange(-MAX_SEARCH_DISTANCE, MAX_SEARCH_DISTANCE + 1e-9, SEARCH_SPACING) * leg_length
    )
    forward_offsets, left_offsets = (g.ravel() for g in np.meshgrid(offsets, offsets))
    forward = np.array([np.cos(heading), np.sin(heading)])
    left = np.array([-np.sin(heading), np.cos(heading)])
    places = place + forward_offsets[:, None] * forward + left_offsets[:, None] * left
    allowed = ~_is_forbidden(task, foot, places, yaw)
    if other_step is not None:
        allowed &= (
            side * ((places - other_step.position[:2]) @ left)
            >= MIN_LATERAL_SEPARATION * leg_length
        )
    if not allowed.any():
        return place
    return np.asarray(
        places[
            int(
                np.argmin(
                    np.where(
                        allowed,
                        np.hypot(forward_offsets, LATERAL_COST_FACTOR * left_offsets),
                        np.inf,
                    )
                )
            )
        ]
    )


def _is_forbidden(task: Task, foot: Foot, places: Array, yaw: float) -> NDArray[np.bool_]:
    return is_forbidden_ground(task.allowed_ground, foot, places, np.full(len(places), yaw))

"""Footsteps beside forbidden areas, where no other step time avoids these."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...motion.footstep import Footstep
from ...task import Task
from .sole import FootTarget, is_forbidden_ground

Array = NDArray[np.float64]


@dataclass(frozen=True)
class AllowedPlaceSearch:
    """Search for a place beside a forbidden area."""

    max_distance: float = 0.5  # Largest distance from the target along each axis [leg lengths].
    # Distance between the places that are tried [leg lengths], half the width of a foot.
    spacing: float = 0.05
    # Least lateral distance from the other foot [leg lengths].
    min_lateral_separation: float = 0.08
    # Cost of a lateral offset relative to one forward or backward.
    lateral_cost_factor: float = 1.5


PLACE_SEARCH = AllowedPlaceSearch()


def find_allowed_place(
    task: Task, foot: Foot, target: FootTarget, other_step: Footstep | None, leg_length: float
) -> Array:
    """Return the allowed place nearest to a target (2,).

    The result is the target itself where it is allowed or where no place within reach is.

    Args:
        other_step: the standing foot, past whose inner side the foot must not come down; None
            where there is none.
        leg_length: leg length [m].
    """
    if not task.forbidden_areas or not _is_forbidden(task, foot, target.xy[None], target.yaw)[0]:
        return target.xy
    offsets = (
        np.arange(
            -PLACE_SEARCH.max_distance, PLACE_SEARCH.max_distance + 1e-9, PLACE_SEARCH.spacing
        )
        * leg_length
    )
    forward_offsets, left_offsets = (g.ravel() for g in np.meshgrid(offsets, offsets))
    left = target.left
    places = target.xy + forward_offsets[:, None] * target.forward + left_offsets[:, None] * left
    allowed = ~_is_forbidden(task, foot, places, target.yaw)
    if other_step is not None:
        allowed &= (
            target.side * ((places - other_step.position[:2]) @ left)
            >= PLACE_SEARCH.min_lateral_separation * leg_length
        )
    if not allowed.any():
        return target.xy
    cost = np.hypot(forward_offsets, PLACE_SEARCH.lateral_cost_factor * left_offsets)
    return np.asarray(places[int(np.argmin(np.where(allowed, cost, np.inf)))])


def _is_forbidden(task: Task, foot: Foot, places: Array, yaw: float) -> NDArray[np.bool_]:
    """Return which places of the middle of the sole are forbidden. (n, 2) -> (n,)."""
    return is_forbidden_ground(task.allowed_ground, foot, places, np.full(len(places), yaw))

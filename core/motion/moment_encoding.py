"""Encoding of the moment of a push in the motion file as a couple of forces.

The file stores forces only. The couple is written as two more contact points, of a limb that no
body has and never active: the sums of forces and moments over all points are those of the motion,
and the number of active contacts does not change.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .motion import Motion

Array = NDArray[np.float64]

# Names of limb and points of the couple in the file
COUPLE_LIMB = "push"
COUPLE_POINT_NAMES = ("push/one", "push/other")
COUPLE_HALF_WIDTH = 0.02  # Horizontal distance of each point from the middle [m]
POINT_ARRAYS = ("contact_position", "contact_active", "contact_force")


def encode_push_moment(motion: Motion) -> dict[str, NDArray[Any]]:
    """Return the arrays of contact points, with a couple for the moment of the push."""
    moment = motion.push_moment
    # horizontal and perpendicular to the moment; any direction for a vertical moment
    lateral = np.cross(moment, (0.0, 0.0, 1.0))
    length = np.linalg.norm(lateral, axis=1, keepdims=True)
    lateral = np.where(length > 1e-9, lateral / np.maximum(length, 1e-9), (1.0, 0.0, 0.0))
    force = np.cross(moment, lateral) / (
        2 * COUPLE_HALF_WIDTH
    )  # 2 * half width * lateral x force = moment
    positions, active, forces = (getattr(motion, name) for name in POINT_ARRAYS)
    # without a moment, the points are at the center of mass, above the ground
    center = np.where(moment.any(1, keepdims=True), motion.push_point, motion.com)
    couple_positions = np.stack(
        [center + COUPLE_HALF_WIDTH * lateral, center - COUPLE_HALF_WIDTH * lateral], 1
    )
    return {
        "contact_names": np.array([*motion.contact_names, *COUPLE_POINT_NAMES], str),
        "contact_limb": np.array([*motion.contact_limb, COUPLE_LIMB, COUPLE_LIMB], str),
        "contact_position": np.concatenate([positions, couple_positions], 1),
        "contact_active": np.concatenate([active, np.zeros((motion.frames, 2), bool)], 1),
        "contact_force": np.concatenate([forces, np.stack([force, -force], 1)], 1),
    }


def remove_push_moment(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays of contact points of a motion file without the couple."""
    is_contact = np.array([str(limb) != COUPLE_LIMB for limb in arrays["contact_limb"]], bool)
    return {
        "contact_names": arrays["contact_names"][is_contact],
        "contact_limb": arrays["contact_limb"][is_contact],
        **{name: arrays[name][:, is_contact] for name in POINT_ARRAYS},
    }

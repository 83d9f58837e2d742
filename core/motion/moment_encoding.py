"""A push's moment in the motion file, which knows of forces alone: two equal and opposite ones beside each other.

They are written as two points more in the arrays of contact points, of a limb that no body has and never active. So whoever sums
forces and their moments, as judges of a motion do, finds the whole of it, and no contact is counted that is none.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .motion import Motion

Array = NDArray[np.float64]

LIMB, NAMES = "push", ("push/one", "push/other")
HALF = 0.02           # m from the middle to each of the two points, along the ground
ROWS = ("contact_position", "contact_active", "contact_force")


def with_couple(motion: Motion) -> dict[str, NDArray[Any]]:
    """The arrays of a motion's contact points, with the forces that its push's moment is made of."""
    moment = motion.push_moment
    across = np.cross(moment, (0.0, 0.0, 1.0))               # level and square to it; any direction where it is upright
    size = np.linalg.norm(across, axis=1, keepdims=True)
    across = np.where(size > 1e-9, across / np.maximum(size, 1e-9), (1.0, 0.0, 0.0))
    force = np.cross(moment, across) / (2 * HALF)             # 2 HALF across x force = moment
    place, active, forces = (getattr(motion, name) for name in ROWS)
    middle = np.where(moment.any(1, keepdims=True), motion.push_point, motion.com)          # where nothing acts, above the ground
    both = np.stack([middle + HALF * across, middle - HALF * across], 1)
    return {"contact_names": np.array([*motion.contact_names, *NAMES], str),
            "contact_limb": np.array([*motion.contact_limb, LIMB, LIMB], str),
            "contact_position": np.concatenate([place, both], 1),
            "contact_active": np.concatenate([active, np.zeros((motion.frames, 2), bool)], 1),
            "contact_force": np.concatenate([forces, np.stack([force, -force], 1)], 1)}


def without_couple(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays of the contact points of a motion file without those forces."""
    own = np.array([str(limb) != LIMB for limb in arrays["contact_limb"]], bool)
    return {"contact_names": arrays["contact_names"][own], "contact_limb": arrays["contact_limb"][own],
            **{name: arrays[name][:, own] for name in ROWS}}

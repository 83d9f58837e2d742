"""Skeletons of tilted objects, set upright."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3
from .anatomy import Anatomy
from .reading_parts import read_anatomy
from .skeleton import Skeleton
from .stance import measure_lean

Array = NDArray[np.float64]

# Upward in the world
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class LevelingParameters:
    """Tilts of an object that are taken out of its skeleton.

    Args:
        min_tilt: below this a body walks well as it is [rad].
        max_tilt: beyond this another axis of the object is about as near to the vertical [rad]; one
            of the three is within 55 degrees of it in any case.
        min_improvement: least share of the tilt by which the legs lean less without it. An object
            that is tilted to set a leaning rest pose upright is left as it is.
    """

    min_tilt: float = float(np.radians(4))
    max_tilt: float = float(np.radians(50))
    min_improvement: float = 0.5


LEVELING = LevelingParameters()


def level_skeleton(skeleton: Skeleton, orientations: Iterable[Array]) -> Skeleton:
    """Return a skeleton without the tilt of its object, if it stands better so.

    The rest pose is only a reference for poses, so a motion does not depend on the tilt.

    Args:
        orientations: (3, 3) of the object and of its parents in the world.
    """
    rotations = [so3.rotation_between(find_steepest_axis(axes), UP) for axes in orientations]
    tilts = [float(np.linalg.norm(so3.log(rotation))) for rotation in rotations]
    candidates = [
        (rotation, tilt)
        for rotation, tilt in zip(rotations, tilts, strict=True)
        if LEVELING.min_tilt < tilt < LEVELING.max_tilt
    ]
    if not candidates:
        return skeleton
    best = skeleton
    best_gain = 0.0
    for rotation, tilt in candidates:
        leveled = skeleton.transform(rotation)
        gain = _measure_gain(skeleton, leveled) - LEVELING.min_improvement * tilt
        if gain > best_gain:
            best = leveled
            best_gain = gain
    return best


def find_steepest_axis(axes: Array) -> Array:
    """Return the axis that is nearest to the vertical, pointing up (3,).

    Args:
        axes: (3, 3) orientation, columns are its axes.
    """
    steepest = int(np.argmax(np.abs(axes[2])))
    return np.asarray(axes[:, steepest] * np.sign(axes[2, steepest]))


def _measure_gain(skeleton: Skeleton, leveled: Skeleton) -> float:
    """Return by how much legs lean less, or the ground of several rows is less steep, without a
    tilt than with it [rad].

    Both are those of the bones that are recognized without the tilt, with which joints
    and even front legs may look like others. Where only the skeleton with the tilt
    has legs, the result is negative, and where only the one without it has, infinite.
    """
    anatomy = _recognize_legs(leveled)
    if anatomy is None:
        return -np.inf
    if _recognize_legs(skeleton) is None:
        return np.inf
    measure = measure_lean if anatomy.row_count == 1 else _measure_slope
    return measure(anatomy, skeleton) - measure(anatomy, leveled)


def _measure_slope(anatomy: Anatomy, skeleton: Skeleton) -> float:
    """Return the slope of the plane on which the ends of several rows of legs stand [rad].

    Their legs may lean.
    """
    ends = skeleton.heads[[leg.bones[-1] for leg in anatomy.legs]]
    normal = np.linalg.svd(ends - ends.mean(0))[2][-1]
    return float(np.arccos(min(abs(normal[2]), 1.0)))


def _recognize_legs(skeleton: Skeleton) -> Anatomy | None:
    """Return the anatomy of a skeleton; None without legs or feet.

    Feet that the rig moves separately may be recognized below upright legs only.
    """
    try:
        anatomy = read_anatomy(skeleton)
    except CharacterError:  # a body that is recognized in no pose is reported by the caller
        return None
    return None if all(leg.foot is None for leg in anatomy.legs) else anatomy

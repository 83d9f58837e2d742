"""Skeletons of tilted objects, set upright."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3
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
    leveled = [(skeleton.transform(rotation), tilt) for rotation, tilt in candidates]
    lean = _measure_lean(skeleton)
    leans = [_measure_lean(candidate) + LEVELING.min_improvement * t for candidate, t in leveled]
    best = int(np.argmin(leans))
    return leveled[best][0] if leans[best] < lean else skeleton


def find_steepest_axis(axes: Array) -> Array:
    """Return the axis that is nearest to the vertical, pointing up (3,).

    Args:
        axes: (3, 3) orientation, columns are its axes.
    """
    steepest = int(np.argmax(np.abs(axes[2])))
    return np.asarray(axes[:, steepest] * np.sign(axes[2, steepest]))


def _measure_lean(skeleton: Skeleton) -> float:
    """Return the lean of the legs [rad]; infinite where no legs are recognized.

    Without feet it is the largest: feet that the rig moves separately may be recognized below
    upright legs only.
    """
    try:
        anatomy = read_anatomy(skeleton)
    except CharacterError:  # a body that is recognized in no pose is reported by the caller
        return np.inf
    if all(leg.foot is None for leg in anatomy.legs):
        return float(np.pi)
    return measure_lean(anatomy, skeleton)

"""Doubts about the rest pose of a body: whether it stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .anatomy import Anatomy, Finding
from .skeleton import Skeleton
from .tree import SkeletonTree

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StanceLimits:
    """Limits of a rest pose that stands.

    Args:
        max_lean: greatest lean of a body as a whole [rad]. Legs alone may lean more, as in the
            middle of a stride, and so may the trunk of an upright body. Tuned: at half of it
            quaternius_animals_Horse, which stands, is doubted.
        max_lean_difference: greatest angle between legs and trunk of a tilted upright body [rad].
            Tuned: at half of it the lean of gdquest_mannequiny is not noticed.
        min_rise: least rise of the hips over the feet of legs that are under the body [leg length];
            those of spiders rise less, and lean at rest.
        min_drop: least height of the hips over the ends of the legs of a body on two legs [leg
            length]; in a squat it is 0.35, and 0 of one that lies.
        max_unevenness: greatest height difference of the joints of a left and a right leg [height
            of the body]; it is 0.09 of an ankle in the middle of a stride.
        min_leg_length: least length of legs [height of the body]; human ones are half of it.
        confidence: in the stance of a body that is upside down or has tiny legs.
        leaning_confidence: in that of a body that leans, whose legs and trunk are set upright, so
            that it walks all the same.
    """

    max_lean: float = float(np.radians(14))
    max_lean_difference: float = float(np.radians(10))
    min_rise: float = 0.5
    min_drop: float = 0.2
    max_unevenness: float = 0.09
    min_leg_length: float = 0.05
    confidence: float = 0.4
    leaning_confidence: float = 0.6


STANCE = StanceLimits()


def assess_stance(anatomy: Anatomy, tree: SkeletonTree) -> list[Finding]:
    """Return a finding if the rest pose of a body is no stand; none otherwise."""
    heads = tree.skeleton.heads
    hips = np.mean([heads[leg.hip] for leg in anatomy.legs], axis=0)
    rise = _measure_rise(anatomy, tree.skeleton)
    length = float(np.mean([_measure_leg(tree, leg.bones) for leg in anatomy.legs]))
    reason = ""
    confidence = STANCE.confidence
    top = None if anatomy.neck is None else heads[anatomy.neck] - hips
    if anatomy.is_upright and top is not None and top[2] < 0:
        reason = "at rest its head is below its hips"
    elif min(len(leg.segments) for leg in anatomy.legs) > 1 and (
        length < STANCE.min_leg_length * tree.skeleton.height
    ):
        reason = "at rest its legs are tiny for its height"
    elif anatomy.row_count == 1 and _measure_drop(anatomy, tree) < STANCE.min_drop * length:
        reason = "at rest its legs lie"
    elif _measure_unevenness(anatomy, tree) > STANCE.max_unevenness * tree.height:
        reason = "at rest one leg is higher than the other"
    elif rise[2] > STANCE.min_rise * length and _is_tilted(anatomy, rise, top):
        confidence = STANCE.leaning_confidence
        reason = f"at rest it leans by {np.degrees(_lean(rise)):.0f}° as a whole"
    if not reason:
        return []
    advice = "pose it upright and apply the pose as rest pose"
    return [Finding("stance", (), confidence, f"{reason}; {advice}", "stance")]


def measure_lean(anatomy: Anatomy, skeleton: Skeleton) -> float:
    """Return the lean of the line from the feet to the hips of a body [rad].

    It is 0 for a body without feet.
    """
    return _lean(_measure_rise(anatomy, skeleton))


def _measure_rise(anatomy: Anatomy, skeleton: Skeleton) -> Array:
    """Return the vector from the feet to the hips (3,) [m]; 0 without feet."""
    heads = skeleton.heads
    hips = np.mean([heads[leg.hip] for leg in anatomy.legs], axis=0)
    ends = np.mean([heads[leg.ankle] for leg in anatomy.legs if leg.foot is not None] or [hips], 0)
    return np.asarray(hips - ends)


def _measure_drop(anatomy: Anatomy, tree: SkeletonTree) -> float:
    """Return the mean height of the hips over the last bones of the legs [m]."""
    heights = tree.skeleton.heads[:, 2]
    return float(np.mean([heights[leg.hip] - heights[leg.bones[-1]] for leg in anatomy.legs]))


def _measure_unevenness(anatomy: Anatomy, tree: SkeletonTree) -> float:
    """Return the greatest height difference of corresponding joints of two legs of a row [m]."""
    z = tree.skeleton.heads[:, 2]
    heights = {(leg.row, leg.side): z[list(leg.bones)] for leg in anatomy.legs}
    return max(
        abs(a - b)
        for (row, side), left in heights.items()
        if side > 0
        for a, b in zip(left, heights[row, -side], strict=False)
    )


def _is_tilted(anatomy: Anatomy, legs: Array, trunk: Array | None) -> bool:
    """Return whether a body leans as a whole.

    Args:
        legs: (3,) from the feet to the hips.
        trunk: (3,) from the hips to the neck; None without a neck.
    """
    if _lean(legs) < STANCE.max_lean:
        return False
    if not anatomy.is_upright or trunk is None:
        return True
    size = float(np.linalg.norm(legs) * np.linalg.norm(trunk))
    return bool(legs @ trunk > np.cos(STANCE.max_lean_difference) * size)


def _lean(line: Array) -> float:
    """Return the angle of a line from the vertical [rad]."""
    return float(np.arctan2(np.linalg.norm(line[:2]), line[2]))


def _measure_leg(tree: SkeletonTree, bones: tuple[int, ...]) -> float:
    """Return the length of a leg to the head of its last bone [m]."""
    return float(np.linalg.norm(np.diff(tree.skeleton.heads[list(bones)], axis=0), axis=1).sum())

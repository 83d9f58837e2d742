"""Legs of a body whose feet are given."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from ...errors import CharacterError
from .legs import LegBoneChain
from .pairs import BonePair
from .tree import SkeletonTree

# Greatest height of the lower of two given feet above the lowest point of a body, as a share of its
# height: coats and skis may be below feet, and hanging hands are at 0.38
MAX_FOOT_HEIGHT = 0.2


def measure_height_above_ground(tree: SkeletonTree, bone: int) -> float:
    """Return the height of the lowest point of a bone and its descendants above the lowest point
    of the body, as a share of the body's height.
    """
    return (tree.bottom_height(bone) - tree.floor_height) / max(tree.height, 1e-12)


def find_pair_of_feet(tree: SkeletonTree, feet: tuple[int, int]) -> BonePair:
    """Return the topmost bones of two legs, which begin below the last bone above both feet.

    Raises:
        CharacterError: one foot is above the other, no bone is above both, or both are far above
            the ground.
    """
    names = [repr(tree.skeleton.names[k]) for k in feet]
    above = [tree.ancestors(k) for k in feet]
    common = next((k for k in above[0] if k in above[1]), None)
    if common is None or common in feet:
        raise CharacterError(
            f"{names[0]} and {names[1]} cannot both be feet: they do not hang on one body."
        )
    height = min(measure_height_above_ground(tree, k) for k in feet)
    if height > MAX_FOOT_HEIGHT:
        raise CharacterError(
            f"{names[0]} and {names[1]} cannot be feet: other parts of the body reach lower by "
            f"{height:.0%} of its height."
        )
    first, second = (path[path.index(common) - 1] for path in above)
    return BonePair(first, second)


def find_leg_above(tree: SkeletonTree, foot: int, top: int) -> LegBoneChain:
    """Return the bones of a leg of thigh and shin that ends in a given foot.

    Of the bones between, those make up the leg that cover most of the distance and are about
    equally long.

    Args:
        top: topmost bone of the leg.

    Raises:
        CharacterError: fewer than two bones are between.
    """
    path = tree.ancestors(foot)
    path = path[: path.index(top) + 1][::-1]
    if len(path) < 3:
        raise CharacterError(
            f"{tree.skeleton.names[foot]!r} cannot be a foot: there are no two bones for thigh and "
            "shin between it and the body."
        )
    steps = [tree.head_distance(a, b) for a, b in pairwise(path)]
    stations = np.concatenate([[0.0], np.cumsum(steps)])

    def score(joints: tuple[int, int]) -> float:
        thigh = max(float(stations[joints[1]] - stations[joints[0]]), 1e-9)
        shin = max(float(stations[-1] - stations[joints[1]]), 1e-9)
        return (thigh + shin) / float(stations[-1]) - abs(float(np.log(thigh / shin)))

    hip, knee = max(combinations(range(len(path) - 1), 2), key=score)
    toe = next(iter(tree.longest_chain(foot, avoid="heel")[1:2]), None)
    return LegBoneChain((path[hip], path[knee]), foot, toe)

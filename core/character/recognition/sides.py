"""Which of two limbs is the left one."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .names import side_from_name
from .tree import COINCIDENT_DISTANCE, SkeletonTree

Array = NDArray[np.float64]

# Least distance of the skin of two limbs in one plane, such as layers of a drawing
# [extent of the skeleton]
MIN_LAYER_DISTANCE = 1e-4


def is_first_left(
    tree: SkeletonTree,
    limbs: tuple[Sequence[int], Sequence[int]],
    joints: tuple[int, int],
    left: Array,
) -> bool:
    """Return whether the first of two limbs is the left one.

    Joints decide. Where they coincide, as in a flat character, names of left and right do, then the
    layers of the skin, and then the order of the names, so that arms and legs of one side
    alternate.

    Args:
        limbs: bones of both limbs.
        joints: the bones whose heads are compared.
        left: (3,) direction to the left.
    """
    s = tree.skeleton
    offset = float((s.heads[joints[0]] - s.heads[joints[1]]) @ left)
    if abs(offset) > COINCIDENT_DISTANCE * tree.extent:
        return offset > 0
    named = [
        side_from_name(s.names[limb[0]]) or side_from_name(s.names[limb[-1]]) for limb in limbs
    ]
    if named[0] != named[1]:
        return named[0] > named[1]
    layers = [_measure_depth(tree, limb, left) for limb in limbs]
    if abs(layers[0] - layers[1]) > MIN_LAYER_DISTANCE * tree.extent:
        return layers[0] > layers[1]
    first, second = (_split_numbers(s.names[limb[0]]) for limb in limbs)
    return first <= second


def _measure_depth(tree: SkeletonTree, limb: Sequence[int], left: Array) -> float:
    """Return the mean distance of the skin of a limb to the left [m]; 0 without skin."""
    s = tree.skeleton
    skin = [s.skin[s.names[k]] for k in limb if s.names[k] in s.skin]
    return float((np.concatenate(skin) @ left).mean()) if skin else 0.0


def _split_numbers(name: str) -> list[tuple[int, str]]:
    """Return the words and the numbers of a name, which sort as people count."""
    parts = re.findall(r"\d+|\D+", name.lower())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]

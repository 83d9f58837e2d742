"""Recognition of trunk, neck, head and tails, which are in the median plane of a body."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .names import is_part_name, side_from_name, split_words
from .tree import SkeletonTree

Array = NDArray[np.float64]

# Distance scale within which siblings compete for the median plane [extent of the skeleton]: 7 cm
# of a human, half the width of hips. Half or twice of it changes none of 25 rigs.
MAX_MIDLINE_OFFSET = 0.04
MIN_TAIL_LENGTH = 0.10  # Least length of a tail that is not named so [extent of the skeleton]
TRUNK_LENGTH_SHARE = 0.6  # Length of the trunk over the length from the root to the head


@dataclass(frozen=True)
class TrunkAndNeck:
    """Result of `split_trunk_and_neck`.

    Args:
        trunk: bones of the trunk, from the root outward.
        neck: first bone of the neck.
    """

    trunk: list[int]
    neck: int


def path_down(tree: SkeletonTree, top: int, bone: int) -> list[int]:
    """Return the bones from below `top` down to `bone`; none if `top` is not an ancestor."""
    path = tree.ancestors(bone)
    return list(reversed(path[: path.index(top)])) if top in path else []


def find_neck(tree: SkeletonTree, chest: int, limbs: set[int]) -> int | None:
    """Return the first bone from the chest to the head of an upright body.

    It is the branch that reaches highest, with preference for names of neck or head.
    """
    s = tree.skeleton
    branches = [
        k for k in tree.children[chest] if k not in limbs and not is_part_name(s.names[k], "helper")
    ]
    named = [
        k
        for k in branches
        if any(is_part_name(s.names[j], part) for j in s.subtree(k) for part in ("neck", "head"))
    ]
    usable = named or [
        k for k in branches if s.heads[k, 2] > s.heads[chest, 2] and side_from_name(s.names[k]) == 0
    ]
    return max(usable, key=lambda k: max(s.heads[j, 2] for j in s.subtree(k)), default=None)


def find_forward_neck(
    tree: SkeletonTree, chest: int, limbs: set[int], forward: Array
) -> int | None:
    """Return the first bone from the chest to the head of a body with a level trunk.

    It is the branch in the median plane that reaches farthest forward and up.
    """
    s = tree.skeleton
    branches = [
        k
        for k in tree.children[chest]
        if k not in limbs and not is_part_name(s.names[k], "helper") and is_on_midline(tree, k)
    ]
    named = [
        k
        for k in branches
        if any(is_part_name(s.names[j], part) for j in s.subtree(k) for part in ("neck", "head"))
    ]

    def forward_reach(bone: int) -> float:
        offsets = s.heads[[*tree.longest_chain(bone)]] - s.heads[chest]
        return float((offsets @ (forward + [0, 0, 0.7])).max())

    # the head of a body with a long rear may be below and behind the joint of its trunk
    return max(
        (k for k in named or branches if k in named or forward_reach(k) > 0.05 * tree.extent),
        key=forward_reach,
        default=None,
    )


def find_head(tree: SkeletonTree, neck: int) -> int:
    """Return the head: the bone with such a name, else the last one before the face or the end."""
    s = tree.skeleton
    named = [
        k
        for k in s.subtree(neck)
        if {"head", "skull"} & set(split_words(s.names[k]))
        or (
            is_part_name(s.names[k], "head")
            and not is_part_name(s.names[k], "face")
            and side_from_name(s.names[k]) == 0
        )
    ]
    if named:
        return named[0]
    last_bone = neck
    while True:
        midline_bones = [
            k
            for k in tree.children[last_bone]
            if is_on_midline(tree, k)
            and not is_part_name(s.names[k], "face")
            and not is_part_name(s.names[k], "helper")
        ]
        if len(midline_bones) != 1 or len(tree.children[last_bone]) > 3:
            return last_bone
        last_bone = midline_bones[0]


def is_on_midline(tree: SkeletonTree, bone: int) -> bool:
    """Return whether a bone is named for no side and has no similar sibling beside it."""
    s = tree.skeleton
    if side_from_name(s.names[bone]):
        return False
    siblings = (
        [k for k in tree.children[s.parents[bone]] if k != bone] if s.parents[bone] >= 0 else []
    )
    max_offset = MAX_MIDLINE_OFFSET * tree.extent
    return not any(
        abs(tree.chain_length[k] - tree.chain_length[bone])
        < 0.05 * max(tree.chain_length[bone], max_offset)
        and abs(s.heads[k, 2] - s.heads[bone, 2]) < 0.2 * max_offset
        and np.linalg.norm(s.heads[k] - s.heads[bone]) > 0.2 * max_offset
        for k in siblings
    )


def find_tails(
    tree: SkeletonTree, parent_bones: set[int], used: set[int], hip_center: Array, forward: Array
) -> list[list[int]]:
    """Return the chains that are named tails, or lead backward in the median plane.

    Args:
        parent_bones: possible parents of a tail.
        used: bones of other parts and their ancestors.
        hip_center: (3,) middle of the rearmost hips [m].
        forward: (3,) direction in which the body faces.
    """
    s = tree.skeleton
    out = []
    for tail_base in sorted(
        k for bone in parent_bones for k in tree.children[bone] if k not in parent_bones
    ):
        if used & set(s.subtree(tail_base)) or any(
            is_part_name(s.names[tail_base], part) for part in ("helper", "cloth")
        ):
            continue
        chain = tree.longest_chain(tail_base)
        is_named = any(is_part_name(s.names[k], "tail") for k in chain)
        end_offset = s.heads[chain[-1]] - hip_center
        leads_backward = float(end_offset @ forward) < -0.5 * MIN_TAIL_LENGTH * tree.extent and abs(
            float(end_offset[2])
        ) < 3.0 * abs(float(end_offset @ forward))
        is_long = tree.chain_length[tail_base] > MIN_TAIL_LENGTH * tree.extent and is_on_midline(
            tree, tail_base
        )
        if is_named or (is_long and leads_backward):
            out.append(chain)
    return out


def find_tail_root(tree: SkeletonTree, root: int, tails: list[list[int]]) -> int:
    """Return the root of a body with its tails: the common ancestor of the root and all tails."""
    tail_parents = [tree.skeleton.parents[tail[0]] for tail in tails]
    return tree.common_ancestor([root, *tail_parents]) if tail_parents else root


def split_trunk_and_neck(tree: SkeletonTree, root: int, neck: int) -> TrunkAndNeck:
    """Divide the bones from the root to the head into trunk and neck, by names or lengths.

    This is for bodies without arms, which would mark the end of the trunk.
    """
    s = tree.skeleton
    path = path_down(tree, root, find_head(tree, neck))
    if len(path) < 2:
        return TrunkAndNeck(path[:-1], path[-1] if path else neck)
    neck_positions = [
        k for k, bone in enumerate(path) if k > 0 and is_part_name(s.names[bone], "neck")
    ]
    stations = np.concatenate(
        [[0.0], np.cumsum([tree.head_distance(a, b) for a, b in pairwise(path)])]
    )
    cut = (
        neck_positions[0]
        if neck_positions
        else max(1, int(np.searchsorted(stations, TRUNK_LENGTH_SHARE * stations[-1])))
    )
    return TrunkAndNeck(path[:cut], path[cut])

"""What lies in the middle of a body: the way from its root to the chest,
neck and head, and tails.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .names import is_part_name, side_from_name, split_words
from .tree import SkeletonTree

Array = NDArray[np.float64]

# of the skeleton's extent: how far from the middle a bone of the midline may be
MAX_MIDLINE_OFFSET = 0.04
MIN_TAIL_LENGTH = 0.10  # of the extent: the shortest tail that has no name
TRUNK_LENGTH_SHARE = 0.6  # of the way from the root to the head


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
    """Bones below `top` down to `bone`."""
    path = tree.ancestors(bone)
    return list(reversed(path[: path.index(top)])) if top in path else []


def find_neck(tree: SkeletonTree, chest: int, limbs: set[int]) -> int | None:
    """First bone of the way from the chest to the head:
    the one that goes highest, or is named so.
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
    """The same of a body whose trunk is level: the way in the middle that
    leads farthest ahead and up.
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

    return max(
        (k for k in named or branches if forward_reach(k) > 0.05 * tree.extent),
        key=forward_reach,
        default=None,
    )


def find_head(tree: SkeletonTree, neck: int) -> int:
    """The head at the end of a neck: the bone so named, else the last in the middle
    before the face or the end.
    """
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
    """Whether a bone is one of a kind: named for no side, and no twin of it hangs beside it."""
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
    """Chains in the middle that lead backward from the hips or what carries
    them, or are named tails.

    Args:
        parent_bones: bones on which a tail may hang.
        used: bones of other parts, and those that other parts hang on.
        hip_center: (3,) middle of the hindmost hips.
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
    """The bone that carries a body with its tails: the root, or one above
    it on which a tail hangs.
    """
    tail_parents = [tree.skeleton.parents[tail[0]] for tail in tails]
    return tree.common_ancestor([root, *tail_parents]) if tail_parents else root


def split_trunk_and_neck(tree: SkeletonTree, root: int, neck: int) -> TrunkAndNeck:
    """Trunk and first bone of the neck where no limb tells where the one ends: the way to the head
    is parted by name or length.
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

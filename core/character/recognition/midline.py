"""What lies in the middle of a body: the way from its root to the chest, neck and head, and tails."""
from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .names import says, side_of, words
from .tree import Tree

Array = NDArray[np.float64]

MIDDLE = 0.04             # of the skeleton's extent: how far from the middle a bone of the midline may be
LEAST_TAIL = 0.10         # of the extent: the shortest tail that has no name
TRUNK_SHARE = 0.6         # of the way from the root to the head


def path_down(tree: Tree, top: int, bone: int) -> list[int]:
    """Bones below `top` down to `bone`."""
    way = tree.ancestors(bone)
    return list(reversed(way[:way.index(top)])) if top in way else []


def neck_of(tree: Tree, chest: int, limbs: set[int]) -> int | None:
    """First bone of the way from the chest to the head: the one that goes highest, or is named so."""
    s = tree.bones
    ways = [k for k in tree.children[chest] if k not in limbs and not says(s.names[k], "helper")]
    named = [k for k in ways if any(says(s.names[j], part) for j in s.below(k) for part in ("neck", "head"))]
    usable = named or [k for k in ways if s.heads[k, 2] > s.heads[chest, 2] and side_of(s.names[k]) == 0]
    return max(usable, key=lambda k: max(s.heads[j, 2] for j in s.below(k)), default=None)


def neck_ahead(tree: Tree, chest: int, limbs: set[int], ahead: Array) -> int | None:
    """The same of a body whose trunk is level: the way in the middle that leads farthest ahead and up."""
    s = tree.bones
    ways = [k for k in tree.children[chest] if k not in limbs and not says(s.names[k], "helper") and in_the_middle(tree, k)]
    named = [k for k in ways if any(says(s.names[j], part) for j in s.below(k) for part in ("neck", "head"))]

    def reach(bone: int) -> float:
        way = s.heads[[*tree.chain(bone)]] - s.heads[chest]
        return float((way @ (ahead + [0, 0, 0.7])).max())

    return max((k for k in named or ways if reach(k) > 0.05 * tree.extent), key=reach, default=None)


def head_of(tree: Tree, neck: int) -> int:
    """The head at the end of a neck: the bone so named, else the last in the middle before the face or the end."""
    s = tree.bones
    named = [k for k in s.below(neck) if {"head", "skull"} & set(words(s.names[k])) or
             (says(s.names[k], "head") and not says(s.names[k], "face") and side_of(s.names[k]) == 0)]
    if named:
        return named[0]
    here = neck
    while True:
        middle = [k for k in tree.children[here] if in_the_middle(tree, k)
                  and not says(s.names[k], "face") and not says(s.names[k], "helper")]
        if len(middle) != 1 or len(tree.children[here]) > 3:
            return here
        here = middle[0]


def in_the_middle(tree: Tree, bone: int) -> bool:
    """Whether a bone is one of a kind: named for no side, and no twin of it hangs beside it."""
    s = tree.bones
    if side_of(s.names[bone]):
        return False
    siblings = [k for k in tree.children[s.parents[bone]] if k != bone] if s.parents[bone] >= 0 else []
    close = MIDDLE * tree.extent
    return not any(abs(tree.length[k] - tree.length[bone]) < 0.05 * max(tree.length[bone], close)
                   and abs(s.heads[k, 2] - s.heads[bone, 2]) < 0.2 * close
                   and np.linalg.norm(s.heads[k] - s.heads[bone]) > 0.2 * close for k in siblings)


def tails_of(tree: Tree, hips: set[int], taken: set[int], hip: Array, ahead: Array) -> list[list[int]]:
    """Chains in the middle that lead backward from the hips or what carries them, or are named tails.

    Args:
        hips: bones on which a tail may hang.
        taken: bones of other parts, and those that other parts hang on.
        hip: (3,) middle of the hindmost hips.
    """
    s = tree.bones
    out = []
    for top in sorted(k for bone in hips for k in tree.children[bone] if k not in hips):
        if taken & set(s.below(top)) or any(says(s.names[top], part) for part in ("helper", "cloth")):
            continue
        chain = tree.chain(top)
        named = any(says(s.names[k], "tail") for k in chain)
        end = s.heads[chain[-1]] - hip
        back = float(end @ ahead) < -0.5 * LEAST_TAIL * tree.extent and abs(float(end[2])) < 3.0 * abs(float(end @ ahead))
        long = tree.length[top] > LEAST_TAIL * tree.extent and in_the_middle(tree, top)
        if named or (long and back):
            out.append(chain)
    return out


def root_above(tree: Tree, root: int, tails: list[list[int]]) -> int:
    """The bone that carries a body with its tails: the root, or one above it on which a tail hangs."""
    hangs = [tree.bones.parents[tail[0]] for tail in tails]
    return tree.common([root, *hangs]) if hangs else root


def trunk_and_neck(tree: Tree, root: int, neck: int) -> tuple[list[int], int]:
    """Trunk and first bone of the neck where no limb tells where the one ends: the way to the head is parted by name or length."""
    s = tree.bones
    way = path_down(tree, root, head_of(tree, neck))
    if len(way) < 2:
        return way[:-1], way[-1] if way else neck
    named = [k for k, bone in enumerate(way) if k > 0 and says(s.names[bone], "neck")]
    along = np.concatenate([[0.0], np.cumsum([tree.step(a, b) for a, b in pairwise(way)])])
    cut = named[0] if named else max(1, int(np.searchsorted(along, TRUNK_SHARE * along[-1])))
    return way[:cut], way[cut]

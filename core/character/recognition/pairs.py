"""Pairs of like chains in a skeleton: legs and arms."""
from __future__ import annotations

from itertools import combinations

from ...errors import CharacterError
from .names import says, side_of, without_side
from .tree import Tree

LIKE = 0.12           # two chains are a pair when their lengths differ by no more than this share
LEAST_LEG = 0.22      # of the body's extent that a leg's chain must measure
LEAST_ARM = 0.15


def pairs(tree: Tree) -> list[tuple[int, int]]:
    """Children of one bone whose chains are alike, each bone with its best match."""
    out = []
    names = tree.bones.names
    for siblings in [*tree.children, tuple(k for k, p in enumerate(tree.bones.parents) if p < 0)]:
        usable = [k for k in siblings if tree.length[k] > 0.08 * tree.extent and not says(names[k], "helper")]
        ranked = sorted(combinations(usable, 2), key=lambda ij: (without_side(names[ij[0]]) != without_side(names[ij[1]]),
                                                                 side_of(names[ij[0]]) * side_of(names[ij[1]]) > 0,
                                                                 _unlike(tree, *ij)))
        taken: set[int] = set()
        for i, j in ranked:
            if not {i, j} & taken and _unlike(tree, i, j) < LIKE:
                out.append((i, j))
                taken |= {i, j}
    return out


def _unlike(tree: Tree, i: int, j: int) -> float:
    a, b = tree.length[i], tree.length[j]
    return float(abs(a - b) / max(a, b, 1e-9))


def leg_pair(tree: Tree, pairs: list[tuple[int, int]]) -> tuple[int, int]:
    names = tree.bones.names

    def score(pair: tuple[int, int]) -> float:
        named: int = any(says(names[k], part) for k in tree.chain(pair[0]) for part in ("thigh", "shin", "foot"))
        named -= any(says(names[k], part) for k in tree.chain(pair[0]) for part in ("upper_arm", "forearm", "hand"))
        above = (max(tree.lowest(k) for k in pair) - tree.floor) / max(tree.height, 1e-9)
        return named - 3.0 * above + 0.5 * tree.length[pair[0]] / tree.extent

    usable = [p for p in pairs if min(tree.length[k] for k in p) > LEAST_LEG * tree.extent
              and (max(tree.lowest(k) for k in p) - tree.floor) < 0.35 * max(tree.height, 1e-9)
              and tree.bones.parents[p[0]] >= 0 and all(len(tree.chain(k)) >= 3 for k in p)]
    if not usable:
        raise CharacterError("The armature has no legs that Footfall can find: it looks for two like chains of at least three "
                             "bones (thigh, shin, foot) that hang on one bone and reach near the ground.")
    return max(usable, key=score)


def arm_pair(tree: Tree, pairs: list[tuple[int, int]], legs: tuple[int, int]) -> tuple[int, int] | None:
    below_legs = {k for leg in legs for k in tree.bones.below(leg)}
    names = tree.bones.names

    def score(pair: tuple[int, int]) -> float:
        named = any(says(names[k], part) for k in tree.chain(pair[0]) for part in ("upper_arm", "forearm", "hand"))
        return named + tree.length[pair[0]] / tree.extent

    usable = [p for p in pairs if not set(p) & below_legs and min(tree.length[k] for k in p) > LEAST_ARM * tree.extent
              and not any(leg in tree.bones.below(k) for k in p for leg in legs) and tree.bones.parents[p[0]] >= 0
              and all(len(tree.chain(k)) >= 3 for k in p)]
    return max(usable, key=score, default=None)

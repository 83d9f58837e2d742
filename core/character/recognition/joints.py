"""The three joints of an arm, or of a leg without a hock, by their shape and their names."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from .anatomy import ArmBones
from .names import is_limb_segment_name, is_part_name, name_stem
from .tree import SkeletonTree

COINCIDENT_DISTANCE = 1e-3  # of the skeleton's extent
BRANCHING_WEIGHT = 0.8  # worth of a bone on which many hang, as a wrist


@dataclass(frozen=True)
class LimbPositions:
    """Positions in a chain of bones of the three joints of a limb.

    Args:
        first: of the bone that begins at the hip or shoulder.
        second: of the bone that begins at the knee or elbow.
        third: of the bone that begins at the ankle or wrist.
    """

    first: int
    second: int
    third: int


@dataclass(frozen=True)
class LegJointBones:
    """Bones of a leg by the joint at their heads.

    Args:
        toe: first bone of the toes; None without toes.
    """

    hip: int
    knee: int
    ankle: int
    toe: int | None


def split_limb(
    tree: SkeletonTree, chain: list[int], parts: tuple[str, str, str], max_remainder: float
) -> LimbPositions:
    """Positions in a chain of the three joints that part off its two long segments.

    The two are about equally long and make up most of the chain; names that say it decide.
    """
    names = tree.skeleton.names
    is_unnamed = not any(is_part_name(names[k], part) for k in chain for part in parts)
    stations = np.concatenate(
        [[0.0], np.cumsum([tree.head_distance(a, b) for a, b in pairwise(chain)])]
    )
    best = LimbPositions(0, 1, 2)
    best_score = -np.inf
    for a, b, c in combinations(range(len(chain)), 3):
        first = stations[b] - stations[a]
        second = stations[c] - stations[b]
        if min(first, second) < 1e-6:
            continue
        remainder = (stations[-1] - stations[c]) / stations[-1]
        score = (
            (first + second) / stations[-1]
            - abs(np.log(first / second))
            - 4.0 * max(remainder - max_remainder, 0.0)
        )
        score += sum(
            1.0
            for k, part in zip((a, b, c), parts, strict=True)
            if is_part_name(names[chain[k]], part)
        )
        score -= sum(1.0 for k in (a, b, c) if is_part_name(names[chain[k]], "twist"))
        # the first bone so named is the joint
        score -= 0.3 * any(is_part_name(names[chain[k]], parts[0]) for k in range(a))
        score -= 0.3 * sum(
            k > 0
            and is_limb_segment_name(names[chain[k]])
            and name_stem(names[chain[k]]) == name_stem(names[chain[k - 1]])
            for k in (a, b, c)
        )
        # what fingers hang on is a hand
        score += BRANCHING_WEIGHT * (is_unnamed and len(tree.children[chain[c]]) >= 3)
        if score > best_score:
            best = LimbPositions(a, b, c)
            best_score = score
    return best


def find_knee(tree: SkeletonTree, chain: tuple[int, ...], foot: int) -> int:
    """The bone of a leg's segments that begins at the knee:
    two about equal lengths, and where it bends most.
    """

    def score(k: int) -> float:
        upper = tree.head_distance(chain[0], chain[k])
        lower = tree.head_distance(chain[k], foot)
        first, second = (
            tree.skeleton.heads[b] - tree.skeleton.heads[a]
            for a, b in ((chain[0], chain[k]), (chain[k], foot))
        )
        straightness = float(first @ second) / max(upper * lower, 1e-12)
        return -abs(float(np.log(max(upper, 1e-9) / max(lower, 1e-9)))) - straightness

    return chain[max(range(1, len(chain)), key=score)]


def split_leg(tree: SkeletonTree, bone: int, mate: int) -> LegJointBones:
    """Bones at whose heads hip, knee and ankle are, and the toe's.

    Args:
        mate: the topmost bone of the other leg; where both begin at one place they
            only lead out to the hips.
    """
    chain = tree.longest_chain(bone, avoid="heel")
    if len(chain) > 3 and tree.head_distance(mate, bone) < COINCIDENT_DISTANCE * tree.extent:
        chain = chain[1:]
    joints = split_limb(tree, chain, ("thigh", "shin", "foot"), max_remainder=0.35)
    names = tree.skeleton.names
    ankle = chain[joints.third]
    toes = [
        k
        for k in chain[joints.third + 1 :]
        if not is_limb_segment_name(names[k]) or name_stem(names[k]) != name_stem(names[ankle])
    ]
    return LegJointBones(
        chain[joints.first], chain[joints.second], ankle, toe=toes[0] if toes else None
    )


def split_arm(tree: SkeletonTree, bone: int) -> ArmBones:
    """Bones of an arm, its side open."""
    chain = tree.longest_chain(bone)
    joints = split_limb(tree, chain, ("upper_arm", "forearm", "hand"), max_remainder=0.45)
    return ArmBones(chain[joints.first], chain[joints.second], chain[joints.third], 0)

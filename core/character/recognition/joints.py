"""The three joints of an arm, or of a leg without a hock, by shape and names."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from .anatomy import ArmBones
from .legs import is_first_half
from .names import is_limb_segment_name, is_part_name, name_stem
from .pairs import MIN_COMMON_BONES, find_common_chains
from .tree import COINCIDENT_DISTANCE, SkeletonTree

MIN_FOOT_LENGTH = 5e-3  # Least distance from ankle to toes [extent of the skeleton]
BRANCHING_WEIGHT = 0.8  # Score of a hand that is recognized by its number of fingers


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
    """Return the three joints of a chain that bound its two long segments.

    The two segments are about equally long and make up most of the chain; names of bones have more
    weight than lengths.

    Args:
        parts: names of the three parts of the limb.
        max_remainder: greatest length beyond the third joint without a penalty [chain length].
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
        score -= sum(1.0 for k in (a, b, c) if _is_twist(tree, chain[k]))
        # of several bones with the name of the part, the first begins at the joint
        score -= 0.3 * any(is_part_name(names[chain[k]], parts[0]) for k in range(a))
        score -= 0.3 * sum(
            k > 0
            and is_limb_segment_name(names[chain[k]])
            and name_stem(names[chain[k]]) == name_stem(names[chain[k - 1]])
            for k in (a, b, c)
        )
        # a bone with several children is a hand
        score += BRANCHING_WEIGHT * (is_unnamed and len(tree.children[chain[c]]) >= 3)
        if score > best_score:
            best = LimbPositions(a, b, c)
            best_score = score
    return best


def _is_twist(tree: SkeletonTree, bone: int) -> bool:
    """Return whether a bone is named as a twist bone and begins no segment."""
    return is_part_name(tree.skeleton.names[bone], "twist") and not any(
        is_first_half(tree, bone, child) for child in tree.children[bone]
    )


def find_knee(tree: SkeletonTree, chain: tuple[int, ...], foot: int) -> int:
    """Return the bone of a leg that begins at the knee.

    Thigh and shin are about equally long, and the leg bends most at the knee.
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
    """Return the bones of a leg by joints.

    Args:
        mate: topmost bone of the other leg. If both begin at the same place but do not lie in one
            plane as those of a flat character do, they belong to the pelvis, and the leg begins
            below.
    """
    chain = _without_twists(tree, tree.longest_chain(bone, avoid="heel"))
    # of two bones with names of a thigh the upper one belongs to the hip
    is_thigh, is_next_thigh = (is_part_name(tree.skeleton.names[k], "thigh") for k in chain[:2])
    if len(chain) > 3 and (is_next_thigh or not is_thigh) and _begin_together(tree, bone, mate):
        chain = chain[1:]
    joints = split_limb(tree, chain, ("thigh", "shin", "foot"), max_remainder=0.35)
    names = tree.skeleton.names
    ankle = chain[joints.third]
    toes = [
        k
        for k in chain[joints.third + 1 :]
        if (not is_limb_segment_name(names[k]) or name_stem(names[k]) != name_stem(names[ankle]))
        and tree.head_distance(ankle, k) > MIN_FOOT_LENGTH * tree.extent
    ]
    named = [k for k in toes if is_part_name(names[k], "toe")]  # not the metatarsals before them
    return LegJointBones(
        chain[joints.first], chain[joints.second], ankle, toe=next(iter(named or toes), None)
    )


def _begin_together(tree: SkeletonTree, bone: int, mate: int) -> bool:
    """Return whether two chains begin at the same place, and not all their bones do."""
    same = COINCIDENT_DISTANCE * tree.extent
    pairs = zip(tree.longest_chain(bone), tree.longest_chain(mate), strict=False)
    return tree.head_distance(mate, bone) < same and any(
        tree.head_distance(a, b) >= same for a, b in pairs
    )


def _without_twists(tree: SkeletonTree, chain: list[int]) -> list[int]:
    """Return a chain without twist bones in line, as long as three bones remain.

    A twist bone with which a segment begins remains, and its second half does not.
    """
    names = tree.skeleton.names
    out: list[int] = []
    half = -1
    for bone, next_bone in pairwise([*chain, chain[-1]]):
        if bone == half:
            continue
        if is_first_half(tree, bone, next_bone):
            half = next_bone
        elif is_part_name(names[bone], "twist"):
            continue
        out.append(bone)
    return out if len(out) >= 3 else chain


def split_arm(tree: SkeletonTree, bone: int, mate: int) -> ArmBones:
    """Return the bones of an arm, with side 0; the wrist of one without a hand is the elbow.

    Args:
        mate: topmost bone of the other arm. If both begin at the same place, they are collarbones.
    """
    common = find_common_chains(tree, bone, mate).first
    chain = _without_twists(
        tree, common if len(common) >= MIN_COMMON_BONES else tree.longest_chain(bone)
    )
    is_collarbone = not is_part_name(tree.skeleton.names[bone], "upper_arm")
    if len(chain) > 3 and is_collarbone and _begin_together(tree, bone, mate):
        chain = chain[1:]
    if len(chain) == 2:
        return ArmBones(chain[0], chain[1], chain[1], 0)
    joints = split_limb(tree, chain, ("upper_arm", "forearm", "hand"), max_remainder=0.45)
    return ArmBones(chain[joints.first], chain[joints.second], chain[joints.third], 0)

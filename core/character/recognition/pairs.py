"""Pairs of similar chains in a skeleton, which may be legs or arms."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from ...errors import CharacterError
from .names import is_limb_segment_name, is_part_name, side_from_name, strip_side
from .tree import COINCIDENT_DISTANCE, SkeletonTree

# Greatest relative difference of the lengths of two chains of a pair
MAX_LENGTH_DIFFERENCE = 0.12
# That of limbs whose names differ in their sides only, such as the claws of a crab
MAX_NAMED_LENGTH_DIFFERENCE = 0.4
# Least length of a chain that may be a limb without its name [extent of the skeleton]
MIN_CHAIN_LENGTH = 0.08
MIN_COMMON_BONES = 3  # Least number of bones of a limb to compare without what it holds
# Least length of the chain of a leg [extent of the skeleton]. Half or twice of it changes none of
# 25 rigs.
MIN_LEG_LENGTH = 0.22
# Bones of an arm without a hand: upper arm and forearm. With others the arms of
# godot_platformer_player and raylib_guy are lost.
HANDLESS_ARM_BONES = 2
# Greatest height of the end of a leg on the ground [height of the skeleton]; a raised one is named
MAX_LOW_LEG = 0.1
# Least number of parts by whose names a single arm is recognized that begins with a collarbone
MIN_NAMED_ARM_PARTS = 2
# Number of upper joints at the same place by which a limb doubles another one, those of a leg or an
# arm: hip, knee and ankle
DOUBLED_JOINTS = 3
# Parts whose pairs of chains resemble arms, and are none
ARM_LIKE_PARTS = ("cloth", "tail", "face")
# Least length of the chain of an arm [extent of the skeleton]. Doubled, kaykit_Knight, CesiumMan
# and two others of 25 rigs have no arms.
MIN_ARM_LENGTH = 0.15


class BonePair(NamedTuple):
    """The topmost bones of two chains that are alike, such as those of a left and a right limb."""

    first: int
    second: int


class BoneChains(NamedTuple):
    """Two chains of as many bones, whose bones correspond."""

    first: list[int]
    second: list[int]


def find_pairs(tree: SkeletonTree) -> list[BonePair]:
    """Return the pairs of siblings with similar chains, each bone with its best match."""
    out = []
    names = tree.skeleton.names
    for siblings in [
        *tree.children,
        tuple(k for k, p in enumerate(tree.skeleton.parents) if p < 0),
    ]:
        usable = [
            k
            for k in siblings
            if (tree.chain_length[k] > MIN_CHAIN_LENGTH * tree.extent or _is_named_limb(names[k]))
            and not is_part_name(names[k], "helper")
        ]
        ranked = sorted(
            combinations(usable, 2),
            key=lambda ij: (
                strip_side(names[ij[0]]) != strip_side(names[ij[1]]),
                side_from_name(names[ij[0]]) * side_from_name(names[ij[1]]) > 0,
                _length_difference(tree, *ij),
            ),
        )
        used: set[int] = set()
        for i, j in ranked:
            if not {i, j} & used and _is_alike(tree, i, j):
                out.append(BonePair(i, j))
                used |= {i, j}
    return _exclude_doubles(tree, out)


def _is_named_limb(name: str) -> bool:
    """Return whether a bone is named as a part of a limb on one side."""
    return bool(side_from_name(name)) and is_limb_segment_name(name)


def _is_alike(tree: SkeletonTree, i: int, j: int) -> bool:
    """Return whether two chains are about as long; those of one limb by their names may differ."""
    first, second = (tree.skeleton.names[k] for k in (i, j))
    is_one_limb = _is_named_limb(first) and _are_named_counterparts(first, second)
    limit = MAX_NAMED_LENGTH_DIFFERENCE if is_one_limb else MAX_LENGTH_DIFFERENCE
    return _length_difference(tree, i, j) < limit


def _exclude_doubles(tree: SkeletonTree, pairs: list[BonePair]) -> list[BonePair]:
    """Return pairs of chains without those at the place of another pair.

    Some rigs have second legs that copy the first ones and move the skin. The pair with skin
    remains, or the first one.
    """
    out: list[BonePair] = []
    for pair in sorted(pairs, key=lambda p: not _has_skin(tree, p)):
        if not any(_is_same_place(tree, pair, other) for other in out):
            out.append(pair)
    return [pair for pair in pairs if pair in out]


def _has_skin(tree: SkeletonTree, pair: BonePair) -> bool:
    s = tree.skeleton
    return any(s.names[k] in s.skin for bone in pair for k in s.subtree(bone))


def _is_same_place(tree: SkeletonTree, pair: BonePair, other: BonePair) -> bool:
    """Return whether the upper joints of two pairs of chains coincide."""
    return any(
        all(
            len(a) >= DOUBLED_JOINTS <= len(b)
            and all(
                tree.head_distance(*joints) < COINCIDENT_DISTANCE * tree.extent
                for joints in zip(a[:DOUBLED_JOINTS], b[:DOUBLED_JOINTS], strict=True)
            )
            for a, b in zip(
                map(tree.longest_chain, pair),
                map(tree.longest_chain, order),
                strict=True,
            )
        )
        for order in (other, other[::-1])
    )


def _length_difference(tree: SkeletonTree, i: int, j: int) -> float:
    """Return the relative difference of the lengths of two chains.

    Only the bones that both chains have count: one hand may hold a sword, or have fingers. Of
    chains that are named as left and right, the shorter one shows how many these are.
    """
    names = tree.skeleton.names
    chains = find_common_chains(tree, i, j)
    if len(chains.first) < MIN_COMMON_BONES:
        first, second = (tree.longest_chain(k) for k in (i, j))
        if _are_named_counterparts(names[i], names[j]) and min(len(first), len(second)) > 1:
            count = min(len(first), len(second))
            first, second = first[:count], second[:count]
        chains = BoneChains(first, second)
    a, b = (sum(tree.head_distance(*pair) for pair in pairwise(chain)) for chain in chains)
    return float(abs(a - b) / max(a, b, 1e-9))


def _are_named_counterparts(first: str, second: str) -> bool:
    """Return whether two bones have names of opposite sides that are otherwise equal."""
    has_sides = side_from_name(first) * side_from_name(second) < 0
    return has_sides and strip_side(first) == strip_side(second)


def find_common_chains(tree: SkeletonTree, i: int, j: int) -> BoneChains:
    """Return the longest chains down from two bones in which each bone has a counterpart.

    Counterparts are named for opposite sides, or their joints are mirror images.
    """
    chains = BoneChains([i], [j])
    while True:
        ends = (chains.first[-1], chains.second[-1])
        matches = [
            (a, b)
            for a in tree.children[ends[0]]
            for b in tree.children[ends[1]]
            if _are_counterparts(tree, (i, j), ends, (a, b))
        ]
        if not matches:
            return chains
        best = max(
            matches,
            key=lambda pair: min(
                tree.head_distance(end, bone) + tree.chain_length[bone]
                for end, bone in zip(ends, pair, strict=True)
            ),
        )
        for chain, bone in zip(chains, best, strict=True):
            chain.append(bone)


def _are_counterparts(
    tree: SkeletonTree, tops: tuple[int, int], parents: tuple[int, int], bones: tuple[int, int]
) -> bool:
    """Return whether two bones correspond, by their names or their offsets from their parents.

    Args:
        tops: topmost bones of both chains, which are mirror images of each other.
    """
    s = tree.skeleton
    first, second = (s.names[k] for k in bones)
    if _are_named_counterparts(first, second):
        return True
    lateral = (s.heads[tops[0]] - s.heads[tops[1]]) * [1, 1, 0]
    distance = float(np.linalg.norm(lateral))
    is_same_side = side_from_name(first) * side_from_name(second) > 0
    if is_same_side or distance < COINCIDENT_DISTANCE * tree.extent:
        return False
    lateral /= distance
    a, b = (s.heads[bone] - s.heads[end] for bone, end in zip(bones, parents, strict=True))
    mirrored = b - 2 * (b @ lateral) * lateral
    length = max(float(np.linalg.norm(a)), float(np.linalg.norm(b)))
    return bool(
        length > COINCIDENT_DISTANCE * tree.extent
        and np.linalg.norm(a - mirrored) < MAX_LENGTH_DIFFERENCE * length
    )


def find_leg_pair(tree: SkeletonTree, pairs: list[BonePair]) -> BonePair:
    """Return the pair of chains that most resembles legs of a biped.

    Raises:
        CharacterError: there is none.
    """
    names = tree.skeleton.names

    def score(pair: BonePair) -> float:
        name_score: int = any(
            is_part_name(names[k], part)
            for k in tree.longest_chain(pair[0])
            for part in ("thigh", "shin", "foot")
        )
        name_score -= any(
            is_part_name(names[k], part)
            for k in tree.longest_chain(pair[0])
            for part in ("upper_arm", "forearm", "hand")
        )
        ground_clearance = (
            max(tree.lowest_head_height(k) for k in pair) - tree.floor_height
        ) / max(tree.height, 1e-9)
        return name_score - 3.0 * ground_clearance + 0.5 * tree.chain_length[pair[0]] / tree.extent

    usable = [
        p
        for p in pairs
        if min(tree.chain_length[k] for k in p) > MIN_LEG_LENGTH * tree.extent
        and (max(tree.lowest_head_height(k) for k in p) - tree.floor_height)
        < 0.35 * max(tree.height, 1e-9)
        and tree.skeleton.parents[p[0]] >= 0
        and all(len(tree.longest_chain(k)) >= 3 for k in p)
        and not any(is_part_name(names[j], "cloth") for k in p for j in tree.longest_chain(k))
    ]
    if not usable:
        _check_raised_leg(tree, pairs)
        raise CharacterError(
            "Footfall recognizes no legs in the armature. It looks for two similar chains of at "
            "least three bones (thigh, shin, foot) with the same parent that reach the ground."
        )
    return max(usable, key=score)


def _check_raised_leg(tree: SkeletonTree, pairs: list[BonePair]) -> None:
    """Check that no pair named as legs has one on the ground and the other one in the air.

    Raises:
        CharacterError: there is such a pair; the message names it.
    """
    names = tree.skeleton.names
    for pair in pairs:
        heights = sorted(tree.bottom_height(k) - tree.floor_height for k in pair)
        is_named = any(
            is_part_name(names[k], part)
            for k in tree.longest_chain(pair.first)
            for part in ("thigh", "shin", "foot")
        )
        if is_named and heights[0] < MAX_LOW_LEG * tree.height < heights[1]:
            raise CharacterError(
                f"Of the legs {names[pair.first]!r} and {names[pair.second]!r} one is in the air "
                "at rest. Pose it standing on both and apply the pose as rest pose."
            )


def find_arms(tree: SkeletonTree, pairs: list[BonePair], legs: BonePair) -> tuple[int, ...]:
    """Return the topmost bones of the arms of a body, with hands or without: two, one or none."""
    arms = find_arm_pair(tree, pairs, legs)
    if arms is None or is_part_name(tree.skeleton.names[arms.first], "wing"):
        return (
            find_handless_arm_pair(tree, pairs, legs) or _find_single_arm(tree, legs) or arms or ()
        )
    return arms


def _find_single_arm(tree: SkeletonTree, legs: BonePair) -> tuple[int, ...]:
    """Return the topmost bone of an arm without a counterpart, by its names; none without one."""
    s = tree.skeleton
    excluded = {k for leg in legs for k in (*s.subtree(leg), *tree.ancestors(leg))}

    def is_arm(bone: int) -> bool:
        chain = tree.longest_chain(bone)
        parts = {
            part
            for part in ("upper_arm", "forearm", "hand")
            if any(is_part_name(s.names[k], part) for k in chain)
        }
        return (
            bone not in excluded
            and bool(side_from_name(s.names[bone]))
            and len(chain) >= HANDLESS_ARM_BONES
            and (is_part_name(s.names[bone], "upper_arm") or len(parts) >= MIN_NAMED_ARM_PARTS)
        )

    arms = [k for k in range(len(s.names)) if is_arm(k)]
    return tuple(sorted(arms, key=lambda k: len(tree.ancestors(k)))[:1])


def find_arm_pair(tree: SkeletonTree, pairs: list[BonePair], legs: BonePair) -> BonePair | None:
    """Return the pair of chains of at least three bones that most resembles arms, if any.

    Chains that begin no higher than the legs come last: they are tails of a coat. So do those that
    are named as wings, which are arms only of bodies without others.
    """
    below_legs = {k for leg in legs for k in tree.skeleton.subtree(leg)}
    names = tree.skeleton.names
    heights = tree.skeleton.heads[:, 2]
    hip_height = float(heights[list(legs)].max())

    def score(pair: BonePair) -> float:
        name_score = any(
            is_part_name(names[k], part)
            for k in tree.longest_chain(pair[0])
            for part in ("upper_arm", "forearm", "hand")
        )
        is_wing = is_part_name(names[pair.first], "wing")
        begins_low = float(heights[list(pair)].min()) <= hip_height
        length = tree.chain_length[pair[0]] / tree.extent
        return name_score - 2 * is_wing - begins_low + length

    usable = [
        p
        for p in pairs
        if not set(p) & below_legs
        and (
            min(tree.chain_length[k] for k in p) > MIN_ARM_LENGTH * tree.extent
            or any(_is_named_limb(names[j]) for j in tree.longest_chain(p.first))
        )
        and not any(is_part_name(names[p.first], part) for part in ARM_LIKE_PARTS)
        and not any(leg in tree.skeleton.subtree(k) for k in p for leg in legs)
        and tree.skeleton.parents[p[0]] >= 0
        and all(len(tree.longest_chain(k)) >= 3 for k in p)
    ]
    return max(usable, key=score, default=None)


def find_handless_arm_pair(
    tree: SkeletonTree, pairs: list[BonePair], legs: BonePair
) -> BonePair | None:
    """Return the longest pair of arms of two bones, which end without a hand, if any.

    They are named as arms, since ears, wings and straps have a similar shape.
    """
    names = tree.skeleton.names
    below_legs = {k for leg in legs for k in tree.skeleton.subtree(leg)}

    def is_arm(bone: int) -> bool:
        chain = tree.longest_chain(bone)
        return (
            len(chain) == HANDLESS_ARM_BONES
            and any(is_part_name(names[k], p) for k in chain for p in ("upper_arm", "forearm"))
            and not is_part_name(names[bone], "clavicle")
        )

    usable = [
        pair
        for pair in pairs
        if all(is_arm(k) and tree.skeleton.parents[k] >= 0 for k in pair)
        and not set(pair) & below_legs
    ]
    return max(usable, key=lambda pair: tree.chain_length[pair[0]], default=None)

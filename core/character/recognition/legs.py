"""Legs: pairs of like chains that come down to the ground, in rows, and the joints of each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .names import is_limb_segment_name, is_part_name, name_stem, side_from_name, split_words
from .pairs import BonePair
from .tree import SkeletonTree

Array = NDArray[np.float64]

MAX_LEG_END_HEIGHT = 0.25  # of the hips' height, below which a leg ends
MIN_LEG_DROP = 0.08  # of the skeleton's height by which a leg comes down
MAX_FOOT_HEIGHT = 0.20  # of the hip's height, below which the foot begins
MAX_FLAT_FOOT_HEIGHT = 0.45  # below which a bone that lies flat is the foot
MAX_FLAT_SINE = 0.7  # sine of the angle at which a bone is no longer flat
# of a leg's distance from the middle, within which a bone may belong to the hips or shoulders
MAX_GIRDLE_OFFSET = 0.6
MIN_LEG_OFFSET = 0.1  # within which it is no leg's
MIN_SIDEWAYS_SHARE = 0.17  # share of such a bone's length that leads to the side
MIN_JOINT_BEND = np.radians(12)  # at a knee and a hock
MIN_STRAIGHT_COSINE = np.cos(np.radians(25))  # two halves of one bone go on about straight
MAX_SEGMENTS = 4
NON_LEG_WORDS = {"fin", "wing", "feather", "tail", "tentacle"}


@dataclass(frozen=True)
class LegBoneChain:
    """Bones of a leg from the hip down: those of its segments,
    then foot and toe where there are any.
    """

    segments: tuple[int, ...]
    foot: int | None
    toe: int | None


def find_standing_pairs(tree: SkeletonTree, candidates: list[BonePair]) -> list[BonePair]:
    """Pairs of like chains that come down to the ground,
    those that belong to another one's legs left out.
    """
    names = tree.skeleton.names

    def is_standing(pair: BonePair) -> bool:
        top_height = (
            max(
                float(tree.skeleton.heads[j, 2])
                for k in pair
                for j in tree.longest_chain(k)[:-1] or [k]
            )
            - tree.floor_height
        )
        end_height = max(tree.bottom_height(k) for k in pair) - tree.floor_height
        return (
            end_height < MAX_LEG_END_HEIGHT * top_height
            and top_height - end_height > MIN_LEG_DROP * tree.height
            and tree.skeleton.parents[pair[0]] >= 0
            and not any(
                is_part_name(names[j], "cloth") or NON_LEG_WORDS & set(split_words(names[j]))
                for k in pair
                for j in tree.longest_chain(k)
            )
        )

    standing = [p for p in candidates if is_standing(p) and _is_side_by_side(tree, p)]
    leg_bones = {k for p in standing for bone in p for k in tree.skeleton.subtree(bone)[1:]}
    return [p for p in standing if not set(p) & leg_bones]


def _is_side_by_side(tree: SkeletonTree, pair: BonePair) -> bool:
    """Whether two chains end beside each other, as left and right do,
    and not one before the other's foot.
    """
    a, b = (tree.skeleton.heads[tree.longest_chain(k)] for k in pair)
    distance = np.linalg.norm(a[-1, :2] - b[-1, :2])
    return (
        bool(distance > 0.02 * tree.extent)
        or side_from_name(tree.skeleton.names[pair[0]])
        * side_from_name(tree.skeleton.names[pair[1]])
        < 0
    )


def find_leg_chain(tree: SkeletonTree, bone: int, mate: int) -> LegBoneChain:
    """Joints of a leg by its shape: where it comes down from, where it bends,
    where it lies on the ground.

    Args:
        bone: the topmost of its chain.
        mate: the topmost of the other side's chain.
    """
    s = tree.skeleton
    chain = _merge_bone_halves(tree, tree.longest_chain(bone, avoid="heel"))
    lateral = _lateral_direction(tree, bone, mate)
    center = 0.5 * (s.heads[tree.longest_chain(bone)[-1]] + s.heads[tree.longest_chain(mate)[-1]])
    chain = chain[_first_leg_position(tree, chain, np.abs((s.heads[chain] - center) @ lateral)) :]
    foot_position = _foot_position(tree, chain)
    segments = chain[:foot_position]
    while len(segments) > MAX_SEGMENTS:
        bend_angles = [
            bend_angle(tree, a, b, c)
            for a, b, c in zip(segments, segments[1:], chain[2:], strict=False)
        ]
        del segments[1 + int(np.argmin(bend_angles))]
    toe = chain[foot_position + 1] if foot_position + 1 < len(chain) else None
    return LegBoneChain(
        tuple(segments), chain[foot_position] if foot_position < len(chain) else None, toe
    )


def _lateral_direction(tree: SkeletonTree, bone: int, mate: int) -> Array:
    ends = [tree.skeleton.heads[tree.longest_chain(k)[-1]] for k in (bone, mate)]
    lateral = (ends[0] - ends[1]) * [1, 1, 0]
    return lateral / max(float(np.linalg.norm(lateral)), 1e-12)


def _merge_bone_halves(tree: SkeletonTree, chain: list[int]) -> list[int]:
    """A chain without its twist bones and without second halves of bones,
    which go on straight and have the same name.
    """
    names = tree.skeleton.names
    heads = tree.skeleton.heads
    out = [chain[0]]
    for bone, next_bone in pairwise([*chain[1:], chain[-1]]):
        incoming = heads[bone] - heads[out[-1]]
        outgoing = (
            heads[next_bone] - heads[bone]
            if next_bone != bone
            else tree.skeleton.tails[bone] - heads[bone]
        )
        size = np.linalg.norm(incoming) * np.linalg.norm(outgoing)
        is_straight = size < 1e-12 or incoming @ outgoing > MIN_STRAIGHT_COSINE * size
        is_same_stem = is_limb_segment_name(names[bone]) and name_stem(names[bone]) == name_stem(
            names[out[-1]]
        )
        if is_part_name(names[bone], "twist") or (is_straight and is_same_stem):
            continue
        out.append(bone)
    return out


def _first_leg_position(tree: SkeletonTree, chain: list[int], lateral_offsets: Array) -> int:
    """Place in a chain of the first bone that comes down;
    those before lead to the side: a hip's or shoulder's.
    """
    s = tree.skeleton
    for k in range(len(chain) - 1):
        length = max(tree.head_distance(chain[k], chain[k + 1]), 1e-12)
        is_girdle_named = is_part_name(s.names[chain[k]], "clavicle") or bool(
            {"pelvis", "hips", "scapula"} & set(split_words(s.names[chain[k]]))
        )
        is_inward = lateral_offsets[k] < MAX_GIRDLE_OFFSET * np.median(lateral_offsets[k + 1 :])
        leads_outward = (lateral_offsets[k + 1] - lateral_offsets[k]) / length > MIN_SIDEWAYS_SHARE
        is_level = (s.heads[chain[k], 2] - s.heads[chain[k + 1], 2]) / length < 0.3
        if (
            lateral_offsets[k] > MIN_LEG_OFFSET * np.median(lateral_offsets[k + 1 :])
            and _foot_position(tree, chain[k + 1 :]) < 2
        ):
            return k  # without it there would be no knee: a leg that spreads, as a spider's
        is_thigh = (
            any(is_part_name(s.names[chain[k]], part) for part in ("thigh", "upper_arm"))
            and not is_level
        )
        if is_thigh or not (
            is_girdle_named or (is_inward and leads_outward) or (is_level and is_inward)
        ):
            return k
    return len(chain) - 1


def _foot_position(tree: SkeletonTree, chain: list[int]) -> int:
    """Place in a chain of the bone that is the foot: the first that begins near the
    ground, or lies flat above it.
    """
    heads = tree.skeleton.heads
    hip = float(heads[chain[0], 2]) - tree.floor_height
    for k in range(1, len(chain)):
        height = float(heads[chain[k], 2]) - tree.floor_height
        if height < MAX_FOOT_HEIGHT * hip:
            return k
        if k + 1 < len(chain) and k > 1 and height < MAX_FLAT_FOOT_HEIGHT * hip:
            along = heads[chain[k + 1]] - heads[chain[k]]
            if -along[2] < MAX_FLAT_SINE * np.linalg.norm(along):
                return k
    return len(chain)


def bend_angle(tree: SkeletonTree, a: int, b: int, c: int) -> float:
    """Angle by which a chain turns at its middle joint, rad."""
    first = tree.skeleton.heads[b] - tree.skeleton.heads[a]
    second = tree.skeleton.heads[c] - tree.skeleton.heads[b]
    size = max(float(np.linalg.norm(first) * np.linalg.norm(second)), 1e-12)
    return float(np.arccos(np.clip(first @ second / size, -1, 1)))


def has_hock(tree: SkeletonTree, leg: LegBoneChain) -> bool:
    """Whether a leg of three segments bends one way at the knee and the other way at the hock,
    as paws and hooves need.
    """
    if len(leg.segments) < 3 or leg.foot is None:
        return False
    hip, knee, hock, end = (*leg.segments, leg.foot)[:4]
    a, b, c = np.diff(tree.skeleton.heads[[hip, knee, hock, end]], axis=0)
    bends_alternate = np.cross(a, b) @ np.cross(b, c) < 0
    return bool(
        bends_alternate
        and bend_angle(tree, hip, knee, hock) > MIN_JOINT_BEND
        and bend_angle(tree, knee, hock, end) > MIN_JOINT_BEND
    )

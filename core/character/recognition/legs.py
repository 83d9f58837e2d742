"""Recognition of legs, which are pairs of similar chains down to the ground, and their joints."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .names import (
    is_first_half_name,
    is_limb_segment_name,
    is_part_name,
    is_piece_name,
    name_stem,
    side_from_name,
    split_words,
)
from .pairs import BonePair
from .tree import COINCIDENT_DISTANCE, SkeletonTree

Array = NDArray[np.float64]

# Words in the names of chains that are not legs
NON_LEG_WORDS = {"fin", "wing", "feather", "tail", "tentacle"}


@dataclass(frozen=True)
class LegParameters:
    """Thresholds for the recognition of legs.

    Tuned: on rigs of other authors and metarigs of Rigify, 25 in all. What half or twice of a
    number changes on them is named; of the others it changes nothing.

    Args:
        max_leg_end_height: greatest height of the end of a leg [height of its top]. Doubled, arms
            of quaternius_dino_Velociraptor are legs.
        min_leg_drop: least height difference between top and end of a leg [skeleton height].
            Doubled, quaternius_Character_HumanoidRig and raylib_greenman, whose legs are short,
            have none.
        max_foot_height: greatest height of the beginning of a foot [hip height]. Halved, the rear
            feet of khronos_Fox are points; doubled, its front legs lose their last segment.
        max_flat_foot_height: greatest height of the beginning of a level foot [hip height].
        max_flat_sine: greatest sine of the inclination of a level bone. Doubled, the front legs of
            quaternius_animals_Horse lose their last segment.
        max_girdle_offset: greatest lateral offset of a bone of the hips or shoulders [median of
            the bones below]. Halved, the hips of quaternius_enemy_Rat are segments of its legs.
        min_leg_offset: least lateral offset of a bone of a leg [median of the bones below]. Halved,
            legs of raylib_guy begin at another bone.
        min_rising_sine: least sine of the slope of a bone that rises to the knee of a sprawled leg;
            bones of hips and shoulders rise less. Halved, raylib_greenman faces backward; doubled,
            the legs of quaternius_enemy_Spider lose a segment.
        min_sideways_share: least lateral share of the length of a bone of the hips or shoulders, 10
            degrees.
        min_joint_bend: least bend of a knee and of a hock [rad]; rest poses of straight legs are
            not exact.
        min_straight_cosine: least cosine between the two halves of one bone, 25 degrees; a knee or
            a hock bends more.
        max_heel_height: greatest height of the skin of a heel on the ground [height of the ankle].
        max_heel_advance: greatest distance of a heel ahead of the ankle [distance to the toes];
            that of a paw is at the toes.
        max_segments: greatest number of segments of a leg. Halved, khronos_Fox and other bodies on
            four legs have no hocks.
    """

    max_leg_end_height: float = 0.25
    min_leg_drop: float = 0.08
    max_foot_height: float = 0.20
    max_flat_foot_height: float = 0.45
    max_flat_sine: float = 0.7
    max_girdle_offset: float = 0.6
    min_leg_offset: float = 0.1
    min_rising_sine: float = 0.4
    min_sideways_share: float = 0.17
    min_joint_bend: float = float(np.radians(12))
    min_straight_cosine: float = float(np.cos(np.radians(25)))
    max_heel_height: float = 0.15
    max_heel_advance: float = 0.3
    max_segments: int = 4


LEGS = LegParameters()


@dataclass(frozen=True)
class LegBoneChain:
    """Bones of a leg from the hip down.

    Args:
        segments: bones of the segments.
        foot: None for a leg without a foot.
        toe: first bone of the toes; None without toes.
    """

    segments: tuple[int, ...]
    foot: int | None
    toe: int | None


def find_standing_pairs(tree: SkeletonTree, candidates: list[BonePair]) -> list[BonePair]:
    """Return the pairs of chains that reach the ground, without those that are part of others."""
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
            end_height < LEGS.max_leg_end_height * top_height
            and top_height - end_height > LEGS.min_leg_drop * tree.height
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
    """Return whether two chains end at different places or are named as left and right."""
    a, b = (tree.skeleton.heads[tree.longest_chain(k)] for k in pair)
    distance = np.linalg.norm(a[-1, :2] - b[-1, :2])
    return (
        bool(distance > 0.02 * tree.extent)
        or side_from_name(tree.skeleton.names[pair[0]])
        * side_from_name(tree.skeleton.names[pair[1]])
        < 0
    )


def find_leg_chain(tree: SkeletonTree, bone: int, mate: int) -> LegBoneChain:
    """Return the bones of a leg by its shape alone.

    Args:
        bone: topmost bone of the chain.
        mate: topmost bone of the chain of the other side.
    """
    s = tree.skeleton
    chain = _merge_bone_halves(tree, tree.longest_chain(bone, avoid="heel"))
    lateral = _lateral_direction(tree, bone, mate)
    center = 0.5 * (s.heads[tree.longest_chain(bone)[-1]] + s.heads[tree.longest_chain(mate)[-1]])
    chain = chain[_first_leg_position(tree, chain, np.abs((s.heads[chain] - center) @ lateral)) :]
    foot_position = _foot_position(tree, chain)
    segments = chain[:foot_position]
    while len(segments) > LEGS.max_segments:
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


def is_first_half(tree: SkeletonTree, bone: int, next_bone: int) -> bool:
    """Return whether a twist bone is the first half of a segment that the next bone continues."""
    s = tree.skeleton
    if not is_first_half_name(s.names[bone], s.names[next_bone]):
        return False
    first = s.heads[next_bone] - s.heads[bone]
    second = s.tails[next_bone] - s.heads[next_bone]
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return size > 0 and float(first @ second) > LEGS.min_straight_cosine * size


def _merge_bone_halves(tree: SkeletonTree, chain: list[int]) -> list[int]:
    """Return a chain without twist bones, second halves of bones, and doubles of other bones.

    A second half continues in about the same direction and has the same name stem, or the name of
    the first half and a suffix.
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
        is_straight = size < 1e-12 or incoming @ outgoing > LEGS.min_straight_cosine * size
        is_same_stem = is_limb_segment_name(names[bone]) and (
            name_stem(names[bone]) == name_stem(names[out[-1]])
            or is_piece_name(names[bone], names[out[-1]])
        )
        is_coincident = tree.head_distance(out[-1], bone) < COINCIDENT_DISTANCE * tree.extent
        if (
            is_part_name(names[bone], "twist")
            or (is_straight and is_same_stem)
            or is_first_half(tree, out[-1], bone)
            or (is_coincident and len(out) > 1)
        ):
            continue
        out.append(bone)
    return out


def _first_leg_position(tree: SkeletonTree, chain: list[int], lateral_offsets: Array) -> int:
    """Return the position in a chain of the first bone of the leg.

    The bones before it lead outward and belong to the hips or shoulders.
    """
    s = tree.skeleton
    for k in range(len(chain) - 1):
        length = max(tree.head_distance(chain[k], chain[k + 1]), 1e-12)
        is_girdle_named = is_part_name(s.names[chain[k]], "clavicle") or bool(
            {"pelvis", "hips", "scapula"} & set(split_words(s.names[chain[k]]))
        )
        is_inward = lateral_offsets[k] < LEGS.max_girdle_offset * np.median(
            lateral_offsets[k + 1 :]
        )
        leg_length = tree.head_distance(chain[k + 1], chain[-1])
        # legs that stand apart lead outward as a whole
        leg_share = (lateral_offsets[-1] - lateral_offsets[k + 1]) / max(leg_length, 1e-12)
        leads_outward = (
            lateral_offsets[k + 1] - lateral_offsets[k]
        ) / length > LEGS.min_sideways_share + max(leg_share, 0.0)
        is_level = (s.heads[chain[k], 2] - s.heads[chain[k + 1], 2]) / length < 0.3
        if (
            lateral_offsets[k] > LEGS.min_leg_offset * np.median(lateral_offsets[k + 1 :])
            and _foot_position(tree, chain[k + 1 :]) < 2
        ):
            return k  # without it a sprawled leg, such as that of a spider, had no knee
        if (s.heads[chain[k + 1], 2] - s.heads[chain[k], 2]) / length > LEGS.min_rising_sine:
            return k
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
    """Return the position in a chain of the foot.

    It is the first bone that begins near the ground or is level; the chain's length if none does.
    """
    heads = tree.skeleton.heads
    hip = float(heads[chain[0], 2]) - tree.floor_height
    for k in range(1, len(chain)):
        height = float(heads[chain[k], 2]) - tree.floor_height
        if height < LEGS.max_foot_height * hip:
            return k
        if k + 1 < len(chain) and k > 1 and height < LEGS.max_flat_foot_height * hip:
            along = heads[chain[k + 1]] - heads[chain[k]]
            if -along[2] < LEGS.max_flat_sine * np.linalg.norm(along):
                return k
    return len(chain)


def bend_angle(tree: SkeletonTree, a: int, b: int, c: int) -> float:
    """Return the angle between the bones `a` to `b` and `b` to `c` [rad]."""
    first = tree.skeleton.heads[b] - tree.skeleton.heads[a]
    second = tree.skeleton.heads[c] - tree.skeleton.heads[b]
    size = max(float(np.linalg.norm(first) * np.linalg.norm(second)), 1e-12)
    return float(np.arccos(np.clip(first @ second / size, -1, 1)))


def has_hock(tree: SkeletonTree, leg: LegBoneChain) -> bool:
    """Return whether a leg has three segments that bend in opposite directions at knee and hock.

    Legs with paws and hooves do.
    """
    if len(leg.segments) < 3 or leg.foot is None:
        return False
    hip, knee, hock, end = (*leg.segments, leg.foot)[:4]
    a, b, c = np.diff(tree.skeleton.heads[[hip, knee, hock, end]], axis=0)
    bends_alternate = np.cross(a, b) @ np.cross(b, c) < 0
    return bool(
        bends_alternate
        and bend_angle(tree, hip, knee, hock) > LEGS.min_joint_bend
        and bend_angle(tree, knee, hock, end) > LEGS.min_joint_bend
    )


def has_heel_on_ground(tree: SkeletonTree, leg: LegBoneChain) -> bool:
    """Return whether the skin of the last segment of a leg touches the ground below its joint.

    Then the joint is an ankle, not a hock, and toes follow the segment. Feet of short legs
    are so high that their bones alone look like a paw.
    """
    s = tree.skeleton
    name = s.names[leg.segments[-1]]
    if leg.foot is None or name not in s.skin:
        return False
    joint = s.heads[leg.segments[-1]]
    to_toes = (s.heads[leg.foot] - joint) * [1, 1, 0]
    length = float(np.linalg.norm(to_toes))
    lowest = min(tree.bottom_height(leg.segments[-1]), float(s.skin[name][:, 2].min()))
    is_low = s.skin[name][:, 2] - lowest < LEGS.max_heel_height * (joint[2] - lowest)
    low_points = s.skin[name][is_low]
    if length < 1e-6 * tree.extent or not len(low_points):
        return False
    along = (low_points - joint) @ to_toes / length
    return bool(along.min() < LEGS.max_heel_advance * length)

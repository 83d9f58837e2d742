"""Feet that hang on no leg, because the rig moves them separately."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .names import is_end_name, is_part_name, side_from_name, strip_side
from .skeleton import Skeleton


@dataclass(frozen=True)
class DetachedFootParameters:
    """Places of detached feet.

    Args:
        max_foot_aside: greatest horizontal distance of a detached foot from its leg [skeleton
            height], about half of the length of a human foot.
        max_foot_height: greatest height of a detached foot [skeleton height].
        min_foot_drop: least height difference between a detached foot and its leg [skeleton
            height], since toes beside the foot are no foot of another leg.
        max_foot_drop: greatest height difference between a detached foot and its leg [skeleton
            height], less than from a human hip to the ground, 0.5.
        max_counterpart_drop: greatest height difference of a left and a right limb, or foot
            [skeleton height]; bodies are symmetric at rest.
        max_foot_reach: greatest distance of a foot from the last bone of its leg [length of the
            two segments above that bone]. It accepts feet beyond the two distances above: those of
            sprawled legs are far aside, those of low bodies far below. Tuned: halved, the rear feet
            of quaternius_enemy_Rat are lost.
    """

    max_foot_aside: float = 0.12
    max_foot_height: float = 0.25
    min_foot_drop: float = 0.02
    max_foot_drop: float = 0.35
    max_counterpart_drop: float = 0.02
    max_foot_reach: float = 1.25


FEET = DetachedFootParameters()


def list_bone_and_ancestors(parents: list[int], bone: int) -> list[int]:
    """Return a bone and its ancestors, up to the first without an entry in `parents`."""
    path = [bone]
    while path[-1] < len(parents) and parents[path[-1]] >= 0 and parents[path[-1]] not in path:
        path.append(parents[path[-1]])
    return path


def find_detached_feet(rig: Skeleton, parents: list[int], body_bones: list[int]) -> dict[int, int]:
    """Return the detached feet, each with the bone of a leg that ends above it.

    Rigs with inverse kinematics have such feet. They are pairs of bones near the ground, without a
    parent or below the root, under a pair of bones with skin and without children. One of them has
    skin; that of the other one may follow its leg by a little more.
    """
    if not rig.skin:
        return {}
    inner_bones = {
        parents[k]
        for k in body_bones
        if parents[k] >= 0
        and (rig.names[k] in rig.skin or not is_end_name(rig.names[k]))
        and not _is_twist_leaf(rig, k)
    }
    height = rig.height
    skinned = [k for k in body_bones if rig.names[k] in rig.skin]
    leg_ends = [k for k in skinned if k not in inner_bones and not _is_twist_leaf(rig, k)]
    leg_of_foot = {}
    for foot in _list_candidates(rig, parents, body_bones):
        distance = {
            k: _measure_foot_distance(rig, k, foot)
            for k in leg_ends
            if parents[k] >= 0
            and (rig.heads[k, 2] - rig.heads[foot, 2]) / height > FEET.min_foot_drop
            and foot not in list_bone_and_ancestors(parents, k)
            and _is_foot_in_reach(rig, parents, k, foot)
        }
        if distance:
            leg_of_foot[foot] = min(distance, key=lambda k: distance[k])
    return {
        foot: leg
        for foot, leg in leg_of_foot.items()
        if any(
            abs(rig.heads[foot, 2] - rig.heads[k, 2]) < FEET.max_counterpart_drop * height
            and leg_of_foot[k] != leg
            for k in leg_of_foot
            if k != foot
        )
    }


def _list_candidates(rig: Skeleton, parents: list[int], body_bones: list[int]) -> list[int]:
    """Return bones near the ground that hang on no limb, of which one of a pair has skin."""
    skinned = {k for k in body_bones if rig.names[k] in rig.skin}
    floor = min(float(points[:, 2].min()) for points in rig.skin.values())
    counterparts = {
        (strip_side(rig.names[k]), -side_from_name(rig.names[k]))
        for k in skinned
        if side_from_name(rig.names[k])
    }
    return [
        k
        for k in body_bones
        if (
            k in skinned or (strip_side(rig.names[k]), side_from_name(rig.names[k])) in counterparts
        )
        and _is_below_root(rig, parents, k)
        and rig.heads[k, 2] - floor < FEET.max_foot_height * rig.height
        and _may_be_foot(rig, k)
    ]


def _may_be_foot(rig: Skeleton, bone: int) -> bool:
    """Return whether a bone is no helper, or one with skin that is named as a foot: FootIK.L."""
    name = rig.names[bone]
    return not is_part_name(name, "helper") or (name in rig.skin and is_part_name(name, "foot"))


def _measure_foot_distance(rig: Skeleton, leg_end: int, foot: int) -> float:
    """Return the distance of a detached foot from the tail of a leg, or aside of its last joint.

    The shin of a leg that is folded or sprawled begins far from its foot; tails of imported bones
    may be anywhere.
    """
    aside = np.linalg.norm(rig.heads[leg_end, :2] - rig.heads[foot, :2])
    return float(min(aside, np.linalg.norm(rig.tails[leg_end] - rig.heads[foot])))


def _is_twist_leaf(rig: Skeleton, bone: int) -> bool:
    """Return whether a bone is named as a twist bone and has no children: no leg ends with it."""
    return not rig.children[bone] and is_part_name(rig.names[bone], "twist")


def _is_below_root(rig: Skeleton, parents: list[int], bone: int) -> bool:
    """Return whether a bone has no parent, or a root without skin, which others may hold."""
    roots = list_bone_and_ancestors(parents, bone)[1:]
    holds_one = [parents.count(k) == 1 for k in roots[1:]]
    return all(holds_one) and not any(rig.names[k] in rig.skin for k in roots)


def _is_foot_in_reach(rig: Skeleton, parents: list[int], leg_end: int, foot: int) -> bool:
    """Return whether a detached foot is so close to the last bone of a leg that it is its foot."""
    offset = rig.heads[leg_end] - rig.heads[foot]
    if (
        float(np.linalg.norm(offset[:2])) < FEET.max_foot_aside * rig.height
        and offset[2] < FEET.max_foot_drop * rig.height
    ):
        return True
    path = list_bone_and_ancestors(parents, leg_end)[:3]
    length = float(np.linalg.norm(np.diff(rig.heads[path], axis=0), axis=1).sum())
    return float(np.linalg.norm(offset)) < FEET.max_foot_reach * length

"""Which way a body looks, and so which side is left: what feet, head, tail and names
say, each with a weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .legs import LegBoneChain
from .names import is_part_name, side_from_name
from .pairs import BonePair
from .tree import SkeletonTree

Array = NDArray[np.float64]

NAMED_FACE_WEIGHT = 3.0
NAMED_TAIL_WEIGHT = 2.0
NAMED_SIDES_WEIGHT = 2.0
NAMED_ROWS_WEIGHT = 2.0
FEET_WEIGHT = 1.5
HIGHEST_POINT_WEIGHT = 1.0
KNEES_WEIGHT = 0.5


@dataclass(frozen=True)
class FacingEstimate:
    """Direction of length 1, and how sure that is: 1 where all that speaks says the same."""

    forward: Array
    confidence: float
    contradiction: str = ""


def estimate_facing(
    tree: SkeletonTree, rows: list[BonePair], legs: dict[int, LegBoneChain], body_axis: Array
) -> FacingEstimate:
    """Which of two ways along a line a body looks.

    Args:
        rows: topmost bones of the legs, a pair a row.
        legs: their joints, by topmost bone.
        body_axis: (3,) level direction of length 1 along the body.
    """
    votes = [
        *_vote_by_names(tree, rows, legs, body_axis),
        *_vote_by_shape(tree, rows, legs, body_axis),
    ]
    total = sum(weight * sign for weight, sign, _ in votes)
    max_total = sum(weight * abs(sign) for weight, sign, _ in votes)
    if total == 0:
        return FacingEstimate(body_axis, 0.3, "nothing tells which way it looks")
    side = float(np.sign(total))
    contradictions = [source for weight, sign, source in votes if sign * side < 0]
    return FacingEstimate(
        side * body_axis,
        0.5 + 0.5 * abs(total) / max_total,
        f"{' and '.join(contradictions)} would turn it round" if contradictions else "",
    )


def _vote_by_names(
    tree: SkeletonTree, rows: list[BonePair], legs: dict[int, LegBoneChain], body_axis: Array
) -> list[tuple[float, float, str]]:
    s = tree.skeleton
    hips = np.mean([s.heads[legs[k].segments[0]] for pair in rows for k in pair], axis=0)
    votes = []
    for parts, weight, sign, source in (
        (("face", "head", "neck"), NAMED_FACE_WEIGHT, 1, "the head"),
        (("tail",), NAMED_TAIL_WEIGHT, -1, "the tail"),
    ):
        matches = [
            k for k, name in enumerate(s.names) if any(is_part_name(name, part) for part in parts)
        ]
        if matches:
            votes.append(
                (
                    weight,
                    sign * _sign_along(s.heads[matches].mean(0) - hips, body_axis, tree),
                    source,
                )
            )
    sides = 0.0
    for pair in rows:
        a, b = (
            side_from_name(s.names[k]) or side_from_name(s.names[legs[k].segments[-1]])
            for k in pair
        )
        if a * b < 0:
            left, right = pair if a > 0 else pair[::-1]
            lateral = s.heads[legs[left].segments[-1]] - s.heads[legs[right].segments[-1]]
            sides += float(np.sign(np.cross(lateral, [0.0, 0.0, 1.0]) @ body_axis))
    votes.append((NAMED_SIDES_WEIGHT, float(np.sign(sides)), "the names of left and right"))
    row_names = [
        (
            np.mean([s.heads[k] for k in pair], axis=0),
            [s.names[j] for k in pair for j in (k, *legs[k].segments)],
        )
        for pair in rows
    ]
    order = 0.0
    for position, names in row_names:
        is_front = any(is_part_name(n, p) for n in names for p in ("front", "upper_arm", "forearm"))
        is_hind = any(is_part_name(n, p) for n in names for p in ("hind", "thigh"))
        order += (is_front - is_hind) * _sign_along(position - hips, body_axis, tree)
    votes.append((NAMED_ROWS_WEIGHT, float(np.sign(order)), "the names of the legs"))
    return votes


def _vote_by_shape(
    tree: SkeletonTree, rows: list[BonePair], legs: dict[int, LegBoneChain], body_axis: Array
) -> list[tuple[float, float, str]]:
    s = tree.skeleton
    votes = []
    feet = 0.0
    knees = 0.0
    for pair in rows:
        for k in pair:
            leg = legs[k]
            if leg.foot is not None:
                foot = s.subtree(leg.foot)
                skin = [s.skin[s.names[j]] for j in foot if s.names[j] in s.skin]
                tip = np.concatenate(skin or [s.heads[foot], s.tails[foot]]).mean(0)
                feet += float((tip - s.heads[leg.foot]) @ body_axis)
        if len(rows) == 1 and len(legs[pair[0]].segments) > 1 and legs[pair[0]].foot is not None:
            for k in pair:
                hip, knee, ankle = (s.heads[j] for j in (*legs[k].segments[:2], legs[k].foot))
                knees += float((knee - 0.5 * (hip + ankle)) @ body_axis)
    min_offset = 0.01 * tree.extent
    votes.append((FEET_WEIGHT, float(np.sign(feet)) if abs(feet) > min_offset else 0.0, "the feet"))
    votes.append(
        (KNEES_WEIGHT, float(np.sign(knees)) if abs(knees) > min_offset else 0.0, "the knees")
    )
    if len(rows) > 1:
        hips = np.mean([s.heads[legs[k].segments[0]] for pair in rows for k in pair], axis=0)
        below = {j for pair in rows for k in pair for j in s.subtree(k)}
        rest = [k for k in range(len(s.names)) if k not in below]
        highest = max(rest, key=lambda k: float(s.heads[k, 2]))
        votes.append(
            (
                HIGHEST_POINT_WEIGHT,
                _sign_along(s.heads[highest] - hips, body_axis, tree),
                "its highest point",
            )
        )
    return votes


def _sign_along(offset: Array, body_axis: Array, tree: SkeletonTree) -> float:
    """-1, 0 or 1."""
    along = float(offset @ body_axis)
    return float(np.sign(along)) if abs(along) > 0.02 * tree.extent else 0.0

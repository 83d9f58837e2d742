"""The direction in which a body faces, by a weighted vote of feet, head, tail and names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .anatomy import Anatomy
from .legs import LegBoneChain
from .names import is_part_name, side_from_name
from .pairs import BonePair
from .tree import SkeletonTree

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FacingWeights:
    """Weights of the votes.

    Tuned: on 23 rigs of other authors and of Rigify. With twice the weight of `named_face`
    quaternius_enemy_Spider faces backward; half or twice of the others turns none of them.

    Args:
        named_face: position of bones named as head, neck or face.
        named_tail: position of bones named as a tail.
        named_sides: names of left and right legs.
        named_rows: names of front and hind legs.
        feet: direction of the feet.
        highest_point: position of the highest bone of a body with several rows of legs.
        knees: offset of the knees of a body with one row of legs.
    """

    named_face: float = 3.0
    named_tail: float = 2.0
    named_sides: float = 2.0
    named_rows: float = 2.0
    feet: float = 1.5
    highest_point: float = 1.0
    knees: float = 0.5


WEIGHTS = FacingWeights()


@dataclass(frozen=True)
class FacingVote:
    """One vote.

    Args:
        sign: +1 along the body axis, -1 against it, 0 for an abstention.
        source: of the vote, for messages.
    """

    weight: float
    sign: float
    source: str


@dataclass(frozen=True)
class FacingEstimate:
    """Direction in which a body faces.

    Args:
        forward: (3,) unit vector.
        confidence: from 0 to 1, where 1 means that all votes agree.
        contradiction: votes against the direction, for the user; may be empty.
    """

    forward: Array
    confidence: float
    contradiction: str = ""

    def turn(self) -> FacingEstimate:
        """Return the estimate for the opposite direction, which the user has chosen."""
        return FacingEstimate(-self.forward, 1.0)


@dataclass(frozen=True)
class BodyParts:
    """Parts of a body and its facing.

    Args:
        anatomy: the parts, without findings and notes.
        facing: the direction in which the body faces.
    """

    anatomy: Anatomy
    facing: FacingEstimate


@dataclass(frozen=True)
class _Voters:
    """A skeleton, its rows of legs and its axis, as in `estimate_facing`."""

    tree: SkeletonTree
    rows: list[BonePair]
    legs: dict[int, LegBoneChain]
    body_axis: Array

    @property
    def hip_center(self) -> Array:
        """Middle of all hips (3,) [m]."""
        heads = self.tree.skeleton.heads
        hips = [heads[self.legs[k].segments[0]] for pair in self.rows for k in pair]
        return np.asarray(np.mean(hips, axis=0))

    def sign_along(self, offset: Array) -> float:
        """Return the sign of an offset (3,) along the axis; 0 for a small one."""
        along = float(offset @ self.body_axis)
        return float(np.sign(along)) if abs(along) > 0.02 * self.tree.extent else 0.0


def estimate_facing(
    tree: SkeletonTree, rows: list[BonePair], legs: dict[int, LegBoneChain], body_axis: Array
) -> FacingEstimate:
    """Return in which of two directions along an axis a body faces.

    Args:
        rows: topmost bones of the legs, a pair for each row.
        legs: bones of the legs, by topmost bone.
        body_axis: (3,) horizontal unit vector along the body.
    """
    voters = _Voters(tree, rows, legs, body_axis)
    return count_votes(
        body_axis,
        [
            *_vote_by_named_parts(voters),
            _vote_by_named_sides(voters),
            _vote_by_named_rows(voters),
            *_vote_by_shape(voters),
        ],
    )


def count_votes(body_axis: Array, votes: list[FacingVote]) -> FacingEstimate:
    """Return the direction along an axis with the greater weight of votes."""
    total = sum(vote.weight * vote.sign for vote in votes)
    max_total = sum(vote.weight * abs(vote.sign) for vote in votes)
    if total == 0:
        return FacingEstimate(body_axis, 0.3, "nothing shows in which direction the body faces")
    side = float(np.sign(total))
    contradictions = [vote.source for vote in votes if vote.sign * side < 0]
    return FacingEstimate(
        side * body_axis,
        0.5 + 0.5 * abs(total) / max_total,
        f"{' and '.join(contradictions)} would turn it round" if contradictions else "",
    )


def _vote_by_named_parts(voters: _Voters) -> list[FacingVote]:
    s = voters.tree.skeleton
    votes = []
    for parts, weight, sign, source in (
        (("face", "head", "neck"), WEIGHTS.named_face, 1, "the head"),
        (("tail",), WEIGHTS.named_tail, -1, "the tail"),
    ):
        matches = [
            k for k, name in enumerate(s.names) if any(is_part_name(name, part) for part in parts)
        ]
        if matches:
            offset = s.heads[matches].mean(0) - voters.hip_center
            votes.append(FacingVote(weight, sign * voters.sign_along(offset), source))
    return votes


def _vote_by_named_sides(voters: _Voters) -> FacingVote:
    s = voters.tree.skeleton
    legs = voters.legs
    sides = 0.0
    for pair in voters.rows:
        a, b = (
            side_from_name(s.names[k]) or side_from_name(s.names[legs[k].segments[-1]])
            for k in pair
        )
        if a * b < 0:
            left, right = pair if a > 0 else pair[::-1]
            lateral = s.heads[legs[left].segments[-1]] - s.heads[legs[right].segments[-1]]
            sides += float(np.sign(np.cross(lateral, [0.0, 0.0, 1.0]) @ voters.body_axis))
    return FacingVote(WEIGHTS.named_sides, float(np.sign(sides)), "the names of left and right")


def _vote_by_named_rows(voters: _Voters) -> FacingVote:
    s = voters.tree.skeleton
    order = 0.0
    for pair in voters.rows:
        position = np.mean([s.heads[k] for k in pair], axis=0)
        names = [s.names[j] for k in pair for j in (k, *voters.legs[k].segments)]
        is_front = any(is_part_name(n, p) for n in names for p in ("front", "upper_arm", "forearm"))
        is_hind = any(is_part_name(n, p) for n in names for p in ("hind", "thigh"))
        order += (is_front - is_hind) * voters.sign_along(position - voters.hip_center)
    return FacingVote(WEIGHTS.named_rows, float(np.sign(order)), "the names of the legs")


def _vote_by_shape(voters: _Voters) -> list[FacingVote]:
    heads = voters.tree.skeleton.heads
    min_offset = 0.01 * voters.tree.extent
    votes = [
        FacingVote(weight, float(np.sign(offset)) if abs(offset) > min_offset else 0.0, source)
        for weight, offset, source in (
            (WEIGHTS.feet, _sum_foot_offsets(voters), "the feet"),
            (WEIGHTS.knees, _sum_knee_offsets(voters), "the knees"),
        )
    ]
    if len(voters.rows) > 1:
        below = {j for pair in voters.rows for k in pair for j in voters.tree.skeleton.subtree(k)}
        rest = [k for k in range(len(heads)) if k not in below]
        highest = max(rest, key=lambda k: float(heads[k, 2]))
        sign = voters.sign_along(heads[highest] - voters.hip_center)
        votes.append(FacingVote(WEIGHTS.highest_point, sign, "its highest point"))
    return votes


def _sum_foot_offsets(voters: _Voters) -> float:
    """Return the sum over all feet of their length along the axis [m]."""
    s = voters.tree.skeleton
    total = 0.0
    for leg in (voters.legs[k] for pair in voters.rows for k in pair):
        if leg.foot is not None:
            foot = s.subtree(leg.foot)
            skin = [s.skin[s.names[j]] for j in foot if s.names[j] in s.skin]
            tip = np.concatenate(skin or [s.heads[foot], s.tails[foot]]).mean(0)
            total += float((tip - s.heads[leg.foot]) @ voters.body_axis)
    return total


def _sum_knee_offsets(voters: _Voters) -> float:
    """Return the sum of the offsets of the knees of a single row along the axis [m]."""
    legs = [voters.legs[k] for k in voters.rows[0]]
    if len(voters.rows) > 1 or len(legs[0].segments) < 2 or legs[0].foot is None:
        return 0.0
    total = 0.0
    for leg in legs:
        hip, knee, ankle = (voters.tree.skeleton.heads[j] for j in (*leg.segments[:2], leg.foot))
        total += float((knee - 0.5 * (hip + ankle)) @ voters.body_axis)
    return total

"""The direction in which a body on two legs faces, by a weighted vote of its parts and names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .anatomy import ArmBones, LegBones
from .facing import WEIGHTS, FacingEstimate, FacingVote, count_votes
from .names import is_part_name, side_from_name
from .skeleton import Skeleton

Array = NDArray[np.float64]


@dataclass(frozen=True)
class UprightFacingParameters:
    """Weights of the votes, and the offsets that have the full weight.

    A smaller offset has a weight in proportion. The skin of a foot that is clearly on one side of
    the ankle outweighs the names of left and right: some authors name the sides as they see the
    body from the front. Joints of knees and elbows, which often rest straight, have the least
    weight.

    Args:
        named_sides: names of left and right legs.
        foot_skin: the skin below the ankle, above `named_sides`, so that it outweighs them;
            test_recognition.test_feet_outweigh_names_of_the_wrong_side.
        toes: position of the toes, or of the tip of a foot without skin. Below `named_sides`:
            importers place tips at will.
        front_of_head: position of eyes, jaw, nose or beak relative to the head, as much as the
            toes. Half or twice of the two turns none of 25 rigs, and changes the confidence in one.
        named_tail: position of the end of a tail relative to the hips.
        knees: offset of the knees from the line between hip and ankle.
        elbows: offset of the elbows from the line between shoulder and wrist.
        full_foot_offset: offset of the skin of a foot [leg length].
        full_toe_offset: offset of toes and tail [leg length], 9 cm of a human, half the length of
            a foot ahead of the ankle.
        full_bend_offset: offset of face, knees and elbows [leg length], that of a knee bent by 11
            degrees.
        min_offset: greatest offset without a vote [leg length].
    """

    named_sides: float = WEIGHTS.named_sides
    foot_skin: float = 2.5
    toes: float = 1.5
    front_of_head: float = 1.5
    named_tail: float = WEIGHTS.named_tail
    knees: float = WEIGHTS.knees
    elbows: float = 0.5
    full_foot_offset: float = 0.15
    full_toe_offset: float = 0.1
    full_bend_offset: float = 0.05
    min_offset: float = 0.01


UPRIGHT_FACING = UprightFacingParameters()


def estimate_upright_facing(
    skeleton: Skeleton, legs: tuple[LegBones, ...], arms: tuple[ArmBones, ...], body_axis: Array
) -> FacingEstimate:
    """Return in which of two directions along an axis a body with one row of legs faces.

    The sides of legs and arms are not used.

    Args:
        legs: both legs.
        arms: both arms, or none.
        body_axis: (3,) horizontal unit vector along the body.
    """
    voters = _UprightVoters(skeleton, legs, arms, body_axis)
    p = UPRIGHT_FACING
    return count_votes(
        body_axis,
        [
            FacingVote(p.named_sides, voters.compare_named_sides(), "the names of left and right"),
            voters.vote("the feet", voters.measure_foot_skin(), p.foot_skin, p.full_foot_offset),
            voters.vote("the toes", voters.measure_toes(), p.toes, p.full_toe_offset),
            voters.vote("the face", voters.measure_face(), p.front_of_head, p.full_bend_offset),
            voters.vote("the tail", -voters.measure_tail(), p.named_tail, p.full_toe_offset),
            voters.vote("the knees", voters.measure_knees(), p.knees, p.full_bend_offset),
            voters.vote("the elbows", -voters.measure_elbows(), p.elbows, p.full_bend_offset),
        ],
    )


@dataclass(frozen=True)
class _UprightVoters:
    """A skeleton, its limbs and its axis, as in `estimate_upright_facing`."""

    skeleton: Skeleton
    legs: tuple[LegBones, ...]
    arms: tuple[ArmBones, ...]
    body_axis: Array

    @property
    def leg_length(self) -> float:
        """Mean distance from hip to ankle [m]; the height of the skeleton if that is 0."""
        heads = self.skeleton.heads
        mean = np.mean([np.linalg.norm(heads[x.hip] - heads[x.ankle]) for x in self.legs])
        return float(mean) if mean > 1e-6 * self.skeleton.height else self.skeleton.height

    def vote(self, source: str, offset: float, weight: float, full_offset: float) -> FacingVote:
        """Return the vote of an offset along the axis [m]."""
        share = offset / max(self.leg_length, 1e-9)
        if abs(share) < UPRIGHT_FACING.min_offset:
            return FacingVote(weight, 0.0, source)
        return FacingVote(
            weight * min(abs(share) / full_offset, 1.0), float(np.sign(share)), source
        )

    def compare_named_sides(self) -> float:
        """Return +1 if the legs' names fit the axis, -1 if they contradict it, 0 without sides."""
        s = self.skeleton
        sides = [
            side_from_name(s.names[x.hip]) or side_from_name(s.names[x.ankle]) for x in self.legs
        ]
        if sides[0] == sides[1]:
            return 0.0
        lateral = (sides[0] - sides[1]) * (s.heads[self.legs[0].hip] - s.heads[self.legs[1].hip])
        return float(np.sign(np.cross(lateral, [0.0, 0.0, 1.0]) @ self.body_axis))

    def measure_foot_skin(self) -> float:
        """Return the mean offset of the skin of the feet from the ankles; 0 without skin [m]."""
        s = self.skeleton
        offsets = []
        for leg in self.legs:
            if leg.foot is None:
                continue
            skin = [s.skin[s.names[k]] for k in s.subtree(leg.foot) if s.names[k] in s.skin]
            if skin:
                offsets.append(np.concatenate(skin).mean(0) - s.heads[leg.foot])
        return self._measure(offsets)

    def measure_toes(self) -> float:
        """Return the mean offset of the toes from the ankles [m].

        Without toes and skin it is that of the tips of the feet, which importers set at will.
        """
        s = self.skeleton
        return self._measure(
            [
                (s.heads[leg.toe] if leg.toe is not None else s.tails[leg.foot]) - s.heads[leg.foot]
                for leg in self.legs
                if leg.foot is not None and (leg.toe is not None or not s.skin)
            ]
        )

    def measure_face(self) -> float:
        """Return the mean offset of the bones of the face from their parents [m]."""
        s = self.skeleton
        return self._measure(
            [
                s.heads[k] - s.heads[s.parents[k]]
                for k, name in enumerate(s.names)
                if is_part_name(name, "front_of_head") and s.parents[k] >= 0
            ]
        )

    def measure_tail(self) -> float:
        """Return the mean offset of bones that are named as a tail from the hips [m]."""
        s = self.skeleton
        hip_center = np.mean([s.heads[leg.hip] for leg in self.legs], axis=0)
        return self._measure(
            [
                s.heads[k] - hip_center
                for k, name in enumerate(s.names)
                if is_part_name(name, "tail")
            ]
        )

    def measure_knees(self) -> float:
        """Return the mean offset of the knees of legs with two segments [m]."""
        return self._measure_bends(
            [(leg.hip, leg.knee, leg.ankle) for leg in self.legs if len(leg.segments) == 2]
        )

    def measure_elbows(self) -> float:
        """Return the mean offset of the elbows [m]."""
        return self._measure_bends(
            [(arm.shoulder, arm.elbow, arm.wrist) for arm in self.arms if arm.has_hand]
        )

    def _measure_bends(self, limbs: list[tuple[int, int, int]]) -> float:
        heads = self.skeleton.heads
        return self._measure([heads[b] - 0.5 * (heads[a] + heads[c]) for a, b, c in limbs])

    def _measure(self, offsets: list[Array]) -> float:
        """Return the mean of offsets (3,) along the axis; 0 of none."""
        return float(np.mean(offsets, axis=0) @ self.body_axis) if offsets else 0.0

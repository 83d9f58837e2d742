"""The anatomy of a skeleton: the parts of the body by bones, with confidence and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .skeleton import Skeleton

Array = NDArray[np.float64]

MIN_CERTAIN_CONFIDENCE = 0.7  # Least confidence of a finding that counts as certain


@dataclass(frozen=True)
class LegBones:
    """Bones of a leg.

    Args:
        segments: from the hip down, one to four: thigh, shin, and for paws and hooves the segments
            between the shin and the foot.
        foot: the bone that begins at the ankle; None for a leg without a foot.
        toe: the bone that begins at the toe joint; None without toes.
        side: +1 left, -1 right, 0 in the middle.
        row: 0 for the rearmost.
        has_detached_foot: whether the foot is not a descendant of the leg in the rig.
    """

    segments: tuple[int, ...]
    foot: int | None
    toe: int | None
    side: int
    row: int = 0
    has_detached_foot: bool = False

    @property
    def hip(self) -> int:
        """Topmost bone."""
        return self.segments[0]

    @property
    def knee(self) -> int:
        """Second segment, or the only one."""
        return self.segments[min(1, len(self.segments) - 1)]

    @property
    def ankle(self) -> int:
        """Foot, or the last segment without one."""
        return self.foot if self.foot is not None else self.segments[-1]

    @property
    def bones(self) -> tuple[int, ...]:
        """All bones, downward."""
        return tuple(k for k in (*self.segments, self.foot, self.toe) if k is not None)


@dataclass(frozen=True)
class ArmBones:
    """Bones of an arm by the joint at their heads, and its side: +1 left, -1 right.

    An arm that ends with the forearm has the bone of the elbow as its wrist.
    """

    shoulder: int
    elbow: int
    wrist: int
    side: int

    @property
    def has_hand(self) -> bool:
        """Whether a bone begins at the wrist."""
        return self.wrist != self.elbow

    @property
    def bones(self) -> tuple[int, ...]:
        """All bones, outward."""
        bones = (self.shoulder, self.elbow, self.wrist)
        return bones if self.has_hand else bones[:2]


@dataclass(frozen=True)
class Finding:
    """The assessment of one part of the body.

    Args:
        part: name of the part.
        bones: of the part.
        confidence: from 0 to 1.
        reason: doubts, for the user; empty without doubts.
        question: key of the question that settles the doubts; empty if none does.
    """

    part: str
    bones: tuple[int, ...]
    confidence: float
    reason: str = ""
    question: str = ""

    @property
    def is_certain(self) -> bool:
        """Whether the part does not need to be checked by the user."""
        return self.confidence >= MIN_CERTAIN_CONFIDENCE


@dataclass(frozen=True)
class Anatomy:
    """The parts of a body as indices of bones.

    Args:
        root: the pelvis, an ancestor of trunk and hind legs.
        trunk: from the first bone above the root to the parent of arms or front legs.
        neck: first bone above the trunk; None without a head.
        legs: in rows from the rearmost, the left leg of a row first.
        arms: the left arm first.
        notes: on recognized and missing parts, for the user.
        head: None where it cannot be distinguished from the neck.
        neck_bones: from `neck` to below the head.
        tails: chains from the body outward.
        forward: (3,) horizontal unit vector in which the body faces, in the skeleton's axes.
        findings: assessment of each part.
        naming_convention: origin of the names of the bones; empty if unknown.
    """

    root: int
    trunk: tuple[int, ...]
    neck: int | None
    legs: tuple[LegBones, ...]
    arms: tuple[ArmBones, ...]
    notes: tuple[str, ...]
    head: int | None = None
    neck_bones: tuple[int, ...] = ()
    tails: tuple[tuple[int, ...], ...] = ()
    forward: tuple[float, float, float] = (0.0, -1.0, 0.0)
    findings: tuple[Finding, ...] = ()
    naming_convention: str = ""

    @property
    def is_upright(self) -> bool:
        """Whether the body has two legs of at most two segments, like a human."""
        return (
            len(self.legs) == 2
            and self.row_count == 1
            and max(len(leg.segments) for leg in self.legs) <= 2
        )

    @property
    def row_count(self) -> int:
        """Number of rows of legs."""
        return 1 + max(leg.row for leg in self.legs)

    @property
    def uncertain_findings(self) -> tuple[Finding, ...]:
        """Findings that the user should check."""
        return tuple(f for f in self.findings if not f.is_certain)

    def reindex(self, index: Sequence[int]) -> Anatomy:
        """Return the anatomy with each bone `k` replaced by `index[k]`."""

        def map_bone(k: int | None) -> int | None:
            return None if k is None else index[k]

        def map_bones(bones: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(index[k] for k in bones)

        legs = tuple(
            replace(
                leg,
                segments=map_bones(leg.segments),
                foot=map_bone(leg.foot),
                toe=map_bone(leg.toe),
            )
            for leg in self.legs
        )
        arms = tuple(
            ArmBones(index[a.shoulder], index[a.elbow], index[a.wrist], a.side) for a in self.arms
        )
        return replace(
            self,
            root=index[self.root],
            trunk=map_bones(self.trunk),
            neck=map_bone(self.neck),
            legs=legs,
            arms=arms,
            head=map_bone(self.head),
            neck_bones=map_bones(self.neck_bones),
            tails=tuple(map_bones(t) for t in self.tails),
            findings=tuple(replace(f, bones=map_bones(f.bones)) for f in self.findings),
        )


def find_foot_direction(skeleton: Skeleton, legs: tuple[LegBones, ...]) -> Array:
    """Return the sum of the horizontal directions of all feet (3,), not normalized [m]."""
    total = np.zeros(3)
    for leg in legs:
        if len(leg.segments) == 1 and leg.foot is None:
            continue  # a leg of a single bone points down
        ankle = skeleton.heads[leg.ankle]
        skin = [
            skeleton.skin[skeleton.names[k]]
            for k in skeleton.subtree(leg.ankle)
            if skeleton.names[k] in skeleton.skin
        ]
        if skin:
            total += np.concatenate(skin).mean(0) - ankle
        elif leg.toe is not None:
            total += skeleton.heads[leg.toe] - ankle
        else:
            total += skeleton.tails[leg.ankle] - ankle
    total[2] = 0.0
    return total

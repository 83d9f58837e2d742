"""What recognition finds in a skeleton: which bone is what, how sure that is, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .skeleton import Skeleton

Array = NDArray[np.float64]

MIN_CERTAIN_CONFIDENCE = 0.7  # confidence below which a finding is shown as uncertain


@dataclass(frozen=True)
class LegBones:
    """Bones of a leg.

    Args:
        segments: from the hip down, one to four: thigh, shin, and in paws and hooves
            what stands above the foot.
        foot: the bone at whose head the ankle is; None where the leg ends without one.
        toe: the bone that the foot rolls over, None where there is none.
        side: +1 left, -1 right, 0 in the middle.
        row: 0 is the hindmost.
        has_detached_foot: whether the rig moves the foot by itself: it hangs on no leg.
    """

    segments: tuple[int, ...]
    foot: int | None
    toe: int | None
    side: int
    row: int = 0
    has_detached_foot: bool = False

    @property
    def hip(self) -> int:
        """The topmost bone."""
        return self.segments[0]

    @property
    def knee(self) -> int:
        """The second segment, or the only one."""
        return self.segments[min(1, len(self.segments) - 1)]

    @property
    def ankle(self) -> int:
        """The foot, or the last segment where there is none."""
        return self.foot if self.foot is not None else self.segments[-1]

    @property
    def bones(self) -> tuple[int, ...]:
        """All of them, downward."""
        return tuple(k for k in (*self.segments, self.foot, self.toe) if k is not None)


@dataclass(frozen=True)
class ArmBones:
    """Bones of an arm, at whose heads shoulder, elbow and wrist are; and its side."""

    shoulder: int
    elbow: int
    wrist: int
    side: int


@dataclass(frozen=True)
class Finding:
    """One part of the body: its bones, how sure that is from 0 to 1, and what speaks against it;
    empty where nothing does.
    """

    part: str
    bones: tuple[int, ...]
    confidence: float
    reason: str = ""

    @property
    def is_certain(self) -> bool:
        """Whether nobody needs to look at it."""
        return self.confidence >= MIN_CERTAIN_CONFIDENCE


@dataclass(frozen=True)
class Anatomy:
    """Indices of the bones that matter.

    Args:
        root: the bone that carries the body, on which trunk and hind legs hang.
        trunk: from the first bone above the root to the one on which arms or front legs hang.
        neck: the first bone above the trunk, None where there is no head.
        legs: in rows from the hindmost on, the left one of a row first.
        arms: the left one first.
        notes: what was found and what was not, for users.
        head: the head itself, where it can be told from the neck.
        neck_bones: from `neck` to below the head.
        tails: chains from the body outward.
        forward: (3,) level direction in which the body looks, of length 1, in the skeleton's axes.
        findings: every part with its confidence.
        naming_convention: what the names are those of, empty where they are nobody's.
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
        """Whether it stands on two legs of thigh and shin, as people do."""
        return (
            len(self.legs) == 2
            and self.row_count == 1
            and max(len(leg.segments) for leg in self.legs) <= 2
        )

    @property
    def row_count(self) -> int:
        """How many rows of legs there are."""
        return 1 + max(leg.row for leg in self.legs)

    @property
    def uncertain_findings(self) -> tuple[Finding, ...]:
        """What a person should look at."""
        return tuple(f for f in self.findings if not f.is_certain)

    def reindex(self, index: Sequence[int]) -> Anatomy:
        """The same with every bone `k` written as `index[k]`."""

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
    """Level direction in which the feet point on the whole, not normalised. (3,)."""
    total = np.zeros(3)
    for leg in legs:
        if len(leg.segments) == 1 and leg.foot is None:
            continue  # a leg in one piece points down
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

"""Limbs without a parent, and the bones of the body that hold them.

Such rigs lost the bone that their limbs had in common, which an importer may make an object.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .detached_feet import FEET, list_bone_and_ancestors
from .names import is_part_name, side_from_name
from .skeleton import Skeleton

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SeparateLimbParameters:
    """Thresholds for limbs without a parent.

    Args:
        min_bones: least number of skinned bones of a limb.
        min_roots: least number of roots of a body: a pair of limbs and what holds it.
        max_control_height: greatest height of all bones below the root of controls of feet, in a
            rig without skin [skeleton height].
    """

    min_bones: int = 2
    min_roots: int = 3
    max_control_height: float = 0.25


SEPARATE_LIMBS = SeparateLimbParameters()


def find_separate_limbs(rig: Skeleton, parents: list[int], body_bones: list[int]) -> dict[int, int]:
    """Return the roots of limbs without a parent, each with a bone of the body that holds it.

    The body is the largest of the limbs without a counterpart on the other side. The bone nearest
    to a limb, or to the middle of a pair of limbs, holds it. Without skin all bones count of roots
    that hold bones above the ground, on which the root of a rig and controls of feet lie.
    """
    members: dict[int, list[int]] = {k: [] for k in body_bones if parents[k] < 0}
    for bone in body_bones:
        if rig.names[bone] in rig.skin or (
            not rig.skin and not is_part_name(rig.names[bone], "helper")
        ):
            members[list_bone_and_ancestors(parents, bone)[-1]].append(bone)
    roots = [k for k, bones in members.items() if len(bones) >= SEPARATE_LIMBS.min_bones]
    min_height = float(rig.heads[:, 2].min()) + SEPARATE_LIMBS.max_control_height * rig.height
    if not rig.skin:
        roots = [k for k in roots if rig.heads[members[k], 2].max() > min_height]
    if len(roots) < SEPARATE_LIMBS.min_roots:
        return {}
    mates = {k: _find_counterpart(rig, k, roots, members) for k in roots}
    single = [k for k in roots if mates[k] is None]
    body = max(
        single or roots,
        key=lambda k: float(np.linalg.norm(np.ptp(rig.heads[members[k]], axis=0))),
    )
    middle = [
        k
        for k in members[body]
        if not side_from_name(rig.names[k]) and (rig.skin or rig.heads[k, 2] > min_height)
    ] or [body]
    return {
        k: _find_nearest_bone(
            rig, parents, rig.heads[[k, k if mate is None else mate]].mean(0), middle
        )
        for k, mate in mates.items()
        if k != body
    }


def _find_counterpart(
    rig: Skeleton, limb: int, limbs: list[int], members: dict[int, list[int]]
) -> int | None:
    """Return the limb that begins at the height of a limb and has as many bones; None without."""
    return next(
        (
            other
            for other in limbs
            if other != limb
            and len(members[other]) == len(members[limb])
            and abs(rig.heads[other, 2] - rig.heads[limb, 2])
            < FEET.max_counterpart_drop * rig.height
        ),
        None,
    )


def _find_nearest_bone(
    rig: Skeleton, parents: list[int], point: Array, candidates: list[int]
) -> int:
    """Return the bone nearest to a point; a bone reaches from its head to those of its children."""

    def measure(bone: int) -> float:
        ends = [rig.heads[k] for k, parent in enumerate(parents) if parent == bone]
        return min(
            _measure_distance(point, rig.heads[bone], end) for end in (rig.heads[bone], *ends)
        )

    return min(candidates, key=measure)


def _measure_distance(point: Array, begin: Array, end: Array) -> float:
    """Return the distance of a point from a line segment."""
    along = end - begin
    share = float((point - begin) @ along) / max(float(along @ along), 1e-12)
    return float(np.linalg.norm(begin + np.clip(share, 0.0, 1.0) * along - point))

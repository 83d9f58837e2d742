"""Recognition of the parts of a body from the structure of its skeleton, with names as hints.

Legs are pairs of similar chains that reach the ground. One pair makes a biped; several pairs make
rows from the rear to the front. The trunk is above and between the legs; it continues to the head.
Tails lead backward.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import CharacterError
from .anatomy import Anatomy
from .biped import find_biped_parts
from .confidence import assess_anatomy
from .conventions import detect_convention
from .deform_skeleton import DeformSkeleton, extract_deform_skeleton
from .given_feet import find_pair_of_feet
from .legs import find_leg_chain, find_standing_pairs
from .many_legs import find_multi_leg_parts
from .pairs import BonePair, find_leg_pair, find_pairs
from .skeleton import Skeleton
from .tree import SkeletonTree

# Least rise of the trunk over its horizontal length for which the upper pair of limbs are arms. Any
# animal on four legs is less upright than by these 54 degrees. Half or twice of it changes none of
# 25 rigs.
MIN_UPRIGHT_RATIO = 1.4


def recognize(skeleton: Skeleton, feet: tuple[int, int] | None = None) -> Anatomy:
    """Return the anatomy of a body with any even number of legs.

    Args:
        feet: bones that are the feet of a body on two legs; None to recognize them.

    Raises:
        CharacterError: no pair of chains resembles legs, or the given feet are on none.
    """
    body = extract_deform_skeleton(skeleton)
    convention = detect_convention(skeleton.names)
    if feet is None:
        return recognize_body(body, convention).reindex(body.rig_index)
    for bone in feet:
        if bone not in body.rig_index:
            raise CharacterError(f"{skeleton.names[bone]!r} does not move the body.")
    first, second = (body.rig_index.index(bone) for bone in feet)
    return recognize_body(body, convention, feet=(first, second)).reindex(body.rig_index)


def recognize_body(
    body: DeformSkeleton,
    naming_convention: str = "",
    is_turned: bool = False,
    feet: tuple[int, int] | None = None,
) -> Anatomy:
    """Return the anatomy of deform bones, as indices of `body.skeleton`.

    Args:
        is_turned: whether the body faces in the direction opposite to the estimated one.
        feet: feet of a body on two legs; None to recognize the legs.
    """
    tree = SkeletonTree(body.skeleton)
    candidates = find_pairs(tree)
    if feet is not None:
        rows = [find_pair_of_feet(tree, feet)]
    else:
        rows = _exclude_arms(tree, find_standing_pairs(tree, candidates)) or [
            find_leg_pair(tree, candidates)
        ]
    parts = (
        find_biped_parts(tree, candidates, rows[0], is_turned=is_turned, feet=feet)
        if len(rows) == 1
        else find_multi_leg_parts(tree, candidates, rows, is_turned)
    )
    anatomy = parts.anatomy
    legs = tuple(
        replace(leg, has_detached_foot=leg.foot is not None and body.is_separate(leg.foot))
        for leg in anatomy.legs
    )
    anatomy = replace(anatomy, legs=legs, naming_convention=naming_convention)
    return replace(
        anatomy,
        notes=tuple(make_notes(anatomy, body.skeleton)),
        findings=tuple(assess_anatomy(anatomy, tree, parts.facing)),
    )


def _exclude_arms(tree: SkeletonTree, rows: list[BonePair]) -> list[BonePair]:
    """Return the pairs that are legs, without arms of an upright body that reach low."""
    if len(rows) < 2:
        return rows
    hips = {
        pair: np.mean(
            [
                tree.skeleton.heads[find_leg_chain(tree, k, m).segments[0]]
                for k, m in (pair, pair[::-1])
            ],
            axis=0,
        )
        for pair in rows
    }
    lowest = min(rows, key=lambda pair: float(hips[pair][2]))
    return [
        pair
        for pair in rows
        if hips[pair][2] - hips[lowest][2]
        <= max(
            MIN_UPRIGHT_RATIO * float(np.linalg.norm((hips[pair] - hips[lowest])[:2])),
            0.02 * tree.height,
        )
    ]


def make_notes(anatomy: Anatomy, skeleton: Skeleton) -> list[str]:
    """Return notes on recognized and missing parts, for the user."""

    def format_bones(label: str, bones: list[int]) -> str:
        return f"{label}: " + ", ".join(skeleton.names[k] for k in bones)

    notes = [] if anatomy.arms or len(anatomy.legs) > 2 else ["no arms"]
    notes.append(format_bones("legs", [k for leg in anatomy.legs for k in leg.bones]))
    if any(leg.foot is None for leg in anatomy.legs):
        notes.append("no feet: the ends of the legs are small soles")
    elif any(leg.toe is None for leg in anatomy.legs):
        notes.append("no toes: the foot rolls over its front")
    if anatomy.neck is None:
        notes.append("no head")
    notes.append(
        format_bones(
            "trunk",
            [anatomy.root, *anatomy.trunk] + ([anatomy.neck] if anatomy.neck is not None else []),
        )
    )
    if anatomy.arms:
        notes.append(format_bones("arms", [k for arm in anatomy.arms for k in arm.bones]))
    return notes

"""Which bone is what, found from how the bones hang together; names decide where that is unclear.

Legs are pairs of like chains that come down to the ground. One pair makes a biped, more make rows from the hindmost to the
foremost. What lies above and between them is the trunk; it goes on to the head, tails hang behind it.
"""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from .anatomy import Anatomy
from .biped import biped
from .confidence import findings_of
from .conventions import convention
from .deform_skeleton import Body, body_of
from .facing import Facing
from .legs import leg_chain, standing_pairs
from .many_legs import many_legs
from .pairs import leg_pair, pairs
from .skeleton import Skeleton
from .tree import Tree

UPRIGHT = 1.4             # rise of a trunk over its level length above which the upper pair of limbs are arms


def recognise(skeleton: Skeleton) -> Anatomy:
    """Find the parts of a body with any even number of legs.

    Raises:
        CharacterError: no pair of chains looks like legs.
    """
    body = body_of(skeleton)
    return recognise_body(body, convention(skeleton.names)).moved(body.index)


def recognise_body(body: Body, origin: str = "") -> Anatomy:
    """The same of a body's own bones; indices are those of `body.skeleton`."""
    tree = Tree(body.skeleton)
    candidates = pairs(tree)
    rows = _legs_only(tree, standing_pairs(tree, candidates)) or [leg_pair(tree, candidates)]
    facing: Facing | None = None
    if len(rows) == 1:
        found = biped(tree, candidates, rows[0])
    else:
        found, facing = many_legs(tree, candidates, rows)
    legs = tuple(replace(leg, loose=leg.foot in body.loose) for leg in found.legs)
    found = replace(found, legs=legs, convention=origin)
    return replace(found, notes=tuple(notes_of(found, body.skeleton)), findings=tuple(findings_of(found, tree, facing)))


def _legs_only(tree: Tree, rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs that are legs: where the body stands upright the upper ones are arms that reach low."""
    if len(rows) < 2:
        return rows
    hips = {pair: np.mean([tree.bones.heads[leg_chain(tree, k, m).segments[0]] for k, m in (pair, pair[::-1])], axis=0)
            for pair in rows}
    lowest = min(rows, key=lambda pair: float(hips[pair][2]))
    return [pair for pair in rows if hips[pair][2] - hips[lowest][2]
            <= max(UPRIGHT * float(np.linalg.norm((hips[pair] - hips[lowest])[:2])), 0.02 * tree.height)]


def notes_of(found: Anatomy, skeleton: Skeleton) -> list[str]:
    """What was found and what was not, a line each, for users."""
    def told(what: str, bones: list[int]) -> str:
        return f"{what}: " + ", ".join(skeleton.names[k] for k in bones)

    notes = [] if found.arms or len(found.legs) > 2 else ["no arms found"]
    notes.append(told("legs", [k for leg in found.legs for k in leg.bones]))
    if any(leg.foot is None for leg in found.legs):
        notes.append("no feet found: the legs' ends are small soles")
    elif any(leg.toe is None for leg in found.legs):
        notes.append("no toes found: the foot rolls over its front")
    if found.neck is None:
        notes.append("no head found")
    notes.append(told("trunk", [found.root, *found.trunk] + ([found.neck] if found.neck is not None else [])))
    if found.arms:
        notes.append(told("arms", [k for a in found.arms for k in (a.shoulder, a.elbow, a.wrist)]))
    return notes

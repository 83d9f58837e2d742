"""Which bone is what: legs, spine, head and arms found from how the bones hang together, names deciding where that is unclear.

Legs are the pair of like chains that end lowest, arms another pair higher up; both hang on the trunk, whose lowest common
bone is the pelvis and which goes on to the head.
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from .bones import Skeleton
from .names import says, side_of
from .pairs import arm_pair, leg_pair, pairs
from .tree import Tree

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LegBones:
    """Bones of a leg: those at whose heads hip, knee and ankle are, the toe's where there is one, and the side."""

    hip: int
    knee: int
    ankle: int
    toe: int | None
    side: int


@dataclass(frozen=True)
class ArmBones:
    """Bones of an arm, at whose heads shoulder, elbow and wrist are; and its side."""

    shoulder: int
    elbow: int
    wrist: int
    side: int


@dataclass(frozen=True)
class Anatomy:
    """Indices of the bones that matter; `notes` tell what was found and what was not."""

    root: int
    trunk: tuple[int, ...]
    neck: int | None
    legs: tuple[LegBones, LegBones]
    arms: tuple[ArmBones, ...]
    notes: tuple[str, ...]


def recognise(skeleton: Skeleton) -> Anatomy:
    """Find a biped's parts.

    Raises:
        CharacterError: no pair of chains looks like legs.
    """
    tree = Tree(skeleton)
    candidates = pairs(tree)
    legs = leg_pair(tree, candidates)
    arms = arm_pair(tree, candidates, legs)
    hang = skeleton.parents[legs[0]]
    notes: list[str] = []
    if arms is None:
        root, trunk, chest = hang, [], hang
        notes.append("no arms found")
    else:
        chest = skeleton.parents[arms[0]]
        over_legs = tree.ancestors(hang)
        root = next(k for k in tree.ancestors(chest) if k in over_legs)
        trunk = [k for k in reversed(tree.ancestors(chest)) if k not in tree.ancestors(root)]
    neck = _neck(tree, chest, set(legs) | set(arms or ()))
    if arms is None and neck is not None:
        way = [k for k in reversed(tree.ancestors(neck)) if k not in tree.ancestors(root)]
        trunk, neck = way[:-1], way[-1]
    found_legs = tuple(_leg(tree, k) for k in legs)
    # a bone as low as the hips belongs to the pelvis, whatever it hangs on
    hips = np.mean([skeleton.heads[leg.hip, 2] for leg in found_legs]) + 0.02 * tree.height
    while len(trunk) > 1 and skeleton.heads[trunk[0], 2] < hips:
        trunk = trunk[1:]
    found_arms = tuple(_arm(tree, k) for k in arms) if arms else ()
    left = _left_first(skeleton, found_legs)
    sides = (1, -1) if left else (-1, 1)
    placed_legs = tuple(LegBones(a.hip, a.knee, a.ankle, a.toe, s) for a, s in zip(found_legs, sides, strict=True))
    placed_arms = _arms_by_side(skeleton, found_arms, placed_legs)
    notes += [_told("legs", skeleton, [i for a in placed_legs for i in (a.hip, a.knee, a.ankle, a.toe) if i is not None])]
    if any(a.toe is None for a in placed_legs):
        notes.append("no toes found: the foot rolls over its front")
    if neck is None:
        notes.append("no head found")
    notes.append(_told("trunk", skeleton, [root, *trunk] + ([neck] if neck is not None else [])))
    if placed_arms:
        notes.append(_told("arms", skeleton, [i for a in placed_arms for i in (a.shoulder, a.elbow, a.wrist)]))
    ordered = sorted(placed_legs, key=lambda a: -a.side)
    return Anatomy(root, tuple(trunk), neck, (ordered[0], ordered[1]), placed_arms, tuple(notes))


def _told(what: str, skeleton: Skeleton, bones: list[int]) -> str:
    return f"{what}: " + ", ".join(skeleton.names[k] for k in bones)


def _split(tree: Tree, chain: list[int], parts: tuple[str, str, str], most_left_over: float) -> tuple[int, int, int]:
    """Positions in a chain of the three joints that part off its two long segments.

    The two are about equally long and make up most of the chain; names that say it decide.
    """
    names = tree.bones.names
    along = np.concatenate([[0.0], np.cumsum([tree.step(a, b) for a, b in pairwise(chain)])])
    best, best_score = (0, 1, 2), -np.inf
    for a, b, c in combinations(range(len(chain)), 3):
        first, second = along[b] - along[a], along[c] - along[b]
        if min(first, second) < 1e-6:
            continue
        rest = (along[-1] - along[c]) / along[-1]
        score = ((first + second) / along[-1] - abs(np.log(first / second)) - 4.0 * max(rest - most_left_over, 0.0))
        score += sum(1.0 for k, part in zip((a, b, c), parts, strict=True) if says(names[chain[k]], part))
        score -= sum(1.0 for k in (a, b, c) if says(names[chain[k]], "twist"))
        score -= 0.3 * any(says(names[chain[k]], parts[0]) for k in range(a))     # the first bone so named is the joint
        if score > best_score:
            best, best_score = (a, b, c), score
    return best


def _leg(tree: Tree, bone: int) -> LegBones:
    chain = tree.chain(bone, avoid="heel")
    a, b, c = _split(tree, chain, ("thigh", "shin", "foot"), most_left_over=0.35)
    toe = chain[c + 1] if c + 1 < len(chain) else None
    return LegBones(chain[a], chain[b], chain[c], toe, 0)


def _arm(tree: Tree, bone: int) -> ArmBones:
    chain = tree.chain(bone)
    a, b, c = _split(tree, chain, ("upper_arm", "forearm", "hand"), most_left_over=0.45)
    return ArmBones(chain[a], chain[b], chain[c], 0)


def _neck(tree: Tree, chest: int, limbs: set[int]) -> int | None:
    """First bone of the way from the chest to the head: the one that goes highest, or is named so."""
    s = tree.bones
    ways = [k for k in tree.children[chest] if k not in limbs and not says(s.names[k], "helper")]
    named = [k for k in ways if any(says(s.names[j], part) for j in s.below(k) for part in ("neck", "head"))]
    usable = named or [k for k in ways if s.heads[k, 2] > s.heads[chest, 2] and side_of(s.names[k]) == 0]
    return max(usable, key=lambda k: max(s.heads[j, 2] for j in s.below(k)), default=None)


def _left_first(skeleton: Skeleton, legs: tuple[LegBones, ...]) -> bool:
    """Whether the first of two legs is the left one: by name, else by which way the feet point."""
    sides = [side_of(skeleton.names[leg.hip]) or side_of(skeleton.names[leg.ankle]) for leg in legs]
    if sides[0] != sides[1] and any(sides):
        return sides[0] > 0 or sides[1] < 0
    across = skeleton.heads[legs[0].hip] - skeleton.heads[legs[1].hip]
    ahead = foot_direction(skeleton, legs)
    return bool(np.cross(across, [0.0, 0.0, 1.0]) @ ahead > 0)


def foot_direction(skeleton: Skeleton, legs: tuple[LegBones, ...]) -> Array:
    """Level direction in which the feet point on the whole, not normalised. (3,)."""
    total = np.zeros(3)
    for leg in legs:
        ankle = skeleton.heads[leg.ankle]
        skin = [skeleton.skin[skeleton.names[k]] for k in skeleton.below(leg.ankle) if skeleton.names[k] in skeleton.skin]
        if skin:
            total += np.concatenate(skin).mean(0) - ankle
        elif leg.toe is not None:
            total += skeleton.heads[leg.toe] - ankle
        else:
            total += skeleton.tails[leg.ankle] - ankle
    total[2] = 0.0
    return total


def _arms_by_side(skeleton: Skeleton, arms: tuple[ArmBones, ...], legs: tuple[LegBones, ...]) -> tuple[ArmBones, ...]:
    """Arms with their sides: on the same side of the body as the leg, seen across the hips."""
    if not arms:
        return ()
    left = next(leg for leg in legs if leg.side > 0)
    right = next(leg for leg in legs if leg.side < 0)
    across = skeleton.heads[left.hip] - skeleton.heads[right.hip]
    reach = [float(skeleton.heads[arm.wrist] @ across) for arm in arms]
    sides = (1, -1) if reach[0] > reach[1] else (-1, 1)
    placed = [ArmBones(a.shoulder, a.elbow, a.wrist, s) for a, s in zip(arms, sides, strict=True)]
    return tuple(sorted(placed, key=lambda a: -a.side))

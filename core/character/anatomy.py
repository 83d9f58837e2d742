"""Which bone is what: legs, spine, head and arms found from how the bones hang together, names deciding where that is unclear.

Legs are the pair of like chains that end lowest, arms another pair higher up; both hang on the trunk, whose lowest common
bone is the pelvis and which goes on to the head.
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import CharacterError
from .bones import Skeleton
from .names import says, side_of, without_side

Array = NDArray[np.float64]

LIKE = 0.12           # two chains are a pair when their lengths differ by no more than this share
LEAST_LEG = 0.22      # of the body's extent that a leg's chain must measure
LEAST_ARM = 0.15


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


class _Tree:
    """A skeleton with the lengths that recognition asks for."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.bones = skeleton
        n = len(skeleton.names)
        self.children = [skeleton.children(k) for k in range(n)]
        self.length = np.zeros(n)                             # along the longest way down, between heads
        for k in reversed(range(n)):
            self.length[k] = max((self.step(k, c) + self.length[c] for c in self.children[k]), default=0.0)
        points = np.concatenate([skeleton.heads, self._plausible_tails()])
        self.extent = float(np.linalg.norm(np.ptp(points, axis=0)))
        self.height = float(np.ptp(points[:, 2]))
        self.floor = float(points[:, 2].min())

    def _plausible_tails(self) -> Array:
        """Tails of bones that are no longer than what they hang on; importers invent others."""
        s = self.bones
        long = np.linalg.norm(s.tails - s.heads, axis=1)
        limit = np.array([np.linalg.norm(s.heads[k] - s.heads[p]) if p >= 0 else np.inf for k, p in enumerate(s.parents)])
        return np.where((long <= 1.2 * limit)[:, None], s.tails, s.heads)

    def step(self, parent: int, child: int) -> float:
        return float(np.linalg.norm(self.bones.heads[child] - self.bones.heads[parent]))

    def chain(self, bone: int, avoid: str = "") -> list[int]:
        """The longest way down from a bone."""
        out = [bone]
        while self.children[out[-1]]:
            here = out[-1]
            ways = [c for c in self.children[here] if not (avoid and says(self.bones.names[c], avoid))] or self.children[here]
            out.append(max(ways, key=lambda c: self.step(here, c) + self.length[c]))
        return out

    def ancestors(self, bone: int) -> list[int]:
        """The bone and all above it, upward."""
        out = [bone]
        while self.bones.parents[out[-1]] >= 0:
            out.append(self.bones.parents[out[-1]])
        return out

    def lowest(self, bone: int) -> float:
        return min(float(self.bones.heads[k, 2]) for k in self.below(bone))

    def below(self, bone: int) -> list[int]:
        """The bone and all below it."""
        out = [bone]
        for k in out:
            out.extend(self.children[k])
        return out


def recognise(skeleton: Skeleton) -> Anatomy:
    """Find a biped's parts.

    Raises:
        CharacterError: no pair of chains looks like legs.
    """
    tree = _Tree(skeleton)
    pairs = _pairs(tree)
    legs = _leg_pair(tree, pairs)
    arms = _arm_pair(tree, pairs, legs)
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


def _pairs(tree: _Tree) -> list[tuple[int, int]]:
    """Children of one bone whose chains are alike, each bone with its best match."""
    out = []
    names = tree.bones.names
    for siblings in [*tree.children, [k for k, p in enumerate(tree.bones.parents) if p < 0]]:
        usable = [k for k in siblings if tree.length[k] > 0.08 * tree.extent and not says(names[k], "helper")]
        ranked = sorted(combinations(usable, 2), key=lambda ij: (without_side(names[ij[0]]) != without_side(names[ij[1]]),
                                                                 _unlike(tree, *ij)))
        taken: set[int] = set()
        for i, j in ranked:
            if not {i, j} & taken and _unlike(tree, i, j) < LIKE:
                out.append((i, j))
                taken |= {i, j}
    return out


def _unlike(tree: _Tree, i: int, j: int) -> float:
    a, b = tree.length[i], tree.length[j]
    return float(abs(a - b) / max(a, b, 1e-9))


def _leg_pair(tree: _Tree, pairs: list[tuple[int, int]]) -> tuple[int, int]:
    names = tree.bones.names

    def score(pair: tuple[int, int]) -> float:
        named: int = any(says(names[k], part) for k in tree.chain(pair[0]) for part in ("thigh", "shin", "foot"))
        named -= any(says(names[k], part) for k in tree.chain(pair[0]) for part in ("upper_arm", "forearm", "hand"))
        above = (max(tree.lowest(k) for k in pair) - tree.floor) / max(tree.height, 1e-9)
        return named - 3.0 * above + 0.5 * tree.length[pair[0]] / tree.extent

    usable = [p for p in pairs if min(tree.length[k] for k in p) > LEAST_LEG * tree.extent
              and (max(tree.lowest(k) for k in p) - tree.floor) < 0.35 * max(tree.height, 1e-9)
              and tree.bones.parents[p[0]] >= 0 and all(len(tree.chain(k)) >= 3 for k in p)]
    if not usable:
        raise CharacterError("The armature has no legs that Footfall can find: it looks for two like chains of at least three "
                             "bones (thigh, shin, foot) that hang on one bone and reach near the ground.")
    return max(usable, key=score)


def _arm_pair(tree: _Tree, pairs: list[tuple[int, int]], legs: tuple[int, int]) -> tuple[int, int] | None:
    below_legs = {k for leg in legs for k in tree.below(leg)}
    names = tree.bones.names

    def score(pair: tuple[int, int]) -> float:
        named = any(says(names[k], part) for k in tree.chain(pair[0]) for part in ("upper_arm", "forearm", "hand"))
        return named + tree.length[pair[0]] / tree.extent

    usable = [p for p in pairs if not set(p) & below_legs and min(tree.length[k] for k in p) > LEAST_ARM * tree.extent
              and not any(leg in tree.below(k) for k in p for leg in legs) and tree.bones.parents[p[0]] >= 0
              and all(len(tree.chain(k)) >= 3 for k in p)]
    return max(usable, key=score, default=None)


def _split(tree: _Tree, chain: list[int], parts: tuple[str, str, str], most_left_over: float) -> tuple[int, int, int]:
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


def _leg(tree: _Tree, bone: int) -> LegBones:
    chain = tree.chain(bone, avoid="heel")
    a, b, c = _split(tree, chain, ("thigh", "shin", "foot"), most_left_over=0.35)
    toe = chain[c + 1] if c + 1 < len(chain) else None
    return LegBones(chain[a], chain[b], chain[c], toe, 0)


def _arm(tree: _Tree, bone: int) -> ArmBones:
    chain = tree.chain(bone)
    a, b, c = _split(tree, chain, ("upper_arm", "forearm", "hand"), most_left_over=0.45)
    return ArmBones(chain[a], chain[b], chain[c], 0)


def _neck(tree: _Tree, chest: int, limbs: set[int]) -> int | None:
    """First bone of the way from the chest to the head: the one that goes highest, or is named so."""
    s = tree.bones
    ways = [k for k in tree.children[chest] if k not in limbs and not says(s.names[k], "helper")]
    named = [k for k in ways if any(says(s.names[j], part) for j in tree.below(k) for part in ("neck", "head"))]
    usable = named or [k for k in ways if s.heads[k, 2] > s.heads[chest, 2] and side_of(s.names[k]) == 0]
    return max(usable, key=lambda k: max(s.heads[j, 2] for j in tree.below(k)), default=None)


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
        skin = [skeleton.skin[skeleton.names[k]] for k in _below(skeleton, leg.ankle) if skeleton.names[k] in skeleton.skin]
        if skin:
            total += np.concatenate(skin).mean(0) - ankle
        elif leg.toe is not None:
            total += skeleton.heads[leg.toe] - ankle
        else:
            total += skeleton.tails[leg.ankle] - ankle
    total[2] = 0.0
    return total


def _below(skeleton: Skeleton, bone: int) -> list[int]:
    out = [bone]
    for k in out:
        out.extend(skeleton.children(k))
    return out


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

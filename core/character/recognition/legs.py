"""Legs: pairs of like chains that come down to the ground, in rows, and the joints of each."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .names import says, says_any, side_of, stem, words
from .tree import Tree

Array = NDArray[np.float64]

NEAR_GROUND = 0.25        # of the hips' height, below which a leg ends
LEAST_DROP = 0.08         # of the skeleton's height by which a leg comes down
FOOT_BELOW = 0.20         # of the hip's height, below which the foot begins
FLAT_BELOW = 0.45         # below which a bone that lies flat is the foot
STEEP = 0.7               # sine of the angle at which a bone is no longer flat
TO_THE_SIDE = 0.6         # of a leg's distance from the middle, within which a bone may belong to the hips or shoulders
IN_THE_MIDDLE = 0.1       # within which it is no leg's
SIDEWAYS = 0.17           # share of such a bone's length that leads to the side
BENT = np.radians(12)     # at a knee and a hock
SAME_LINE = np.cos(np.radians(25))     # two halves of one bone go on about straight
MOST_SEGMENTS = 4
NO_LEG = {"fin", "wing", "feather", "tail", "tentacle"}


@dataclass(frozen=True)
class LegChain:
    """Bones of a leg from the hip down: those of its segments, then foot and toe where there are any."""

    segments: tuple[int, ...]
    foot: int | None
    toe: int | None


def standing_pairs(tree: Tree, candidates: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs of like chains that come down to the ground, those that belong to another one's legs left out."""
    names = tree.bones.names

    def stands(pair: tuple[int, int]) -> bool:
        top = max(float(tree.bones.heads[j, 2]) for k in pair for j in tree.chain(k)[:-1] or [k]) - tree.floor
        end = max(tree.bottom(k) for k in pair) - tree.floor
        return (end < NEAR_GROUND * top and top - end > LEAST_DROP * tree.height and tree.bones.parents[pair[0]] >= 0
                and not any(says(names[j], "cloth") or NO_LEG & set(words(names[j])) for k in pair for j in tree.chain(k)))

    found = [p for p in candidates if stands(p) and _opposite(tree, p)]
    inside = {k for p in found for bone in p for k in tree.bones.below(bone)[1:]}
    return [p for p in found if not set(p) & inside]


def _opposite(tree: Tree, pair: tuple[int, int]) -> bool:
    """Whether two chains end beside each other, as left and right do, and not one before the other's foot."""
    a, b = (tree.bones.heads[tree.chain(k)] for k in pair)
    apart = np.linalg.norm(a[-1, :2] - b[-1, :2])
    return bool(apart > 0.02 * tree.extent) or side_of(tree.bones.names[pair[0]]) * side_of(tree.bones.names[pair[1]]) < 0


def leg_chain(tree: Tree, bone: int, mate: int) -> LegChain:
    """Joints of a leg by its shape: where it comes down from, where it bends, where it lies on the ground.

    Args:
        bone: the topmost of its chain.
        mate: the topmost of the other side's chain.
    """
    s = tree.bones
    chain = _merged(tree, tree.chain(bone, avoid="heel"))
    across = _across(tree, bone, mate)
    middle = 0.5 * (s.heads[tree.chain(bone)[-1]] + s.heads[tree.chain(mate)[-1]])
    chain = chain[_first_of_leg(tree, chain, np.abs((s.heads[chain] - middle) @ across)):]
    foot = _foot(tree, chain)
    segments = chain[:foot]
    while len(segments) > MOST_SEGMENTS:
        bends = [bend(tree, a, b, c) for a, b, c in zip(segments, segments[1:], chain[2:], strict=False)]
        del segments[1 + int(np.argmin(bends))]
    toe = chain[foot + 1] if foot + 1 < len(chain) else None
    return LegChain(tuple(segments), chain[foot] if foot < len(chain) else None, toe)


def _across(tree: Tree, bone: int, mate: int) -> Array:
    ends = [tree.bones.heads[tree.chain(k)[-1]] for k in (bone, mate)]
    across = (ends[0] - ends[1]) * [1, 1, 0]
    return across / max(float(np.linalg.norm(across)), 1e-12)


def _merged(tree: Tree, chain: list[int]) -> list[int]:
    """A chain without its twist bones and without second halves of bones, which go on straight and have the same name."""
    names, heads = tree.bones.names, tree.bones.heads
    out = [chain[0]]
    for here, after in pairwise([*chain[1:], chain[-1]]):
        before = heads[here] - heads[out[-1]]
        ahead = heads[after] - heads[here] if after != here else tree.bones.tails[here] - heads[here]
        size = np.linalg.norm(before) * np.linalg.norm(ahead)
        straight = size < 1e-12 or before @ ahead > SAME_LINE * size
        again = says_any(names[here]) and stem(names[here]) == stem(names[out[-1]])
        if says(names[here], "twist") or (straight and again):
            continue
        out.append(here)
    return out


def _first_of_leg(tree: Tree, chain: list[int], aside: Array) -> int:
    """Place in a chain of the first bone that comes down; those before lead to the side: a hip's or shoulder's."""
    s = tree.bones
    for k in range(len(chain) - 1):
        length = max(tree.step(chain[k], chain[k + 1]), 1e-12)
        named = says(s.names[chain[k]], "clavicle") or bool({"pelvis", "hips", "scapula"} & set(words(s.names[chain[k]])))
        inward = aside[k] < TO_THE_SIDE * np.median(aside[k + 1:])
        leads = (aside[k + 1] - aside[k]) / length > SIDEWAYS
        level = (s.heads[chain[k], 2] - s.heads[chain[k + 1], 2]) / length < 0.3
        if aside[k] > IN_THE_MIDDLE * np.median(aside[k + 1:]) and _foot(tree, chain[k + 1:]) < 2:
            return k                        # without it there would be no knee: a leg that spreads, as a spider's
        thigh = any(says(s.names[chain[k]], part) for part in ("thigh", "upper_arm")) and not level
        if thigh or not (named or (inward and leads) or (level and inward)):
            return k
    return len(chain) - 1


def _foot(tree: Tree, chain: list[int]) -> int:
    """Place in a chain of the bone that is the foot: the first that begins near the ground, or lies flat above it."""
    heads = tree.bones.heads
    hip = float(heads[chain[0], 2]) - tree.floor
    for k in range(1, len(chain)):
        above = float(heads[chain[k], 2]) - tree.floor
        if above < FOOT_BELOW * hip:
            return k
        if k + 1 < len(chain) and k > 1 and above < FLAT_BELOW * hip:
            along = heads[chain[k + 1]] - heads[chain[k]]
            if -along[2] < STEEP * np.linalg.norm(along):
                return k
    return len(chain)


def bend(tree: Tree, a: int, b: int, c: int) -> float:
    """Angle by which a chain turns at its middle joint, rad."""
    first, second = tree.bones.heads[b] - tree.bones.heads[a], tree.bones.heads[c] - tree.bones.heads[b]
    size = max(float(np.linalg.norm(first) * np.linalg.norm(second)), 1e-12)
    return float(np.arccos(np.clip(first @ second / size, -1, 1)))


def has_hock(tree: Tree, leg: LegChain) -> bool:
    """Whether a leg of three segments bends one way at the knee and the other way at the hock, as paws and hooves need."""
    if len(leg.segments) < 3 or leg.foot is None:
        return False
    hip, knee, hock, end = (*leg.segments, leg.foot)[:4]
    a, b, c = np.diff(tree.bones.heads[[hip, knee, hock, end]], axis=0)
    turns = np.cross(a, b) @ np.cross(b, c) < 0
    return bool(turns and bend(tree, hip, knee, hock) > BENT and bend(tree, knee, hock, end) > BENT)

"""Which way a body looks, and so which side is left: what feet, head, tail and names say, each with a weight."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .legs import LegChain
from .names import says, side_of
from .tree import Tree

Array = NDArray[np.float64]

NAMED_FACE, NAMED_TAIL, NAMED_SIDES, NAMED_ROWS, FEET, TOP, KNEES = 3.0, 2.0, 2.0, 2.0, 1.5, 1.0, 0.5


@dataclass(frozen=True)
class Facing:
    """Direction of length 1, and how sure that is: 1 where all that speaks says the same."""

    ahead: Array
    confidence: float
    against: str = ""


def facing_of(tree: Tree, rows: list[tuple[int, int]], legs: dict[int, LegChain], line: Array) -> Facing:
    """Which of two ways along a line a body looks.

    Args:
        rows: topmost bones of the legs, a pair a row.
        legs: their joints, by topmost bone.
        line: (3,) level direction of length 1 along the body.
    """
    votes = [*_of_names(tree, rows, legs, line), *_of_shape(tree, rows, legs, line)]
    total = sum(weight * way for weight, way, _ in votes)
    most = sum(weight * abs(way) for weight, way, _ in votes)
    if total == 0:
        return Facing(line, 0.3, "nothing tells which way it looks")
    side = float(np.sign(total))
    against = [told for weight, way, told in votes if way * side < 0]
    return Facing(side * line, 0.5 + 0.5 * abs(total) / most, f"{' and '.join(against)} would turn it round" if against else "")


def _of_names(tree: Tree, rows: list[tuple[int, int]], legs: dict[int, LegChain], line: Array) -> list[tuple[float, float, str]]:
    s = tree.bones
    hips = np.mean([s.heads[legs[k].segments[0]] for pair in rows for k in pair], axis=0)
    votes = []
    for parts, weight, sign, told in ((("face", "head", "neck"), NAMED_FACE, 1, "the head"),
                                      (("tail",), NAMED_TAIL, -1, "the tail")):
        there = [k for k, name in enumerate(s.names) if any(says(name, part) for part in parts)]
        if there:
            votes.append((weight, sign * _way(s.heads[there].mean(0) - hips, line, tree), told))
    sides = 0.0
    for pair in rows:
        a, b = (side_of(s.names[k]) or side_of(s.names[legs[k].segments[-1]]) for k in pair)
        if a * b < 0:
            left, right = pair if a > 0 else pair[::-1]
            across = s.heads[legs[left].segments[-1]] - s.heads[legs[right].segments[-1]]
            sides += float(np.sign(np.cross(across, [0.0, 0.0, 1.0]) @ line))
    votes.append((NAMED_SIDES, float(np.sign(sides)), "the names of left and right"))
    ends = [(np.mean([s.heads[k] for k in pair], axis=0), [s.names[j] for k in pair for j in (k, *legs[k].segments)])
            for pair in rows]
    order = 0.0
    for at, names in ends:
        front = any(says(n, p) for n in names for p in ("front", "upper_arm", "forearm"))
        hind = any(says(n, p) for n in names for p in ("hind", "thigh"))
        order += (front - hind) * _way(at - hips, line, tree)
    votes.append((NAMED_ROWS, float(np.sign(order)), "the names of the legs"))
    return votes


def _of_shape(tree: Tree, rows: list[tuple[int, int]], legs: dict[int, LegChain], line: Array) -> list[tuple[float, float, str]]:
    s = tree.bones
    votes, feet, knees = [], 0.0, 0.0
    for pair in rows:
        for k in pair:
            leg = legs[k]
            if leg.foot is not None:
                foot = s.below(leg.foot)
                skin = [s.skin[s.names[j]] for j in foot if s.names[j] in s.skin]
                tip = np.concatenate(skin or [s.heads[foot], s.tails[foot]]).mean(0)
                feet += float((tip - s.heads[leg.foot]) @ line)
        if len(rows) == 1 and len(legs[pair[0]].segments) > 1 and legs[pair[0]].foot is not None:
            for k in pair:
                hip, knee, ankle = (s.heads[j] for j in (*legs[k].segments[:2], legs[k].foot))
                knees += float((knee - 0.5 * (hip + ankle)) @ line)
    size = 0.01 * tree.extent
    votes.append((FEET, float(np.sign(feet)) if abs(feet) > size else 0.0, "the feet"))
    votes.append((KNEES, float(np.sign(knees)) if abs(knees) > size else 0.0, "the knees"))
    if len(rows) > 1:
        hips = np.mean([s.heads[legs[k].segments[0]] for pair in rows for k in pair], axis=0)
        below = {j for pair in rows for k in pair for j in s.below(k)}
        rest = [k for k in range(len(s.names)) if k not in below]
        highest = max(rest, key=lambda k: float(s.heads[k, 2]))
        votes.append((TOP, _way(s.heads[highest] - hips, line, tree), "its highest point"))
    return votes


def _way(offset: Array, line: Array, tree: Tree) -> float:
    """-1, 0 or 1."""
    along = float(offset @ line)
    return float(np.sign(along)) if abs(along) > 0.02 * tree.extent else 0.0

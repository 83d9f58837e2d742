"""Which chains of a robot's links are its legs, arms, head and tail, found from how they hang together and where they end."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from .solids import ending
from .tree import RobotTree

Array = NDArray[np.float64]

AS_LOW = 0.25         # of the body's height below the root, by which ends may be above the lowest and still be feet
SAME = 0.1            # of the same, within which two links of a leg are equally low
FLAT = 0.3            # of the body's width that counts as height where legs are spread level
MIDDLE = 0.05         # of the body's size from the middle plane within which a limb is in the middle
ROW = 0.12            # of the body's length between hips that belong to different rows


@dataclass(frozen=True)
class Chain:
    """Links from the trunk outward, and on which side and in which row of its like they are."""

    links: tuple[int, ...]
    side: int
    row: int = 0


@dataclass(frozen=True)
class Limbs:
    """All chains of a robot; `trunk` are links that carry several of them."""

    legs: tuple[Chain, ...]
    arms: tuple[Chain, ...]
    trunk: tuple[int, ...]
    neck: tuple[int, ...]
    head: int | None
    tail: tuple[int, ...]


def legs_of(tree: RobotTree) -> tuple[Chain, ...]:
    """The chains that end lowest in the present pose, by row from the rear, left before right.

    Raises:
        CharacterError: no link hangs on the root, or none ends below it.
    """
    if not tree.leaves():
        raise CharacterError(f"{tree.name} has no legs: no joint leads from its base to another body.")
    feet, places = _feet(tree)
    if not feet:
        raise CharacterError(f"{tree.name} has no legs: nothing ends below its base.")
    size = float(np.ptp(np.concatenate([places, np.zeros((1, 3))]), axis=0).max())
    chains = [_own(tree, foot, feet) for foot in feet]
    sides = [0 if abs(y) < MIDDLE * size else int(np.sign(y)) for y in places[:, 1]]
    hips = np.array([tree.joint_place(chain[0])[0] for chain in chains])
    rows = _rows(hips, float(np.ptp(hips)), size)
    found = [Chain(c, s, r) for c, s, r in zip(chains, sides, rows, strict=True)]
    return tuple(sorted(found, key=lambda c: (c.row, -c.side)))


def _feet(tree: RobotTree) -> tuple[list[int], Array]:
    """The lowest links, of each chain one, and their lowest points (k, 3); of links about as low the outermost."""
    leaves = set(tree.leaves())
    ends = {k: end for k in range(1, len(tree.movers)) if (end := ending(tree, k)).known or k in leaves}
    low = {k: end.lowest for k, end in ends.items()}
    every = np.array([*low.values(), np.zeros(3)])
    bottom = float(every[:, 2].min())
    tall = max(-bottom, FLAT * float(np.ptp(every, axis=0).max()))
    feet: list[int] = []
    for k in sorted(low, key=lambda k: (int((low[k][2] - bottom) / (SAME * tall)), -len(tree.way(k)))):
        way = set(tree.way(k))
        if low[k][2] < bottom + AS_LOW * tall and not any(f in way or k in tree.way(f) for f in feet):
            feet.append(k)
    return sorted(feet), np.array([low[k] for k in sorted(feet)]).reshape(-1, 3)


def _own(tree: RobotTree, leaf: int, leaves: list[int]) -> tuple[int, ...]:
    """The links of a leaf's way that carry none of the others."""
    others = [set(tree.way(k)) for k in leaves if k != leaf]
    return tuple(k for k in tree.way(leaf) if not any(k in way for way in others))


def _rows(x: Array, length: float, size: float) -> list[int]:
    """Rows of hips along x, the rearmost 0: a gap begins another."""
    order, row, out = np.argsort(x), 0, [0] * len(x)
    for a, b in pairwise(order):
        row += int(x[b] - x[a] > max(ROW * length, MIDDLE * size))
        out[b] = row
    return out


def _check_sliding(tree: RobotTree, legs: tuple[Chain, ...]) -> None:
    for leg in legs:
        bodies = {body for link in leg.links for body in tree.movers[link].bodies}
        for joint in tree.sliding:
            if int(tree.model.jnt_bodyid[joint]) in bodies:
                raise CharacterError(f"The joint {tree.model.joint(joint).name!r} of a leg of {tree.name} slides; the joints of "
                                     "legs must turn.")


def limbs_of(tree: RobotTree) -> Limbs:
    """All limbs. Parts of a leg that do not lead to its foot are held where they are.

    Raises:
        CharacterError: there are no legs, or one of them slides.
    """
    legs = legs_of(tree)
    _check_sliding(tree, legs)
    on_legs = {k for leg in legs for k in leg.links}
    extra = {joint for k, mover in enumerate(tree.movers) if k not in on_legs and set(tree.way(k)) & on_legs
             for joint in mover.joints}
    if extra:
        names = ", ".join(sorted({tree.model.joint(joint).name for joint in extra}))
        tree.notes.append(f"parts of the legs that do not lead to a foot are held: {names}")
        tree.weld(extra)
        legs = legs_of(tree)
    feet = [leg.links[-1] for leg in legs]
    others = [leaf for leaf in tree.leaves() if leaf not in feet]
    ends = {leaf: ending(tree, leaf).points.mean(0) for leaf in others}
    size = max((float(np.abs(end).max()) for end in ends.values()), default=1.0)
    all_leaves = [*feet, *others]
    middle = [k for k in others if abs(ends[k][1]) < MIDDLE * size]
    head = max(middle, key=lambda k: ends[k][2] + ends[k][0], default=None)
    chains = {k: _own(tree, k, all_leaves) for k in others}
    arms = tuple(Chain(chains[k], int(np.sign(ends[k][1]))) for k in others if k not in middle and chains[k])
    tails = [chains[k] for k in middle if k != head and ends[k][0] < 0]
    neck = chains[head][:-1] if head is not None else ()
    used = {k for chain in (*legs, *arms) for k in chain.links} | set(neck) | {head} | {k for tail in tails for k in tail}
    trunk = tuple(k for k in range(1, len(tree.movers)) if k not in used)
    return Limbs(legs, tuple(sorted(arms, key=lambda a: -a.side)), trunk, neck, head, tails[0] if tails else ())

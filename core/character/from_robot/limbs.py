"""Recognition of legs, arms, head and tail of a robot from the tree of its links and its pose."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from .solids import find_limb_end
from .tree import RobotTree

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LimbParameters:
    """Thresholds for the recognition of limbs.

    Args:
        max_foot_height: greatest height of feet above the lowest one [height of the root].
        equal_height: height difference within which two links of a leg are equally low [height of
            the root], so that of shin and foot the foot is taken.
        spread_height_share: share of the body's width that counts as its height where legs are
            spread level, and all links are about as high as the root.
        max_midline_offset: greatest lateral offset of a limb in the middle [size of the body]; a
            head or a tail is not exactly there, since solids have offsets.
        min_row_gap: least distance along x between hips of different rows [extent of the hips]; two
            hips of a row differ by their solids alone, and a body of six rows has gaps of 0.2.
    """

    max_foot_height: float = 0.25
    equal_height: float = 0.1
    spread_height_share: float = 0.3
    max_midline_offset: float = 0.05
    min_row_gap: float = 0.12


LIMBS = LimbParameters()


@dataclass(frozen=True)
class LimbChain:
    """A limb of a robot.

    Args:
        links: from the trunk outward.
        side: +1 left, -1 right, 0 in the middle.
        row: 0 for the rearmost.
    """

    links: tuple[int, ...]
    side: int
    row: int = 0


@dataclass(frozen=True)
class RobotLimbs:
    """All limbs of a robot; `trunk` are the links that several of them share."""

    legs: tuple[LimbChain, ...]
    arms: tuple[LimbChain, ...]
    trunk: tuple[int, ...]
    neck: tuple[int, ...]
    head: int | None
    tail: tuple[int, ...]


def find_legs(tree: RobotTree) -> tuple[LimbChain, ...]:
    """Return the chains that end lowest in the current pose, from the rearmost row, left first.

    Raises:
        CharacterError: the root has no children, or no link ends below it.
    """
    if not tree.list_leaves():
        raise CharacterError(
            f"{tree.name} has no legs: no joint leads from its base to another body."
        )
    lowest_by_foot = _find_feet(tree)
    feet = list(lowest_by_foot)
    lowest_points = np.array(list(lowest_by_foot.values())).reshape(-1, 3)
    if not feet:
        raise CharacterError(f"{tree.name} has no legs: nothing ends below its base.")
    size = float(np.ptp(np.concatenate([lowest_points, np.zeros((1, 3))]), axis=0).max())
    chains = [_exclusive_links(tree, foot, feet) for foot in feet]
    sides = [
        0 if abs(y) < LIMBS.max_midline_offset * size else int(np.sign(y))
        for y in lowest_points[:, 1]
    ]
    hips = np.array([tree.joint_position(chain[0])[0] for chain in chains])
    rows = _assign_rows(hips, float(np.ptp(hips)), size)
    legs = [LimbChain(c, s, r) for c, s, r in zip(chains, sides, rows, strict=True)]
    return tuple(sorted(legs, key=lambda c: (c.row, -c.side)))


def _find_feet(tree: RobotTree) -> dict[int, Array]:
    """Return the lowest point (3,) of the lowest link of each leg.

    Of equally low links in a chain it is the outermost.
    """
    leaves = set(tree.list_leaves())
    ends = {
        k: end
        for k in range(1, len(tree.moving_links))
        if (end := find_limb_end(tree, k)).has_shape or k in leaves
    }
    lowest_points = {k: end.lowest for k, end in ends.items()}
    all_points = np.array([*lowest_points.values(), np.zeros(3)])
    lowest_height = float(all_points[:, 2].min())
    height = max(
        -lowest_height, LIMBS.spread_height_share * float(np.ptp(all_points, axis=0).max())
    )
    feet: list[int] = []
    for k in sorted(
        lowest_points,
        key=lambda k: (
            int((lowest_points[k][2] - lowest_height) / (LIMBS.equal_height * height)),
            -len(tree.path_from_root(k)),
        ),
    ):
        path = set(tree.path_from_root(k))
        if lowest_points[k][2] < lowest_height + LIMBS.max_foot_height * height and not any(
            f in path or k in tree.path_from_root(f) for f in feet
        ):
            feet.append(k)
    return {k: lowest_points[k] for k in sorted(feet)}


def _exclusive_links(tree: RobotTree, leaf: int, leaves: list[int]) -> tuple[int, ...]:
    """Return the links from the root to a leaf that lead to no other leaf."""
    other_paths = [set(tree.path_from_root(k)) for k in leaves if k != leaf]
    return tuple(k for k in tree.path_from_root(leaf) if not any(k in path for path in other_paths))


def _assign_rows(x: Array, length: float, size: float) -> list[int]:
    """Return the row of each hip by its position x (n,); a gap begins a new row."""
    order = np.argsort(x)
    row = 0
    out = [0] * len(x)
    for a, b in pairwise(order):
        row += int(x[b] - x[a] > max(LIMBS.min_row_gap * length, LIMBS.max_midline_offset * size))
        out[b] = row
    return out


def _check_sliding(tree: RobotTree, legs: tuple[LimbChain, ...]) -> None:
    for leg in legs:
        bodies = {body for link in leg.links for body in tree.moving_links[link].bodies}
        for joint in tree.sliding_joints:
            if int(tree.model.jnt_bodyid[joint]) in bodies:
                raise CharacterError(
                    f"The joint {tree.model.joint(joint).name!r} of a leg of {tree.name} slides; "
                    "the joints of legs must turn."
                )


def find_limbs(tree: RobotTree) -> RobotLimbs:
    """Return all limbs. Parts of legs that do not lead to a foot are fixed.

    Raises:
        CharacterError: there are no legs, or a joint of a leg slides.
    """
    legs = find_legs(tree)
    _check_sliding(tree, legs)
    if _fix_side_branches(tree, legs):
        legs = find_legs(tree)
    feet = [leg.links[-1] for leg in legs]
    others = [leaf for leaf in tree.list_leaves() if leaf not in feet]
    ends = {leaf: find_limb_end(tree, leaf).points.mean(0) for leaf in others}
    max_offset = max((float(np.abs(end).max()) for end in ends.values()), default=1.0)
    midline_leaves = [k for k in others if abs(ends[k][1]) < LIMBS.max_midline_offset * max_offset]
    head = max(midline_leaves, key=lambda k: ends[k][2] + ends[k][0], default=None)
    chains = {k: _exclusive_links(tree, k, [*feet, *others]) for k in others}
    arms = [
        LimbChain(chains[k], int(np.sign(ends[k][1])))
        for k in others
        if k not in midline_leaves and chains[k]
    ]
    tails = [chains[k] for k in midline_leaves if k != head and ends[k][0] < 0]
    neck = chains[head][:-1] if head is not None else ()
    used = {k for chain in (*legs, *arms) for k in chain.links} | {*neck, head}
    used |= {k for tail in tails for k in tail}
    return RobotLimbs(
        legs,
        tuple(sorted(arms, key=lambda a: -a.side)),
        tuple(k for k in range(1, len(tree.moving_links)) if k not in used),
        neck=neck,
        head=head,
        tail=tails[0] if tails else (),
    )


def _fix_side_branches(tree: RobotTree, legs: tuple[LimbChain, ...]) -> bool:
    """Fix the joints of branches of legs that do not lead to a foot; return whether any."""
    leg_links = {k for leg in legs for k in leg.links}
    side_joints = {
        joint
        for k, mover in enumerate(tree.moving_links)
        if k not in leg_links and set(tree.path_from_root(k)) & leg_links
        for joint in mover.joints
    }
    if side_joints:
        names = ", ".join(sorted({tree.model.joint(joint).name for joint in side_joints}))
        tree.notes.append(f"parts of the legs that do not lead to a foot are fixed: {names}")
        tree.fix_joints(side_joints)
    return bool(side_joints)

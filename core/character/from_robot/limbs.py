"""Which chains of a robot's links are its legs, arms, head and tail, found from how they hang
together and where they end.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from .solids import find_limb_end
from .tree import RobotTree

Array = NDArray[np.float64]

# of the body's height below the root, by which ends may be above the lowest and still be feet
MAX_FOOT_HEIGHT = 0.25
EQUAL_HEIGHT = 0.1  # of the same, within which two links of a leg are equally low
SPREAD_HEIGHT_SHARE = 0.3  # of the body's width that counts as height where legs are spread level
# of the body's size from the middle plane within which a limb is in the middle
MAX_MIDLINE_OFFSET = 0.05
MIN_ROW_GAP = 0.12  # of the body's length between hips that belong to different rows


@dataclass(frozen=True)
class LimbChain:
    """Links from the trunk outward, and on which side and in which row of its like they are."""

    links: tuple[int, ...]
    side: int
    row: int = 0


@dataclass(frozen=True)
class RobotLimbs:
    """All chains of a robot; `trunk` are links that carry several of them."""

    legs: tuple[LimbChain, ...]
    arms: tuple[LimbChain, ...]
    trunk: tuple[int, ...]
    neck: tuple[int, ...]
    head: int | None
    tail: tuple[int, ...]


def find_legs(tree: RobotTree) -> tuple[LimbChain, ...]:
    """The chains that end lowest in the present pose, by row from the rear, left before right.

    Raises:
        CharacterError: no link hangs on the root, or none ends below it.
    """
    if not tree.list_leaves():
        raise CharacterError(
            f"{tree.name} has no legs: no joint leads from its base to another body."
        )
    feet, lowest_points = _find_feet(tree)
    if not feet:
        raise CharacterError(f"{tree.name} has no legs: nothing ends below its base.")
    size = float(np.ptp(np.concatenate([lowest_points, np.zeros((1, 3))]), axis=0).max())
    chains = [_exclusive_links(tree, foot, feet) for foot in feet]
    sides = [
        0 if abs(y) < MAX_MIDLINE_OFFSET * size else int(np.sign(y)) for y in lowest_points[:, 1]
    ]
    hips = np.array([tree.joint_position(chain[0])[0] for chain in chains])
    rows = _assign_rows(hips, float(np.ptp(hips)), size)
    legs = [LimbChain(c, s, r) for c, s, r in zip(chains, sides, rows, strict=True)]
    return tuple(sorted(legs, key=lambda c: (c.row, -c.side)))


def _find_feet(tree: RobotTree) -> tuple[list[int], Array]:
    """The lowest links, of each chain one, and their lowest points (k, 3);
    of links about as low the outermost.
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
    height = max(-lowest_height, SPREAD_HEIGHT_SHARE * float(np.ptp(all_points, axis=0).max()))
    feet: list[int] = []
    for k in sorted(
        lowest_points,
        key=lambda k: (
            int((lowest_points[k][2] - lowest_height) / (EQUAL_HEIGHT * height)),
            -len(tree.path_from_root(k)),
        ),
    ):
        path = set(tree.path_from_root(k))
        if lowest_points[k][2] < lowest_height + MAX_FOOT_HEIGHT * height and not any(
            f in path or k in tree.path_from_root(f) for f in feet
        ):
            feet.append(k)
    return sorted(feet), np.array([lowest_points[k] for k in sorted(feet)]).reshape(-1, 3)


def _exclusive_links(tree: RobotTree, leaf: int, leaves: list[int]) -> tuple[int, ...]:
    """The links of a leaf's way that carry none of the others."""
    other_paths = [set(tree.path_from_root(k)) for k in leaves if k != leaf]
    return tuple(k for k in tree.path_from_root(leaf) if not any(k in path for path in other_paths))


def _assign_rows(x: Array, length: float, size: float) -> list[int]:
    """Rows of hips along x, the rearmost 0: a gap begins another."""
    order = np.argsort(x)
    row = 0
    out = [0] * len(x)
    for a, b in pairwise(order):
        row += int(x[b] - x[a] > max(MIN_ROW_GAP * length, MAX_MIDLINE_OFFSET * size))
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
    """All limbs. Parts of a leg that do not lead to its foot are held where they are.

    Raises:
        CharacterError: there are no legs, or one of them slides.
    """
    legs = find_legs(tree)
    _check_sliding(tree, legs)
    leg_links = {k for leg in legs for k in leg.links}
    side_joints = {
        joint
        for k, mover in enumerate(tree.moving_links)
        if k not in leg_links and set(tree.path_from_root(k)) & leg_links
        for joint in mover.joints
    }
    if side_joints:
        names = ", ".join(sorted({tree.model.joint(joint).name for joint in side_joints}))
        tree.notes.append(f"parts of the legs that do not lead to a foot are held: {names}")
        tree.fix_joints(side_joints)
        legs = find_legs(tree)
    feet = [leg.links[-1] for leg in legs]
    others = [leaf for leaf in tree.list_leaves() if leaf not in feet]
    ends = {leaf: find_limb_end(tree, leaf).points.mean(0) for leaf in others}
    max_offset = max((float(np.abs(end).max()) for end in ends.values()), default=1.0)
    all_leaves = [*feet, *others]
    midline_leaves = [k for k in others if abs(ends[k][1]) < MAX_MIDLINE_OFFSET * max_offset]
    head = max(midline_leaves, key=lambda k: ends[k][2] + ends[k][0], default=None)
    chains = {k: _exclusive_links(tree, k, all_leaves) for k in others}
    arms = tuple(
        LimbChain(chains[k], int(np.sign(ends[k][1])))
        for k in others
        if k not in midline_leaves and chains[k]
    )
    tails = [chains[k] for k in midline_leaves if k != head and ends[k][0] < 0]
    neck = chains[head][:-1] if head is not None else ()
    used = (
        {k for chain in (*legs, *arms) for k in chain.links}
        | set(neck)
        | {head}
        | {k for tail in tails for k in tail}
    )
    trunk = tuple(k for k in range(1, len(tree.moving_links)) if k not in used)
    return RobotLimbs(
        legs,
        tuple(sorted(arms, key=lambda a: -a.side)),
        trunk,
        neck=neck,
        head=head,
        tail=tails[0] if tails else (),
    )

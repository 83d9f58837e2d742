"""Recognition of the parts of a body with four or more legs, in rows from the rear."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .anatomy import Anatomy, LegBones
from .biped import assign_arm_sides, list_neck_bones
from .facing import BodyParts, estimate_facing
from .legs import LegBoneChain, find_leg_chain
from .midline import find_forward_neck, find_head, find_tail_root, find_tails, path_down
from .names import is_part_name
from .pairs import BonePair, find_arm_pair
from .tree import SkeletonTree

Array = NDArray[np.float64]


def find_multi_leg_parts(
    tree: SkeletonTree, pairs: list[BonePair], rows: list[BonePair], is_turned: bool = False
) -> BodyParts:
    """Return the parts of a body.

    Args:
        pairs: all pairs of similar chains.
        rows: the pairs that are legs.
        is_turned: whether it faces in the direction opposite to the estimated one.
    """
    s = tree.skeleton
    chains = {k: find_leg_chain(tree, k, mate) for pair in rows for k, mate in (pair, pair[::-1])}
    facing = estimate_facing(tree, rows, chains, find_body_axis(tree, rows, chains))
    if is_turned:
        facing = facing.turn()
    forward = facing.forward
    rows = sorted(
        rows, key=lambda pair: float(sum(s.heads[chains[k].segments[0]] @ forward for k in pair))
    )
    legs = tuple(
        leg
        for row, pair in enumerate(rows)
        for leg in _assign_sides(tree, pair, chains, row=row, forward=forward)
    )
    arms = _find_arms(tree, pairs, rows)
    anatomy = _find_midline_parts(tree, rows, legs, arms, forward)
    return BodyParts(anatomy, facing)


def _find_midline_parts(
    tree: SkeletonTree,
    rows: list[BonePair],
    legs: tuple[LegBones, ...],
    arms: tuple[int, ...],
    forward: Array,
) -> Anatomy:
    """Return the anatomy with the trunk, neck, head and tails between given limbs."""
    s = tree.skeleton
    leg_parents = [s.parents[pair[0]] for pair in rows]
    top_bones = {k for pair in rows for k in pair}
    chest = s.parents[arms[0]] if arms else leg_parents[-1]
    root = tree.common_ancestor([tree.common_ancestor(leg_parents), chest])
    neck = find_forward_neck(tree, chest, top_bones | set(arms), forward)
    head = find_head(tree, neck) if neck is not None else None
    used = {*path_down(tree, root, chest), *top_bones, *arms}
    tails = find_tails(
        tree,
        {*path_down(tree, root, leg_parents[0]), *tree.ancestors(root)},
        used | ({neck} if neck is not None else set()),
        hip_center=s.heads[[leg.hip for leg in legs if leg.row == 0]].mean(0),
        forward=forward,
    )
    root = find_tail_root(tree, root, tails)
    x, y, z = (float(v) for v in forward)
    return Anatomy(
        root,
        tuple(path_down(tree, root, chest)),
        neck,
        legs=legs,
        arms=assign_arm_sides(tree, arms, legs, forward),
        notes=(),
        head=head,
        neck_bones=list_neck_bones(tree, neck, head),
        tails=tuple(tuple(t) for t in tails),
        forward=(x, y, z),
    )


def find_body_axis(
    tree: SkeletonTree, rows: list[BonePair], chains: dict[int, LegBoneChain]
) -> Array:
    """Return the horizontal direction along the body, of either sign (3,).

    It is perpendicular to the lines between left and right legs.
    """
    s = tree.skeleton
    lateral = np.zeros(3)
    for a, b in rows:
        separation = (s.heads[chains[a].segments[-1]] - s.heads[chains[b].segments[-1]]) * [1, 1, 0]
        lateral += separation * (np.sign(separation @ lateral) or 1.0)
    body_axis = np.cross(lateral, [0.0, 0.0, 1.0])
    return body_axis / max(float(np.linalg.norm(body_axis)), 1e-12)


def _assign_sides(
    tree: SkeletonTree,
    pair: BonePair,
    chains: dict[int, LegBoneChain],
    row: int,
    forward: Array,
) -> list[LegBones]:
    """Return the legs of a row, the left one first, for a body that faces forward."""
    left = np.cross([0.0, 0.0, 1.0], forward)
    first, second = sorted(
        pair, key=lambda k: -float(tree.skeleton.heads[chains[k].segments[-1]] @ left)
    )
    return [
        LegBones(chains[k].segments, chains[k].foot, chains[k].toe, side=side, row=row)
        for k, side in ((first, 1), (second, -1))
    ]


def _find_arms(tree: SkeletonTree, pairs: list[BonePair], rows: list[BonePair]) -> tuple[int, ...]:
    """Return the arms of a body with four or more legs, such as a centaur.

    They are above the foremost legs and named as arms, since ears and horns have a similar shape.
    """
    s = tree.skeleton
    leg_bones = {j for pair in rows for k in pair for j in s.subtree(k)}
    candidates = [
        p
        for p in pairs
        if not set(p) & leg_bones
        and all(
            any(
                is_part_name(s.names[j], part)
                for j in tree.longest_chain(k)
                for part in ("upper_arm", "forearm", "hand")
            )
            for k in p
        )
    ]
    arms = find_arm_pair(tree, candidates, rows[-1])
    if (
        arms is None
        or float(s.heads[list(arms), 2].min())
        < float(s.heads[list(rows[-1]), 2].max()) + 0.1 * tree.height
    ):
        return ()
    return arms

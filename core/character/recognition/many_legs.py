"""Parts of a body on four legs or more: rows from the hindmost to the foremost, and the trunk between them."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .anatomy import Anatomy, LegBones
from .biped import arms_by_side
from .facing import Facing, facing_of
from .legs import LegChain, leg_chain
from .midline import head_of, neck_ahead, path_down, root_above, tails_of
from .names import says
from .pairs import arm_pair
from .tree import Tree

Array = NDArray[np.float64]


def many_legs(tree: Tree, pairs: list[tuple[int, int]], rows: list[tuple[int, int]]) -> tuple[Anatomy, Facing]:
    """Find the parts of a body whose legs' topmost bones are known, a pair a row. Findings and notes are left open."""
    s = tree.bones
    chains = {k: leg_chain(tree, k, mate) for pair in rows for k, mate in (pair, pair[::-1])}
    facing = facing_of(tree, rows, chains, body_line(tree, rows, chains))
    ahead = facing.ahead
    rows = sorted(rows, key=lambda pair: float(sum(s.heads[chains[k].segments[0]] @ ahead for k in pair)))
    legs = tuple(leg for row, pair in enumerate(rows) for leg in _sides(tree, pair, chains, row, ahead))
    hangs = [s.parents[pair[0]] for pair in rows]
    root = tree.common(hangs)
    tops = {k for pair in rows for k in pair}
    arms = _arms(tree, pairs, rows)
    chest = s.parents[arms[0]] if arms is not None else hangs[-1]
    root = tree.common([root, chest])
    neck = neck_ahead(tree, chest, tops | set(arms or ()), ahead)
    head = head_of(tree, neck) if neck is not None else None
    between = (neck, *path_down(tree, neck, head)[:-1]) if neck is not None and head is not None and head != neck else ()
    hip = s.heads[[leg.hip for leg in legs if leg.row == 0]].mean(0)
    taken = {*path_down(tree, root, chest), *tops, *(arms or ()), *((neck,) if neck is not None else ())}
    tails = tails_of(tree, {*path_down(tree, root, hangs[0]), *tree.ancestors(root)}, taken, hip, ahead)
    root = root_above(tree, root, tails)
    trunk = path_down(tree, root, chest)
    x, y, z = (float(v) for v in ahead)
    found = Anatomy(root, tuple(trunk), neck, legs, arms_by_side(tree, arms, legs), (), head, between,
                    tuple(tuple(t) for t in tails), (x, y, z))
    return found, facing


def body_line(tree: Tree, rows: list[tuple[int, int]], chains: dict[int, LegChain]) -> Array:
    """Level direction along the body, either way: across what joins left and right. (3,)."""
    s = tree.bones
    across = np.zeros(3)
    for a, b in rows:
        apart = (s.heads[chains[a].segments[-1]] - s.heads[chains[b].segments[-1]]) * [1, 1, 0]
        across += apart * (np.sign(apart @ across) or 1.0)
    line = np.cross(across, [0.0, 0.0, 1.0])
    return line / max(float(np.linalg.norm(line)), 1e-12)


def _sides(tree: Tree, pair: tuple[int, int], chains: dict[int, LegChain], row: int, ahead: Array) -> list[LegBones]:
    """The legs of a row, the left one first: left is where a body has it that looks ahead."""
    left = np.cross([0.0, 0.0, 1.0], ahead)
    first, second = sorted(pair, key=lambda k: -float(tree.bones.heads[chains[k].segments[-1]] @ left))
    return [LegBones(chains[k].segments, chains[k].foot, chains[k].toe, side, row) for k, side in ((first, 1), (second, -1))]


def _arms(tree: Tree, pairs: list[tuple[int, int]], rows: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Arms besides the legs, as a centaur has: a pair above the foremost legs that is named so; ears and horns are like arms."""
    s = tree.bones
    inside = {j for pair in rows for k in pair for j in s.below(k)}
    free = [p for p in pairs if not set(p) & inside and all(
        any(says(s.names[j], part) for j in tree.chain(k) for part in ("upper_arm", "forearm", "hand")) for k in p)]
    found = arm_pair(tree, free, rows[-1])
    if found is None or float(s.heads[list(found), 2].min()) < float(s.heads[list(rows[-1]), 2].max()) + 0.1 * tree.height:
        return None
    return found

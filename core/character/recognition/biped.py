"""Parts of a body on two legs. The pelvis is the lowest bone that legs and arms have in common."""
from __future__ import annotations

import numpy as np

from .anatomy import Anatomy, ArmBones, LegBones, foot_direction
from .joints import knee_of, split_arm, split_leg
from .legs import LegChain, has_hock, leg_chain
from .midline import head_of, neck_ahead, neck_of, path_down, root_above, tails_of, trunk_and_neck
from .names import says, side_of
from .pairs import arm_pair
from .tree import Tree


def biped(tree: Tree, pairs: list[tuple[int, int]], legs: tuple[int, int]) -> Anatomy:
    """Find the parts of a body on two legs, of which the topmost bones are known. Findings and notes are left open."""
    s = tree.bones
    placed = _legs(tree, legs)
    across = s.heads[placed[0].hip] - s.heads[placed[1].hip]
    ahead = np.cross(across, [0.0, 0.0, 1.0])
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-12)
    arms = arm_pair(tree, pairs, legs)
    hang = s.parents[legs[0]]
    if arms is None:
        root, trunk, chest = hang, [], hang
    else:
        chest = s.parents[arms[0]]
        over_legs = tree.ancestors(hang)
        root = next(k for k in tree.ancestors(chest) if k in over_legs)
        trunk = path_down(tree, root, chest)
    limbs = set(legs) | set(arms or ())
    neck = neck_of(tree, chest, limbs)
    if neck is None and not trunk:
        neck = neck_ahead(tree, chest, limbs, ahead)
    if arms is None and neck is not None:
        way = path_down(tree, root, neck)
        trunk, neck = way[:-1], way[-1]
    if not trunk and neck is not None:
        trunk, neck = trunk_and_neck(tree, root, neck)
    # a bone as low as the hips belongs to the pelvis, whatever it hangs on
    hips = np.mean([s.heads[leg.hip, 2] for leg in placed]) + 0.02 * tree.height
    while len(trunk) > 1 and s.heads[trunk[0], 2] < hips:
        trunk = trunk[1:]
    head = head_of(tree, neck) if neck is not None else None
    taken = {*trunk, *legs, *(arms or ()), *((neck,) if neck is not None else ())}
    middle = s.heads[[leg.hip for leg in placed]].mean(0)
    tails = tails_of(tree, {hang, *tree.ancestors(root)}, taken, middle, ahead)
    above = root_above(tree, root, tails)
    root, trunk = above, [*path_down(tree, above, root), *trunk] if above != root else trunk
    x, y, z = (float(v) for v in ahead)
    return Anatomy(root, tuple(trunk), neck, placed, arms_by_side(tree, arms, placed), (), head,
                   _neck_bones(tree, neck, head), tuple(tuple(t) for t in tails), (x, y, z))


def _legs(tree: Tree, tops: tuple[int, int]) -> tuple[LegBones, ...]:
    """Both legs, the left one first."""
    chains = [_leg(tree, k, mate) for k, mate in (tops, tops[::-1])]
    found = tuple(LegBones(c.segments, c.foot, c.toe, 0) for c in chains)
    sides = (1, -1) if _left_first(tree, found) else (-1, 1)
    placed = tuple(LegBones(leg.segments, leg.foot, leg.toe, side) for leg, side in zip(found, sides, strict=True))
    return tuple(sorted(placed, key=lambda leg: -leg.side))


def _neck_bones(tree: Tree, neck: int | None, head: int | None) -> tuple[int, ...]:
    if neck is None or head is None or head == neck:
        return ()
    return (neck, *path_down(tree, neck, head)[:-1])


def _leg(tree: Tree, bone: int, mate: int) -> LegChain:
    """Joints of a leg: with a hock by its bends, else two long segments and a foot, by names where they speak."""
    shape = leg_chain(tree, bone, mate)
    if shape.foot is None or has_hock(tree, shape):
        return shape
    named = sum(any(says(tree.bones.names[k], part) for part in ("thigh", "shin", "foot")) for k in tree.chain(bone, avoid="heel"))
    if named < 2 and len(shape.segments) >= 2:
        return LegChain((shape.segments[0], knee_of(tree, shape.segments, shape.foot)), shape.foot, shape.toe)
    hip, knee, ankle, toe = split_leg(tree, bone, mate)
    return LegChain((hip, knee), ankle, toe)


def _left_first(tree: Tree, legs: tuple[LegBones, ...]) -> bool:
    """Whether the first of two legs is the left one: by name, else by which way the feet point."""
    s = tree.bones
    sides = [side_of(s.names[leg.hip]) or side_of(s.names[leg.ankle]) for leg in legs]
    if sides[0] != sides[1] and any(sides):
        return sides[0] > 0 or sides[1] < 0
    across = s.heads[legs[0].hip] - s.heads[legs[1].hip]
    return bool(np.cross(across, [0.0, 0.0, 1.0]) @ foot_direction(s, legs) > 0)


def arms_by_side(tree: Tree, arms: tuple[int, int] | None, legs: tuple[LegBones, ...]) -> tuple[ArmBones, ...]:
    """Arms with their sides: on the same side of the body as the leg, seen across the hips."""
    if arms is None:
        return ()
    s = tree.bones
    found = [split_arm(tree, k) for k in arms]
    left = next(leg for leg in legs if leg.side > 0)
    right = next(leg for leg in legs if leg.side < 0)
    across = s.heads[left.hip] - s.heads[right.hip]
    reach = [float(s.heads[arm.wrist] @ across) for arm in found]
    sides = (1, -1) if reach[0] > reach[1] else (-1, 1)
    placed = [ArmBones(a.shoulder, a.elbow, a.wrist, side) for a, side in zip(found, sides, strict=True)]
    return tuple(sorted(placed, key=lambda a: -a.side))

"""Recognition of the parts of a body with two legs.

The pelvis is the lowest common ancestor of legs and arms.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .anatomy import Anatomy, ArmBones, LegBones, find_foot_direction
from .facing import BodyParts, FacingEstimate
from .given_feet import find_leg_above
from .joints import find_knee, split_arm, split_leg
from .legs import (
    LegBoneChain,
    find_leg_chain,
    has_heel_on_ground,
    has_hock,
)
from .midline import (
    find_forward_neck,
    find_head,
    find_neck,
    find_tail_root,
    find_tails,
    path_down,
    split_trunk_and_neck,
)
from .names import is_part_name
from .pairs import BonePair, find_arms
from .sides import is_first_left
from .tree import COINCIDENT_DISTANCE, SkeletonTree
from .upright_facing import estimate_upright_facing

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Midline:
    """Bones between the legs and the head.

    Args:
        root: the pelvis.
        trunk: from above the root to the chest.
        neck: first bone of the neck; None without a head.
    """

    root: int
    trunk: list[int]
    neck: int | None


def find_biped_parts(
    tree: SkeletonTree,
    pairs: list[BonePair],
    legs: BonePair,
    is_turned: bool = False,
    feet: tuple[int, int] | None = None,
) -> BodyParts:
    """Return the parts of a body and the direction in which it faces.

    Args:
        pairs: all pairs of similar chains.
        legs: the pair of the legs.
        is_turned: whether it faces in the direction opposite to the estimated one.
        feet: the feet of these legs, if they are given.
    """
    s = tree.skeleton
    arms = find_arms(tree, pairs, legs)
    chains = _find_legs(tree, legs, feet)
    facing = _find_facing(tree, chains, arms)
    if is_turned:
        facing = facing.turn()
    forward = facing.forward
    leg_bones = _assign_leg_sides(tree, chains, forward)
    midline = _find_midline(tree, legs, arms, forward)
    root = midline.root
    neck = midline.neck
    # a bone at the height of the hips belongs to the pelvis, whatever its parent is
    trunk = midline.trunk
    hip_limit = np.mean([s.heads[leg.hip, 2] for leg in leg_bones]) + 0.02 * tree.height
    while len(trunk) > 1 and s.heads[trunk[0], 2] < hip_limit:
        trunk = trunk[1:]
    head = find_head(tree, neck) if neck is not None else None
    tails = find_tails(
        tree,
        {s.parents[legs[0]], *tree.ancestors(root)},
        {*trunk, *legs, *arms, *((neck,) if neck is not None else ())},
        hip_center=s.heads[[leg.hip for leg in leg_bones]].mean(0),
        forward=forward,
    )
    upper_root = find_tail_root(tree, root, tails)
    if upper_root != root:
        trunk = [*path_down(tree, upper_root, root), *trunk]
    x, y, z = (float(v) for v in forward)
    anatomy = Anatomy(
        upper_root,
        tuple(trunk),
        neck,
        legs=leg_bones,
        arms=assign_arm_sides(tree, arms, leg_bones, forward),
        notes=(),
        head=head,
        neck_bones=list_neck_bones(tree, neck, head),
        tails=tuple(tuple(t) for t in tails),
        forward=(x, y, z),
    )
    return BodyParts(anatomy, facing)


def _find_midline(
    tree: SkeletonTree, legs: BonePair, arms: tuple[int, ...], forward: Array
) -> _Midline:
    leg_parent = tree.skeleton.parents[legs[0]]
    root = leg_parent
    chest = leg_parent
    trunk: list[int] = []
    if arms:
        chest = tree.skeleton.parents[arms[0]]
        leg_ancestors = tree.ancestors(leg_parent)
        root = next(k for k in tree.ancestors(chest) if k in leg_ancestors)
        trunk = path_down(tree, root, chest)
    limbs = set(legs) | set(arms)
    neck = find_neck(tree, chest, limbs)
    if neck is None and not trunk:
        neck = find_forward_neck(tree, chest, limbs, forward)
    if not arms and neck is not None:
        path = path_down(tree, root, neck)
        trunk = path[:-1]
        neck = path[-1]
    if not trunk and neck is not None:
        split = split_trunk_and_neck(tree, root, neck)
        trunk = split.trunk
        neck = split.neck
    return _Midline(root, trunk, neck)


def _find_facing(
    tree: SkeletonTree, chains: list[LegBoneChain], arms: tuple[int, ...]
) -> FacingEstimate:
    """Return the direction in which a body with given legs and arms faces."""
    s = tree.skeleton
    legs = tuple(LegBones(c.segments, c.foot, c.toe, 0) for c in chains)
    lateral = s.heads[legs[0].hip] - s.heads[legs[1].hip]
    body_axis = np.cross(lateral, [0.0, 0.0, 1.0])
    if np.linalg.norm(body_axis) < COINCIDENT_DISTANCE * tree.extent:
        body_axis = find_foot_direction(s, legs)  # a flat character, seen from its side
    body_axis = body_axis / max(float(np.linalg.norm(body_axis)), 1e-12)
    if find_foot_direction(s, legs) @ body_axis < 0:
        body_axis = -body_axis  # the direction without any vote
    return estimate_upright_facing(
        s,
        legs,
        split_arms(tree, arms),
        body_axis,
    )


def _assign_leg_sides(
    tree: SkeletonTree, chains: list[LegBoneChain], forward: Array
) -> tuple[LegBones, ...]:
    """Return both legs of a body that faces forward, the left one first."""
    left = np.cross([0.0, 0.0, 1.0], forward)
    bones = [[*c.segments, *(k for k in (c.foot, c.toe) if k is not None)] for c in chains]
    hips = (bones[0][0], bones[1][0])
    is_in_order = is_first_left(tree, (bones[0], bones[1]), hips, left)
    first, second = chains if is_in_order else chains[::-1]
    return tuple(
        LegBones(c.segments, c.foot, c.toe, side) for c, side in ((first, 1), (second, -1))
    )


def list_neck_bones(tree: SkeletonTree, neck: int | None, head: int | None) -> tuple[int, ...]:
    """Return the bones from the neck to below the head; none if the head is the neck."""
    if neck is None or head is None or head == neck:
        return ()
    return (neck, *path_down(tree, neck, head)[:-1])


def _find_legs(
    tree: SkeletonTree, tops: BonePair, feet: tuple[int, int] | None
) -> list[LegBoneChain]:
    """Return the bones of both legs, which agree where their skeletons do.

    Names, skin or a bent knee may give two readings of legs that are mirror images: both follow the
    reading with more parts, then that with fewer segments.

    Args:
        tops: topmost bones of both legs.
        feet: the feet of these legs, if they are given.
    """
    if feet is not None:
        return [find_leg_above(tree, foot, top) for foot, top in zip(feet, tops, strict=True)]
    chains = [_find_leg(tree, k, mate) for k, mate in (tops, tops[::-1])]
    shapes = [(len(c.segments), c.foot is None, c.toe is None) for c in chains]
    if shapes[0] == shapes[1]:
        return chains
    bones = [tree.longest_chain(k, avoid="heel") for k in tops]
    better = min((0, 1), key=lambda k: (shapes[k][1], shapes[k][2], shapes[k][0]))
    if len(bones[0]) == len(bones[1]):
        counterpart = dict(zip(bones[better], bones[1 - better], strict=True))
        model = chains[better]
        if all(k is None or k in counterpart for k in (*model.segments, model.foot, model.toe)):
            chains[1 - better] = LegBoneChain(
                tuple(counterpart[k] for k in model.segments),
                None if model.foot is None else counterpart[model.foot],
                None if model.toe is None else counterpart[model.toe],
            )
    return chains


def _find_leg(tree: SkeletonTree, bone: int, mate: int) -> LegBoneChain:
    """Return the bones of a leg.

    A leg with a hock is divided at its bends, another one by names, or without names into two
    long segments and a foot.
    """
    shape = find_leg_chain(tree, bone, mate)
    if has_hock(tree, shape) and has_heel_on_ground(tree, shape):
        shape = LegBoneChain(shape.segments[:-1], shape.segments[-1], shape.foot)
    if shape.foot is None or has_hock(tree, shape):
        return shape
    name_count = sum(
        any(is_part_name(tree.skeleton.names[k], part) for part in ("thigh", "shin", "foot"))
        for k in tree.longest_chain(bone, avoid="heel")
    )
    if name_count < 2 and len(shape.segments) >= 2:
        return LegBoneChain(
            (shape.segments[0], find_knee(tree, shape.segments, shape.foot)), shape.foot, shape.toe
        )
    if name_count < 2 or len(tree.longest_chain(bone, avoid="heel")) < 3:
        return shape
    joints = split_leg(tree, bone, mate)
    return LegBoneChain((joints.hip, joints.knee), joints.ankle, joints.toe)


def split_arms(tree: SkeletonTree, arms: tuple[int, ...]) -> tuple[ArmBones, ...]:
    """Return the bones of arms from their topmost bones, with side 0."""
    return tuple(split_arm(tree, k, mate) for k, mate in zip(arms, arms[::-1], strict=True))


def assign_arm_sides(
    tree: SkeletonTree, arms: tuple[int, ...], legs: tuple[LegBones, ...], forward: Array
) -> tuple[ArmBones, ...]:
    """Return the arms with the side of the leg that is on the same side of the body.

    Args:
        arms: topmost bones of two arms, one or none.
        forward: (3,) direction in which the body faces.
    """
    if not arms:
        return ()
    heads = tree.skeleton.heads
    left_leg = next(leg for leg in legs if leg.side > 0)
    right_leg = next(leg for leg in legs if leg.side < 0)
    left = heads[left_leg.hip] - heads[right_leg.hip]
    distance = float(np.linalg.norm(left))
    if distance < COINCIDENT_DISTANCE * tree.extent:
        left = np.cross([0.0, 0.0, 1.0], forward)
    else:
        left = left / distance
    bones = split_arms(tree, arms)
    if len(bones) == 1:
        middle = 0.5 * (heads[left_leg.hip] + heads[right_leg.hip])
        is_left = float((heads[bones[0].elbow] - middle) @ left) > 0
        return (replace(bones[0], side=1 if is_left else -1),)
    first, second = bones
    joints = _find_separate_joints(tree, first, second, left)
    if not is_first_left(tree, (first.bones, second.bones), joints, left):
        first, second = second, first
    return replace(first, side=1), replace(second, side=-1)


def _find_separate_joints(
    tree: SkeletonTree, first: ArmBones, second: ArmBones, left: Array
) -> tuple[int, int]:
    """Return the uppermost joints of two arms that are beside each other; folded arms cross.

    Args:
        left: (3,) direction to the left.
    """
    heads = tree.skeleton.heads
    pairs = [
        (first.shoulder, second.shoulder),
        (first.elbow, second.elbow),
        (first.wrist, second.wrist),
    ]
    is_separate = [
        abs(float((heads[a] - heads[b]) @ left)) > COINCIDENT_DISTANCE * tree.extent
        for a, b in pairs
    ]
    return pairs[is_separate.index(True)] if any(is_separate) else pairs[-1]

"""Positions of the joints of legs and arms at rest, also where some of their bones are missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ..recognition.anatomy import Anatomy, ArmBones, LegBones
from ..recognition.skeleton import Skeleton

Array = NDArray[np.float64]

# Height of the ankle above the sole of a leg of a single bone [hip height]
ANKLE_HEIGHT_SHARE = 0.25
# Length of the forearm of an arm without a hand [distance from the elbow to the end of the arm]
HANDLESS_FOREARM_SHARE = 0.7
# Depth of the end of a toe below the root of the rig from which the toe is set level [height]
MIN_TOE_DEPTH = 0.01


def level_toes(skeleton: Skeleton, anatomy: Anatomy) -> Skeleton:
    """Return a skeleton in which toes without skin that point into the floor are level.

    The end of a last bone is no joint: without skin it does not show that the sole is below the
    floor on which the root of the rig stands. A foot with such toes walked on their tips.
    """
    floor = _find_floor(skeleton, anatomy.root)
    depth = MIN_TOE_DEPTH * skeleton.height
    tails, axes = skeleton.tails.copy(), skeleton.axes.copy()
    for leg in anatomy.legs:
        if leg.toe is None or skeleton.children[leg.toe]:
            continue
        has_skin = any(len(skeleton.skin.get(skeleton.names[k], ())) for k in leg.bones)
        joint, end = skeleton.heads[leg.toe], skeleton.tails[leg.toe]
        if has_skin or not end[2] < floor - depth <= joint[2]:
            continue
        forward = (joint - skeleton.heads[leg.ankle]) * [1.0, 1.0, 0.0]
        turn = so3.rotation_between(end - joint, forward)
        tails[leg.toe] = joint + turn @ (end - joint)
        axes[leg.toe] = turn @ axes[leg.toe]
    return replace(skeleton, tails=tails, axes=axes)


def _find_floor(skeleton: Skeleton, pelvis: int) -> float:
    """Return the height of the first ancestor of the pelvis [m]; -inf where it has none."""
    height = -np.inf
    ancestor = skeleton.parents[pelvis]
    while ancestor >= 0:
        height = float(skeleton.heads[ancestor, 2])
        ancestor = skeleton.parents[ancestor]
    return height


def locate_leg_joints(
    leg: LegBones, skeleton: Skeleton, heads: Array, tails: Array, skin: Mapping[str, Array]
) -> Array:
    """Return the positions of hip, knee and ankle (3, 3) [m].

    The ankle of a leg without a foot is at the end of its last bone. Knee and ankle of a leg of a
    single bone are vertically below the hip.

    Args:
        heads: (n, 3) of the bones, in axes with z up [m].
        tails: (n, 3) [m].
        skin: (m, 3) points that follow a bone, by its name [m].
    """
    if leg.foot is not None and len(leg.segments) > 1:
        return heads[[leg.hip, leg.knee, leg.foot]]
    last = leg.segments[-1]
    points = skin.get(skeleton.names[last], np.zeros((0, 3)))
    if len(leg.segments) > 1:
        return np.stack(
            [heads[leg.hip], heads[leg.knee], _locate_leg_end(heads[last], tails[last], points)]
        )
    hip = heads[leg.hip]
    below = [skeleton.names[k] for k in skeleton.subtree(last)]
    points = np.concatenate([points[:0], *(skin[name] for name in below if name in skin)])
    floor = float(np.quantile(points[:, 2], 0.02)) if len(points) else float(tails[last, 2])
    ankle = np.array([hip[0], hip[1], floor + ANKLE_HEIGHT_SHARE * (hip[2] - floor)])
    return np.stack([hip, 0.5 * (hip + ankle), ankle])


def _locate_leg_end(head: Array, tail: Array, skin: Array) -> Array:
    """Return the end of the last bone of a leg (3,) [m].

    It is the tail, or the end of the skin where the tail is far from it.
    """
    if not len(skin):
        return tail
    lowest_skin = skin[skin[:, 2] <= np.quantile(skin[:, 2], 0.1)].mean(0)
    offset = lowest_skin - head
    return (
        head + 0.9 * offset
        if np.linalg.norm(tail - lowest_skin) > 0.3 * np.linalg.norm(offset)
        else tail
    )


def locate_arm_joints(
    arm: ArmBones, heads: Array, tails: Array, forearm_skin: list[Array]
) -> Array:
    """Return shoulder, elbow and wrist at rest (3, 3) [m].

    An arm without a hand has its wrist before the end of the forearm's skin, or of its bone.

    Args:
        heads: of all bones (n, 3) [m].
        tails: of all bones (n, 3) [m].
        forearm_skin: points of the skin from the elbow outward (m, 3); may be empty [m].
    """
    joints = heads[[arm.shoulder, arm.elbow, arm.wrist]]
    if arm.has_hand:
        return joints
    elbow = joints[1]
    points = (np.concatenate(forearm_skin) if forearm_skin else tails[[arm.elbow]]) - elbow
    direction = points.mean(0) / max(float(np.linalg.norm(points.mean(0))), 1e-9)
    length = HANDLESS_FOREARM_SHARE * float((points @ direction).max())
    return np.stack([joints[0], elbow, elbow + length * direction])

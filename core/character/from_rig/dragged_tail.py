"""Tails that lie on the ground at rest: they trail behind the body just above the ground.

Such a tail that kept its pose relative to the hips would sweep through the ground and to the sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ...terrain import Ground
from ..recognition.anatomy import Anatomy
from ..recognition.skeleton import Skeleton
from .binding import Binding, BonePoses, DraggedTail

Array = NDArray[np.float64]

# Points of a bone at which it is kept above the ground [share of its length]
CLEARED_SHARES = (0.5, 0.75, 1.0)
HEIGHT_ITERATIONS = 3  # the height of a joint and its distance from the one before alternate


@dataclass(frozen=True)
class DraggedTailParameters:
    """Which tails trail, and how: tuned with a rat, which tests/blender/rigs/test_dragged_tail.py
    guards. With a freedom of 1 its joints near the ground kept 7 to 24 % of their place relative to
    the hips.

    Args:
        max_height: greatest height of the lowest point of such a tail at rest [hip height], twice
            `lift`.
        lift: height of a tail over the ground, so that it does not cut edges of a
            mesh between its joints [hip height].
        freedom: how fast joints become free that are lower than the first one; the lowest ones keep
            nothing of the pose relative to the hips.
        max_steepness: greatest sine of the inclination of a bone, so that it keeps a direction to
            be drawn along.
    """

    max_height: float = 0.06
    lift: float = 0.03
    freedom: float = 1.3
    max_steepness: float = 0.95


DRAGGED = DraggedTailParameters()


def bind_dragged_tails(
    binding: Binding,
    skeleton: Skeleton,
    anatomy: Anatomy,
    bound_bones: Mapping[int, int],
    rest_to_root: Array,
) -> Binding:
    """Return a binding that also poses the tails that lie on the ground at rest.

    Args:
        bound_bones: link of each bound bone.
        rest_to_root: (3, 3) from the skeleton's axes to the frame of the root link.
    """
    floor = min(_find_bottom(skeleton, leg.segments[-1]) for leg in anatomy.legs)
    hip_height = float(np.mean([skeleton.heads[leg.hip, 2] for leg in anatomy.legs])) - floor
    tails = [
        tail
        for tail in anatomy.tails
        if len(tail) > 1
        and not set(tail) & set(bound_bones)
        and _find_bottom(skeleton, tail[0]) - floor < DRAGGED.max_height * hip_height
    ]
    for tail in tails:
        joints = np.concatenate([skeleton.heads[list(tail)], _find_tip(skeleton, tail[-1])[None]])
        root = skeleton.heads[anatomy.root]
        dragged = DraggedTail(
            tuple(skeleton.names[k] for k in tail),
            (joints - root) @ rest_to_root.T + binding.root_offset,
            joints[:, 2] - floor + DRAGGED.lift * hip_height,
        )
        binding = replace(
            binding,
            bones=(*binding.bones, *dragged.bones),
            link_index=np.append(binding.link_index, np.zeros(len(tail), np.int64)),
            toe_leg=np.append(binding.toe_leg, np.full(len(tail), -1)),
            rotation=np.concatenate([binding.rotation, rest_to_root @ skeleton.axes[list(tail)]]),
            dragged_tails=(*binding.dragged_tails, dragged),
        )
    return binding


def _find_bottom(skeleton: Skeleton, bone: int) -> float:
    """Return the height of the lowest skin of a bone and its descendants, or of their heads [m]."""
    bones = skeleton.subtree(bone)
    names = [skeleton.names[k] for k in bones]
    skin = [float(skeleton.skin[name][:, 2].min()) for name in names if name in skeleton.skin]
    return min(skin, default=float(skeleton.heads[bones, 2].min()))


def _find_tip(skeleton: Skeleton, bone: int) -> Array:
    """Return the end of the last bone of a tail (3,) [m].

    Importers set arbitrary tails of such bones, so it is where the skin ends.
    """
    head = skeleton.heads[bone]
    along = skeleton.heads[bone] - skeleton.heads[skeleton.parents[bone]]
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    skin = skeleton.skin.get(skeleton.names[bone])
    if skin is None:
        return skeleton.tails[bone]
    return np.asarray(head + max(float(((skin - head) @ along).max()), 1e-6) * along)


def drag_tails(
    poses: BonePoses, binding: Binding, origin: Array, orientation: Array, ground: Ground
) -> BonePoses:
    """Return poses of bones in which dragged tails follow the body over the ground.

    Args:
        origin: (n, 3) of the root link [m].
        orientation: (n, 4) of the root link.
    """
    joints = trail_tails(binding, origin, orientation, ground=ground)
    return place_tails(poses, binding, origin, orientation=orientation, joints=joints)


def trail_tails(
    binding: Binding,
    origin: Array,
    orientation: Array,
    ground: Ground,
    initial: Sequence[Array] = (),
) -> list[Array]:
    """Return the joints of dragged tails over time, (n, k, 3) by tail [m].

    Each joint is drawn along by the one before, as of a rope; the higher it is at rest, the more
    it keeps its place relative to the hips.

    Args:
        origin: (n, 3) of the root link [m].
        orientation: (n, 4) of the root link.
        initial: joints before the first frame (k, 3) by tail [m]; empty for tails that begin in
            their pose relative to the hips.
    """
    rotation = so3.quat_to_matrix(orientation)
    before: Sequence[Array | None] = initial or [None] * len(binding.dragged_tails)
    return [
        _trail(tail, _place_rigidly(tail, origin, rotation), ground, initial=joints)
        for tail, joints in zip(binding.dragged_tails, before, strict=True)
    ]


def place_tails(
    poses: BonePoses,
    binding: Binding,
    origin: Array,
    orientation: Array,
    joints: Sequence[Array],
) -> BonePoses:
    """Return poses of bones in which dragged tails have some joints.

    Args:
        origin: (n, 3) of the root link [m].
        orientation: (n, 4) of the root link.
        joints: joints by tail (n, k, 3) [m], as `trail_tails` returns them.
    """
    if not binding.dragged_tails:
        return poses
    rotation = so3.quat_to_matrix(orientation)
    bone_orientation = so3.quat_to_matrix(poses.orientation)
    for tail, tail_joints in zip(binding.dragged_tails, joints, strict=True):
        before = np.diff(_place_rigidly(tail, origin, rotation), axis=1)
        after = np.diff(tail_joints, axis=1)
        for k, name in enumerate(tail.bones):
            bone = poses.names.index(name)
            turn = so3.rotations_between(before[:, k], after[:, k])
            bone_orientation[:, bone] = turn @ bone_orientation[:, bone]
    quaternions = so3.quat_unwrap(so3.quat_from_matrix(bone_orientation))
    return replace(poses, orientation=quaternions)


def _place_rigidly(tail: DraggedTail, origin: Array, rotation: Array) -> Array:
    """Return the joints of a tail that keeps its pose relative to the hips (n, k, 3) [m]."""
    return np.asarray(origin[:, None] + np.einsum("nij,kj->nki", rotation, tail.joints))


def _trail(tail: DraggedTail, rigid: Array, ground: Ground, initial: Array | None) -> Array:
    """Return the joints of a tail over time (n, k, 3).

    Args:
        rigid: (n, k, 3) the joints if the tail kept its pose relative to the hips [m].
        initial: (k, 3) the joints before the first frame [m]; None for those of `rigid`.
    """
    joints = rigid.copy()
    lengths = np.linalg.norm(np.diff(tail.joints, axis=0), axis=1)
    freedom = np.clip(DRAGGED.freedom * (1 - tail.heights / tail.heights[0]), 0.0, 1.0)
    before = rigid[0] if initial is None else initial
    for frame in range(len(rigid)):
        for k in range(1, len(lengths) + 1):
            start = joints[frame, k - 1]
            drawn = _draw(
                start, before[k], float(lengths[k - 1]), tail.heights[k - 1 : k + 1], ground
            )
            along = (1 - freedom[k]) * (rigid[frame, k] - start) + freedom[k] * (drawn - start)
            joints[frame, k] = start + along * (lengths[k - 1] / np.linalg.norm(along))
        before = joints[frame]
    return joints


def _draw(start: Array, joint: Array, length: float, heights: Array, ground: Ground) -> Array:
    """Return where a joint comes that is drawn along over the ground (3,).

    Args:
        start: the joint before (3,) [m].
        joint: the joint in the frame before (3,) [m].
        length: distance of both [m].
        heights: of both over the ground at rest (2,) [m].
    """
    direction = joint[:2] - start[:2]
    direction = direction / max(float(np.linalg.norm(direction)), 1e-9)
    reach = length
    rise = 0.0
    for _ in range(HEIGHT_ITERATIONS):
        shares = np.array(CLEARED_SHARES)
        points = start[:2] + reach * shares[:, None] * direction
        least = ground.sample_heights(points) + np.minimum(
            heights[1], heights[0] + shares * (heights[1] - heights[0])
        )
        rises = (np.where(np.isfinite(least), least, -np.inf) - start[2]) / shares
        limit = DRAGGED.max_steepness * length
        rise = float(np.clip(rises.max(), -limit, limit))
        reach = float(np.sqrt(length**2 - rise**2))
    return np.asarray([*(start[:2] + reach * direction), start[2] + rise])

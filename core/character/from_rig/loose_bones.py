"""Bones with skin that hang on no part of the body, and the parts that move them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from ..recognition.skeleton import Skeleton

Array = NDArray[np.float64]

# Points of the body as near as the nearest one, within this distance, decide by majority which
# part carries a bone [skeleton height]
SIMILAR_DISTANCE = 0.01


def find_loose_bones(skeleton: Skeleton, bound_bones: Mapping[int, int]) -> dict[int, int]:
    """Return the bones with skin that no bound bone moves, each with the nearest bound bone.

    Such bones, as of props and feet that a rig moves separately, would stay where they are at rest.
    A descendant of such a bone follows it and is omitted. Ancestors of the root bone are omitted as
    well, since they carry the body. A rig with controls has no such bones: its controls move
    all deform bones.

    Args:
        bound_bones: link of each bound bone, the root bone first.
    """
    if skeleton.deform_bones:
        return {}
    moving_bone = find_moving_bones(skeleton, bound_bones)
    root_ancestors = set(_ancestors(skeleton, next(iter(bound_bones))))
    skinned = [k for k, name in enumerate(skeleton.names) if name in skeleton.skin]
    stray = [k for k in skinned if moving_bone[k] < 0 and k not in root_ancestors]
    topmost = [k for k in stray if not set(_ancestors(skeleton, k)) & set(stray)]
    carriers = [k for k in skinned if moving_bone[k] >= 0]
    if not topmost:
        return {}
    if carriers:
        points = np.concatenate([skeleton.skin[skeleton.names[k]] for k in carriers])
        owners = np.concatenate(
            [np.full(len(skeleton.skin[skeleton.names[k]]), moving_bone[k]) for k in carriers]
        )
    else:
        owners = np.array(list(bound_bones))
        points = skeleton.heads[owners]
    tree = cKDTree(points)
    max_distance = SIMILAR_DISTANCE * skeleton.height
    out = {}
    for bone in topmost:
        distance, index = tree.query(skeleton.skin[skeleton.names[bone]])
        nearest = owners[index[distance <= distance.min() + max_distance]]
        bones, counts = np.unique(nearest, return_counts=True)
        out[bone] = int(bones[np.argmax(counts)])
    return out


def find_unmoved_ancestors(skeleton: Skeleton, root_bone: int) -> list[int]:
    """Return the ancestors of the root bone that carry skin, which stay where they are."""
    return [k for k in _ancestors(skeleton, root_bone) if skeleton.names[k] in skeleton.skin]


def find_moving_bones(skeleton: Skeleton, bound_bones: Mapping[int, int]) -> list[int]:
    """Return for each bone the bound bone that it moves with; -1 for none."""
    out: list[int] = []
    for bone, parent in enumerate(skeleton.parents):
        follows_parent = parent >= 0 and skeleton.names[bone] not in skeleton.separate_bones
        out.append(bone if bone in bound_bones else out[parent] if follows_parent else -1)
    return out


def _ancestors(skeleton: Skeleton, bone: int) -> list[int]:
    """Return the ancestors of a bone, upward."""
    out = []
    while (bone := skeleton.parents[bone]) >= 0:
        out.append(bone)
    return out

"""The counterpart of a bone on the other side of a body, by name or else by position."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from .names import side_from_name, strip_side
from .skeleton import Skeleton

Array = NDArray[np.float64]

# Greatest distance of the counterpart from the mirrored position [skeleton height]
MAX_MIRROR_DISTANCE = 0.06


def find_mirrored_bone(skeleton: Skeleton, bone: str, midline_bones: list[str]) -> str:
    """Return the name of the counterpart of a bone on the other side.

    Args:
        midline_bones: names of bones in the middle of the body,
            such as pelvis and spine; may be empty.

    Raises:
        CharacterError: there is none; the message names the bone.
    """
    k = skeleton.names.index(bone)
    side = side_from_name(bone)
    if side:
        alike = [
            j
            for j, name in enumerate(skeleton.names)
            if side_from_name(name) == -side and strip_side(name) == strip_side(bone)
        ]
        if alike:
            return skeleton.names[alike[0]]
    center = (
        np.mean([skeleton.heads[skeleton.names.index(m)] for m in midline_bones], axis=0)
        if midline_bones
        else skeleton.heads.mean(0)
    )
    normal = find_mirror_normal(skeleton, center)
    distance = np.linalg.norm(
        skeleton.heads - _reflect(skeleton.heads[k], center, normal), axis=1
    ) + 0.1 * np.linalg.norm(skeleton.tails - _reflect(skeleton.tails[k], center, normal), axis=1)
    distance[k] = np.inf
    nearest = int(np.argmin(distance))
    if distance[nearest] > MAX_MIRROR_DISTANCE * max(skeleton.height, 1e-9):
        raise CharacterError(
            f"{bone!r} has no counterpart on the other side, by name or position; choose it "
            "by hand."
        )
    return skeleton.names[nearest]


def find_mirror_normal(skeleton: Skeleton, center: Array) -> Array:
    """Return the horizontal normal (3,) of the plane of symmetry through `center` (3,)."""
    offsets = skeleton.heads - center

    def misfit(angle: float) -> float:
        images = _reflect(offsets, np.zeros(3), _level_direction(angle))
        return float(np.mean([np.linalg.norm(offsets - image, axis=1).min() for image in images]))

    coarse = min(np.radians(np.arange(0, 180, 6)), key=misfit)
    return _level_direction(min(coarse + np.radians(np.arange(-6, 6.1, 0.5)), key=misfit))


def _level_direction(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def _reflect(points: Array, center: Array, normal: Array) -> Array:
    return points - 2 * ((points - center) @ normal)[..., None] * normal

"""The bone of the other side that is like a given one: by its name, else by its place."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from .names import side_of, without_side
from .skeleton import Skeleton

Array = NDArray[np.float64]

NEAR = 0.06               # of the skeleton's height: how far from the mirrored place the like bone may be


def mirrored_bone(skeleton: Skeleton, bone: str, middle: list[str]) -> str:
    """Name of the bone that is to the other side what a bone is to its own.

    Args:
        middle: names of bones in the middle of the body, such as pelvis and spine; may be empty.

    Raises:
        CharacterError: there is none; the message names the bone.
    """
    k = skeleton.names.index(bone)
    side = side_of(bone)
    if side:
        alike = [j for j, name in enumerate(skeleton.names) if side_of(name) == -side and without_side(name) == without_side(bone)]
        if alike:
            return skeleton.names[alike[0]]
    centre = np.mean([skeleton.heads[skeleton.names.index(m)] for m in middle], axis=0) if middle else skeleton.heads.mean(0)
    normal = middle_normal(skeleton, centre)
    away = (np.linalg.norm(skeleton.heads - _image(skeleton.heads[k], centre, normal), axis=1)
            + 0.1 * np.linalg.norm(skeleton.tails - _image(skeleton.tails[k], centre, normal), axis=1))
    away[k] = np.inf
    found = int(np.argmin(away))
    if away[found] > NEAR * max(skeleton.height, 1e-9):
        raise CharacterError(f"No bone of the other side is like {bone!r}, by name or by place; choose it by hand.")
    return skeleton.names[found]


def middle_normal(skeleton: Skeleton, centre: Array) -> Array:
    """Level direction across which the bones' heads have a twin, about a point in the middle. (3,)."""
    offsets = skeleton.heads - centre

    def misfit(angle: float) -> float:
        images = _image(offsets, np.zeros(3), _level(angle))
        return float(np.mean([np.linalg.norm(offsets - image, axis=1).min() for image in images]))

    rough = min(np.radians(np.arange(0, 180, 6)), key=misfit)
    return _level(min(rough + np.radians(np.arange(-6, 6.1, 0.5)), key=misfit))


def _level(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def _image(points: Array, centre: Array, normal: Array) -> Array:
    return points - 2 * ((points - centre) @ normal)[..., None] * normal

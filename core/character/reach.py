"""How far legs reach when they are stretched."""
from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize

from ..geometry import so3
from .character import Character, Limb

Array = NDArray[np.float64]
Numbers = tuple[float, ...]
Bone = tuple[Numbers, tuple[Numbers, ...]]
"""A link's offset from its parent's joint, m, and the axes of its own hinges."""

BENT = 0.3            # rad that every hinge is turned by, either way, to begin a search beside the neutral pose


def foot_hold(character: Character, leg: Limb) -> Array:
    """The point that a step places, in the frame of the foot's link, (3,): a sole's ankle, a round foot's middle.

    A sole is placed with its direction, so its ankle is where the leg ends; a round foot may be turned any way.
    """
    foot = leg.foot
    assert foot is not None
    return foot.middle if foot.is_point else np.zeros(3)


def stretched(character: Character, leg: Limb) -> tuple[float, Array]:
    """A leg's greatest distance from hip joint to `foot_hold` within its ranges, m, and the inner hinges' angles there, rad."""
    inner = [character.links[number] for number in leg.links[1:]]
    bones = tuple((_numbers(link.offset), tuple(_numbers(axis) for axis in link.joint.axes)) for link in inner)
    ranges = tuple((float(low), float(high)) for link in inner for low, high in link.joint.ranges)
    reach, angles = _stretched(bones, ranges, _numbers(foot_hold(character, leg)))
    return reach, np.array(angles)


def reaches(character: Character) -> tuple[float, ...]:
    """Each leg's greatest distance from hip joint to `foot_hold`, metres, in the order of the legs."""
    return tuple(stretched(character, leg)[0] for leg in character.legs)


def _numbers(values: ArrayLike) -> Numbers:
    return tuple(float(v) for v in np.asarray(values))


@lru_cache(maxsize=256)
def _stretched(bones: tuple[Bone, ...], ranges: tuple[tuple[float, float], ...], hold: Numbers) -> tuple[float, Numbers]:
    """Of a leg given by numbers alone, which are remembered: the same body is asked for time and again."""
    if not ranges:
        return float(np.linalg.norm(_hold_from(bones, hold, np.zeros(0))[0])), ()

    def shortness(angles: Array) -> tuple[float, Array]:
        at, slopes = _hold_from(bones, hold, angles)
        length = max(float(np.linalg.norm(at)), 1e-9)
        return -length, -(slopes @ at) / length

    low, high = np.array(ranges).T
    found = []
    for start in (0.0, BENT, -BENT):             # a leg that stands straight, or folded, is at a turning point of its length
        found.append(minimize(shortness, np.clip(np.full(len(ranges), start), low, high), jac=True, bounds=ranges))
    best = min(found, key=lambda f: f.fun)
    return -float(best.fun), _numbers(best.x)


def _hold_from(bones: tuple[Bone, ...], hold: Numbers, angles: Array) -> tuple[Array, Array]:
    """Place of the `foot_hold` from the hip joint, (3,), and how it moves with each angle, (hinges, 3).

    Args:
        angles: of all hinges after the hip's, outward, rad. The hip and balls stay as in the neutral pose.
    """
    rotation, at, about, places = np.eye(3), np.zeros(3), [], []
    for offset, axes in bones:
        at = at + rotation @ np.array(offset)
        for axis in axes:
            own = np.array(axis) / np.linalg.norm(axis)
            about.append(rotation @ own)
            places.append(at)
            rotation = rotation @ so3.exp(angles[len(about) - 1] * own)
    at = at + rotation @ np.array(hold)
    return at, np.cross(about, at - np.array(places)) if about else np.zeros((0, 3))

"""How far legs reach when they are stretched."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .. import so3
from .character import Character, Limb

Array = NDArray[np.float64]

BENT = 0.3            # rad that every hinge is turned by, either way, to begin a search beside the neutral pose


def foot_hold(character: Character, leg: Limb) -> Array:
    """The point that a step places, in the frame of the foot's link, (3,): a sole's ankle, a round foot's middle.

    A sole is placed with its direction, so its ankle is where the leg ends; a round foot may be turned any way.
    """
    foot = leg.foot
    assert foot is not None
    return foot.middle if foot.is_point else np.zeros(3)


def hold_from(character: Character, leg: Limb, angles: Array) -> Array:
    """Place of the `foot_hold` from the hip joint with the leg's inner hinges at angles. (3,).

    Args:
        angles: of all hinges after the hip's, outward, rad. The hip and balls stay as in the neutral pose.
    """
    rotation, at, k = np.eye(3), np.zeros(3), 0
    for number in leg.links[1:]:
        link = character.links[number]
        at = at + rotation @ np.asarray(link.offset)
        for axis in link.joint.axes:
            rotation = rotation @ so3.exp(angles[k] * np.asarray(axis) / np.linalg.norm(axis))
            k += 1
    return at + rotation @ foot_hold(character, leg)


def stretched(character: Character, leg: Limb) -> tuple[float, Array]:
    """A leg's greatest distance from hip joint to `foot_hold` within its ranges, m, and the inner hinges' angles there, rad."""
    ranges = [r for number in leg.links[1:] for r in character.links[number].joint.ranges]
    if not ranges:
        return float(np.linalg.norm(hold_from(character, leg, np.zeros(0)))), np.zeros(0)
    low, high = np.array(ranges).T
    found = []
    for start in (0.0, BENT, -BENT):             # a leg that stands straight, or folded, is at a turning point of its length
        begin = np.clip(np.full(len(ranges), start), low, high)
        found.append(minimize(lambda q: -float(np.linalg.norm(hold_from(character, leg, q))), begin, bounds=ranges))
    best = min(found, key=lambda f: f.fun)
    return -float(best.fun), np.asarray(best.x)


def reaches(character: Character) -> tuple[float, ...]:
    """Each leg's greatest distance from hip joint to `foot_hold`, metres, in the order of the legs."""
    return tuple(stretched(character, leg)[0] for leg in character.legs)

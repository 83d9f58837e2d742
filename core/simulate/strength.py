"""How strong a body's joints are and how far its balls turn,
by the part of the body that they move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JointStrength:
    """Of one joint: the largest torque about x, y and z in body weights times leg lengths,
    and how far a ball turns, rad.
    """

    torque: tuple[float, float, float]
    max_turn: float


# A strong adult: peak isokinetic torques of 3-5 Nm a kilogram at hip and knee, 2.5-4 at the ankle,
# as a share of weight times leg
HIP = JointStrength((0.47, 0.55, 0.32), 2.3)
KNEE = JointStrength((0.63, 0.63, 0.63), np.pi)
ANKLE = JointStrength((0.19, 0.47, 0.19), np.pi)
TRUNK = JointStrength((0.47, 0.47, 0.39), 1.0)
NECK = JointStrength((0.10, 0.10, 0.10), 1.2)
SHOULDER = JointStrength((0.19, 0.19, 0.19), 3.0)
ELBOW = JointStrength((0.13, 0.13, 0.13), np.pi)
TAIL = JointStrength((0.08, 0.08, 0.08), 1.2)
TOE = 0.10  # of the toes' one hinge


def assign_joint_strengths(character: Character) -> tuple[JointStrength, ...]:
    """Of the joint on which each link hangs, in the order of the links;
    the root's means nothing.
    """
    strengths = [TRUNK] * len(character.links)
    for group, strength in (
        (character.trunk, TRUNK),
        (character.neck, NECK),
        (character.tail, TAIL),
    ):
        for link in group:
            strengths[link] = strength
    if character.head is not None:
        strengths[character.head] = NECK
    for limb in character.limbs:
        first, inner, last = (HIP, KNEE, ANKLE) if limb.kind == "leg" else (SHOULDER, ELBOW, ELBOW)
        for link in limb.links:
            strengths[link] = inner
        strengths[limb.links[-1]] = last
        strengths[limb.links[0]] = first
    return tuple(strengths)


def compute_torque_unit(character: Character) -> float:
    """Body weight times leg length, Nm."""
    return character.mass * 9.81 * character.leg_length

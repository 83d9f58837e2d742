"""Joint torque limits, and ranges of ball joints, by body part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..geometry.units import STANDARD_GRAVITY

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JointStrength:
    """Limits of one joint."""

    # Largest torque about x, y and z, over weight times leg length
    torque: tuple[float, float, float]
    max_turn: float  # [rad] range of a ball joint


# A strong adult: peak isokinetic torques of 3-5 Nm/kg at hip and knee and 2.5-4 Nm/kg at the ankle,
# over weight times leg length
HIP = JointStrength((0.47, 0.55, 0.32), 2.3)
KNEE = JointStrength((0.63, 0.63, 0.63), np.pi)
ANKLE = JointStrength((0.19, 0.47, 0.19), np.pi)
TRUNK = JointStrength((0.47, 0.47, 0.39), 1.0)
NECK = JointStrength((0.10, 0.10, 0.10), 1.2)
SHOULDER = JointStrength((0.19, 0.19, 0.19), 3.0)
ELBOW = JointStrength((0.13, 0.13, 0.13), np.pi)
TAIL = JointStrength((0.08, 0.08, 0.08), 1.2)
# Largest torque of the toes' hinge, over weight times leg length
TOE = 0.10


def assign_joint_strengths(character: Character) -> tuple[JointStrength, ...]:
    """Return the limits of the joint of each link, in the order of the links.

    The entry of the root has no meaning.
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
    """Return the unit of torque limits: body weight times leg length [Nm]."""
    return character.mass * STANDARD_GRAVITY * character.leg_length

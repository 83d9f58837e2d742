"""How much each wish of the full body counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BodyWeights:
    """Weights of the terms of equation 23 and of what was added to it;
    angles in radians, places in metres.

    Posture weighs the difference from the style's pose; the same weights times `smooth` squared (s)
    weigh the difference of velocities, so that a joint that may stray may also stray fast.
    """

    com: float = 1e7
    momentum: float = 1.6  # of I^-1 (A v - L), rad/s
    leak: float = 0.3  # s over which a lasting difference from the plan's momentum is forgiven
    configuration: float = 1.0  # of I^-1 A (x - reference), rad: the second term of equation 23
    swing_place: float = 3e3  # at the ends of a swing
    # half-way, level: there a leg may give way to the momentum, rather than the trunk
    swing_along_middle: float = 15.0
    swing_height_middle: float = 300.0
    swing_turn: float = 30.0
    hand_middle: float = 30.0  # of a hand's place, half-way between two holds
    # of a foot that comes down over its heel: its ball must not dip into the ground
    heel_turn: float = 200.0
    ball_turn: float = 40.0  # of one that leaves over its ball, once its heel is up
    # the same while its heel is near the ground, which it must not enter
    ball_turn_low: float = 60.0
    ball_low: float = float(np.radians(6))  # pitch up to which that is so
    smooth: float = 0.032
    pelvis: float = 6.0
    trunk: float = 3.0
    head: float = 3.0
    arm: float = 0.6
    leg: float = 0.03
    knee: float = 0.03
    # off the style, from which on a leg's joints pull no harder
    leg_yields: float = float(np.radians(8))
    leg_twist: float = 0.1
    other_leg: float = 0.1  # of one of another build than people's
    ankle: float = 0.05
    ankle_roll: float = 0.3
    soft_knee: float = 20.0  # below `soft_knee_from`
    soft_knee_from: float = float(np.radians(7))
    stiff_knee: float = 3e3  # below `stiff_knee_from`
    stiff_knee_from: float = float(np.radians(2))
    soft_elbow: float = 0.3  # of an arm that may hold, below `soft_elbow_from`
    soft_elbow_from: float = float(np.radians(14))
    stiff_elbow: float = 300.0  # below `stiff_elbow_from`: a straight arm cannot follow its body
    stiff_elbow_from: float = float(np.radians(5))
    limit: float = 100.0  # beyond the range of any other hinge
    damping: float = 1e-3


STEPPING_BODY_WEIGHTS = BodyWeights(
    heel_turn=80.0,
    ball_turn=10.0,
    smooth=0.048,
    leg=0.15,
    knee=0.6,
    soft_knee_from=float(np.radians(4)),
)
"""Of bodies that step as people do: their legs are as much of a style as their arms. A rising heel
gives way before the knee does, since a degree of the foot is worth five of a straight knee."""


def find_leg_dofs(model: KinematicModel) -> NDArray[np.bool_]:
    """Return which degrees of freedom are of legs. (nv,)."""
    is_leg_dof = np.zeros(model.nv, bool)
    for leg in model.character.legs:
        for link in leg.links:
            is_leg_dof[model.joint_dofs(model.character.links[link].joint.name)] = True
    return is_leg_dof


def compute_posture_weights(model: KinematicModel, w: BodyWeights) -> Array:
    """Weight of each degree of freedom against its reference. (nv,)."""
    character = model.character
    dof_weights = np.full(model.nv, w.trunk)
    dof_weights[:3] = 0.0
    dof_weights[3:6] = w.pelvis
    for link in character.trunk:
        dof_weights[model.joint_dofs(character.links[link].joint.name)] = w.trunk
    if character.head is not None:
        dof_weights[model.joint_dofs(character.links[character.head].joint.name)] = w.head
    for link in (*character.neck, *character.tail):
        dof_weights[model.joint_dofs(character.links[link].joint.name)] = w.head
    for leg in character.legs:
        if leg.foot is not None and (leg.foot.is_point or len(leg.links) != 3):
            for link in leg.links:
                dof_weights[model.joint_dofs(character.links[link].joint.name)] = w.other_leg
            continue
        hip, *middle, ankle = (
            model.joint_dofs(character.links[link].joint.name) for link in leg.links
        )
        dof_weights[hip] = w.leg
        dof_weights[hip[2:]] = w.leg_twist
        for joint in middle:
            dof_weights[joint] = w.knee
        dof_weights[ankle] = w.ankle_roll
        dof_weights[ankle[0]] = w.ankle
    for arm in character.arms:
        for link in arm.links:
            dof_weights[model.joint_dofs(character.links[link].joint.name)] = w.arm
    return dof_weights

"""Weights of the terms of the full body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BodyWeights:
    """Weights of the terms of Kwon et al. 2020, equation 23, and of additional ones.

    Weights are of squares of distances [m], angles [rad] and angular velocities [rad/s]. Weights of
    posture apply to differences from the pose of the style. The same weights times the square of
    `smooth` apply to differences of velocities, so a joint that may deviate may also do so fast.

    Effects of half and twice of each: docs/dev/parameters.csv. Center of mass and contacts are
    exact, momentum is followed closely, and posture yields: with half of `momentum` the angular
    residual of a run is 0.010 instead of 0.006.
    """

    # Position of the center of mass
    com: float = 1e7
    # Angular momentum: I^-1 (A v - L)
    momentum: float = 1.6
    # Time constant of the high-pass filter of the difference from the planned momentum [s]
    leak: float = 0.3
    # Rotation of the whole body: I^-1 A (x - reference), the second term of equation 23
    configuration: float = 1.0
    # Position of a swinging foot, or of a hand, at the ends of its swing
    swing_place: float = 3e3
    # Horizontal position of a swinging foot in mid-swing. There the leg, rather than the trunk, may
    # deviate for the momentum.
    swing_along_middle: float = 15.0
    # Height of a swinging foot in mid-swing
    swing_height_middle: float = 300.0
    # Rotation of a swinging foot
    swing_turn: float = 30.0
    # Position of a hand midway between two grips
    hand_middle: float = 30.0
    # Rotation of a foot on its heel, whose ball must not enter the ground
    heel_turn: float = 200.0
    # Rotation of a foot on its ball with a high heel
    ball_turn: float = 40.0
    # Rotation of a foot on its ball with a low heel, which must not enter the ground
    ball_turn_low: float = 60.0
    # Pitch of the foot above which the heel is high [rad]
    ball_low: float = float(np.radians(6))
    # Time that relates velocities to posture [s]
    smooth: float = 0.032
    # Posture of the joints
    pelvis: float = 6.0
    trunk: float = 3.0
    head: float = 3.0
    arm: float = 0.6
    leg: float = 0.03  # Flexion and abduction of the hip of a human leg
    knee: float = 0.03
    # Angle from the style above which the joints of a leg pull with constant strength [rad]
    leg_yield_angle: float = float(np.radians(8))
    leg_twist: float = 0.1  # Rotation of the thigh about its axis
    other_leg: float = 0.1  # Joints of a leg that is not built like a human one
    ankle: float = 0.05  # Flexion of the ankle
    ankle_roll: float = 0.3  # Other degrees of freedom of the ankle
    # Weight of a knee angle below `soft_knee_from` [rad]
    soft_knee: float = 20.0
    soft_knee_from: float = float(np.radians(7))
    # Weight of a knee angle below `stiff_knee_from` [rad]
    stiff_knee: float = 3e3
    stiff_knee_from: float = float(np.radians(2))
    # Weight of an elbow angle below `soft_elbow_from` [rad], of an arm that may hold on
    soft_elbow: float = 0.3
    soft_elbow_from: float = float(np.radians(14))
    # Weight of an elbow angle below `stiff_elbow_from` [rad], as a straight arm cannot follow its
    # body
    stiff_elbow: float = 300.0
    stiff_elbow_from: float = float(np.radians(5))
    # Weight of an angle beyond the range of any other hinge
    limit: float = 100.0
    # Change of the pose in one step. Numerical: half or twice of it moves links by 4 micrometers
    damping: float = 1e-3


STEPPING_BODY_WEIGHTS = BodyWeights(
    heel_turn=80.0,
    ball_turn=10.0,
    smooth=0.048,
    leg=0.15,
    knee=0.6,
    soft_knee_from=float(np.radians(4)),
)
"""Weights of bodies that walk like humans, whose legs follow the style as closely as their arms.

A heel that rises deviates before the knee does, since one degree of the foot has the effect of five
degrees of a straight knee.
"""


def find_leg_dofs(model: KinematicModel) -> NDArray[np.bool_]:
    """Return which degrees of freedom are those of legs, shape (nv,)."""
    is_leg_dof = np.zeros(model.nv, bool)
    for leg in model.character.legs:
        for link in leg.links:
            is_leg_dof[model.joint_dofs(model.character.links[link].joint.name)] = True
    return is_leg_dof


def compute_posture_weights(model: KinematicModel, w: BodyWeights) -> Array:
    """Return the weight of the posture of each degree of freedom, shape (nv,)."""
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

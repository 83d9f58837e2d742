"""Weights and gains of the controller's objectives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gains:
    """Weights of the squares of accelerations that are missed, m/s^2 and rad/s^2, and stiffness of
    their set points, 1/s^2.

    Those of the published controller are not told; these were found with ours.
    Set points are critically damped.
    """

    com: float = 100.0
    momentum: float = 0.02
    momentum_rate: float = 5.0  # 1/s by which angular momentum is to fade
    heading: float = 3.0  # of the pelvis about the vertical
    tilt: float = 2.0  # of the pelvis about the others
    chest: float = 2.0
    head: float = 0.6
    upright: float = 200.0  # stiffness of pelvis, chest and head
    hip: float = 1.0
    hip_stiffness: float = 100.0
    rest: float = 0.02
    rest_legs: float = 0.002  # of the legs' joints, which have enough to do
    rest_stiffness: float = 150.0
    toe: float = 1.0
    toe_stiffness: float = 400.0
    stance: float = 200.0
    stance_turn: float = 20.0
    stance_rate: float = 60.0  # 1/s by which a standing foot's velocity is to fade
    contact_seek_speed: float = 0.15  # m/s downward of a standing foot that bears nothing
    roll: float = 0.1  # of the pitch of a foot whose heel may rise
    roll_stiffness: float = 50.0
    swing: float = 10.0
    landing: float = 200.0  # of its height, where it is to come down now
    clearing: float = 100.0  # of its height, where it is too low and is to rise first
    swing_turn: float = 1.0
    swing_stiffness: float = 300.0  # of the foot's orientation
    trailing_foot: float = 5.0  # of a foot in the air that is not to come down yet
    arm_avoidance: float = 0.3  # of arms that would pass through something
    arm_avoidance_stiffness: float = 900.0
    friction: float = 0.9
    force: float = 1e-6  # of a force in newtons


# Legs swing so hard in a run that a trunk which is held as in a walk takes the force that
# is to drive the body on
RUNNING_GAINS = Gains(chest=0.7, tilt=0.7, head=0.4)
# Who has to catch himself throws his arms about, their joints loose
RECOVERY_GAINS = Gains(momentum=0.1, rest=0.01, arm_avoidance=2.0)

"""Weights and gains of the controller's objectives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gains:
    """Weights of squared acceleration errors, and gains of their set points.

    Errors are in m/s^2 and rad/s^2. `*_stiffness` [1/s^2] belongs to a critically damped set point,
    `*_rate` [1/s] to an exponential decay. The paper does not publish its values; these are tuned
    for this body model and simulation.
    """

    com: float = 100.0  # E_com
    momentum: float = 0.02  # E_AM
    momentum_rate: float = 5.0
    heading: float = 3.0  # E_heading: rotation of the pelvis about the vertical
    tilt: float = 2.0  # rotation of the pelvis about horizontal axes
    chest: float = 2.0  # rotation of the chest
    head: float = 0.6  # E_head: rotation of the head
    upright: float = 200.0  # [1/s^2] stiffness of the rotation of pelvis, chest and head
    hip: float = 1.0  # E_hip: position of the hips relative to the CoM
    hip_stiffness: float = 100.0
    rest: float = 0.02  # E_rest: joint angles
    rest_legs: float = 0.002  # E_rest of the leg joints, which other objectives determine
    rest_stiffness: float = 150.0
    toe: float = 1.0  # E_rest of the toes
    toe_stiffness: float = 400.0
    stance: float = 200.0  # E_contact: position of a standing foot
    stance_turn: float = 20.0  # E_contact: rotation of a standing foot
    stance_rate: float = 60.0
    # [m/s] downward speed of a standing foot that is unloaded
    contact_seek_speed: float = 0.15
    roll: float = 0.1  # pitch of a foot whose heel may rise
    roll_stiffness: float = 50.0
    swing: float = 10.0  # E_swing: position of a swinging foot
    landing: float = 200.0  # height of a swinging foot during its descent
    clearing: float = 100.0  # height of a swinging foot that is too low and must rise first
    swing_turn: float = 1.0  # rotation of a swinging foot
    swing_stiffness: float = 300.0  # of the rotation of a swinging foot
    trailing_foot: float = 5.0  # position of a foot in the air without a target
    arm_avoidance: float = 0.3  # arms that would penetrate another link
    arm_avoidance_stiffness: float = 900.0
    friction: float = 0.9  # share of the coefficient of friction that the controller uses
    force: float = 1e-6  # [1/N^2] squared contact forces


# Gains of runs. A trunk held as firmly as in a walk absorbs the horizontal force of the swinging
# legs, which must propel the body instead
RUNNING_GAINS = Gains(chest=0.7, tilt=0.7, head=0.4)
# Gains of a body that recovers its balance: angular momentum counts more than poses, so that the
# arms swing freely
RECOVERY_GAINS = Gains(momentum=0.1, rest=0.01, arm_avoidance=2.0)

"""Reference of the controller at one instant, and the weights and gains that track it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Gains:
    """Weights of squared acceleration errors, and gains of their set points.

    Errors are in m/s^2 and rad/s^2. `*_stiffness` [1/s^2] belongs to a critically damped set point,
    `*_rate` [1/s] to an exponential decay. The paper does not publish its values; these are tuned
    for this body model and simulation.

    Measured: a walk at 1.25 m/s that is pushed aside by 200 N for 0.2 s continues with half or
    twice of each number from `com` to `toe_stiffness`, of `stance_rate`, `roll` and
    `roll_stiffness`. Its feet slide by 1.2 to 2 cm in 2.2 s instead of 1.4 cm, most with half of
    `stance_rate`, and it is at most 10 cm aside of its place.
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
    toe: float = 1.0  # E_rest of the toes, which nothing else moves in the air
    toe_stiffness: float = 400.0
    stance: float = 200.0  # E_contact: position of a standing foot
    stance_turn: float = 20.0  # E_contact: rotation of a standing foot
    stance_rate: float = 60.0
    # [m/s] downward speed of a standing foot that is unloaded
    contact_seek_speed: float = 0.15
    roll: float = 0.1  # pitch of a foot whose heel may rise
    roll_stiffness: float = 50.0
    swing: float = 10.0  # E_swing: position of a swinging foot
    # Height of a swinging foot during its descent. tuned: with that of the swing the program held
    # up a sinking body by its free leg, whose foot hovered for 0.3 s; 80 instead of 95 of 96 pushes
    # at touchdown were caught; test_simulate.test_a_committed_foot_descends_although_the_body_falls
    landing: float = 200.0
    # Height of a swinging foot that is too low and must rise first. tuned: a late foot was pulled
    # ahead at 11 m/s and struck the ground;
    # test_simulate.test_a_foot_that_is_late_and_low_rises_first
    clearing: float = 100.0
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


Array = NDArray[np.float64]


@dataclass(frozen=True)
class SwingTarget:
    """Touchdown of a swinging foot. Positions are of the center of its sole, in the world."""

    leg: int
    place: Array  # (3,) [m] on the ground
    heading: float  # [rad] of the foot at touchdown
    normal: Array  # (3,) of the ground at touchdown
    remaining_time: float  # [s] until touchdown
    elapsed_time: float  # [s] since lift-off
    lift_place: Array  # (3,) [m] at lift-off
    apex: float = 0.07  # [m] height above the straight line between both places
    # [s] before touchdown at which the foot is over its place; half as long in runs
    early_arrival: float = 0.06
    # [m/s^2] largest horizontal acceleration; smaller in runs, where a leg would move the body
    max_acceleration: float = 250.0
    height_deficit: float = 0.0  # [m] by which the foot is too low for the ground ahead of it
    # (3,) normal of the ground at lift-off
    lift_normal: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    is_committed: bool = False  # whether the touchdown's time is fixed, whatever the body does
    sink_start: float = 0.45  # elapsed share from which a foot sinks to a lower place
    # [m] lateral offset of the arc at its middle, to the left, around the standing leg
    lateral_offset: float = 0.0
    toe_hang: float = 0.0  # [rad] pitch of the foot at touchdown, toes down
    needs_clearance: bool = False  # whether a foot that is too low must rise first


@dataclass(frozen=True)
class ControlReference:
    """Accelerations of the plan, and the roles of the feet."""

    com_acceleration: Array | None  # (3,) [m/s^2]; None in flight, where it is determined
    heading_acceleration: float  # [rad/s^2] of the pelvis about the vertical
    heading: float  # [rad] of trunk and head
    stance: tuple[int, ...]  # legs that stand
    swing: SwingTarget | None = None  # next touchdown
    # Legs of `stance` whose heels may rise: ball and toes stay in place, the foot may pitch
    rolling_legs: tuple[int, ...] = ()
    is_running: bool = False  # selects the gains of runs
    # (legs, 3) [m] positions of feet in the air without a touchdown, relative to the CoM in world
    # axes; None to let them hang below the body
    free_foot_offsets: Array | None = None
    free_foot_velocities: Array | None = None  # (legs, 3) [m/s] rates of these offsets
    folding_legs: tuple[int, ...] = ()  # legs in the air whose knees must bend
    gains: Gains | None = None  # replaces the gains of walks and runs
    momentum: Array | None = None  # (3,) [Nms] desired angular momentum about the CoM
    lean: float = 0.0  # [rad] forward lean of pelvis and chest
    toe_hang: float = 0.0  # [rad] pitch of feet in the air without a touchdown, toes down

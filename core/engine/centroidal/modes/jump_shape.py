"""Poses and speeds of one jump, from its height."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....clip.pose.pose_sequence import KeyPoses
from ....errors import PlanningError, TaskError
from ....task.jump import Jump
from ....task.units import TaskUnits

Array = NDArray[np.float64]

TOO_LONG = "the jump is too low for its length: the legs would not reach the ground"
# Key poses of a jump
JUMP_POSES = ("crouch", "spring", "jump", "tuck", "land", "squat")


@dataclass(frozen=True)
class JumpParameters:
    """Tuned numbers of a jump.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Depth of the crouch of a very low jump, as a share of the deepest crouch. tuned: doubled, pops
    # of jumps are 16 degrees instead of 8.8
    min_dip_share: float = 0.45
    # Height of a jump from which on the crouch is the deepest [m]. tuned: halved, pops of jumps are
    # 14 degrees instead of 8.8
    full_dip_height: float = 0.7
    # Depth of the landing of a very low jump, as a share of the deepest landing
    min_landing_share: float = 0.75
    # Share of the pose "spring" in a very low jump: how far arms and legs are stretched
    min_spring_share: float = 0.4
    # Height of a jump from which on that share is 1 [m]
    full_spring_height: float = 0.5
    # Upward acceleration at the bottom of the crouch and of the landing [m/s^2]
    dip_bottom_acceleration: float = 10.0
    landing_bottom_acceleration: float = 5.0
    # Mean speed of the push-off as a share of its final speed. tuned: halved, pops of jumps are
    # 16 degrees instead of 8.8; doubled, forces are off by 0.052 body weights instead of 0.015.
    # test_jumps.test_jump_that_is_too_low_for_its_length_is_shortened
    push_off_speed_ratio: float = 0.54
    # Mean speed of the landing as a share of its initial speed. tuned: halved, legs are 1.4 degrees
    # farther from the style; doubled, forces are off by 0.029 body weights instead of 0.015.
    # test_jumps.test_long_jump_leaves_and_lands_without_jerks
    landing_speed_ratio: float = 0.52
    # Largest downward acceleration into the crouch, as a share of gravity
    max_descent_acceleration: float = 0.75
    # Distance by which legs remain bent at the lift [m]. tuned: doubled, pops of jumps are
    # 11 degrees instead of 8.8
    lift_leg_bend: float = 0.015
    # Distance by which they remain bent in addition at lift and strike of a flip [m]
    flip_leg_bend: float = 0.09
    # Distance by which legs remain bent for each m/s above `min_bend_speed` [s]; straight legs
    # could not follow
    bend_per_speed: float = 0.02
    min_bend_speed: float = 3.0
    # Largest distance by which they remain bent for that reason [m]
    max_speed_bend: float = 0.14
    # Height of the hips, as a share of that of the center of mass. tuned: halved, forces are off by
    # 0.018 body weights instead of 0.015.
    # test_jumps.test_jump_that_is_too_low_for_its_length_is_shortened
    hip_height_share: float = 0.9
    # Least height of the hips of a body that leans, as a share of that of an upright one. tuned:
    # doubled, jumps are refused
    min_leaning_height: float = 0.75
    # Largest lean of a jump that legs can carry out, as a share of the height of the center of
    # mass. Guarded by test_jumps.test_jump_that_is_too_low_for_its_length_is_shortened
    max_lean_share: float = 0.75
    # Distance from the middle of a sole to its ball [m]
    ball_lead: float = 0.08
    # Times that the lean and the times that depend on it are computed from each other
    lean_rounds: int = 3
    # Time from the bottom of the landing to standing [s]. tuned: doubled, jumps that follow each
    # other are refused
    stand_up_time: float = 0.75
    # Time that arms take from the back to the top [s]. tuned: doubled, pops of jumps are 12 degrees
    # instead of 8.8
    arm_swing_time: float = 0.28
    # Shortest time in which trunk and arms sink in the landing [s]
    min_landing_time: float = 0.22
    # Shortest time in which they return to standing after it [s]
    min_recovery_time: float = 0.5
    # Time from the lift to the tuck of a flip, and from the tuck to the strike [s]
    tuck_time: float = 0.34
    untuck_time: float = 0.4
    # Largest value of both times as a share of the flight
    max_tuck_share: float = 0.36
    # Flight up to which the body does not take the pose "jump", and time over which its share
    # rises to 1 with longer flights [s]
    min_pose_flight: float = 0.35
    pose_flight_range: float = 0.3
    # Largest time from lift to the pose "jump", and from there to the strike [s]
    max_hang_time: float = 0.45
    # Smallest height of the fall from the apex to the strike [m]
    min_fall_height: float = 0.02
    # Height by which the suggested height in the message of a low jump exceeds the lowest one [m]
    suggested_margin: float = 0.1


JUMP = JumpParameters()


@dataclass(frozen=True)
class ComHeights:
    """Heights of the center of mass above the ground [m]."""

    standing: float
    dip_bottom: float
    lift: float
    strike: float
    landing_bottom: float

    @property
    def highest(self) -> float:
        """The largest of the heights [m]."""
        return max(self.standing, self.dip_bottom, self.lift, self.strike, self.landing_bottom)


@dataclass(frozen=True)
class JumpLean:
    """How far the body leans over its feet, forward or backward.

    Args:
        lift, strike: horizontal distance from the feet to the center of mass at the lift and at the
            strike, without sign [m].
    """

    lift: float = 0.0
    strike: float = 0.0

    @property
    def farthest(self) -> float:
        """The larger of both distances [m]."""
        return max(self.lift, self.strike)


@dataclass(frozen=True)
class JumpShape:
    """Poses and speeds of a jump.

    Args:
        heights: heights of the center of mass.
        lift_speed: upward speed at the lift [m/s].
        strike_speed: downward speed at the strike [m/s].
        dip_share: share of the pose "crouch" at the bottom of the crouch.
        spring_share: share of the pose "spring" at the lift.
        landing_share: share of the pose "squat" at the bottom of the landing.
        lift_change: change of the legs from standing to the lift, shape (nv,).
        strike_change: change of the legs from standing to the strike, shape (nv,).
    """

    heights: ComHeights
    lift_speed: float
    strike_speed: float
    dip_share: float
    spring_share: float
    landing_share: float
    lift_change: Array
    strike_change: Array

    @staticmethod
    def from_jump(
        jump: Jump,
        key_poses: KeyPoses,
        gravity: float,
        *,
        height_change: float,
        units: TaskUnits,
        lean: JumpLean,
    ) -> JumpShape:
        """Return the shape of a jump.

        A body that leans over its feet is lower than one above them, with legs of the same length.

        Args:
            jump: the jump.
            key_poses: key poses of the body.
            gravity: gravity [m/s^2].
            height_change: height of the ground after the jump above that before it [m].
            units: units of the task, for messages.
            lean: how far the body leans at lift and strike.

        Raises:
            TaskError: The jump is too low for the ground after it.
            PlanningError: The jump is too low for its length.
        """
        dip_share = _raise_share(JUMP.min_dip_share, jump.height, JUMP.full_dip_height)
        spring_share = _raise_share(JUMP.min_spring_share, jump.height, JUMP.full_spring_height)
        lift_speed = float(np.sqrt(2 * gravity * jump.height))
        flip_bend = JUMP.flip_leg_bend if jump.flips else 0.0
        lift_bend = JUMP.lift_leg_bend + _compute_speed_bend(lift_speed) + flip_bend
        lift_change = _lower_pose(key_poses, ("spring", spring_share), "crouch", lift_bend)
        upright_lift = key_poses.compute_com_height(lift_change)
        upright_strike = key_poses.compute_com_height(key_poses.mix(("land", 1.0)))
        upright_fall = jump.height + upright_lift - upright_strike - height_change
        _check_fall_height(jump, upright_fall, height_change, units)
        lift_height = _lean_over(upright_lift, lean.lift)
        strike_height = _lean_over(upright_strike, lean.strike)
        fall_height = jump.height + lift_height - strike_height - height_change
        _check_leaning_fall(jump, fall_height)
        strike_speed = float(np.sqrt(2 * gravity * fall_height))
        strike_change = _lower_pose(
            key_poses, ("land", 1.0), "squat", _compute_speed_bend(strike_speed) + flip_bend
        )
        strike_height = _lean_over(key_poses.compute_com_height(strike_change), lean.strike)
        strike_speed = float(
            np.sqrt(2 * gravity * (jump.height + lift_height - strike_height - height_change))
        )
        landing_share = _compute_landing_share(strike_speed, gravity)
        heights = ComHeights(
            key_poses.compute_com_height(key_poses.mix()),
            key_poses.compute_com_height(key_poses.mix(("crouch", dip_share))),
            lift_height,
            strike_height,
            key_poses.compute_com_height(key_poses.mix(("squat", landing_share))),
        )
        return JumpShape(
            heights,
            lift_speed,
            strike_speed,
            dip_share,
            spring_share,
            landing_share,
            lift_change,
            strike_change,
        )


def _lean_over(height: float, distance: float) -> float:
    """Return the height of a center of mass that has moved along the ground over its feet [m].

    Args:
        height: of the center of mass above the feet [m].
        distance: by which it has moved [m].
    """
    hip_height = JUMP.hip_height_share * height
    leaning_share = np.sqrt(max(1.0 - (distance / hip_height) ** 2, JUMP.min_leaning_height**2))
    return float(height - (1.0 - leaning_share) * hip_height)


def _check_fall_height(
    jump: Jump, fall_height: float, height_change: float, units: TaskUnits
) -> None:
    """Refuse a jump that does not rise above the ground on which it lands.

    Args:
        jump: the jump.
        fall_height: height of the fall from the apex to the strike [m].
        height_change: height of the ground after the jump above that before it [m].
        units: units of the task.

    Raises:
        TaskError: The jump is too low.
    """
    if fall_height <= JUMP.min_fall_height:
        needed_height = jump.height - fall_height + JUMP.suggested_margin
        raise TaskError(
            f"The jump at {units.to_user_time(jump.time):g} s is "
            f"{units.to_user_length(jump.height):g} m high and is to land "
            f"{units.to_user_length(height_change):.2f} m higher; make it at least "
            f"{units.to_user_length(needed_height):.2f} m high, or let it land lower."
        )


def _check_leaning_fall(jump: Jump, fall_height: float) -> None:
    """Refuse a jump whose body would land before it is as low as its lean requires.

    Args:
        jump: the jump.
        fall_height: height of the fall from the apex to the strike of a body that leans [m].

    Raises:
        PlanningError: The jump is too low for its length.
    """
    if fall_height <= JUMP.min_fall_height:
        raise PlanningError(TOO_LONG, jump.time)


def _raise_share(least: float, height: float, full_height: float) -> float:
    """Return a share that rises linearly from `least` to 1 at the full height [m]."""
    return min(least + (1 - least) * height / full_height, 1.0)


def _compute_landing_share(strike_speed: float, gravity: float) -> float:
    """Return the depth of the landing as a share of the deepest one.

    Args:
        strike_speed: downward speed at the strike [m/s].
        gravity: gravity [m/s^2].
    """
    share = JUMP.min_dip_share + (1 - JUMP.min_dip_share) * strike_speed**2 / (
        2 * gravity * JUMP.full_dip_height
    )
    return min(max(share, JUMP.min_landing_share), 1.0)


def _lower_pose(
    key_poses: KeyPoses, pose: tuple[str, float], toward_pose: str, drop: float
) -> Array:
    """Return a key pose that is bent toward another until the center of mass is lower, (nv,).

    Args:
        key_poses: the key poses.
        pose: name and share of the key pose.
        toward_pose: name of the other key pose.
        drop: distance by which the center of mass is lowered [m].
    """
    name, share = pose
    straight, half = (
        key_poses.compute_com_height(key_poses.mix((name, share * (1 - b)), (toward_pose, b)))
        for b in (0.0, 0.5)
    )
    bend = min(0.5 * drop / (straight - half), 0.9)
    return key_poses.mix((name, share * (1 - bend)), (toward_pose, bend))


def _compute_speed_bend(speed: float) -> float:
    """Return the distance by which legs remain bent at a vertical speed [m/s], in [m]."""
    bend = JUMP.bend_per_speed * max(speed - JUMP.min_bend_speed, 0.0)
    return min(bend, JUMP.max_speed_bend)

"""Numbers of broad jumps: the curves that they follow, gains and bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly

from ..biped import CENTER, COORDINATES, HEEL_1, PlanarBiped

Array = NDArray[np.float64]

# Mean speeds of series of jumps [m/s], and the rates of the phase at toe-off that lead to them
# [m/s], measured with scripts/broad_jumps.py.
SPEEDS = (0.60, 0.67, 0.75, 0.90, 1.01, 1.12, 1.25, 1.36)
TOE_OFF_RATES = (0.68, 0.73, 0.78, 0.88, 0.98, 1.08, 1.18, 1.28)
SPEED_RANGE = (SPEEDS[0], SPEEDS[-1])
# Force forward at toe-off at a rate [body weights], and its change by the rate [s/m]. tuned: with
# one force for all rates fast bodies turn over and slow ones stop,
# test_broad_jumps.test_jumps_have_the_speed_that_is_set
DRIVE = 0.1
MIDDLE_RATE = 0.95
DRIVE_SLOPE = 0.3
# Height of the center of mass of the body `humanoid` as it stands [m].
STANDING_HEIGHT = 0.9473


@dataclass(frozen=True)
class JumpCurves:
    """Height of the center of mass and pitch of the trunk over the phase, while the feet rest.

    The phase is how far the center of mass is in front of the joint of the toes [m]. Numbers are
    those of the body `humanoid`, authored so that it lands and takes off in a squat.

    Args:
        phases: at which the curves are given [m], increasing.
        heights, height_slopes: of the center of mass above the soles there [m], and by the phase.
        pitches, pitch_slopes: of the trunk there [rad], and by the phase [rad/m].
        lift: added to the heights [m], for a body whose center of mass is higher.
        landing: phase of the pose in which the feet land [m].
        start: phase at which a jump begins, and return maps are read [m].
        toe_off: phase at which the heels lift [m].
        takeoff: phase at which the toes lift [m].
    """

    phases: tuple[float, ...] = (-0.40, -0.26, -0.14, -0.06, 0.16)
    heights: tuple[float, ...] = (0.97, 0.86, 0.785, 0.80, 0.97)
    height_slopes: tuple[float, ...] = (-0.8, -0.9, 0.0, 0.5, 0.6)
    pitches: tuple[float, ...] = (-0.6, -0.55, -0.40, -0.28, -0.02)
    pitch_slopes: tuple[float, ...] = (0.3, 0.4, 1.2, 1.5, 0.8)
    lift: float = 0.0
    landing: float = -0.26
    start: float = -0.20
    toe_off: float = -0.06
    takeoff: float = 0.04

    @staticmethod
    def for_biped(biped: PlanarBiped) -> JumpCurves:
        """Return the curves of a body, whose center of mass may be higher or lower."""
        standing = biped.locate(np.zeros(COORDINATES))
        height = standing[CENTER].imag - standing[HEEL_1].imag
        return JumpCurves(lift=float(height - STANDING_HEIGHT))

    @cached_property
    def height(self) -> BPoly:
        """Height of the center of mass above the soles by the phase [m]."""
        values = np.asarray(self.heights) + self.lift
        return BPoly.from_derivatives(self.phases, np.stack([values, self.height_slopes], 1))

    @cached_property
    def pitch(self) -> BPoly:
        """Pitch of the trunk by the phase [rad]."""
        return BPoly.from_derivatives(self.phases, np.stack([self.pitches, self.pitch_slopes], 1))


@dataclass(frozen=True)
class JumpControlParameters:
    """Gains and bounds of the controller.

    Args:
        stiffness, damping: of height and pitch while the feet rest [1/s^2], [1/s].
        push_stiffness, push_damping: of the pitch at toe-off [1/s^2], [1/s].
        air_stiffness, air_damping: of the legs in the air [1/s^2], [1/s].
        leg_stiffness, leg_damping: against differences of hips, knees and ankles, by the mass of
            the body [m^2/(s^2 rad)], [m^2/(s rad)]. tuned: without them the body fell after a dozen jumps,
            test_broad_jumps.test_jumps_follow_each_other
        rest_damping: of the feet at rest [1/s].
        blend: time within which errors of a landing vanish [s].
        settling: time after a landing in which they are measured [s]. tuned: at the first contact,
            where the impact is not over, they made the body collapse,
            test_broad_jumps.test_jumps_follow_each_other
        friction: coefficient of friction that the controller uses.
        least_load: smallest vertical force [body weights].
        max_torque: of a joint of both legs [body weights m].
        max_shift: of the indicator in a time step [m]. tuned: faster, the feet tip,
            test_broad_jumps.test_jumps_follow_each_other
        lift_force: vertical force at toe-off [body weights].
        lift_drop: share of it that is lost until takeoff.
        tuck: of thigh, shin and foot in the middle of the flight [rad].
        shortest_flight: of a body that falls [s].
        flight_share: share of the flight after which the legs are in their landing pose.
        least_air_time: time after takeoff in which contacts are no landing [s].
    """

    stiffness: float = 4000.0
    damping: float = 126.0
    push_stiffness: float = 100.0
    push_damping: float = 20.0
    air_stiffness: float = 800.0
    air_damping: float = 57.0
    leg_stiffness: tuple[float, float, float] = (8.6, 5.7, 0.86)
    leg_damping: tuple[float, float, float] = (0.34, 0.17, 0.021)
    rest_damping: float = 20.0
    blend: float = 0.12
    settling: float = 2.5 / 240
    friction: float = 0.7
    least_load: float = 0.15
    max_torque: float = 0.88
    max_shift: float = 0.01
    lift_force: float = 1.7
    lift_drop: float = 0.4
    tuck: tuple[float, float, float] = (0.25, -0.35, 0.0)
    shortest_flight: float = 0.1
    flight_share: float = 0.95
    least_air_time: float = 0.1


JUMP_CONTROL = JumpControlParameters()


@dataclass(frozen=True)
class JumpPolicyParameters:
    """Grid and weights of the policy.

    Args:
        phases, rates: numbers of phases and of rates.
        places: number of places of the indicator.
        margin: distance by which the grid begins before the landing [m]; it ends at the toe-off.
        least_rate, most_rate: of the grid [m/s].
        heel_margin: least distance of the indicator from the heel [m].
        toe_margin: least distance of the indicator from the joint of the toes [m].
        stop_rate: rate below which the body does not reach the toe-off [m/s].
        failure: value of a body that does not reach it [m/s].
        place_weight: weight of the distance of the indicator from the middle of the foot.
    """

    phases: int = 100
    rates: int = 100
    places: int = 20
    margin: float = 0.01
    least_rate: float = 0.02
    most_rate: float = 3.0
    heel_margin: float = 0.02
    toe_margin: float = 0.06
    stop_rate: float = 0.15
    failure: float = 3.0
    place_weight: float = 1e-4


JUMP_POLICY = JumpPolicyParameters()


@dataclass(frozen=True)
class JumpGoal:
    """What determines the speed of a series of jumps.

    Args:
        rate: of the phase at toe-off [m/s].
        drive: force forward at toe-off, beyond the line to the center of mass [body weights].
        curves: that the body follows on the ground.
    """

    rate: float = 0.95
    drive: float = 0.1
    curves: JumpCurves = field(default_factory=JumpCurves)

    @staticmethod
    def at_speed(speed: float, curves: JumpCurves) -> JumpGoal:
        """Return the goal of a series of jumps with a mean speed [m/s] within `SPEED_RANGE`."""
        rate = float(np.interp(speed, SPEEDS, TOE_OFF_RATES))
        return JumpGoal(rate, DRIVE + DRIVE_SLOPE * (rate - MIDDLE_RATE), curves)

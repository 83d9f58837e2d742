"""Numbers of broad jumps: the curves that they follow, gains and bounds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly

from ..biped import CENTER, COORDINATES, HEEL_1, TRUNK, PlanarBiped

Array = NDArray[np.float64]

# Phases of the lowest height, of the toe-off, and of the end of the curves [m]; distance from their
# begin to the landing [m].
SQUAT = -0.105
TOE_OFF = -0.032
LAST_PHASE = 0.16
BEFORE_LANDING = -0.14
# Phase at which a jump begins, if it is so far behind the landing [m].
START = -0.20
LEAST_LANDING = 0.06
# Rise of the height toward both ends of the curves [m], and its change by the phase there. They
# make the curves continue steeply beyond what jumps reach: half or twice of them, and of
# `PITCH_BEFORE`, moves no jump.
HIGHER_BEFORE, HIGHER_AFTER = 0.11, 0.18
SLOPE_BEFORE, SLOPE_AFTER = -0.8, 0.6
# Pitches of the trunk of the body `humanoid` at the landing, at toe-off and at the end, and the
# change of the pitch from the landing back to the begin [rad].
LANDING_PITCH = -0.38
TOE_OFF_PITCH = -0.25
LAST_PITCH = 0.14
PITCH_BEFORE = -0.05
# Share of the turn between toe-off and landing that is left in the squat; changes of the pitch by
# the phase at begin, landing and squat, by this turn [1/m], and at toe-off and end [rad/m].
SQUAT_TURN = 0.44
TURN_SLOPES = (-1.1, -1.5, -4.4)
LAST_PITCH_SLOPES = (1.907, 0.189)
# Height of the center of mass of the body `humanoid` as it stands [m], and distance of its trunk's
# center of mass from the hip, times the share of the trunk in the mass [m].
STANDING_HEIGHT = 0.9473
TRUNK_LEVER = 0.1611
# Height by which a body with a light trunk is lower, by how much more it leans [m]: in a squat its
# heavy legs lower the center of mass. tuned: without, one with 0.6 times the mass of the trunk fell
# after a jump, test_broad_jumps.test_bodies_of_other_proportions_jump
LOWER_BY_LEAN = 0.07


@dataclass(frozen=True)
class JumpShape:
    """Numbers of the jumps of the body `humanoid` at a mean speed.

    The phase is how far the center of mass is in front of the joint of the toes [m].

    Args:
        speed: mean speed of a series of such jumps [m/s].
        rate: of the phase at toe-off that leads to it [m/s].
        drive: force forward at toe-off, beyond the line to the center of mass [body weights].
        lift_force: vertical force at toe-off [body weights].
        lift_drop: share of it that is lost until takeoff.
        landing: phase of the pose in which the feet land [m].
        takeoff: phase at which the toes lift [m].
        landing_height: height of the center of mass above the soles as they land [m].
        squat: least height [m].
        rise_slope: change of the height by the phase at toe-off.
        tuck: of the legs in the middle of the flight, as a share of `JumpControlParameters.tuck`.
        landing_slope: change of the height by the phase as the feet land.
        rise: of the height from the squat to toe-off [m].
    """

    speed: float
    rate: float
    drive: float
    lift_force: float
    lift_drop: float
    landing: float
    takeoff: float
    landing_height: float
    squat: float
    rise_slope: float
    tuck: float = 0.67
    landing_slope: float = -1.0
    rise: float = 0.048

    @staticmethod
    def at_speed(speed: float) -> JumpShape:
        """Return the shape at a speed [m/s], between the nearest ones of `JUMP_SHAPES`."""
        speeds = [shape.speed for shape in JUMP_SHAPES]
        return JumpShape(
            *(
                float(np.interp(speed, speeds, [getattr(shape, f.name) for shape in JUMP_SHAPES]))
                for f in fields(JumpShape)
            )
        )


# Results of searches (CMA-ES) on `humanoid` and three others, for straight legs
# at takeoff, long flights, ankles within their range, soft landings, and jumps that stay regular
# from other rates and up a slope of 3 degrees; the outer ones continue the lines of the others. The
# speeds were measured with scripts/broad_jumps.py.
JUMP_SHAPES = (
    JumpShape(0.65, 0.616, 0.0265, 1.279, 0.8, -0.2382, 0.1115, 0.8713, 0.8067, 0.429),
    JumpShape(0.825, 0.76, 0.0875, 1.655, 0.8, -0.2318, 0.0927, 0.8793, 0.8144, 0.579),
    JumpShape(1.0, 0.9098, 0.1389, 1.957, 0.618, -0.2258, 0.0638, 0.8877, 0.8247, 0.697),
    JumpShape(1.205, 1.0906, 0.1707, 1.929, 0.607, -0.2294, 0.0822, 0.879, 0.8154, 0.717),
    JumpShape(1.27, 1.15, 0.1777, 1.896, 0.602, -0.2306, 0.0849, 0.8764, 0.8133, 0.713),
)
SPEED_RANGE = (JUMP_SHAPES[0].speed, JUMP_SHAPES[-1].speed)


@dataclass(frozen=True)
class JumpCurves:
    """Height of the center of mass and pitch of the trunk over the phase, while the feet rest.

    Args:
        shape: shape of the jumps.
        lift: added to its heights [m], for a body whose center of mass is higher.
        landing_pitch: of the trunk as the feet land [rad]; a heavier trunk turns less in the air.
        lean: of the trunk, as a multiple of that of the body `humanoid`.
    """

    shape: JumpShape
    lift: float = 0.0
    landing_pitch: float = LANDING_PITCH
    lean: float = 1.0

    @property
    def landing(self) -> float:
        """Phase of the pose in which the feet land [m]."""
        return self.shape.landing

    @property
    def start(self) -> float:
        """Phase at which a jump begins, and return maps are read [m]."""
        return max(START, self.landing + LEAST_LANDING)

    @property
    def toe_off(self) -> float:
        """Phase at which the heels lift [m]."""
        return TOE_OFF

    @property
    def takeoff(self) -> float:
        """Phase at which the toes lift [m]."""
        return self.shape.takeoff

    @property
    def _phases(self) -> list[float]:
        return [self.landing + BEFORE_LANDING, self.landing, SQUAT, TOE_OFF, LAST_PHASE]

    @cached_property
    def height(self) -> BPoly:
        """Height of the center of mass above the soles by the phase [m]."""
        shape = self.shape
        toe_off = shape.squat + shape.rise
        heights = [
            shape.landing_height + HIGHER_BEFORE,
            shape.landing_height,
            shape.squat,
            toe_off,
            toe_off + HIGHER_AFTER,
        ]
        slopes = [SLOPE_BEFORE, shape.landing_slope, 0.0, shape.rise_slope, SLOPE_AFTER]
        values = np.array(heights) + self.lift
        return BPoly.from_derivatives(self._phases, np.stack([values, slopes], 1))

    @cached_property
    def pitch(self) -> BPoly:
        """Pitch of the trunk by the phase [rad]."""
        toe_off = self.lean * TOE_OFF_PITCH
        turn = self.landing_pitch - toe_off
        pitches = [
            self.landing_pitch + PITCH_BEFORE,
            self.landing_pitch,
            toe_off + SQUAT_TURN * turn,
            toe_off,
            self.lean * LAST_PITCH,
        ]
        slopes = [*(turn * np.array(TURN_SLOPES)), *LAST_PITCH_SLOPES]
        return BPoly.from_derivatives(self._phases, np.stack([pitches, slopes], 1))


@dataclass(frozen=True)
class JumpControlParameters:
    """Gains and bounds of the controller.

    Args:
        stiffness, damping: of height and pitch while the feet rest [1/s^2], [1/s]. The stiffness is
            ks / epsilon^2 of table 1, and the damping 2 sqrt(ks) / epsilon, rounded.
        push_stiffness, push_damping: of the pitch at toe-off [1/s^2], [1/s]; critical damping. Half
            of the stiffness moves jumps by 1 mm; twice of it by 16 cm, and pops are 7.4 degrees
            instead of 6.6.
        air_stiffness, air_damping: of the legs in the air [1/s^2], [1/s]; critical damping,
            rounded. Half or twice of the stiffness moves jumps by 2 to 12 cm.
        leg_stiffness, leg_damping: against differences of hips, knees and ankles, by the mass of
            the body [m^2/(s^2 rad)], [m^2/(s rad)]. tuned: without them the body fell after a
            dozen jumps, test_broad_jumps.test_jumps_follow_each_other
        rest_damping: of the feet at rest [1/s], as `CONTROL.contact_damping`.
        blend: time within which errors of a landing vanish [s].
        settling: time after a landing in which they are measured [s]. tuned: at the first contact,
            where the impact is not over, they made the body collapse,
            test_broad_jumps.test_jumps_follow_each_other
        least_load: smallest vertical force [body weights], so that feet stay where they rest. Half
            or twice of it moves jumps by 7 to 11 cm.
        max_torque: of a joint of both legs [body weights m].
        max_shift: of the indicator in a time step [m]. tuned: faster, the feet tip,
            test_broad_jumps.test_jumps_follow_each_other
        tuck: of thigh, shin and foot in the middle of the flight [rad], so that toes clear the
            ground. Half or twice of it moves jumps by 5 to 15 cm.
        shortest_flight: of a body that falls [s], so that its legs do not jump to their landing
            pose.
        flight_share: share of the flight after which the legs are in their landing pose, so that
            the feet are at rest in it when they land.
        least_air_time: time after takeoff in which contacts are no landing [s]; the toes may brush
            the ground as they lift, and flights last 0.19 s and more.
        straight_knee: bend with which the toes lift before they would by the phase [rad]. tuned:
            beyond, a straight leg pushes no more, and the knee bends backward
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
    least_load: float = 0.15
    max_torque: float = 0.88
    max_shift: float = 0.01
    tuck: tuple[float, float, float] = (0.25, -0.35, 0.0)
    shortest_flight: float = 0.1
    flight_share: float = 0.95
    least_air_time: float = 0.1
    straight_knee: float = 0.12


JUMP_CONTROL = JumpControlParameters()


@dataclass(frozen=True)
class JumpPolicyParameters:
    """Grid and weights of the policy.

    Args:
        phases, rates: numbers of phases and of rates; those of Abe and Popović 2011
        places: number of places of the indicator; that of Abe and Popović 2011
        margin: distance by which the grid begins before the landing [m], so that a body that lands
            a bit early is in it; it ends at the toe-off.
        least_rate, most_rate: of the grid [m/s]; that of figure 7 is 0 to 3, and at 0 the equation
            by the phase has no solution. A body that does not reach the toe-off has the value
            `most_rate`, more than any difference from a goal.
        heel_margin: least distance of the indicator from the heel [m].
        toe_margin: least distance of the indicator from the joint of the toes [m].
        stop_rate: rate below which the body does not reach the toe-off [m/s].
        place_weight: weight of the distance of the indicator from the middle of the foot [1/s], so
            small that it only decides between places of the same value.
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
    place_weight: float = 1e-4


JUMP_POLICY = JumpPolicyParameters()


@dataclass(frozen=True)
class JumpGoal:
    """A series of jumps of a body.

    Args:
        shape: its numbers.
        curves: curves that the body follows on the ground.
    """

    shape: JumpShape
    curves: JumpCurves

    @staticmethod
    def at_speed(biped: PlanarBiped, speed: float) -> JumpGoal:
        """Return jumps with a mean speed [m/s] within `SPEED_RANGE`.

        A trunk that is heavier or higher above the hips leans less, so that the hips are as far
        behind the center of mass as those of the body `humanoid`.
        """
        standing = biped.locate(np.zeros(COORDINATES))
        height = standing[CENTER].imag - standing[HEEL_1].imag
        view = biped.side_view
        share = view.mass[TRUNK] / view.total_mass
        lean = float(TRUNK_LEVER / (share * abs(view.center[TRUNK])))
        shape = JumpShape.at_speed(speed)
        lift = float(height - STANDING_HEIGHT) - LOWER_BY_LEAN * max(lean - 1, 0.0)
        return JumpGoal(shape, JumpCurves(shape, lift, lean * LANDING_PITCH, lean=lean))

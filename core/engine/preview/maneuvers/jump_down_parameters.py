"""Parameters of a jump down from a ledge."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .ledge_crossing import LEDGE_GAINS


@dataclass(frozen=True)
class JumpDownParameters:
    """Durations, thresholds and postures of a jump down.

    Heights of the center of mass are relative to its standing height.

    Each stage was tuned in runs that failed. Jumps from 1 m guard them:
    test_preview_ledges.test_a_simulated_body_gets_over_a_ledge_and_walks_on.

    Measured: such a jump lands with 7.6 body weights, and its feet slide by 4 cm. What half or
    twice of a number changes of it is named; of those without a remark it changes less than one
    body weight and 3 cm.
    """

    # Take-off.
    # Distance of the center of mass ahead of the foot at the take-off [m]. Halved, the body falls
    # on the edge; doubled, it lands with 11.5 body weights and slides by 23 cm
    take_off_lead: float = 0.25
    # Height of the center of mass at the take-off [1], raised by the heel
    take_off_height_ratio: float = 1.01
    # Vertical speed at the take-off [m/s]. Doubled, feet slide by 12 cm
    take_off_vertical_speed: float = 0.45
    # Forward speed at the take-off [m/s]. tuned: with half of it the body fell off a ledge of 1 m
    take_off_speed: float = 1.1
    # Lateral speed at the take-off, toward the free foot [m/s], so that the body comes to be
    # between both feet. Doubled, it lands 6 cm farther aside
    take_off_lateral_speed: float = 0.1
    # Angular momentum about the left axis at the take-off [N m s]. tuned: legs that came ahead in
    # the air turned the trunk forward by a radian
    take_off_angular_momentum: float = -5.5
    # Forward speed that is assumed at least for the time to the take-off [m/s]. Numerical, as the
    # next: the time of a body that hardly moves is finite, and accelerations are divided by it
    min_approach_speed: float = 0.5
    # Shortest time to the take-off [s].
    min_leaving_time: float = 0.15
    # Shortest remaining time that is assumed at its end [s]. Halved, the last accelerations are
    # large, and it lands with 8.9 body weights
    min_time_left: float = 0.08
    # Time before the take-off from which the heel rises [s].
    heel_rise_lead_time: float = 0.10

    # Swing of the leading foot.
    # Distance of its end beyond the edge [m], a foot's length
    swing_distance: float = 0.30
    # Height of its end above the ledge [m].
    swing_end_height: float = -0.12
    # Height of its apex [m]. Doubled, it lands with 8.9 body weights
    swing_apex: float = 0.12
    # Time by which the swing outlasts the take-off, so that it is not stopped in the air, and
    # before which no lost contact is one [s].
    swing_extra_time: float = 0.1
    # Distance of the foot beside the center of mass [m], that of human hips
    swing_lateral_offset: float = 0.1

    # Flight.
    # Time from the take-off in which the legs are tucked [s].
    tuck_time: float = 0.18
    # Place of the tucked leading foot ahead of the center of mass [m]. Halved, it lands with 10.5
    # body weights
    leading_tuck_ahead: float = 0.15
    # Its depth below the center of mass [1].
    leading_tuck_ratio: float = 0.88
    # Place of the tucked trailing foot ahead of the center of mass [m]. Doubled, it lands with 9.1
    # body weights
    trailing_tuck_ahead: float = 0.02
    # Its depth below the center of mass [1]. Only this leg folds far. tuned: both legs ahead turned
    # the trunk forward by a radian
    trailing_tuck_ratio: float = 0.73
    # Depth of the feet below the center of mass at the landing [1]. tuned: straight legs landed
    # with 25 body weights; test_body_lands_on_bent_knees_and_toes
    landing_reach_ratio: float = 0.98
    # Time in which the legs reach for the ground [s]. Halved, it lands with 12.2 body weights
    reach_time: float = 0.2
    # Time before the landing at which they have reached [s]. Doubled, it lands with 8.8 body
    # weights
    ready_time: float = 0.05
    # Distance of the feet ahead of the center of mass at the landing, as time of travel [s].
    landing_lead_time: float = 0.13
    # Half the distance between the feet at the landing [m].
    stance_half_width: float = 0.12
    # Forward lean of the trunk at the landing [rad]. tuned: arms that held the trunk upright flew
    # back and struck the ledge
    landing_lean: float = 0.4
    # Angle of the toes below the horizontal at the landing [rad]. The balls land first, and the
    # ankles brake the heels. tuned: whole soles landed with 25 body weights;
    # test_preview_ledges.py
    landing_toe_angle: float = 0.5
    # Time in the air before which a foot does not land [s]: that of a fall of 0.1 m
    min_flight_time: float = 0.15
    # Height above the lower ground below which a contact is a landing [m].
    # tuned: a foot that brushed the edge was taken for one that had landed
    max_landed_height: float = 0.1

    # Landing.
    # Deceleration that the legs should need [m/s^2].
    braking_deceleration: float = 19.0
    # Factor of the deceleration that would stop the body evenly [1]. It is above 1, so that the
    # legs brake hardest while they are straight.
    initial_braking_factor: float = 1.6
    # Largest deceleration, as a multiple of that one [1]. Halved, the body falls; doubled, it lands
    # with 8.9 body weights
    max_braking_factor: float = 2.0
    # Lowest height of the center of mass [1]. Halved, the body falls
    min_squat_ratio: float = 0.65
    # Shortest remaining distance that is assumed for braking [m]. Numerical: the deceleration is
    # divided by it
    min_braking_distance: float = 0.03
    # Shortest duration of the landing [s], so that the blow of the feet, which stops the body for
    # some time steps, does not end it
    min_landing_time: float = 0.1
    # Downward speed below which the body stands up [m/s].
    rise_onset_speed: float = 0.35

    # Standing up.
    # Duration [s], that in which people stand up from a squat at ease.
    rise_time: float = 0.9
    # Time to settle after it [s], half a step. Halved or doubled, the body walks on as well
    settling_time: float = 0.3
    # Height above which a body that falls past its toes steps at once [1].
    # tuned: it fell ahead, faster and faster, as it stood up
    step_height_ratio: float = 0.85
    # Distance of the point of rest ahead of the middle of the feet [m]. tuned: upright in a squat
    # the body tipped over backward
    rest_offset: float = 0.07
    # Forward lean of the trunk for each meter of missing height [rad/m]. tuned: as above
    lean_gain: float = 1.6
    # Depth below the ground toward which a foot reaches while only the other one has landed [m].
    # tuned: otherwise one leg took all of the fall
    foot_press_depth: float = 0.1


JUMP_DOWN = JumpDownParameters()
LEAVING_GAINS = replace(LEDGE_GAINS, momentum=0.2, momentum_rate=8.0)
# tuned: arms that held the trunk upright flew back and struck the ledge, so nothing has to hold it
FALLING_GAINS = replace(LEDGE_GAINS, chest=1.5, tilt=1.5, head=0.4, trailing_foot=20.0, rest=0.06)
# tuned: toes that strike at 5 m/s bounced, and slid as they came down again; feet that have touched
# the ground are held there four times as fast as in a walk
LANDING_GAINS = replace(
    LEDGE_GAINS, chest=0.5, tilt=0.3, head=0.3, hip=0.05, momentum=0.1, stance_rate=120.0
)

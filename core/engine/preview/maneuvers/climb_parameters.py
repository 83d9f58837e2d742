"""Parameters of a climb onto a ledge."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .ledge_crossing import LEDGE_GAINS


@dataclass(frozen=True)
class ClimbParameters:
    """Durations, thresholds and postures of a climb.

    Heights of the center of mass are relative to its standing height.

    Each stage was tuned in runs that failed. A climb of 0.5 m guards them:
    test_preview_ledges.test_a_simulated_body_gets_over_a_ledge_and_walks_on.
    """

    # Load above which a foot has landed [body weights].
    touch_load: float = 0.05
    # Part of the time of a step to the other foot before which a contact is no landing [1].
    min_step_share: float = 0.5
    # Longest time on both feet for a shift of the weight or to settle; after it the body steps [s].
    # tuned: a body that leaned on past a foot fell
    max_double_support_time: float = 1.2

    # Time in which the free foot comes beside the stance foot, before the ledge [s].
    gather_time: float = 0.5
    # Shortest remaining time of the swing, also of a foot that is late [s].
    min_remaining_time: float = 0.02

    # Shortest time in which the weight shifts over the stance foot [s].
    min_lean_time: float = 0.4
    # Distance of the capture point behind a foot up to which the weight is over the foot [m].
    max_capture_distance_behind: float = 0.06
    # Distance of the capture point beside a foot up to which the weight is over the foot [m].
    max_capture_distance_aside: float = 0.025
    # Part of that distance for the foot that carries the step up [1].
    strict_tolerance_ratio: float = 0.55

    # Time in which the first foot steps onto the ledge [s].
    reach_time: float = 0.8
    # Part of it before which a contact is no landing [1].
    min_reach_share: float = 0.4
    # Part of it in which the knee bends [1].
    fold_share: float = 0.5
    # Depth below the ledge from which a contact of this foot is a landing on the ledge [m].
    max_landing_depth: float = 0.05

    # Time in which the weight shifts over the upper foot [s].
    shift_time: float = 1.0
    # Part of it after which the shift may end as the lower foot leaves the ground [1].
    min_shift_share: float = 0.2
    # Speed of the center of mass at its end [m/s].
    shift_end_speed: float = 0.2
    # Distance before the upper foot at which the shift ends [m].
    shift_stop_distance: float = 0.04
    # Distance from the middle of the upper foot to its inner side at which the body rises [m].
    # As the body rises it drifts outward.
    inward_offset: float = 0.01
    # Distance behind the middle of the lower foot at which its heel can still push [m].
    heel_support_length: float = 0.06
    # Part of the shift after which the heel of the lower foot rises [1].
    heel_rise_share: float = 0.55
    # Height above the ledge at the end of the shift [1].
    lift_off_height_ratio: float = 0.52

    # Time in which the body straightens on the upper foot [s]. tuned: with 0.4 of it the body fell
    # back from a ledge of 0.5 m
    rise_time: float = 0.8
    # Height above the ledge from which the other foot follows [1].
    # tuned: earlier, the thigh of that leg struck the edge
    join_height_ratio: float = 0.77
    # Distance by which that foot is held back until then [m]. tuned: as above
    trailing_foot_offset: float = 0.05
    # Largest depth of that foot below the center of mass [m].
    max_trailing_foot_depth: float = 0.86

    # Time in which the other foot comes beside the first one [s].
    join_time: float = 0.6
    # Time in which the body straightens meanwhile [s].
    straightening_time: float = 0.4

    # Shortest time on both feet at the end [s].
    min_settling_time: float = 0.3
    # Distance of the capture point from the point of rest below which the body has settled [m].
    settled_distance: float = 0.05

    # Distance of the point of rest ahead of the middle of the feet [m].
    rest_offset: float = 0.03
    # Forward lean of the trunk for each meter of missing height [rad/m].
    lean_gain: float = 0.9


CLIMB = ClimbParameters()
CLIMB_GAINS = replace(
    LEDGE_GAINS, chest=0.7, tilt=0.5, head=0.4, hip=0.05, momentum=0.1, trailing_foot=10.0
)

"""Policies of the walker: place of the ground force, and transitions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PolicyParameters:
    """Policy of the foot rotation indicator, and transitions.

    Args:
        integral_gain: shift of the indicator per error of the phase [m/rad]. tuned: with a tenth a
            walk for 1.3 m/s has 1.09, test_walker.test_walk_on_flat_ground_does_not_fall
        rate_gain: shift of the indicator per error of the rate of the phase [m s/rad]. tuned: with
            a tenth it has 1.23, the same test
        max_shift: largest shift by the integral [m]. tuned: with a tenth it has 1.11, the same
            test
        first_share: share of the force on the front foot when it lands. tuned: with a tenth a walk
            down 12 degrees falls, test_walker.test_walk_on_slopes
        least_share: least share of the force on the front foot, for any shift. It is above 0 so
            that the foot that has landed stays on the ground, and is lifted by none.
        most_heel_share: largest share on a foot that is on its heel. It is below 1 so that the
            toes of the rear foot, which are to rest, are pressed to the ground.
        blend: time within which an error at a transition vanishes [s]. tuned: with a tenth it has
            1.21, the same test
        least_advance: distance of the ankles from which on a contact of leg 2 is a landing [m].
        stumble_advance: distance of ankle 2 behind ankle 1 from which on its contact is a stumble
            [m].
        rest_speed: speed below which a foot that lands is at rest [m/s].
        rest_turn: change of the rate of the pitch within a time step above which an impact has
            turned or stopped a flat foot [rad/s]. tuned: without, errors of the constraints are
            those before the stop, which the controller removes with several body weights; a walk
            down 10 degrees fell, test_walker.test_walk_on_slopes
        max_wait: largest number of time steps to wait for it. tuned: before a foot rests, its
            contact takes more force than is planned
        max_slope_angle: largest slope that a foot at rest is taken to show [rad], beyond the
            steepest one for which steps are fitted (`GROUND_GAITS.max_angle`).
        waits_to_rise: whether a foot stays flat until the body would pass over its toes. The
            ground force of a foot on its toes acts there, which stops a slow body before them.
    """

    integral_gain: float = 0.05
    rate_gain: float = 0.15
    max_shift: float = 0.15
    first_share: float = 0.2
    least_share: float = 0.05
    most_heel_share: float = 0.98
    blend: float = 0.15
    least_advance: float = 0.15
    stumble_advance: float = 0.3
    rest_speed: float = 0.1
    rest_turn: float = 1.0
    max_wait: int = 8
    max_slope_angle: float = 0.4
    waits_to_rise: bool = False


POLICY = PolicyParameters()
# Policy from and to a stand. tuned: with a rate gain of 0.15 m s/rad, and without waiting, the
# walker is slower at each step that slows down until it falls backward, test_stands.
STAND_POLICY = PolicyParameters(rate_gain=0.5, least_advance=0.04, waits_to_rise=True)

"""Weights of the plan's cost, limits of forces and legs, and the share of friction that is used."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Sides of the pyramids that replace friction cones. tuned: with four, which leave 42 % of the
# friction along and across a foot, bodies slid down planes of 25 degrees, test_slopes.py
PYRAMID_SIDES = 8
# Slope of a pyramid's sides, as a share of that of the cone around it
PYRAMID_SHARE = float(np.cos(np.pi / PYRAMID_SIDES))
# Share within the friction cone that plans use on any ground; the rest is a margin for the full
# body and keeps movements calm.
FRICTION_SHARE = 0.6
# Share on slippery ground, up to the coefficient of 0.6 that plans use where friction is 1. The
# full body needs only a hundredth of its weight as a margin. tuned: with 0.6 bodies that ran into
# corners and were pushed on a friction of 0.2 to 0.3 broke, test_drive.py, test_deliver.py
SLIPPERY_FRICTION_SHARE = 0.8
# Share that the plan can use in every direction on any ground: its cones are pyramids.
USABLE_FRICTION_SHARE = FRICTION_SHARE * PYRAMID_SHARE


@dataclass(frozen=True)
class EndWeights:
    """Additional weights on the tracking errors at the last node of a horizon.

    Half or twice of a number of stepping bodies moves links by at most 6 cm
    (docs/dev/parameters.csv).
    """

    com: float = 50.0  # [1/m^2]
    velocity: float = 5.0  # [s^2/m^2]
    rotation: float = 50.0  # [1/rad^2]
    spin: float = 5.0  # [s^2/rad^2]


@dataclass(frozen=True)
class PlanWeights:
    """Weights of squared errors, averaged over the nodes (cf. Kwon et al. 2020, equation 20).

    Errors are in meters, seconds, radians and body weights.

    Half or twice of a number of stepping bodies moves links by at most 6 cm
    (docs/dev/parameters.csv).
    """

    com: tuple[float, float, float] = (1.0, 1.0, 30.0)  # position of the CoM, by axis
    velocity: tuple[float, float, float] = (0.1, 0.1, 1.0)  # velocity of the CoM, by axis
    rotation: float = 10.0  # orientation
    spin: float = 1.0  # angular velocity
    end: EndWeights = EndWeights()
    # Total contact force against the one that the reference requires. Guarded by
    # test_plan.test_centre_of_mass_is_the_integral_of_the_forces
    force: float = 1.0
    coefficient: float = 3e-4  # vertical force coefficients
    coefficient_difference: float = 2e-3  # differences of neighboring vertical coefficients
    # Factor of both coefficient weights for horizontal forces
    horizontal_factor: float = 10.0
    # Horizontal forces of heel and ball against each other. tuned: they spent up to 0.11 body
    # weights at 1.1 m/s and 0.31 at 3 m/s on it, test_human.test_heel_and_ball_do_not_oppose
    opposing_forces: float = 20.0
    shift: float = 3.0  # displacement of a footstep from its sketched position
    continuity: float = 1.0  # change of the force of a window that is active at the start
    slack_square: float = 200.0  # square of the excess leg length
    slack_linear: float = 2.0  # excess leg length itself; makes small violations costly


STEPPING_PLAN_WEIGHTS = PlanWeights(
    com=(1.0, 1.0, 300.0),
    rotation=20.0,
    end=EndWeights(com=50.0, velocity=5.0, rotation=4.0, spin=1.0),
    force=4.0,
    coefficient=5e-5,
    coefficient_difference=2e-4,
    horizontal_factor=55.0,
    shift=15.0,
    slack_square=600.0,
    slack_linear=6.0,
)
"""Weights of bodies that step as humans do.

`com`: the knees are nearly straight, where 3 mm of height change them by 10 degrees. With a weight
of 30 on the height a walk deviated by 10 mm (tests/core/engine/test_human.py).
`coefficient`, `coefficient_difference`: with 3e-4 and 1e-3 the height rose and fell by a tenth less
than its reference, and the force in double support had a peak that the reference did not have,
test_human.test_forces_in_double_support. `horizontal_factor` keeps horizontal forces as smooth as
with these; with 10 the unexplained moment of fast runs doubled (humanoid-fast-run, test_engine.py).
`slack_square`, `slack_linear`: with 200 and 2 legs of a mannequin were too short before a hurdle in
three frames instead of two (tests/blender/scene/test_hurdles.py).
`end.rotation`: a last node that must be upright at any phase of the stride turned all other nodes
by 2 degrees in a run. `shift`: with 3 the steps of a limp, which differ by 12 %, became equal
(tests/core/clip/test_styles.py).
"""


@dataclass(frozen=True)
class PlanLimits:
    """Limits of contact forces, leg lengths and footstep displacements."""

    friction: float = 1.0  # coefficient of friction, Kwon et al. 2020, equation 11
    # [body weights] Largest force along the normal at one contact point; human runs have 2.5 to 4
    # at one foot
    max_force: float = 4.0
    # Slope of the cone about the vertical in which a grip can pull: 50 degrees, a hand that hangs
    # from a bar and swings
    grip_cone_slope: float = 1.2
    # [body weights] Largest upward force at one grip; in swings people pull with up to 2
    max_grip_force: float = 2.5
    # [m] Longest distance of the CoM from a foot at touchdown. Each mode of locomotion sets it, as
    # the next, from the reach of the legs
    landing_reach: float = 1.06
    leaving_reach: float = 1.06  # [m] Longest distance at lift-off, likewise
    # [m/s] Speed of a fall above which a leg lands bent, so that it can brake the fall
    gentle_landing_speed: float = 1.0
    landing_bend: float = 0.05  # [share per m/s] above it by which the reach of the leg is shorter
    max_landing_bend: float = 0.08  # Largest share by which it is shorter
    # (limbs,) [m] Reach of each limb from its root; None to measure from the CoM
    limb_reach: tuple[float, ...] | None = None
    # [s] Interval before and after a contact in which its place must be within reach as well
    reach_margin: float = 0.0
    # [rad/s] Angular velocities are clipped to this in an expansion. Numerical: it is linear, and
    # holds for slow turns
    max_spin: float = 3.0
    max_shift: float = 0.15  # [m] largest displacement of a footstep along x and y, equation 17

    def leg_reach_at(
        self, limb: NDArray[np.int64] | int, share: Array, landing_speed: Array | float = 0.0
    ) -> Array:
        """Return the longest allowed distance of the CoM (or limb root) from a contact [m].

        It grows quadratically from touchdown to lift-off, since a rising heel lengthens the leg.

        Args:
            limb: (...,) index.
            share: (...,) elapsed share of the contact: 0 at touchdown, 1 at lift-off.
            landing_speed: (...,) [m/s] speed of the fall that ends at touchdown.
        """
        if self.limb_reach is not None:
            return np.broadcast_to(np.asarray(self.limb_reach)[limb], np.shape(share))
        excess_speed = np.asarray(landing_speed) - self.gentle_landing_speed
        bend = np.clip(self.landing_bend * excess_speed, 0, self.max_landing_bend)
        landing = self.landing_reach * (1 - bend)
        return np.asarray(landing + share**2 * (self.leaving_reach - landing))


def compute_planned_friction(friction: float) -> float:
    """Return the coefficient of friction that plans use on ground with a coefficient."""
    return max(FRICTION_SHARE * friction, min(SLIPPERY_FRICTION_SHARE * friction, FRICTION_SHARE))

"""How much each wish of the plan counts, and what forces and legs can do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlanWeights:
    """Weights on means over the nodes, in metres, seconds, radians and body weights."""

    com: tuple[float, float, float] = (1.0, 1.0, 30.0)
    velocity: tuple[float, float, float] = (0.1, 0.1, 1.0)
    rotation: float = 10.0
    spin: float = 1.0
    # the same four at the last node
    end: tuple[float, float, float, float] = (50.0, 5.0, 50.0, 5.0)
    force: float = 1.0  # of the total force against the one that the wished course takes
    coefficient: float = 3e-4
    coefficient_difference: float = 2e-3
    horizontal_factor: float = 10.0  # factor of the two before for horizontal forces
    opposing_forces: float = 20.0  # of heel and ball that push against each other, horizontally
    shift: float = 3.0
    continuity: float = 1.0  # of the force of windows that were under way
    slack: tuple[float, float] = (200.0, 2.0)


STEPPING_PLAN_WEIGHTS = PlanWeights(
    com=(1.0, 1.0, 300.0),
    rotation=20.0,
    end=(50.0, 5.0, 4.0, 1.0),
    force=4.0,
    coefficient_difference=1e-3,
    shift=15.0,
)
"""Of bodies that step as people do.

Their knees are nearly straight, where 3 mm of height are 10 degrees, so the height counts more
(with 30 a walk rode 10 mm off its course, tests/core/engine/test_human.py); and a last node that
had to be upright at whatever phase of the stride it falls on turned all the others by 2 degrees in
a run. Footsteps are firm against the force: with 3 a limp's steps, uneven by 12 %, were moved to be
alike (tests/core/clip/test_styles.py).
"""


@dataclass(frozen=True)
class PlanLimits:
    """What forces and legs can do."""

    friction: float = 1.0
    max_force: float = 4.0  # body weights a point
    # of a grip: slope of the cone about the upright within which it pulls
    grip_cone_slope: float = 1.2
    max_grip_force: float = 2.5  # of a grip, upward, body weights
    # longest distance of the centre of mass from a foot as it lands and leaves, m
    reach: tuple[float, float] = (1.06, 1.06)
    # a leg that lands faster than this, m/s, lands bent: by this share of its reach for each m/s
    # more, and at most by this
    landing_give: tuple[float, float, float] = (1.0, 0.05, 0.08)
    # of each limb that begins at a root of its own: how far it reaches from there, m
    limb_reach: tuple[float, ...] | None = None
    # s before a contact and after it, that its leg is to reach it already and still
    reach_margin: float = 0.0
    max_spin: float = 3.0  # rad/s that an expansion reckons with
    max_shift: float = 0.15  # box of a footstep's shift, m

    def leg_reach_at(
        self, limb: NDArray[np.int64] | int, share: Array, landing_speed: Array | float = 0.0
    ) -> Array:
        """Longest distance of the centre of mass from a foot after a share of its contact, m; a
        heel that rises lengthens it.

        Args:
            limb: (...,) its number.
            share: (...,) 0 as the foot lands, 1 as it leaves.
            landing_speed: (...,) speed at which the body comes down on it, m/s,
                where legs are to have a way to give.
        """
        if self.limb_reach is not None:
            return np.broadcast_to(np.asarray(self.limb_reach)[limb], np.shape(share))
        gentle_speed, bend, max_bend = self.landing_give
        landing = self.reach[0] * (
            1 - np.clip(bend * (np.asarray(landing_speed) - gentle_speed), 0, max_bend)
        )
        return np.asarray(landing + share**2 * (self.reach[1] - landing))

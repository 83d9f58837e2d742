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
    end: tuple[float, float, float, float] = (50.0, 5.0, 50.0, 5.0)     # the same four at the last node
    force: float = 1.0                 # of the total force against the one that the wished course takes
    coefficient: float = 3e-4
    difference: float = 2e-3
    sideways: float = 10.0              # factor of the two before for horizontal forces
    fight: float = 20.0                 # of heel and ball that push against each other, horizontally
    shift: float = 3.0
    continuity: float = 1.0             # of the force of windows that were under way
    slack: tuple[float, float] = (200.0, 2.0)


STEPPING = PlanWeights(com=(1.0, 1.0, 300.0), rotation=20.0, end=(50.0, 5.0, 4.0, 1.0), force=4.0, difference=1e-3,
                       shift=15.0)
"""Of bodies that step as people do.

Their knees are nearly straight, where 3 mm of height are 10 degrees, so the height counts more (with 30 a walk rode 10 mm
off its course, tests/core/engine/test_human.py); and a last node that had to be upright at whatever phase of the stride it
falls on turned all the others by 2 degrees in a run. Footsteps are firm against the force: with 3 a limp's steps, uneven by
12 %, were moved to be alike (tests/core/clip/test_styles.py).
"""


@dataclass(frozen=True)
class PlanLimits:
    """What forces and legs can do."""

    friction: float = 1.0
    largest_force: float = 4.0          # body weights a point
    pull: float = 1.2                   # of a grip: slope of the cone about the upright within which it pulls
    largest_pull: float = 2.5           # of a grip, upward, body weights
    reach: tuple[float, float] = (1.06, 1.06)   # longest distance of the centre of mass from a foot as it lands and leaves, m
    # a leg that lands faster than this, m/s, lands bent: by this share of its reach for each m/s more, and at most by this
    give: tuple[float, float, float] = (1.0, 0.05, 0.08)
    legs: tuple[float, ...] | None = None       # of each limb that begins at a root of its own: how far it reaches from there, m
    early: float = 0.0                  # s before a contact and after it, that its leg is to reach it already and still
    fastest_spin: float = 3.0           # rad/s that an expansion reckons with
    shift: float = 0.15                 # box of a footstep's shift, m

    def leg(self, limb: NDArray[np.int64] | int, share: Array, fallen: Array | float = 0.0) -> Array:
        """Longest distance of the centre of mass from a foot after a share of its contact, m; a heel that rises lengthens it.

        Args:
            limb: (...,) its number.
            share: (...,) 0 as the foot lands, 1 as it leaves.
            fallen: (...,) speed at which the body comes down on it, m/s, where legs are to have a way to give.
        """
        if self.legs is not None:
            return np.broadcast_to(np.asarray(self.legs)[limb], np.shape(share))
        gentle, bend, most = self.give
        landing = self.reach[0] * (1 - np.clip(bend * (np.asarray(fallen) - gentle), 0, most))
        return np.asarray(landing + share**2 * (self.reach[1] - landing))

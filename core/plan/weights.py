"""How much each wish of the plan counts, and what forces and legs can do."""
from __future__ import annotations

from dataclasses import dataclass


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


@dataclass(frozen=True)
class PlanLimits:
    """What forces and legs can do."""

    friction: float = 1.0
    largest_force: float = 4.0          # body weights a point
    pull: float = 1.2                   # of a grip: slope of the cone about the upright within which it pulls
    largest_pull: float = 2.5           # of a grip, upward, body weights
    reach: tuple[float, float] = (1.06, 1.06)   # longest distance of the centre of mass from a foot as it lands and leaves, m
    fastest_spin: float = 3.0           # rad/s that an expansion reckons with
    shift: float = 0.15                 # box of a footstep's shift, m

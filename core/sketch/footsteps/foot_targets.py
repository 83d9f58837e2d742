"""Targets of footsteps beside the middle line, at pinned places and at the capture point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...motion.footstep import Footstep
from ...task import PinnedStep
from ..course.pendulum import PendulumPath
from ..gait.gait import Gait
from ..placement.leg_crossing import avoid_crossing
from ..placement.sole import FootTarget
from .middle_line import LinePoints

Array = NDArray[np.float64]

# Distance past the capture point at which a recovery step comes down, as in a walk [m]
CAPTURE_POINT_MARGIN = 0.02


def make_nominal_target(line_point: LinePoints, side: int, gait: Gait) -> FootTarget:
    """Return the target of a foot beside the middle line.

    Source: the foot offset of Kwon et al. 2020, appendix C.1.

    Args:
        line_point: place (2,) and heading () of the middle line.
        side: 1 for a left foot, -1 for a right one.
    """
    heading = float(line_point.heading)
    forward = np.array([np.cos(heading), np.sin(heading)])
    place = (
        line_point.position
        + side * gait.half_width * np.array([-forward[1], forward[0]])
        - gait.backward_offset * forward
    )
    return FootTarget(place, heading, side * gait.toe_out, side)


def make_pinned_target(pinned_step: PinnedStep, nominal: FootTarget) -> FootTarget:
    """Return the target of a pinned footstep, which may leave its heading open."""
    heading = (
        nominal.heading if pinned_step.heading is None else pinned_step.heading - nominal.toe_out
    )
    return replace(nominal, xy=np.array(pinned_step.position), heading=heading)


def move_to_capture_point(
    target: FootTarget,
    pendulum_path: PendulumPath,
    divergence_rate: float,
    strike: float,
    other_step: Footstep,
) -> FootTarget:
    """Return a target moved outward to the capture point, with its leg clear of the other leg.

    Otherwise the body would fall outward past the foot, and the next foot could follow only by
    crossing this one. Source: Pratt et al. 2006.

    Args:
        divergence_rate: rate at which the lean of the pendulum grows [1/s].
        strike: time at which the foot comes down [s].
        other_step: footstep of the other leg.
    """
    strike_time = np.array(strike)
    capture_point = (
        pendulum_path.sample(strike_time, "com")
        + pendulum_path.sample(strike_time, "velocity") / divergence_rate
    )
    outward_distance = target.side * float((capture_point - target.xy) @ target.left)
    place = (
        target.xy + target.side * max(outward_distance + CAPTURE_POINT_MARGIN, 0.0) * target.left
    )
    return replace(target, xy=avoid_crossing(place, target.heading, target.side, other_step))

"""What the controller is to do at one instant."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .gains import Gains

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SwingTarget:
    """Where a foot in the air is to come down. Places are of its sole's middle between heel and
    ball, metres, world axes.
    """

    leg: int
    place: Array  # (3,) on the ground
    heading: float  # rad, of the foot there
    normal: Array  # (3,) of the ground there
    remaining_time: float  # s from now
    elapsed_time: float  # s since it left
    lift_place: Array  # (3,) where it left
    apex: float = 0.07  # m above the straight way between both
    # s before it comes down, that it is over its place; in runs half of that
    early_arrival: float = 0.06
    # m/s^2 along the ground at most; in runs less, or legs pull the body about
    max_acceleration: float = 250.0
    height_deficit: float = 0.0  # m that the foot is too low for what it is about to meet
    # (3,) of the ground that it left
    lift_normal: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    is_committed: bool = False  # whether it comes down then whatever the body does
    sink_start: float = 0.45  # of its time, after which a foot that is to come down lower sinks
    # m to the left of the straight way between both, in its middle: around the leg that stands
    lateral_offset: float = 0.0
    toe_hang: float = 0.0  # rad that its toes hang as it comes down
    needs_clearance: bool = False  # whether it is to rise first where it is too low


@dataclass(frozen=True)
class ControlReference:
    """Accelerations that the plan wants now, and what the feet are to do.

    Args:
        com_acceleration: (3,) m/s^2; None in flight, where nothing can change it.
        heading_acceleration: rad/s^2 of the pelvis about the vertical.
        heading: rad, where trunk and head look.
        stance: legs whose feet are to stand.
        swing: the foot that is to come down next.
        rolling_legs: those of `stance` whose heels may rise: their toes and balls stay, their feet
            pitch as the rest of the body likes.
        is_running: whether it runs, in which objectives have other weights.
        free_foot_offsets: (legs, 3) m from the centre of mass, world axes, where feet are in the
            air that are not to come down at a place; without it they hang below the body.
        free_foot_velocities: (legs, 3) m/s, how fast these places move as seen from there.
        folding_legs: legs in the air whose knees are to bend.
        gains: weights of the objectives, where they are neither a walk's nor a run's.
        lean: rad ahead that pelvis and chest are to lean.
        toe_hang: rad that the toes of feet in the air hang.
        momentum: (3,) Nms about the centre of mass that the body is to have.
    """

    com_acceleration: Array | None
    heading_acceleration: float
    heading: float
    stance: tuple[int, ...]
    swing: SwingTarget | None = None
    rolling_legs: tuple[int, ...] = ()
    is_running: bool = False
    free_foot_offsets: Array | None = None
    free_foot_velocities: Array | None = None
    folding_legs: tuple[int, ...] = ()
    gains: Gains | None = None
    momentum: Array | None = None
    lean: float = 0.0
    toe_hang: float = 0.0

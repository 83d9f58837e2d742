"""What the controller is to do at one instant."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .gains import Gains

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SwingTarget:
    """Where a foot in the air is to come down. Places are of its sole's middle between heel and ball, metres, world axes."""

    leg: int
    place: Array                  # (3,) on the ground
    heading: float                # rad, of the foot there
    normal: Array                 # (3,) of the ground there
    arrives: float                # s from now
    since: float                  # s since it left
    left: Array                   # (3,) where it left
    apex: float = 0.07            # m above the straight way between both
    early: float = 0.06           # s before it comes down, that it is over its place; in runs half of that
    hardest: float = 250.0        # m/s^2 along the ground at most; in runs less, or legs pull the body about
    lacks: float = 0.0            # m that the foot is too low for what it is about to meet
    left_normal: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))       # (3,) of the ground that it left
    sure: bool = False            # whether it comes down then whatever the body does
    sinks: float = 0.45           # of its time, after which a foot that is to come down lower sinks
    bows: float = 0.0             # m to the left of the straight way between both, in its middle: around the leg that stands
    points: float = 0.0           # rad that its toes hang as it comes down
    clears: bool = False          # whether it is to rise first where it is too low


@dataclass(frozen=True)
class Reference:
    """Accelerations that the plan wants now, and what the feet are to do.

    Args:
        com_acceleration: (3,) m/s^2; None in flight, where nothing can change it.
        heading_acceleration: rad/s^2 of the pelvis about the vertical.
        heading: rad, where trunk and head look.
        stance: legs whose feet are to stand.
        swing: the foot that is to come down next.
        rolls: those of `stance` whose heels may rise: their toes and balls stay, their feet pitch as the rest of the body likes.
        runs: whether it runs, in which objectives have other weights.
        hangs: (legs, 3) m from the centre of mass, world axes, where feet are in the air that are not to come down at a place;
            without it they hang below the body.
        hanging: (legs, 3) m/s, how fast these places move as seen from there.
        folds: legs in the air whose knees are to bend.
        gains: weights of the objectives, where they are neither a walk's nor a run's.
        lean: rad ahead that pelvis and chest are to lean.
        points: rad that the toes of feet in the air hang.
        momentum: (3,) Nms about the centre of mass that the body is to have.
    """

    com_acceleration: Array | None
    heading_acceleration: float
    heading: float
    stance: tuple[int, ...]
    swing: SwingTarget | None = None
    rolls: tuple[int, ...] = ()
    runs: bool = False
    hangs: Array | None = None
    hanging: Array | None = None
    folds: tuple[int, ...] = ()
    gains: Gains | None = None
    momentum: Array | None = None
    lean: float = 0.0
    points: float = 0.0

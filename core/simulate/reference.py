"""Reference of the controller at one instant."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .gains import Gains

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SwingTarget:
    """Touchdown of a swinging foot. Positions are of the center of its sole, in the world."""

    leg: int
    place: Array  # (3,) [m] on the ground
    heading: float  # [rad] of the foot at touchdown
    normal: Array  # (3,) of the ground at touchdown
    remaining_time: float  # [s] until touchdown
    elapsed_time: float  # [s] since lift-off
    lift_place: Array  # (3,) [m] at lift-off
    apex: float = 0.07  # [m] height above the straight line between both places
    # [s] before touchdown at which the foot is over its place; half as long in runs
    early_arrival: float = 0.06
    # [m/s^2] largest horizontal acceleration; smaller in runs, where a leg would move the body
    max_acceleration: float = 250.0
    height_deficit: float = 0.0  # [m] by which the foot is too low for the ground ahead of it
    # (3,) normal of the ground at lift-off
    lift_normal: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    is_committed: bool = False  # whether the touchdown's time is fixed, whatever the body does
    sink_start: float = 0.45  # elapsed share from which a foot sinks to a lower place
    # [m] lateral offset of the arc at its middle, to the left, around the standing leg
    lateral_offset: float = 0.0
    toe_hang: float = 0.0  # [rad] pitch of the foot at touchdown, toes down
    needs_clearance: bool = False  # whether a foot that is too low must rise first


@dataclass(frozen=True)
class ControlReference:
    """Accelerations of the plan, and the roles of the feet."""

    com_acceleration: Array | None  # (3,) [m/s^2]; None in flight, where it is determined
    heading_acceleration: float  # [rad/s^2] of the pelvis about the vertical
    heading: float  # [rad] of trunk and head
    stance: tuple[int, ...]  # legs that stand
    swing: SwingTarget | None = None  # next touchdown
    # Legs of `stance` whose heels may rise: ball and toes stay in place, the foot may pitch
    rolling_legs: tuple[int, ...] = ()
    is_running: bool = False  # selects the gains of runs
    # (legs, 3) [m] positions of feet in the air without a touchdown, relative to the CoM in world
    # axes; None to let them hang below the body
    free_foot_offsets: Array | None = None
    free_foot_velocities: Array | None = None  # (legs, 3) [m/s] rates of these offsets
    folding_legs: tuple[int, ...] = ()  # legs in the air whose knees must bend
    gains: Gains | None = None  # replaces the gains of walks and runs
    momentum: Array | None = None  # (3,) [Nms] desired angular momentum about the CoM
    lean: float = 0.0  # [rad] forward lean of pelvis and chest
    toe_hang: float = 0.0  # [rad] pitch of feet in the air without a touchdown, toes down

"""Movements that cyclical controllers do (Wu and Popović 2010, section 9)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from .height_field import FIELDS, PLANE, GroundKind
from .parameters import GaitParameters, LocomotionParameters

Array = NDArray[np.float64]


# Duration of half a cycle, see `planner.HalfCycleTiming` [s]
HALF_CYCLE_TIME = 34 * 8 / 490


@dataclass(frozen=True)
class Movement:
    """What a cyclical controller does, and the walks of its training.

    Args:
        name: of the file of its controller.
        direction: heading of the movement relative to the facing [rad].
        step_length: of a half-cycle [m].
        step_range: largest deviation from it [m].
        speed: of the body at the beginning of a walk, along the movement [m/s].
        speed_range: largest deviation from it [m/s].
        turn_range: largest change of heading in a half-cycle [rad].
        lead: foot on the side of the movement, 0 left, 1 right; None for movements that look alike
            in both halves of a cycle.
        start: parameters from which a search begins.
        sway: speed toward the foot that stands first, at the beginning of a walk [m/s].
        begins_in_stride: whether walks begin with the feet a step apart, which spares the three
            steps that bodies with both feet side by side need to find their rhythm.
        grounds: of the walks.
    """

    name: str
    direction: float
    step_length: float
    step_range: float
    speed: float
    speed_range: float
    turn_range: float = float(np.radians(8.0))
    lead: int | None = None
    start: GaitParameters = field(default_factory=lambda: GaitParameters(LocomotionParameters()))
    sway: float = 0.0
    begins_in_stride: bool = False
    grounds: tuple[GroundKind, ...] = FIELDS

    def find_stride(self, step_length: float) -> float:
        """Return by how much the foot that stands first is ahead of the other one [m]."""
        return float(np.cos(self.direction)) * step_length if self.begins_in_stride else 0.0

    def find_start_velocity(self, ahead: float, lateral: float) -> Array:
        """Return a velocity along and to the left of the movement in the body's axes (2,)."""
        c = np.cos(self.direction)
        s = np.sin(self.direction)
        return np.array([c * ahead - s * lateral, s * ahead + c * lateral])


# Grounds of the forward walk: boxes and fields are those of section 8.3
WALKED_GROUNDS = (PLANE, GroundKind(0.2, "boxes"), GroundKind(0.1, "stairs"), GroundKind(0.2))


# Rounded mean of a first search of 75 generations, with which that of the forward walk begins
WALKING = LocomotionParameters(
    body_stiffness=1200,
    body_damping=230,
    body_lift=628,
    body_turn_stiffness=1284,
    body_turn_damping=34.3,
    ankle_stiffness=1745,
    ankle_damping=176,
    ankle_lift=70.4,
    sole_stiffness=2095,
    sole_damping=2.21,
    body_weight=3.49,
    knee_bending=1248,
    swing_extension=0.136,
    step_outward=-0.009,
    step_forward=-0.023,
    step_gain_outward=0.222,
    step_gain_ahead=0.595,
    step_gain_inward=1.25,
    step_gain_behind=0.699,
    body_gain_outward=0.358,
    body_gain_forward=0.322,
    swing_timing_1=0.289,
    swing_timing_2=0.577,
    swing_pitch_1=-88.5,
    swing_pitch_2=45.0,
    swing_along_1=0.065,
    swing_along_2=0.985,
    swing_height_1=0.037,
    swing_height_2=0.191,
    body_along_1=0.316,
    body_along_2=0.575,
    body_height_1=0.056,
    body_height_2=-0.007,
    body_outward=0.004,
    body_forward=-0.01,
    body_lowering=-0.085,
    body_lean_back=-1.05,
    body_roll_outward=-0.951,
    body_twist=-4.74,
)


def _start_sidestep() -> GaitParameters:
    """Return parameters with which the feet do not cross: only the leading foot steps ahead.

    The stiffness of the upper body's turns is that of the walk; with the values set by hand bodies
    fall at their second step.
    """
    step = SIDE_STEP
    upright = LocomotionParameters(
        body_turn_stiffness=1500,
        body_turn_damping=40,
        body_weight=3.5,
        swing_pitch_1=-10,
        swing_pitch_2=10,
    )
    return GaitParameters(
        replace(upright, step_forward=step, body_forward=0.5 * step),
        replace(upright, step_forward=-step, body_forward=-0.5 * step),
    )


# A body that stands on its whole soles with bent knees. A search straightens them, since that takes
# less torque, and then a body that arrives from a walk tips over its heels
STANDING = LocomotionParameters(
    body_stiffness=1500,
    body_damping=300,
    body_lift=640,
    body_turn_stiffness=400,
    body_turn_damping=3,
    body_weight=1.5,
    knee_bending=1500,
    body_height_1=0.0,
    body_height_2=0.0,
    body_lowering=-0.04,
    step_outward=0.0,
    swing_along_2=0.8,
)
# The paper's sidesteps of 0.5 m cross the legs; these do not, which needs less balance.
SIDE_STEP = 0.2
MOVEMENTS = {
    movement.name: movement
    for movement in (
        Movement(
            "forward",
            0.0,
            0.65,
            0.12,
            speed=1.35,
            speed_range=0.25,
            start=GaitParameters(WALKING),
            sway=0.18,
            begins_in_stride=True,
            grounds=WALKED_GROUNDS,
        ),
        Movement(
            "backward",
            float(np.pi),
            0.45,
            0.12,
            speed=0.95,
            speed_range=0.2,
            sway=0.18,
            begins_in_stride=True,
        ),
        Movement(
            "left",
            0.5 * float(np.pi),
            SIDE_STEP,
            0.06,
            speed=0.2,
            speed_range=0.15,
            lead=0,
            start=_start_sidestep(),
        ),
        Movement(
            "stand",
            0.0,
            0.0,
            0.0,
            speed=0.0,
            speed_range=0.4,
            turn_range=0.0,
            start=GaitParameters(STANDING),
        ),
    )
}


# Steps to the right are those to the left, mirrored, and are never trained
RIGHT = replace(MOVEMENTS["left"], name="right", direction=-MOVEMENTS["left"].direction, lead=1)


def find_movement(name: str) -> Movement:
    """Return a movement by its name.

    Raises:
        TaskError: there is none.
    """
    if name == RIGHT.name:
        return RIGHT
    if name not in MOVEMENTS:
        raise TaskError(f"There is no movement {name!r}; there are: {', '.join(MOVEMENTS)}.")
    return MOVEMENTS[name]


@dataclass(frozen=True)
class GaitRange:
    """What a controller holds, for a body of the reference size; see the table in its file.

    Args:
        min_step, max_step: range of its step length [m].
        max_turn: largest change of heading in half a cycle [rad].
    """

    min_step: float
    max_step: float
    max_turn: float


GAIT_RANGES = {
    "forward": GaitRange(0.3, 0.73, float(np.radians(8.0))),
    "backward": GaitRange(0.2, 0.53, float(np.radians(4.0))),
    "left": GaitRange(0.17, 0.23, float(np.radians(4.0))),
    "right": GaitRange(0.17, 0.23, float(np.radians(4.0))),
    "stand": GaitRange(0.0, 0.0, 0.0),
}

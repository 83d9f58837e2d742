"""What the control loop reads at a control step, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...simulate import BodyState, PhysicsState, SimulatedBody
from ...slip.body import SlipBody
from ...slip.command import StepGoal
from ...slip.state import FootPose
from ..shared.scaling import REFERENCE_GRAVITY

Array = NDArray[np.float64]


@dataclass
class ControlClock:
    """Computing time by stage [s]."""

    plan: float = 0.0
    control: float = 0.0
    physics: float = 0.0


@dataclass(frozen=True)
class ControlTick:
    """Input of one control step.

    Attributes:
        time: time of the simulation [s].
        goal: goal of the next two steps.
        body_state: state of the body.
        feet: left and right foot.
        heading: heading of the pelvis [rad], continuous over whole turns.
    """

    time: float
    goal: StepGoal
    body_state: BodyState
    feet: tuple[FootPose, FootPose]
    heading: float


@dataclass(frozen=True)
class Instant:
    """Result of one control step.

    Attributes:
        state: state of the physics before the step.
        body_state: state of the body before the step.
        planned_com: (3,) planned center of mass [m].
        is_controlled: whether the controller's program was feasible.
        stance_legs: legs whose feet were planned to stand; all legs of a fallen body.
    """

    state: PhysicsState
    body_state: BodyState
    planned_com: Array
    is_controlled: bool
    stance_legs: tuple[int, ...]


def make_slip_body(body: SimulatedBody) -> SlipBody:
    """Return the parameters of a body that the preview needs."""
    return SlipBody.from_character(
        body.character, REFERENCE_GRAVITY, body.com_height, body.hips_from_com
    )

"""What the loop knows of a body, and what it tells of each instant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...simulate import BodyState, PhysicsState, SimulatedBody
from ...slip.body import SlipBody

Array = NDArray[np.float64]


@dataclass
class ControlClock:
    """Computing time by stage, s."""

    plan: float = 0.0
    control: float = 0.0
    physics: float = 0.0


@dataclass(frozen=True)
class Instant:
    """The body before a step, where its centre of mass was to be, (3,) m,
    and whether it could be told what to do.

    Args:
        stance_legs: legs whose feet were to stand; all of a body that has fallen.
    """

    state: PhysicsState
    body_state: BodyState
    planned_com: Array
    is_controlled: bool
    stance_legs: tuple[int, ...]


def make_slip_body(body: SimulatedBody) -> SlipBody:
    """What a preview knows of a body."""
    return SlipBody.from_character(body.character, 9.81, body.com_height, body.hips_from_com)

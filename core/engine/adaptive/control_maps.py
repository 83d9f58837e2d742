"""What the control of a body needs in each control step, and what only depends on the body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from .biped_model import BipedModel
from .force_solver import ForceSolver

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ControlMaps:
    """Constants of the control of a body.

    Args:
        solver: of its torques.
        hips: (2, 3) from the center of the upper body [m].
        frame_places: (4, 3) place of the ankle from itself, of toes and heel from the center of
            the foot [m].
        frame_rates: (12, 6) rates of ankle, toes and heel, which the PD controllers damp, by the
            foot's twist.
        frame_blocks: (2, 4) block of a foot that bears a frame, see `BipedModel.contact_block`.
        helper_wrench: (6, 12) force and moment about the center of the foot by forces on its
            frames.
        contact_blocks: `BipedModel.contact_block` as plain numbers.
    """

    solver: ForceSolver
    hips: Array
    frame_places: Array
    frame_rates: Array
    frame_blocks: NDArray[np.int64]
    helper_wrench: Array
    contact_blocks: list[int]


@lru_cache(maxsize=8)
def find_control_maps(model: BipedModel) -> ControlMaps:
    """Return the constants of a body, which all evaluations of a search share."""
    frames = model.frames
    relative = frames.offsets - frames.center
    levers = so3.hat(relative)
    return ControlMaps(
        ForceSolver(model.biped, frames, model.max_torque),
        model.biped.hips,
        np.vstack([np.zeros(3), relative[1:]]),
        frame_rates=np.block(
            [[np.eye(3), np.zeros((3, 3))], [np.zeros((9, 3)), -levers[1:].reshape(9, 3)]]
        ),
        frame_blocks=np.where(frames.is_toe, 0, 1) + np.array([[0], [2]]),
        helper_wrench=np.concatenate(
            [np.tile(np.eye(3), (1, 4)), np.concatenate(list(levers), axis=1)]
        ),
        contact_blocks=model.contact_block.tolist(),
    )

"""Detection of falls and of failed simulations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .model import SimulatedModel

Array = NDArray[np.float64]

# Norm of the generalized velocity beyond which the simulation has failed [m/s, rad/s]: no body
# moves a hundredth as fast
MAX_VELOCITY = 1e5
# Height of the head over the ground below which a body has fallen, as a share of its neutral height
FALLEN_HEAD_SHARE = 0.5


class FallDetector:
    """Detector that keeps the first failure in words, as `trouble`.

    Args:
        model: of the body, with its ground.
    """

    def __init__(self, model: SimulatedModel) -> None:
        character = model.character
        head = character.head if character.head is not None else (character.trunk or (0,))[-1]
        self.head = int(model.links[head])  # body of the head, or of the topmost trunk link
        self._head_height = float(character.neutral_joint_position(head)[2]) + character.root_height
        self._model = model.mujoco
        self._ground = model.ground
        self._last_ground = 0.0
        self.trouble = ""

    @property
    def is_lost(self) -> bool:
        """Whether the simulation has failed and cannot continue."""
        return self.trouble.startswith("not finite")

    def reset(self) -> None:
        """Forget all failures."""
        self.trouble = ""

    def check_torques(self, torques: Array, time: float) -> None:
        """Report torques that are not finite, at a time [s]."""
        if not np.isfinite(torques).all():
            self._report_lost("the torques are no numbers", time)

    def check_velocity(self, velocity: Array, time: float) -> None:
        """Report a generalized velocity (nv,) that is too large or not finite, at a time [s]."""
        if not velocity @ velocity < MAX_VELOCITY**2:
            self._report_lost("the physics engine lost the body", time)

    def check_head(self, place: Array, time: float) -> None:
        """Report a fall if the head at `place` (3,) [m] is too low, at a time [s].

        Where there is no ground, the last ground height counts.
        """
        ground = float(self._ground.sample_heights(place[:2]))
        if np.isnan(ground):
            ground = self._last_ground
        self._last_ground = ground
        if not self.trouble and place[2] - ground < FALLEN_HEAD_SHARE * self._head_height:
            self.trouble = f"fallen: the head is below half its height at {time:.3f} s"

    def report_touch(self, body: int, time: float) -> None:
        """Report a fall: a body other than a sole touches the ground, at a time [s]."""
        if not self.trouble:
            self.trouble = (
                f"fallen: {self._model.body(body).name} touches the ground at {time:.3f} s"
            )

    def _report_lost(self, reason: str, time: float) -> None:
        """Report a failed simulation."""
        self.trouble = f"not finite: {reason} at {time:.3f} s"

"""What counts as a fall, and what as no body any more, whichever engine moves it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .model import SimulatedModel

Array = NDArray[np.float64]

# m/s and rad/s, of all degrees of freedom together; beyond it there is no body any more
MAX_VELOCITY = 1e5


class FallDetector:
    """Remembers the first trouble of a body, in words.

    Args:
        model: with its ground.
    """

    def __init__(self, model: SimulatedModel) -> None:
        character = model.character
        head = character.head if character.head is not None else (character.trunk or (0,))[-1]
        self.head = int(model.links[head])  # body of the head, or of what stands for it
        self._head_height = float(character.neutral_joint_position(head)[2]) + character.root_height
        self._model = model.mujoco
        self._ground = model.ground
        self._last_ground = 0.0
        self.trouble = ""

    @property
    def is_lost(self) -> bool:
        """Whether there is no body any more that could be moved on."""
        return self.trouble.startswith("not finite")

    def reset(self) -> None:
        """All is well."""
        self.trouble = ""

    def check_torques(self, torques: Array, time: float) -> None:
        """See that they are numbers."""
        if not np.isfinite(torques).all():
            self._report_lost("the torques are no numbers", time)

    def check_velocity(self, velocity: Array, time: float) -> None:
        """See that the body (nv,) is no faster than any can be."""
        if not velocity @ velocity < MAX_VELOCITY**2:
            self._report_lost("the physics engine lost the body", time)

    def check_head(self, place: Array, time: float) -> None:
        """See that the head (3,) is not nearer to the ground than half of where it
        is in the neutral pose.
        """
        ground = float(self._ground.sample_heights(place[:2]))
        if np.isnan(ground):
            ground = self._last_ground
        self._last_ground = ground
        if not self.trouble and place[2] - ground < 0.5 * self._head_height:
            self.trouble = f"fallen: the head is below half its height at {time:.3f} s"

    def report_touch(self, body: int, time: float) -> None:
        """Something else than a sole's corner is on the ground."""
        if not self.trouble:
            self.trouble = (
                f"fallen: {self._model.body(body).name} touches the ground at {time:.3f} s"
            )

    def _report_lost(self, reason: str, time: float) -> None:
        self.trouble = f"not finite: {reason} at {time:.3f} s"

"""What hands mean: keys that are held, a stick that is drawn on the screen,
and how the view is turned.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..worker.drive_process import InputCommand

Array = NDArray[np.float64]

STEERING_KEYS = {
    "UP_ARROW": (0, 1),
    "W": (0, 1),
    "DOWN_ARROW": (0, -1),
    "S": (0, -1),
    "LEFT_ARROW": (-1, 0),
    "A": (-1, 0),
    "RIGHT_ARROW": (1, 0),
    "D": (1, 0),
}
NATURAL_SPEED_DEFLECTION = 0.6  # of the stick's way, at which the character goes at its own speed
DEAD_ZONE = 0.08  # of it, within which the stick is let go


@dataclass
class DriveInput:
    """Keys and stick; speeds in m/s."""

    slow_speed: float
    natural_speed: float
    fast_speed: float
    held_keys: set[str] = field(default_factory=set)
    shift_pressed: bool = False
    stick: tuple[float, float] | None = None  # right and up, 1 long at most

    def handle_key(self, key: str, value: str) -> bool:
        """Take a key that is pressed or let go; whether it is one that steers."""
        if key not in STEERING_KEYS:
            return False
        if value == "PRESS":
            self.held_keys.add(key)
        elif value == "RELEASE":
            self.held_keys.discard(key)
        return True

    def release_all(self) -> None:
        """Whatever was held no longer is, as when another window is looked at."""
        self.held_keys.clear()
        self.stick = None
        self.shift_pressed = False

    def read_command(self, view: Array, previous: InputCommand | None) -> InputCommand | None:
        """What is meant; let go it goes on where it went, as slowly as it can.
        None as long as nothing was ever meant.

        Args:
            view: (3, 3) rotation of the view in the world.
        """
        x, y = (
            self.stick
            or np.sum([STEERING_KEYS[key] for key in sorted(self.held_keys)], axis=0, dtype=float)
            if self.held_keys or self.stick
            else (0.0, 0.0)
        )
        deflection = float(np.hypot(x, y))
        if deflection < DEAD_ZONE:
            return None if previous is None else InputCommand(self.slow_speed, previous.direction)
        direction = project_to_ground(view, np.array([x, y]) / deflection)
        return InputCommand(
            self._choose_speed(min(deflection, 1.0)), float(np.arctan2(direction[1], direction[0]))
        )

    def _choose_speed(self, deflection: float) -> float:
        if self.stick is None:
            return self.fast_speed if self.shift_pressed else self.natural_speed
        return float(
            np.interp(
                deflection,
                [DEAD_ZONE, NATURAL_SPEED_DEFLECTION, 1.0],
                [
                    self.slow_speed,
                    self.fast_speed if self.shift_pressed else self.natural_speed,
                    self.fast_speed,
                ],
            )
        )


def project_to_ground(view: Array, screen_direction: Array) -> Array:
    """A way on the screen, right and up, as one over the ground. (2,) -> (2,)."""
    # up on the screen, or away from who looks
    right = view[:2, 0]
    ahead = view[:2, 1] - view[:2, 2]
    lengths = np.linalg.norm(right), np.linalg.norm(ahead)
    out: Array = screen_direction[0] * right / max(float(lengths[0]), 1e-6) + screen_direction[
        1
    ] * ahead / max(float(lengths[1]), 1e-6)
    return out

"""Input of a live drive: pressed keys and the on-screen stick, relative to the view."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...core.engine.base import DriveSpeeds
from ..worker.drive_process import InputCommand

Array = NDArray[np.float64]

# Direction on the screen, right and up, of each key.
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
# Stick deflection that commands the natural speed; full is 1. By hand: more than half of the stick
# is for walks, and the rest leads to runs.
NATURAL_SPEED_DEFLECTION = 0.6
DEAD_ZONE = 0.08  # stick deflection below which the stick counts as released


@dataclass(frozen=True)
class StickDeflection:
    """Deflection of the on-screen stick; its length is at most 1."""

    right: float
    up: float


@dataclass
class DriveInput:
    """Pressed keys and stick."""

    speeds: DriveSpeeds
    held_keys: set[str] = field(default_factory=set)
    shift_pressed: bool = False
    stick: StickDeflection | None = None  # None while the stick is not held

    def handle_key(self, key: str, value: str) -> bool:
        """Process a key event.

        Args:
            key: type of the Blender event.
            value: value of the Blender event, such as "PRESS".

        Returns:
            Whether it is a steering key.
        """
        if key not in STEERING_KEYS:
            return False
        if value == "PRESS":
            self.held_keys.add(key)
        elif value == "RELEASE":
            self.held_keys.discard(key)
        return True

    def release_all(self) -> None:
        """Release keys and stick, for instance when the window loses the focus."""
        self.held_keys.clear()
        self.stick = None
        self.shift_pressed = False

    def read_command(self, view: Array, previous: InputCommand | None) -> InputCommand | None:
        """Return the command that the input stands for.

        Without input the character continues in the previous direction at its lowest speed.

        Args:
            view: rotation of the view in the world, (3, 3).
            previous: latest command; None if there was none.

        Returns:
            The command; None if there is neither input nor a previous command.
        """
        on_screen = self._read_screen_vector()
        deflection = float(np.hypot(*on_screen))
        if deflection < DEAD_ZONE:
            return None if previous is None else InputCommand(self.speeds.slow, previous.direction)
        direction = project_to_ground(view, on_screen / deflection)
        return InputCommand(
            self._choose_speed(min(deflection, 1.0)), float(np.arctan2(direction[1], direction[0]))
        )

    def _read_screen_vector(self) -> Array:
        """Return the direction on the screen, right and up, (2,); zero without input."""
        if self.stick is not None:
            return np.array([self.stick.right, self.stick.up])
        keys = [STEERING_KEYS[key] for key in sorted(self.held_keys)]
        return np.sum(keys, axis=0, dtype=float) if keys else np.zeros(2)

    def _choose_speed(self, deflection: float) -> float:
        """Return the speed [m/s] for a deflection, which counts only if the stick is held."""
        cruising_speed = self.speeds.fast if self.shift_pressed else self.speeds.natural
        if self.stick is None:
            return cruising_speed
        return float(
            np.interp(
                deflection,
                [DEAD_ZONE, NATURAL_SPEED_DEFLECTION, 1.0],
                [self.speeds.slow, cruising_speed, self.speeds.fast],
            )
        )


def project_to_ground(view: Array, screen_direction: Array) -> Array:
    """Return the horizontal direction, (2,), that a direction on the screen stands for.

    Args:
        view: rotation of the view in the world, (3, 3).
        screen_direction: right and up on the screen, (2,).
    """
    right = view[:2, 0]
    # Up on the screen in views from above, away from the viewer in views from the side.
    ahead = view[:2, 1] - view[:2, 2]
    right_length = max(float(np.linalg.norm(right)), 1e-6)
    ahead_length = max(float(np.linalg.norm(ahead)), 1e-6)
    direction: Array = (
        screen_direction[0] * right / right_length + screen_direction[1] * ahead / ahead_length
    )
    return direction

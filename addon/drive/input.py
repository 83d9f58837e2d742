"""What hands mean: keys that are held, a stick that is drawn on the screen, and how the view is turned."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..worker.drive_process import Meant

Array = NDArray[np.float64]

KEYS = {"UP_ARROW": (0, 1), "W": (0, 1), "DOWN_ARROW": (0, -1), "S": (0, -1), "LEFT_ARROW": (-1, 0), "A": (-1, 0),
        "RIGHT_ARROW": (1, 0), "D": (1, 0)}
OWN = 0.6             # of the stick's way, at which the character goes at its own speed
STILL = 0.08          # of it, within which the stick is let go


@dataclass
class Hands:
    """Keys and stick; speeds in m/s."""

    slow: float
    own: float
    fast: float
    held: set[str] = field(default_factory=set)
    shift: bool = False
    stick: tuple[float, float] | None = None       # right and up, 1 long at most

    def take(self, key: str, value: str) -> bool:
        """Take a key that is pressed or let go; whether it is one that steers."""
        if key not in KEYS:
            return False
        if value == "PRESS":
            self.held.add(key)
        elif value == "RELEASE":
            self.held.discard(key)
        return True

    def let_go(self) -> None:
        """Whatever was held no longer is, as when another window is looked at."""
        self.held.clear()
        self.stick, self.shift = None, False

    def meant(self, view: Array, before: Meant | None) -> Meant | None:
        """What is meant; let go it goes on where it went, as slowly as it can. None as long as nothing was ever meant.

        Args:
            view: (3, 3) rotation of the view in the world.
        """
        x, y = self.stick or np.sum([KEYS[key] for key in sorted(self.held)], axis=0, dtype=float) if self.held or self.stick \
            else (0.0, 0.0)
        size = float(np.hypot(x, y))
        if size < STILL:
            return None if before is None else Meant(self.slow, before.direction)
        along = over_ground(view, np.array([x, y]) / size)
        return Meant(self._speed(min(size, 1.0)), float(np.arctan2(along[1], along[0])))

    def _speed(self, size: float) -> float:
        if self.stick is None:
            return self.fast if self.shift else self.own
        return float(np.interp(size, [STILL, OWN, 1.0], [self.slow, self.fast if self.shift else self.own, self.fast]))


def over_ground(view: Array, way: Array) -> Array:
    """A way on the screen, right and up, as one over the ground. (2,) -> (2,)."""
    right, ahead = view[:2, 0], view[:2, 1] - view[:2, 2]        # up on the screen, or away from who looks
    lengths = np.linalg.norm(right), np.linalg.norm(ahead)
    out: Array = way[0] * right / max(float(lengths[0]), 1e-6) + way[1] * ahead / max(float(lengths[1]), 1e-6)
    return out

"""An actor: the limbs of a body in a recording, in metres, upright, at one frame rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GRAVITY = 9.81  # m/s^2, that clips are taken to be recorded under
FPS = 120.0  # frames per second of an actor, whatever the recording's are
# of an actor, its places
POSITION_FIELDS = (
    "hips",
    "knees",
    "ankles",
    "balls",
    "shoulders",
    "elbows",
    "wrists",
    "neck",
    "head",
)


@dataclass(frozen=True)
class Actor:
    """Limbs of a body over time: metres, z up, `FPS`, left side first.

    Args:
        hips, knees, ankles, balls: (n, 2, 3).
        shoulders, elbows, wrists: (n, 2, 3), None without arms.
        neck: (n, 3) base of the neck, or where arms hang in the middle.
        head: (n, 3), None where there is none.
        pelvis, chest: (n, 3, 3) axes as recorded, whichever way they lie.
        feet: (n, 2, 3, 3) of the bones from the ankles on.
        lean: of the line from hips to shoulders in an upright stand, forward, rad;
            skeletons differ in that by 20 degrees.
        leg_length: hips' height over the soles with straight legs, m.
        unit: what the file's lengths are in.
        up_axis: which axis of the file is up.
        skipped_time: frames left out at the begin, such as a T-pose, s.
        skull: (n, 3, 3) axes of the head as recorded, None where there is none.
    """

    name: str
    hips: Array
    knees: Array
    ankles: Array
    balls: Array
    shoulders: Array | None
    elbows: Array | None
    wrists: Array | None
    neck: Array
    head: Array | None
    pelvis: Array
    chest: Array
    feet: Array
    lean: float
    leg_length: float
    unit: str
    up_axis: str
    skipped_time: float
    skull: Array | None = None

    @property
    def frames(self) -> int:
        """How many there are."""
        return len(self.hips)

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1, m/s."""
        return float(np.sqrt(GRAVITY * self.leg_length))

    @property
    def arms(self) -> tuple[Array, Array, Array] | None:
        """Shoulders, elbows and wrists, where there are any."""
        if self.shoulders is None or self.elbows is None or self.wrists is None:
            return None
        return self.shoulders, self.elbows, self.wrists

    @property
    def time(self) -> Array:
        """Seconds from the first frame that is not left out. (n,)."""
        return np.arange(self.frames) / FPS

"""An actor: the limbs of a recorded body in meters, upright, at one frame rate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...geometry.units import STANDARD_GRAVITY

Array = NDArray[np.float64]

# Frame rate of an actor, to which every recording is resampled [Hz]: that of most optical ones
FPS = 120.0
# Fields of an actor that hold positions.
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

# Fields of an actor that hold both sides.
SIDE_FIELDS = ("hips", "knees", "ankles", "balls", "shoulders", "elbows", "wrists", "feet")


@dataclass(frozen=True)
class Arms:
    """Joints of both arms over time, left side first.

    Args:
        shoulders: (n, 2, 3) positions [m].
        elbows: (n, 2, 3) positions [m].
        wrists: (n, 2, 3) positions [m].
    """

    shoulders: Array
    elbows: Array
    wrists: Array


@dataclass(frozen=True)
class Actor:
    """Limbs of a body over n frames at `FPS`, with z up and the left side first.

    Args:
        name: name of the recording.
        hips: (n, 2, 3) positions [m].
        knees: (n, 2, 3) positions [m].
        ankles: (n, 2, 3) positions [m].
        balls: (n, 2, 3) positions of the balls of the feet [m].
        shoulders: (n, 2, 3) positions [m]; None without arms.
        elbows: (n, 2, 3) positions [m]; None without arms.
        wrists: (n, 2, 3) positions [m]; None without arms.
        neck: (n, 3) base of the neck, or of the chest if there is no neck [m].
        head: (n, 3) position [m]; None without a head.
        pelvis: (n, 3, 3) axes of the bone as recorded, in any orientation to the body.
        chest: (n, 3, 3) axes of the bone as recorded, in any orientation to the body.
        feet: (n, 2, 3, 3) axes of the bones that start at the ankles.
        lean: forward lean of the line from hips to shoulders in an upright stance [rad];
            skeletons differ by 20 degrees.
        leg_length: height of the hips over the soles with straight legs [m].
        unit: length unit of the file.
        up_axis: vertical axis of the file.
        skipped_time: duration of the frames left out at the start, such as a T-pose [s].
        skull: (n, 3, 3) axes of the head as recorded; None without a head.
        sample_time: time between two frames of the file [s].
        body_count: number of bodies in the file, of which this is the first one.
        has_feet: whether the skeleton has feet; if not, they were put at the ends of the shins.
        has_swapped_sides: whether left and right were exchanged, since their names are wrong.
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
    sample_time: float = 1 / FPS
    body_count: int = 1
    has_feet: bool = True
    has_swapped_sides: bool = False

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.hips)

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1 [m/s]."""
        return float(np.sqrt(STANDARD_GRAVITY * self.leg_length))

    @property
    def arms(self) -> Arms | None:
        """Joints of both arms; None without arms."""
        if self.shoulders is None or self.elbows is None or self.wrists is None:
            return None
        return Arms(self.shoulders, self.elbows, self.wrists)

    @property
    def time(self) -> Array:
        """(n,) time since the first frame that is not left out [s]."""
        return np.arange(self.frames) / FPS

    @property
    def faces_knees(self) -> bool:
        """Whether the knees bend toward where the hips face."""
        lateral = self.hips[:, 0] - self.hips[:, 1]
        forward = np.stack([lateral[:, 1], -lateral[:, 0], np.zeros(self.frames)], 1)[:, None]
        bend = self.knees - 0.5 * (self.hips + self.ankles)
        return bool(np.median((bend * forward).sum(-1)) > 0)

    def swap_sides(self) -> Actor:
        """Return the actor with left and right exchanged."""
        swapped: dict[str, Any] = {
            name: None if values is None else values[:, ::-1]
            for name in SIDE_FIELDS
            for values in (getattr(self, name),)
        }
        return replace(self, **swapped, has_swapped_sides=not self.has_swapped_sides)

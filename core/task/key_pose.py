"""A key pose: chest, arms and head in a given pose at a given time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import TaskError
from .entries import Quaternion, check_orientations, read_float, read_orientations
from .part import TaskPart, copy_part

# Minimum time from the start of the blend in to the end of the blend out [s].
MIN_DURATION = 0.1


@dataclass(frozen=True)
class KeyPose(TaskPart):
    """Orientations of chest, arms and head at a time, blended in before it and out after it.

    Args:
        time: [s].
        orientations: orientations of links by name, as quaternions (w, x, y, z) in a frame whose x
            axis is the direction that the body faces. Legs and pelvis are not changed. Links
            between two given ones keep their joint angles.
        hold_time: how long the pose is held [s], with `time` in the middle.
        blend_time: duration of the blend in, and of the blend out [s]; 0.4 s is that of a human
            gesture.

    Raises:
        TaskError: a number is not finite, a quaternion has no direction, no link is given, or the
            blend is too short.
    """

    time: float
    orientations: Mapping[str, Quaternion]
    hold_time: float = 0.0
    blend_time: float = 0.4

    def __post_init__(self) -> None:
        if (
            not np.isfinite([self.time, self.hold_time, self.blend_time]).all()
            or self.hold_time < 0
            or self.blend_time < 0.5 * MIN_DURATION
        ):
            raise TaskError(
                f"The key pose at {self.time:g} s is held for {self.hold_time:g} s and blended "
                f"over {self.blend_time:g} s; the hold must be at least 0 s and the blend at least "
                f"{0.5 * MIN_DURATION:g} s."
            )
        if not self.orientations:
            raise TaskError(
                f"The key pose at {self.time:g} s turns no link; give the orientation of at least "
                "one."
            )
        check_orientations(self.orientations, f"the key pose at {self.time:g} s")

    def in_units(self, length: float, time: float) -> KeyPose:
        """Return the pose in units of `time` [s]; the blend keeps its minimum duration."""
        return copy_part(
            self,
            time=self.time * (1 / time),
            hold_time=self.hold_time * (1 / time),
            blend_time=max(self.blend_time * (1 / time), 0.5 * MIN_DURATION),
        )

    def shifted(self, seconds: float) -> KeyPose:
        """Return the pose later by `seconds`."""
        return copy_part(self, time=self.time + seconds)

    def to_table(self) -> dict[str, Any]:
        """Return the pose as a task file holds it."""
        return {
            "time": self.time,
            "hold": self.hold_time,
            "blend": self.blend_time,
            "turns": {name: list(quaternion) for name, quaternion in self.orientations.items()},
        }

    @classmethod
    def from_table(cls, table: object, key: str) -> KeyPose:
        """Return the pose that a table describes; see `TaskPart.from_table`."""
        entries = table if isinstance(table, dict) else {}
        turns = entries.get("turns")
        unknown = set(entries) - {"time", "turns", "hold", "blend"}
        if unknown or not isinstance(turns, dict) or "time" not in entries:
            raise TaskError(
                "A key pose must have a time and turns, these a table of quaternions by link, and "
                f"may have hold and blend; it has: {', '.join(entries) or 'nothing'}."
            )
        return cls(
            read_float(entries, "time", 0.0),
            read_orientations(turns, "key pose"),
            read_float(entries, "hold", cls.hold_time),
            read_float(entries, "blend", cls.blend_time),
        )

"""A pose in which a clip begins or ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import TaskError
from ..files.values import show_value
from .entries import Quaternion, check_orientations, read_numbers, read_orientations
from .part import TimelessPart


@dataclass(frozen=True)
class StandingPose(TimelessPart):
    """A pose in which a body stands at rest with both feet on the ground.

    Args:
        position: of the root link's joint [m].
        orientations: world orientations of links by name, as quaternions (w, x, y, z); other links
            keep their angle to their parent.

    Raises:
        TaskError: a number is not finite, or a quaternion has no direction.
    """

    position: tuple[float, float, float]
    orientations: Mapping[str, Quaternion]

    def __post_init__(self) -> None:
        if np.shape(self.position) != (3,) or not np.isfinite(self.position).all():
            raise TaskError(
                f"A standing pose is at {show_value(self.position)}; give three numbers in meters."
            )
        check_orientations(self.orientations, "a standing pose")

    def in_units(self, length: float, time: float) -> StandingPose:
        """Return the pose in units of `length` [m]."""
        x, y, z = ((1 / length) * v for v in self.position)
        return StandingPose((x, y, z), self.orientations)

    def to_table(self) -> dict[str, Any]:
        """Return the pose as a task file holds it."""
        return {
            "position": list(self.position),
            "turns": {name: list(quaternion) for name, quaternion in self.orientations.items()},
        }

    @classmethod
    def from_table(cls, table: object, key: str) -> StandingPose:
        """Return the pose that a table describes; see `TaskPart.from_table`."""
        turns = table.get("turns", {}) if isinstance(table, dict) else None
        if (
            not isinstance(table, dict)
            or set(table) - {"position", "turns"}
            or not isinstance(turns, dict)
        ):
            raise TaskError(
                f"The {key} pose must be a table of position and turns, the turns a table of "
                "quaternions by link."
            )
        x, y, z = read_numbers(table.get("position"), f"{key} pose's position", (0.0, 0.0, 0.95))
        return cls((x, y, z), read_orientations(turns, f"{key} pose"))

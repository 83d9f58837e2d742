"""Where a body is on the path of its task, and the ground around it."""

from __future__ import annotations

from dataclasses import dataclass

from ...slip.command import FootholdDistance, HeightFunction
from ...task import HOP_GAITS, Path, Task


@dataclass(frozen=True)
class PathView:
    """Read-only view of a task from a place on its path.

    Attributes:
        task: task at human scale.
        station: distance along the path [m], negative before its start.
        ground_height: height of the ground, as in `StepGoal`; None where it is level everywhere.
        foothold_distance: as in `StepGoal`; None where every place is a foothold.
    """

    task: Task
    station: float
    ground_height: HeightFunction | None
    foothold_distance: FootholdDistance | None

    @property
    def path(self) -> Path:
        """Path of the task."""
        return self.task.path

    @property
    def hop_leg(self) -> int | None:
        """Leg on which the task hops, 0 left, 1 right; None for other gaits."""
        return HOP_GAITS.index(self.task.gait) if self.task.gait in HOP_GAITS else None

    @property
    def is_turned(self) -> bool:
        """Whether the body is turned against its path at some time."""
        return bool(self.task.facing_offset.values.any())

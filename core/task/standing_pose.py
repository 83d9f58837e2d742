"""A pose that a clip begins or ends in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..errors import TaskError

Quaternion = tuple[float, float, float, float]


@dataclass(frozen=True)
class StandingPose:
    """A pose in which a body stands at rest, both feet on the ground.

    Args:
        position: of the joint that the root link turns about, m.
        orientations: orientation of links in the world, w x y z, by their names; links left out
            keep their angle to their parent.

    Raises:
        TaskError: a number that is not finite, or a quaternion without a direction.
    """

    position: tuple[float, float, float]
    orientations: Mapping[str, Quaternion]

    def __post_init__(self) -> None:
        if np.shape(self.position) != (3,) or not np.isfinite(self.position).all():
            raise TaskError(
                f"A standing pose is at {self.position!r}; give three numbers in metres."
            )
        for name, quaternion in self.orientations.items():
            if (
                np.shape(quaternion) != (4,)
                or not np.isfinite(quaternion).all()
                or np.linalg.norm(quaternion) < 1e-6
            ):
                raise TaskError(
                    f"In a standing pose the link {name!r} is turned by {quaternion!r}; give a "
                    "quaternion, w x y z."
                )

    def scaled(self, length: float) -> StandingPose:
        """The same with all lengths multiplied by a factor above 0."""
        x, y, z = (length * v for v in self.position)
        return StandingPose((x, y, z), self.orientations)

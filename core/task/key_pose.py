"""A pose that a body strikes on its way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TaskError
from .standing_pose import Quaternion

MIN_DURATION = 0.1  # s that it takes at least, from where it sets in to where it is left again


@dataclass(frozen=True)
class KeyPose:
    """How chest, arms and head are to be at a moment: gone over to before it, and left after it.

    Args:
        time: s.
        orientations: orientation of links, w x y z, by their names, with the way the body faces
            along x; links of legs and the pelvis are not led. Links between those that are told
            keep their angles.
        hold_time: how long it is kept, s, `time` in its middle.
        blend_time: how long it takes to go over to it, s, and the same to leave it.

    Raises:
        TaskError: a number that is not finite, a quaternion without a direction, no link at all,
            or no time to get there.
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
                f"The pose struck at {self.time:g} s is held for {self.hold_time:g} s and gone "
                f"over to within {self.blend_time:g} s; it needs 0 or more of the one and "
                f"{0.5 * MIN_DURATION:g} or more of the other."
            )
        if not self.orientations:
            raise TaskError(
                f"The pose struck at {self.time:g} s turns no link; give the orientation of one "
                "at least."
            )
        for name, quaternion in self.orientations.items():
            if (
                np.shape(quaternion) != (4,)
                or not np.isfinite(quaternion).all()
                or np.linalg.norm(quaternion) < 1e-6
            ):
                raise TaskError(
                    f"In the pose struck at {self.time:g} s the link {name!r} is turned by "
                    f"{quaternion!r}; give a quaternion, w x y z."
                )

    def scaled(self, time: float) -> KeyPose:
        """The same with all times multiplied by a factor above 0."""
        return replace(
            self,
            time=self.time * time,
            hold_time=self.hold_time * time,
            blend_time=max(self.blend_time * time, 0.5 * MIN_DURATION),
        )

    def shifted(self, seconds: float) -> KeyPose:
        """The same, later by so much."""
        return replace(self, time=self.time + seconds)

"""A pose that a body strikes on its way."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TaskError
from .standing_pose import Quaternion

SHORTEST = 0.1        # s that it takes at least, from where it sets in to where it is left again


@dataclass(frozen=True)
class StruckPose:
    """How chest, arms and head are to be at a moment: gone over to before it, and left after it.

    Args:
        time: s.
        turns: orientation of links, w x y z, by their names, with the way the body faces along x; links of legs and the pelvis
            are not led. Links between those that are told keep their angles.
        hold: how long it is kept, s, `time` in its middle.
        blend: how long it takes to go over to it, s, and the same to leave it.

    Raises:
        TaskError: a number that is not finite, a quaternion without a direction, no link at all, or no time to get there.
    """

    time: float
    turns: Mapping[str, Quaternion]
    hold: float = 0.0
    blend: float = 0.4

    def __post_init__(self) -> None:
        if not np.isfinite([self.time, self.hold, self.blend]).all() or self.hold < 0 or self.blend < 0.5 * SHORTEST:
            raise TaskError(f"The pose struck at {self.time:g} s is held for {self.hold:g} s and gone over to within "
                            f"{self.blend:g} s; it needs 0 or more of the one and {0.5 * SHORTEST:g} or more of the other.")
        if not self.turns:
            raise TaskError(f"The pose struck at {self.time:g} s turns no link; give the orientation of one at least.")
        for name, turn in self.turns.items():
            if np.shape(turn) != (4,) or not np.isfinite(turn).all() or np.linalg.norm(turn) < 1e-6:
                raise TaskError(f"In the pose struck at {self.time:g} s the link {name!r} is turned by {turn!r}; give a "
                                "quaternion, w x y z.")

    def scaled(self, time: float) -> StruckPose:
        """The same with all times multiplied by a factor above 0."""
        return replace(self, time=self.time * time, hold=self.hold * time, blend=max(self.blend * time, 0.5 * SHORTEST))

    def shifted(self, seconds: float) -> StruckPose:
        """The same, later by so much."""
        return replace(self, time=self.time + seconds)

"""A push from outside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import TaskError

# s
MIN_DURATION = 0.02
MAX_DURATION = 2.0

BODY_PARTS = ("com", "head", "chest", "pelvis", "hand.L", "hand.R", "foot.L", "foot.R")


@dataclass(frozen=True)
class Push:
    """A force on the body for a short time, a moment that turns it, or both.

    Args:
        time: at which it begins, s.
        force: in newtons along x, y and z, at its height; it rises and falls over a
            quarter of its time each.
        seconds: that it lasts.
        body_part: where: the centre of mass or a part of the body, see `BODY_PARTS`.
        moment: in newton metres about x, y and z by the right hand, over time as the force.

    Raises:
        TaskError: a number that is not finite, a push too short or too long,
            or a part that bodies do not have.
    """

    time: float
    force: tuple[float, float, float]
    seconds: float = 0.2
    body_part: str = "com"
    moment: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        force = np.asarray(self.force, float)
        if force.shape != (3,) or not np.isfinite(force).all():
            raise TaskError(
                f"The push has the force {self.force!r}; give three numbers in newtons: along x, "
                "y and z."
            )
        moment = np.asarray(self.moment, float)
        if moment.shape != (3,) or not np.isfinite(moment).all():
            raise TaskError(
                f"The push has the moment {self.moment!r}; give three numbers in newton metres: "
                "about x, y and z."
            )
        if not (np.isfinite(self.time) and MIN_DURATION <= self.seconds <= MAX_DURATION):
            raise TaskError(
                f"The push begins at {self.time:g} s and lasts {self.seconds:g} s; it must last "
                f"between {MIN_DURATION:g} s and {MAX_DURATION:g} s."
            )
        if self.body_part not in BODY_PARTS:
            raise TaskError(
                f"The push acts at {self.body_part!r}; it can act at: {', '.join(BODY_PARTS)}."
            )
        object.__setattr__(self, "force", tuple(float(f) for f in force))
        object.__setattr__(self, "moment", tuple(float(m) for m in moment))

    @property
    def end(self) -> float:
        """When it is over, s."""
        return self.time + self.seconds

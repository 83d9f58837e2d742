"""An external push."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import TaskError
from ..files.values import show_value
from .entries import check_keys, read_float, read_numbers, read_table, read_text
from .part import TaskPart, copy_part
from .units import FORCE, MOMENT

# Range of a push's duration [s]: from a few time steps of simulations to a force that acts on all
# of a step, beyond which bodies lean against it.
MIN_DURATION = 0.02
MAX_DURATION = 2.0
# Share of a push's duration in which its force rises, and in which it falls
RAMP_SHARE = 0.25
# Points of application.
BODY_PARTS = ("com", "head", "chest", "pelvis", "hand.L", "hand.R", "foot.L", "foot.R")

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Push(TaskPart):
    """A force on the body for a short time, a moment on it, or both.

    Args:
        time: of the start [s].
        force: (3,) peak force in world axes [N]; it rises during the first quarter of the push and
            falls during the last one.
        seconds: duration [s]; a shove by hand takes 0.2 s.
        body_part: point of application: the center of mass or a part of the body, see `BODY_PARTS`.
        moment: (3,) peak moment about the world axes by the right-hand rule [N m], over time as
            the force.

    Raises:
        TaskError: a number is not finite, the push is too short or too long, or there is no such
            body part.
    """

    time: float
    force: Vector
    seconds: float = 0.2
    body_part: str = "com"
    moment: Vector = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        force = np.asarray(self.force, float)
        if force.shape != (3,) or not np.isfinite(force).all():
            raise TaskError(
                f"The push has the force {show_value(self.force)}; give three numbers in "
                "newtons: along x, "
                "y and z."
            )
        moment = np.asarray(self.moment, float)
        if moment.shape != (3,) or not np.isfinite(moment).all():
            raise TaskError(
                f"The push has the moment {show_value(self.moment)}; give three numbers in "
                "newton meters: "
                "about x, y and z."
            )
        if not (np.isfinite(self.time) and MIN_DURATION <= self.seconds <= MAX_DURATION):
            raise TaskError(
                f"The push at {self.time:g} s has a duration of {self.seconds:g} s; it must be "
                f"between {MIN_DURATION:g} s and {MAX_DURATION:g} s."
            )
        if self.body_part not in BODY_PARTS:
            raise TaskError(
                f"The push acts at {show_value(self.body_part)}; it can act at: "
                f"{', '.join(BODY_PARTS)}."
            )
        object.__setattr__(self, "force", tuple(float(f) for f in force))
        object.__setattr__(self, "moment", tuple(float(m) for m in moment))

    @property
    def impulse(self) -> float:
        """Integral of the force over time [N s]."""
        return (1 - RAMP_SHARE) * self.seconds * float(np.linalg.norm(self.force))

    @property
    def end(self) -> float:
        """Time of the end [s]."""
        return self.time + self.seconds

    def in_units(self, length: float, time: float) -> Push:
        """Return the push in units of `length` [m] and `time` [s]; the unit of mass stays."""
        fx, fy, fz = (FORCE.convert(f, length, time) for f in self.force)
        mx, my, mz = (MOMENT.convert(m, length, time) for m in self.moment)
        return copy_part(
            self,
            time=self.time / time,
            seconds=self.seconds / time,
            force=(fx, fy, fz),
            moment=(mx, my, mz),
        )

    def shifted(self, seconds: float) -> Push:
        """Return the push later by `seconds`."""
        return copy_part(self, time=self.time + seconds)

    def to_table(self) -> dict[str, Any]:
        """Return the push as a task file holds it."""
        return {
            "time": self.time,
            "force": list(self.force),
            "seconds": self.seconds,
            "at": self.body_part,
            **({"moment": list(self.moment)} if any(self.moment) else {}),
        }

    @classmethod
    def from_table(cls, table: object, key: str) -> Push:
        """Return the push that a table describes; see `TaskPart.from_table`."""
        entries = read_table(table, key)
        check_keys(entries, "A push", ("time", "force", "seconds", "at", "moment"))
        fx, fy, fz = read_numbers(entries.get("force"), "push's force", (0, 300, 0))
        mx, my, mz = read_numbers(
            entries.get("moment", list(cls.moment)), "push's moment", (0, 0, 20)
        )
        return cls(
            read_float(entries, "time", 0.0),
            (fx, fy, fz),
            read_float(entries, "seconds", cls.seconds),
            body_part=read_text(entries.get("at", cls.body_part), "at"),
            moment=(mx, my, mz),
        )

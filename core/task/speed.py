"""The speed along the ground over time."""

from __future__ import annotations

from typing import Any, Self

from numpy.typing import ArrayLike

from ..errors import TaskError
from .packed import write_array
from .profile import Profile, read_samples


class SpeedProfile(Profile):
    """Horizontal speed over time [m/s]; see `Profile`."""

    _not_finite_hint = "; give it in meters per second."
    _negative_hint = (
        " m/s; it cannot be negative. To move in the other direction, reverse the path."
    )

    def __init__(self, speeds: ArrayLike, times: ArrayLike = 0.0) -> None:
        super().__init__("speed", speeds, times)

    @property
    def max_speed(self) -> float:
        """Maximum speed [m/s]."""
        return float(self.values.max())

    def to_table(self) -> dict[str, Any]:
        """Return the speeds as a task file holds them."""
        return {"speeds": write_array(self.values), "times": write_array(self.times)}

    @classmethod
    def from_table(cls, table: object, key: str) -> Self:
        """Return the speeds that a table or a number describes; see `Profile.from_table`."""
        if table is None:
            raise TaskError("The speed is missing; write `speed = 1.2`, in meters per second.")
        samples = read_samples(table, key, values_key="speeds")
        return cls(samples.values, samples.times)

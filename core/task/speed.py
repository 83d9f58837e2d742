"""How fast, at what time."""

from __future__ import annotations

from numpy.typing import ArrayLike

from .profile import Profile


class SpeedProfile(Profile):
    """Speed over time in m/s along the ground; see `Profile`."""

    _not_finite_hint = "; give it in metres a second."
    _negative_hint = " m/s; it cannot be negative. To go the other way, turn the path round."

    def __init__(self, speeds: ArrayLike, times: ArrayLike = 0.0) -> None:
        super().__init__("speed", speeds, times)

    @property
    def max_speed(self) -> float:
        """The highest speed, m/s."""
        return float(self.values.max())

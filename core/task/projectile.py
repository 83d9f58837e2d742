"""A ball that is thrown at the body."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..errors import TaskError
from .push import BODY_PARTS

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Projectile:
    """Thrown so that it meets a part of the body if that goes on as it does when it is thrown.

    Args:
        time: at which it is thrown, s.
        speed: along the ground, m/s; gravity bends its way.
        direction: that it comes from, in the world, rad: 0 from where x grows.
        distance: along the ground that it flies until it arrives, m.
        launch_position: (3,) that it is thrown from, m; in place of direction and distance.
        body_part: the part of the body that it is aimed at, as of a push.
        radius: m.
        mass: kg.
        restitution: of its speed that is left when it bounces off, 0 to 1.
        is_visible: whether the body sees it, and gets out of its way.

    Raises:
        TaskError: a number that no ball can have, or a part that bodies do not have.
    """

    time: float
    speed: float = 10.0
    direction: float = 0.0
    distance: float = 12.0
    launch_position: Point | None = None
    body_part: str = "chest"
    radius: float = 0.11
    mass: float = 0.45
    restitution: float = 0.5
    is_visible: bool = True

    def __post_init__(self) -> None:
        for label, value, minimum, maximum in (
            ("time", self.time, -np.inf, np.inf),
            ("direction", self.direction, -np.inf, np.inf),
            ("speed", self.speed, 1.0, 100.0),
            ("distance", self.distance, 0.5, 100.0),
            ("radius", self.radius, 0.005, 1.0),
            ("mass", self.mass, 1e-3, 100.0),
            ("restitution", self.restitution, 0.0, 1.0),
        ):
            if not (np.isfinite(value) and minimum <= value <= maximum):
                allowed_range = (
                    "a finite number"
                    if minimum == -np.inf
                    else f"between {minimum:g} and {maximum:g}"
                )
                raise TaskError(
                    f"The {label} of a projectile is {value:g}; it must be {allowed_range}."
                )
        if self.launch_position is not None:
            launch_position = np.asarray(self.launch_position, float)
            if launch_position.shape != (3,) or not np.isfinite(launch_position).all():
                raise TaskError(
                    f"The projectile is thrown from {self.launch_position!r}; give three numbers "
                    "in metres."
                )
            object.__setattr__(self, "place", tuple(float(v) for v in launch_position))
        if self.body_part not in BODY_PARTS:
            raise TaskError(
                f"The projectile is aimed at {self.body_part!r}; it can be aimed at: "
                f"{', '.join(BODY_PARTS)}."
            )

    def scaled(self, length: float, time: float) -> Projectile:
        """The same with lengths and times multiplied by factors above 0; its mass stays."""
        launch_position = (
            None
            if self.launch_position is None
            else (
                self.launch_position[0] * length,
                self.launch_position[1] * length,
                self.launch_position[2] * length,
            )
        )
        return replace(
            self,
            time=self.time * time,
            speed=self.speed * length / time,
            distance=self.distance * length,
            launch_position=launch_position,
            radius=self.radius * length,
        )

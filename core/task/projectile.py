"""A ball that is thrown at the body."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..errors import TaskError
from ..files.values import show_value
from .entries import check_keys, read_float, read_number, read_numbers, read_table, read_text
from .part import TaskPart, copy_part
from .push import BODY_PARTS

Point = tuple[float, float, float]

# Entries in a task file whose names differ from those of their fields.
PROJECTILE_KEYS = {"launch_position": "place", "body_part": "at", "is_visible": "seen"}
NUMBER_KEYS = ("time", "speed", "direction", "distance", "radius", "mass", "restitution")


@dataclass(frozen=True)
class Projectile(TaskPart):
    """A ball aimed to meet a part of the body, if the body keeps its velocity after the throw.

    Args:
        time: of the throw [s].
        speed: horizontal speed [m/s]; the trajectory is a parabola. 10 m/s is that of a ball which
            a person throws without effort.
        direction: world heading from the body to the thrower [rad]; 0 is the x axis.
        distance: horizontal distance from the throw to the target [m]; at the usual one a body has
            more than a second, two steps, to dodge.
        launch_position: (3,) place of the throw [m], instead of direction and distance.
        body_part: the target, as of a push.
        radius: [m]. Radius, mass and restitution are those of a football.
        mass: [kg].
        restitution: share of the speed that is left after a bounce, 0 to 1.
        is_visible: whether the body sees the ball and dodges it.

    Raises:
        TaskError: a number is out of range, or there is no such body part.
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
                    f"The projectile is thrown from {show_value(self.launch_position)}; give "
                    "three numbers "
                    "in meters."
                )
            object.__setattr__(self, "launch_position", tuple(float(v) for v in launch_position))
        if self.body_part not in BODY_PARTS:
            raise TaskError(
                f"The projectile is aimed at {show_value(self.body_part)}; it can be aimed at: "
                f"{', '.join(BODY_PARTS)}."
            )

    def in_units(self, length: float, time: float) -> Projectile:
        """Return the ball in units of `length` [m] and `time` [s]; its mass stays."""
        per_length = 1 / length
        per_time = 1 / time
        launch_position = None
        if self.launch_position is not None:
            x, y, z = self.launch_position
            launch_position = (x * per_length, y * per_length, z * per_length)
        return copy_part(
            self,
            time=self.time * per_time,
            speed=self.speed * per_length / per_time,
            distance=self.distance * per_length,
            launch_position=launch_position,
            radius=self.radius * per_length,
        )

    def shifted(self, seconds: float) -> Projectile:
        """Return the ball, thrown later by `seconds`."""
        return copy_part(self, time=self.time + seconds)

    def to_table(self) -> dict[str, Any]:
        """Return the ball as a task file holds it."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            PROJECTILE_KEYS.get(name, name): list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value is not None
        }

    @classmethod
    def from_table(cls, table: object, key: str) -> Projectile:
        """Return the ball that a table describes; see `TaskPart.from_table`."""
        entries = read_table(table, key)
        check_keys(entries, "A projectile", (*NUMBER_KEYS, *PROJECTILE_KEYS.values()))
        values: dict[str, Any] = {
            name: read_float(entries, name, 0.0)
            for name in NUMBER_KEYS
            if name in entries or name == "time"
        }
        if "place" in entries:
            x, y, z = read_numbers(entries["place"], "projectile's place", (8.0, 0.0, 1.3))
            values["launch_position"] = (x, y, z)
        if "at" in entries:
            values["body_part"] = read_text(entries["at"], "at")
        if "seen" in entries:
            values["is_visible"] = bool(read_number(entries["seen"], "seen", bool))
        return cls(**values)

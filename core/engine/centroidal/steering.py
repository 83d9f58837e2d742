"""Tasks by which a body is steered while it moves: the next seconds of its path."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...task import Path, SpeedProfile, Task

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SteeringParameters:
    """Times of the path by which a body is steered."""

    # Time for which the course is sketched ahead [s], beyond what plans look ahead. Half or twice
    # of it moves a driven walk by 3 mm.
    lookahead_time: float = 2.9
    # Time over which the speed changes to the commanded one [s], a step: the one that has begun
    # hardly changes. Halved, it moves a driven walk by 2 cm.
    speed_change_time: float = 0.5
    # Time of travel before the corner of the path [s], a step. A turn begins before its corner.
    # Doubled, a driven walk turns 20 cm farther on.
    corner_lead_time: float = 0.5
    # Shortest distance to the corner of the path [m]. Numerical: the path of a body that stands has
    # a first direction
    min_corner_distance: float = 0.05


STEERING = SteeringParameters()


@dataclass(frozen=True)
class Steering:
    """A change of speed and direction.

    Args:
        current_speed: current speed [m/s].
        speed: commanded speed [m/s].
        current_direction: previous direction [rad].
        direction: commanded direction [rad].
    """

    current_speed: float
    speed: float
    current_direction: float
    direction: float

    def make_task(self, task: Task, start: Array) -> Task:
        """Return a task from a place on.

        Its path continues in the previous direction for as long as a turn needs to begin, then in
        the commanded one.

        Args:
            task: body, ground and style.
            start: begin of the path [m], shape (2,).
        """

        def make_offset(angle: float, distance: float) -> Array:
            return distance * np.array([np.cos(angle), np.sin(angle)])

        corner_distance = max(
            STEERING.corner_lead_time * self.current_speed, STEERING.min_corner_distance
        )
        corner = start + make_offset(self.current_direction, corner_distance)
        length = 2.0 + STEERING.lookahead_time * max(self.current_speed, self.speed)
        path = Path([start, corner, corner + make_offset(self.direction, length)])
        profile = SpeedProfile([self.current_speed, self.speed], [0.0, STEERING.speed_change_time])
        return replace(
            task,
            path=path,
            speed=profile,
            seconds=STEERING.lookahead_time,
            start="moving",
            stop_at_end=False,
            facing=None,
        )

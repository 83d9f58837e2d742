"""What is asked of the next two steps: section 5.1 and table 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Gait = Literal["stand", "walk", "run", "hop"]
HeightFunction = Callable[[Array], Array]
FootholdDistance = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class IncomingProjectile:
    """What is to be dodged, on a straight line: place (3,) m now, velocity (3,) m/s, and the
    distance D to keep from it, m.

    `needs_side_pass` is whether it must be passed beside: a body as high as it does not get under
    it by a little less height.
    """

    place: Array
    velocity: Array
    distance: float
    needs_side_pass: bool = False

    def measure_closest_distance(self, com: Array) -> float:
        """How near it will come to a body that stays where it is, m.

        Args:
            com: (3,) of the body.
        """
        offset = self.place - com
        closest_time = max(
            -float(offset @ self.velocity) / max(float(self.velocity @ self.velocity), 1e-12), 0.0
        )
        return float(np.linalg.norm(offset + closest_time * self.velocity))


@dataclass(frozen=True)
class UnevenSteps:
    """Two steps that are not as long as each other.

    Args:
        foot_place: (2,) m where the next foot comes down; across the way it is free.
        body_advances: m that the body goes in either.
        extra_times: s that either lasts and flies longer than the wish's.
    """

    foot_place: Array
    body_advances: tuple[float, float]
    extra_times: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class StepGoal:
    """Goals of a preview.

    Args:
        gait: which phases there are; figure 4. A hop is a run on one leg:
            the foot that stands comes down again.
        step_length, step_time: of a step, m and s: d_step and T_step.
        direction: rad, of travel, d.
        heading: rad, that the pelvis is to have, alpha_d; it should be within a
            few tenths of what it has.
        hop_height: m that the centre of mass is to rise in flight, h_d;
            None for as little as it likes.
        ground_height: of the ground at places (..., 2) -> (...,), m; None where it is as high as
            under the standing foot.
        foothold_distance: distance in m by which a foot would have to be moved to stand well, of
            feet with their middles at (..., 2) and headings (...,); None where all ground is good.
        projectile: to be dodged.
        allows_heel_rise: whether a foot is left over its ball, its heel rising, also in a walk, as
            where a body steps down.
        leap_height: m that the centre of mass is to rise in the first step's flight above its
            take-off; that step lasts and reaches so much longer.
        uneven_steps: where these are not to be of that length.
        hop_leg: foot that a hop is on, 0 left, 1 right.
    """

    gait: Gait = "stand"
    step_length: float = 0.0
    step_time: float = 0.6
    direction: float = 0.0
    heading: float = 0.0
    hop_height: float | None = None
    ground_height: HeightFunction | None = None
    foothold_distance: FootholdDistance | None = None
    projectile: IncomingProjectile | None = None
    allows_heel_rise: bool = False
    leap_height: float | None = None
    uneven_steps: UnevenSteps | None = None
    hop_leg: int = 0

    @property
    def has_flight(self) -> bool:
        """Whether each step ends with a flight."""
        return self.gait in ("run", "hop")

    def compute_next_side(self, side: float) -> float:
        """Of the foot that comes down next, after one of a side: 1 left, -1 right."""
        return side if self.gait == "hop" else -side

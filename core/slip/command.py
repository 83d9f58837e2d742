"""What is asked of the next two steps: section 5.1 and table 1."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Gait = Literal["stand", "walk", "run", "hop"]
Field = Callable[[Array], Array]
Footing = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Projectile:
    """What is to be dodged, on a straight line: place (3,) m now, velocity (3,) m/s, and the distance D to keep from it, m.

    `beside` is whether it must be passed beside: a body as high as it does not get under it by a little less height.
    """

    place: Array
    velocity: Array
    distance: float
    beside: bool = False

    def passes(self, com: Array) -> float:
        """How near it will come to a body that stays where it is, m.

        Args:
            com: (3,) of the body.
        """
        away = self.place - com
        ahead = max(-float(away @ self.velocity) / max(float(self.velocity @ self.velocity), 1e-12), 0.0)
        return float(np.linalg.norm(away + ahead * self.velocity))


@dataclass(frozen=True)
class Steps:
    """Two steps that are not as long as each other.

    Args:
        place: (2,) m where the next foot comes down; across the way it is free.
        goes: m that the body goes in either.
        longer: s that either lasts and flies longer than the wish's.
    """

    place: Array
    goes: tuple[float, float]
    longer: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class StepWish:
    """Goals of a preview.

    Args:
        gait: which phases there are; figure 4. A hop is a run on one leg: the foot that stands comes down again.
        length, seconds: of a step, m and s: d_step and T_step.
        direction: rad, of travel, d.
        heading: rad, that the pelvis is to have, alpha_d; it should be within a few tenths of what it has.
        hop: m that the centre of mass is to rise in flight, h_d; None for as little as it likes.
        height: of the ground at places (..., 2) -> (...,), m; None where it is as high as under the standing foot.
        footing: distance in m by which a foot would have to be moved to stand well, of feet with their middles at (..., 2)
            and headings (...,); None where all ground is good.
        projectile: to be dodged.
        rolls: whether a foot is left over its ball, its heel rising, also in a walk, as where a body steps down.
        leap: m that the centre of mass is to rise in the first step's flight above its take-off; that step lasts and reaches so
            much longer.
        steps: where these are not to be of that length.
        hops_on: foot that a hop is on, 0 left, 1 right.
    """

    gait: Gait = "stand"
    length: float = 0.0
    seconds: float = 0.6
    direction: float = 0.0
    heading: float = 0.0
    hop: float | None = None
    height: Field | None = None
    footing: Footing | None = None
    projectile: Projectile | None = None
    rolls: bool = False
    leap: float | None = None
    steps: Steps | None = None
    hops_on: int = 0

    @property
    def flies(self) -> bool:
        """Whether each step ends with a flight."""
        return self.gait in ("run", "hop")

    def side_next(self, side: float) -> float:
        """Of the foot that comes down next, after one of a side: 1 left, -1 right."""
        return side if self.gait == "hop" else -side

"""Pushes that act on a simulated body for a limited time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .model import SimulatedModel
from .physics import BodyForce

Array = NDArray[np.float64]


@dataclass
class _Push:
    """A push, and its remaining duration."""

    body: int
    force: Array  # (3,) [N] in world axes
    point: Array  # (3,) [m] in the body's frame
    remaining_time: float  # [s]


class ActivePushes:
    """Pushes that have not ended.

    Args:
        model: of the body.
    """

    def __init__(self, model: SimulatedModel) -> None:
        self._model = model
        self._pushes = list[_Push]()

    def clear(self) -> None:
        """Remove all pushes."""
        self._pushes = []

    def add(self, link: int, force: Array, seconds: float, point: Array | None) -> None:
        """Add a push (see `Physics.push`)."""
        body = int(self._model.links[link])
        place = (
            self._model.mujoco.body_ipos[body].copy() if point is None else np.asarray(point, float)
        )
        self._pushes.append(_Push(body, np.asarray(force, float), place, seconds))

    def consume(self, seconds: float) -> list[BodyForce]:
        """Return the mean forces over the next `seconds` [s], and advance the pushes by that time.

        Points are in the frames of the bodies. A push that ends within the time is scaled down.
        """
        forces = [
            BodyForce(push.body, push.force * min(push.remaining_time / seconds, 1.0), push.point)
            for push in self._pushes
        ]
        for push in self._pushes:
            push.remaining_time -= seconds
        self._pushes = [push for push in self._pushes if push.remaining_time > 1e-9]
        return forces

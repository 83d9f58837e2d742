"""Pushes that act on a simulated body for a time, whichever engine moves it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .model import SimulatedModel

Array = NDArray[np.float64]


@dataclass
class _Push:
    body: int
    force: Array
    point: Array  # (3,) in the body's frame
    remaining_time: float  # s


class ActivePushes:
    """Those that are not over yet.

    Args:
        model: of the body.
    """

    def __init__(self, model: SimulatedModel) -> None:
        self._model = model
        self._pushes = list[_Push]()

    def clear(self) -> None:
        """End all of them."""
        self._pushes = []

    def add(self, link: int, force: Array, seconds: float, point: Array | None) -> None:
        """From now on push a link with a force (3,) N, world axes,
        at a place (3,) in its frame or its centre of mass.
        """
        body = int(self._model.links[link])
        place = (
            self._model.mujoco.body_ipos[body].copy() if point is None else np.asarray(point, float)
        )
        self._pushes.append(_Push(body, np.asarray(force, float), place, seconds))

    def consume(self, seconds: float) -> list[tuple[int, Array, Array]]:
        """Bodies, mean forces (3,) over the next seconds and places (3,) in the bodies' frames;
        that time is then over.
        """
        # the last step of a push may be a part of one
        forces = [
            (push.body, push.force * min(push.remaining_time / seconds, 1.0), push.point)
            for push in self._pushes
        ]
        for push in self._pushes:
            push.remaining_time -= seconds
        self._pushes = [push for push in self._pushes if push.remaining_time > 1e-9]
        return forces

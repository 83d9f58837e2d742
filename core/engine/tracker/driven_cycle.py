"""Poses of the input walks of a drive, whose walk may change at each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...geometry.curves import smootherstep
from .input_cycle import FootPlace, InputCycle

Array = NDArray[np.float64]


class PoseSource(Protocol):
    """Poses of the whole body by the number of steps done."""

    def sample(self, model: KinematicModel, cycle: Array, first_leg: int) -> Array:
        """Return poses (n, nq) at numbers of steps done (n,), step 0 on `first_leg`."""

    def sample_offset(self, cycle: Array, first_leg: int) -> Array:
        """Return offsets from the center of mass of the biped to that of the body, (n, 2) [m]."""

    def place_foot(self, number: int, leg: int) -> FootPlace:
        """Return the place of the foot that lands as step `number` begins."""


@dataclass(frozen=True)
class DrivenCycle:
    """Cycles, and steps that are followed once, by the number of the step from which on they are.

    Within the first step of a new cycle the poses turn from the cycle before to the new one.

    Args:
        changes: number of the step and cycle, in order. The first one holds before it, too.
            Headings of the feet and their distances from the path are always those of the first
            cycle, and of the steps that are followed once.
    """

    changes: tuple[tuple[int, PoseSource], ...]

    def place_foot(self, number: int, leg: int) -> FootPlace:
        """Return the place of a foot that lands as step `number` begins."""
        source = self._find(number)
        if isinstance(source, InputCycle):
            source = next(s for _, s in self.changes if isinstance(s, InputCycle))
        return source.place_foot(number, leg)

    def sample(self, model: KinematicModel, cycle: Array, first_leg: int) -> Array:
        """Return poses (n, nq) at numbers of steps done (n,), step 0 on `first_leg`."""
        out = np.empty((len(cycle), model.nq))
        for number in np.unique(np.floor(cycle)):
            on = np.floor(cycle) == number
            before = self._find(int(number) - 1)
            now = self._find(int(number))
            poses = now.sample(model, cycle[on], first_leg)
            if before is not now:
                start = before.sample(model, cycle[on], first_leg)
                share = smootherstep(cycle[on] - number)
                poses = model.integrate(start, share[:, None] * model.difference(start, poses))
            out[on] = poses
        return out

    def sample_offset(self, cycle: Array, first_leg: int) -> Array:
        """Return offsets of the center of mass as `InputCycle.sample_offset` does, (n, 2)."""
        out = np.empty((len(cycle), 2))
        for number in np.unique(np.floor(cycle)):
            on = np.floor(cycle) == number
            share = smootherstep(cycle[on] - number)[:, None]
            before = self._find(int(number) - 1)
            now = self._find(int(number))
            out[on] = (1 - share) * before.sample_offset(
                cycle[on], first_leg
            ) + share * now.sample_offset(cycle[on], first_leg)
        return out

    def _find(self, number: int) -> PoseSource:
        started = [cycle for first, cycle in self.changes if first <= number]
        return started[-1] if started else self.changes[0][1]

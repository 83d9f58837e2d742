"""Targets of the full body, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .foot_path import FootPath
from .hand_path import HandPath

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BodyTargets:
    """Targets of n frames."""

    time: Array  # Times [s], (n,)
    com: Array  # Center of mass [m], (n, 3)
    momentum: Array  # Angular momentum [kg m^2/s], (n, 3)
    # Poses of the style with rotation and center of mass of the plan, (n, nq)
    reference: Array
    feet: tuple[FootPath, ...]  # Path of each foot
    # Path of each hand that can hold on to something. Empty if the motion has no grips.
    hands: tuple[HandPath, ...] = ()

    def slice_frames(self, begin: int, end: int) -> BodyTargets:
        """Return the targets of the frames from `begin` up to, but not including, `end`."""
        part = slice(begin, end)
        return BodyTargets(
            self.time[part],
            self.com[part],
            self.momentum[part],
            reference=self.reference[part],
            feet=tuple(path.slice_frames(part) for path in self.feet),
            hands=tuple(path.slice_frames(part) for path in self.hands),
        )

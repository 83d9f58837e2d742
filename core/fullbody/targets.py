"""What the full body is asked for, frame by frame."""

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

    time: Array  # (n,)
    com: Array  # (n, 3)
    momentum: Array  # (n, 3) angular momentum, kg m^2/s
    # (n, nq) the style's pose, turned by the plan and placed on its centre of mass
    reference: Array
    feet: tuple[FootPath, ...]
    hands: tuple[HandPath, ...] = ()  # of those that can hold; none where no hand does

    def slice_frames(self, begin: int, end: int) -> BodyTargets:
        """The frames from `begin` up to but not `end`."""
        part = slice(begin, end)
        feet = tuple(
            FootPath(*(getattr(f, name)[part] for name in FootPath.__dataclass_fields__))
            for f in self.feet
        )
        hands = tuple(
            HandPath(h.is_holding[part], h.place[part], h.firmness[part]) for h in self.hands
        )
        return BodyTargets(
            self.time[part],
            self.com[part],
            self.momentum[part],
            reference=self.reference[part],
            feet=feet,
            hands=hands,
        )

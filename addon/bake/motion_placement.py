"""How a motion lies on a rig."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...core.terrain import FlatGround, Ground
from ..rigs.options import DEFAULT_RIG_OPTIONS, RigOptions

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MotionPlacement:
    """How a motion lies on a rig.

    Args:
        transform: transform from the armature to the motion (4, 4), with uniform scale.
        first_frame: frame of the scene at which the motion begins.
        rig_options: which controls and which root motion the rig gets.
        ground: the ground, over which tails are dragged.
    """

    transform: Array
    first_frame: int
    rig_options: RigOptions = DEFAULT_RIG_OPTIONS
    ground: Ground = field(default_factory=FlatGround)

    @property
    def meters_per_unit(self) -> float:
        """Length of a unit of the armature [m]."""
        return float(np.cbrt(np.linalg.det(self.transform[:3, :3])))

"""Where the legs of a body begin while a style bends its back: shoulders rise and fall, and come nearer to the hips."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...clip.pose.carriage import carry
from ..course.style_phase import Bearing

Array = NDArray[np.float64]

SAMPLES = 24              # of a stride


@dataclass(frozen=True)
class Shoulders:
    """Hip and shoulder joints against the centre of mass, in the frame of the pelvis, over the stride of a style.

    Args:
        bearing: the style along the course.
        still: as the body stands. (legs, 3) m.
        moved: how far from there the style takes them, from a strike of the left hind foot to its next. (SAMPLES + 1, legs, 3) m.
    """

    bearing: Bearing
    still: Array
    moved: Array

    @staticmethod
    def of(model: KinematicModel, bearing: Bearing, com: Array) -> Shoulders:
        """Those of a character.

        Args:
            com: centre of mass that `still` is told against, from the root of the body that stands. (3,) m.
        """
        phase, firsts = np.arange(SAMPLES + 1) / SAMPLES, [leg.links[0] for leg in model.character.legs]
        poses = np.tile(model.neutral, (len(phase), 1))
        carry(model, bearing.style, poses, phase, np.ones(len(phase)), bearing.style.curve_at("trunk", phase))
        placed = model.place(poses)
        stands = model.place(model.neutral[None])
        return Shoulders(bearing, model.character.hips - com, placed.origin[:, firsts] - stands.origin[:, firsts])

    def at(self, times: Array) -> Array:
        """Where they are at times (n,). (n, legs, 3) m."""
        on = self.bearing.phase(times) * SAMPLES
        k = np.clip(on.astype(int), 0, SAMPLES - 1)
        share = (on - k)[:, None, None]
        moved = self.moved[k] * (1 - share) + self.moved[k + 1] * share
        return np.asarray(self.still + self.bearing.had(times)[:, None, None] * moved)

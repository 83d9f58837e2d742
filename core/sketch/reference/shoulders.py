"""Hips and shoulders of a four-legged body whose style bends its back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...clip.pose.carriage import apply_carriage
from ..course.style_phase import StylePhase

Array = NDArray[np.float64]

# Samples of a stride
STRIDE_SAMPLES = 24


@dataclass(frozen=True)
class LimbRoots:
    """Hip and shoulder joints relative to the center of mass, in the frame of the pelvis.

    Args:
        style_phase: style along the course.
        standing_offsets: (legs, 3) joints of the standing body [m].
        stride_offsets: (STRIDE_SAMPLES + 1, legs, 3) displacement of the joints by the style, from
            a strike of the left hind foot to its next one [m].
    """

    style_phase: StylePhase
    standing_offsets: Array
    stride_offsets: Array

    @staticmethod
    def from_style(model: KinematicModel, style_phase: StylePhase, com: Array) -> LimbRoots:
        """Return the joints of a character.

        Args:
            com: (3,) center of mass of the standing body relative to its root [m].
        """
        phase = np.arange(STRIDE_SAMPLES + 1) / STRIDE_SAMPLES
        first_links = [leg.links[0] for leg in model.character.legs]
        poses = np.tile(model.neutral, (len(phase), 1))
        apply_carriage(
            model,
            style_phase.style,
            poses,
            phase=phase,
            share=np.ones(len(phase)),
            trunk_pitch=style_phase.style.curve_at("trunk", phase),
        )
        placed = model.compute_link_poses(poses)
        standing = model.compute_link_poses(model.neutral[None])
        return LimbRoots(
            style_phase,
            model.character.hip_positions - com,
            placed.origin[:, first_links] - standing.origin[:, first_links],
        )

    def sample(self, times: Array) -> Array:
        """Return the joints at times (n,). (n, legs, 3) [m]."""
        position = self.style_phase.phase_at(times) * STRIDE_SAMPLES
        k = np.clip(position.astype(int), 0, STRIDE_SAMPLES - 1)
        share = (position - k)[:, None, None]
        stride_offset = self.stride_offsets[k] * (1 - share) + self.stride_offsets[k + 1] * share
        return np.asarray(
            self.standing_offsets
            + self.style_phase.style_weight_at(times)[:, None, None] * stride_offset
        )

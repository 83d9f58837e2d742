"""Lengths of a character by which its speeds are scaled."""

from __future__ import annotations

from dataclasses import dataclass

from .character import Character
from .kinematic_model import KinematicModel


@dataclass(frozen=True)
class BodySize:
    """Lengths of a character in the neutral pose.

    Args:
        leg_length: height of the hips above the soles [m].
        com_height: height of the center of mass above the soles [m].
    """

    leg_length: float
    com_height: float

    @staticmethod
    def from_character(character: Character) -> BodySize:
        """Return the lengths of a character."""
        model = KinematicModel(character)
        poses = model.compute_link_poses(model.neutral[None])
        above_root = float(poses.com[0, 2] - poses.origin[0, 0, 2])
        return BodySize(character.leg_length, above_root + character.root_height)

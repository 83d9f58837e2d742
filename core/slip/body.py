"""Geometry and mass of a body for the preview."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character, Foot
from ..character.kinematic_model import KinematicModel
from ..errors import CharacterError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BodyProportions:
    """Proportions of legs and feet. Legs are measured from hip to ankle."""

    standing_leg: float = 0.97  # leg length of a standing body, as a share of the straight leg
    # Longest leg (L_max, equation 27), likewise: a straight leg cannot keep its contact
    max_leg: float = 0.985
    min_leg: float = 0.45  # shortest leg (L_min, equation 27), likewise
    heel_rise: float = 0.3  # leg length gained by a raised heel, as a share of the sole's length
    sole_length: float = 0.85  # share of the sole's length that carries weight
    sole_half_width: float = 0.03  # [m] of the part that carries weight, two thirds of a human sole
    foot_width: float = 0.1  # as a share of the straight leg


PROPORTIONS = BodyProportions()


@dataclass(frozen=True)
class SlipBody:
    """Parameters of the preview model. Vectors are in the frame of the heading, x ahead, z up."""

    mass: float  # [kg]
    gravity: float  # [m/s^2]
    com_height: float  # [m] of the standing body
    leg_length: float  # L_r [m], hip to ankle of the standing body
    min_leg: float  # L_min [m]
    max_leg: float  # L_max [m]
    heel_rise: float  # [m] by which a leg is longer when its heel may rise
    hip_offset: Array  # (3,) [m] from the CoM to the left hip
    ankle_offset: Array  # (3,) [m] from the center of the sole to the ankle
    sole_half_size: Array  # (2,) [m] half length and half width of the part that carries weight
    # (3,) [m] from the center of the sole to the tip, to the heel, and to each side
    foot_extent: Array
    spring: float = 1.0  # k / m [1/s^2]

    @classmethod
    def from_character(
        cls,
        character: Character,
        gravity: float,
        com_height: float | None = None,
        hips: Array | None = None,
    ) -> SlipBody:
        """Measure a character with two legs and soles.

        Args:
            character: the character.
            gravity: [m/s^2].
            com_height: [m] of the standing body; None for slightly bent legs.
            hips: (3,) [m] from the CoM to the midpoint of the hips of the standing body; None for
                the neutral pose.

        Raises:
            CharacterError: if the character does not have a left and a right leg with soles.
        """
        feet = character.feet
        legs = character.legs
        if sorted(leg.side for leg in legs) != [-1, 1] or any(foot.is_point for foot in feet):
            raise CharacterError(
                f"{character.name} does not stand on two feet with soles, a left and a right one; "
                "the engine 'preview' moves such bodies only. Choose the engine 'centroidal'."
            )
        left = 0 if legs[0].side > 0 else 1
        foot = feet[left]
        hip = character.hip_positions[left]
        straight_leg = float(np.linalg.norm(hip - character.neutral_joint_position(foot.link)))
        if hips is None:
            hips = _measure_neutral_hips(character)
        if com_height is None:
            com_height = (
                character.root_height
                - (1 - PROPORTIONS.standing_leg) * straight_leg
                - float(hips[2])
            )
        sole_length = float(foot.ball[0] - foot.heel[0])
        leg_length = float(com_height + hips[2] + foot.sole_center[2])
        return cls(
            character.mass,
            gravity,
            com_height,
            leg_length=leg_length,
            min_leg=PROPORTIONS.min_leg * straight_leg,
            max_leg=PROPORTIONS.max_leg * straight_leg,
            heel_rise=PROPORTIONS.heel_rise * sole_length,
            hip_offset=np.array([hips[0], character.hip_half_width, hips[2]]),
            ankle_offset=-foot.sole_center,
            sole_half_size=np.array(
                [PROPORTIONS.sole_length * 0.5 * sole_length, PROPORTIONS.sole_half_width]
            ),
            foot_extent=_measure_foot_extent(foot, straight_leg),
        )


def _measure_neutral_hips(character: Character) -> Array:
    """Return the midpoint of the hips relative to the CoM in the neutral pose [m]. (3,)."""
    model = KinematicModel(character)
    com = model.compute_link_poses(model.neutral[None]).com[0]
    return np.asarray(character.hip_positions.mean(0) - com)


def _measure_foot_extent(foot: Foot, straight_leg: float) -> Array:
    """Return the distances from the center of a sole to tip, heel and side [m]. (3,)."""
    return np.array(
        [
            foot.tip[0] - foot.sole_center[0],
            foot.sole_center[0] - foot.heel[0],
            0.5 * PROPORTIONS.foot_width * straight_leg,
        ]
    )

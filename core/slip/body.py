"""What the preview knows of a body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..character.kinematic_model import KinematicModel
from ..errors import CharacterError

Array = NDArray[np.float64]

# of a straight leg that a standing body's measures, between hip and ankle
STANDING_LEG_SHARE = 0.97
# of it that the preview may use: a leg that is stretched out loses its contact
MAX_LEG_SHARE = 0.985
MIN_LEG_SHARE = 0.45
HEEL_RISE_SHARE = 0.3  # of the sole's length between heel and ball
SOLE_LENGTH_SHARE = 0.85  # of a sole's length, and
SOLE_HALF_WIDTH = 0.03  # m to either side of its middle line, that carry the weight
FOOT_WIDTH_SHARE = 0.1  # of a straight leg that a foot is wide


@dataclass(frozen=True)
class SlipBody:
    """Lengths in m. Vectors are in the frame of the heading: x ahead, y to the left, z up.

    `ankle_offset` leads from the middle of a sole to its ankle,
    `hip_offset` from the centre of mass to the left hip.
    """

    mass: float
    gravity: float  # m/s^2
    com_height: float  # of the standing body's centre of mass
    leg_length: float  # L_r, hip to ankle of the standing body
    min_leg: float  # L_min
    max_leg: float  # L_max
    heel_rise: float  # that a leg is longer whose heel may leave the ground
    hip_offset: Array  # (3,)
    ankle_offset: Array  # (3,)
    sole_half_size: Array  # (2,) half of the length and of the width that carry
    # (3,) how far the foot reaches ahead of its sole's middle, behind it and to each side
    foot_extent: Array
    spring: float = 1.0  # k / m, 1/s^2

    @classmethod
    def from_character(
        cls,
        character: Character,
        gravity: float,
        com_height: float | None = None,
        hips: Array | None = None,
    ) -> SlipBody:
        """Measure a body on two legs like people's.

        Args:
            com_height: of its centre of mass as it stands, m; legs a little bent unless given.
            hips: (3,) from the centre of mass to the middle between the hips, as it stands; as in
                the neutral pose unless given.

        Raises:
            CharacterError: it has other legs.
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
            model = KinematicModel(character)
            hips = (
                character.hip_positions.mean(0)
                - model.compute_link_poses(model.neutral[None]).com[0]
            )
        if com_height is None:
            com_height = (
                character.root_height - (1 - STANDING_LEG_SHARE) * straight_leg - float(hips[2])
            )
        sole_length = float(foot.ball[0] - foot.heel[0])
        foot_extent = np.array(
            [
                foot.tip[0] - foot.sole_center[0],
                foot.sole_center[0] - foot.heel[0],
                0.5 * FOOT_WIDTH_SHARE * straight_leg,
            ]
        )
        leg_length = float(com_height + hips[2] + foot.sole_center[2])
        return cls(
            character.mass,
            gravity,
            com_height,
            leg_length=leg_length,
            min_leg=MIN_LEG_SHARE * straight_leg,
            max_leg=MAX_LEG_SHARE * straight_leg,
            heel_rise=HEEL_RISE_SHARE * sole_length,
            hip_offset=np.array([hips[0], character.hip_half_width, hips[2]]),
            ankle_offset=-foot.sole_center,
            sole_half_size=np.array([SOLE_LENGTH_SHARE * 0.5 * sole_length, SOLE_HALF_WIDTH]),
            foot_extent=foot_extent,
        )

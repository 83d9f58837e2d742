"""What the preview knows of a body."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..character.kinematic_model import KinematicModel
from ..errors import CharacterError

Array = NDArray[np.float64]

BENT = 0.97           # of a straight leg that a standing body's measures, between hip and ankle
LONGEST = 0.985       # of it that the preview may use: a leg that is stretched out loses its contact
SHORTEST = 0.45
RISE = 0.3            # of the sole's length between heel and ball
INSIDE = 0.85         # of a sole's length, and
ACROSS = 0.03         # m to either side of its middle line, that carry the weight
WIDE = 0.1            # of a straight leg that a foot is wide


@dataclass(frozen=True)
class SlipBody:
    """Lengths in m. Vectors are in the frame of the heading: x ahead, y to the left, z up.

    `ankle` leads from the middle of a sole to its ankle, `hip` from the centre of mass to the left hip.
    """

    mass: float
    gravity: float            # m/s^2
    height: float             # of the standing body's centre of mass
    leg: float                # L_r, hip to ankle of the standing body
    shortest: float           # L_min
    longest: float            # L_max
    rise: float               # that a leg is longer whose heel may leave the ground
    hip: Array                # (3,)
    ankle: Array              # (3,)
    sole: Array               # (2,) half of the length and of the width that carry
    extent: Array             # (3,) how far the foot reaches ahead of its sole's middle, behind it and to each side
    spring: float = 1.0       # k / m, 1/s^2

    @classmethod
    def of(cls, character: Character, gravity: float, height: float | None = None, hips: Array | None = None) -> SlipBody:
        """Measure a body on two legs like people's.

        Args:
            height: of its centre of mass as it stands, m; legs a little bent unless given.
            hips: (3,) from the centre of mass to the middle between the hips, as it stands; as in the neutral pose unless given.

        Raises:
            CharacterError: it has other legs.
        """
        feet, legs = character.feet, character.legs
        if sorted(leg.side for leg in legs) != [-1, 1] or any(foot.is_point for foot in feet):
            raise CharacterError(f"{character.name} does not stand on two feet with soles, a left and a right one; the engine "
                                 "'preview' moves such bodies only. Choose the engine 'centroidal'.")
        left = 0 if legs[0].side > 0 else 1
        foot, hip = feet[left], character.hips[left]
        straight = float(np.linalg.norm(hip - character.origin(foot.link)))
        if hips is None:
            model = KinematicModel(character)
            hips = character.hips.mean(0) - model.place(model.neutral[None]).com[0]
        if height is None:
            height = character.root_height - (1 - BENT) * straight - float(hips[2])
        length = float(foot.ball[0] - foot.heel[0])
        extent = np.array([foot.tip[0] - foot.centre[0], foot.centre[0] - foot.heel[0], 0.5 * WIDE * straight])
        leg = float(height + hips[2] + foot.centre[2])
        return cls(character.mass, gravity, height, leg, SHORTEST * straight, LONGEST * straight, RISE * length,
                   np.array([hips[0], character.hip_half_width, hips[2]]), -foot.centre,
                   np.array([INSIDE * 0.5 * length, ACROSS]), extent)

"""The body with which the controllers were searched, and how other bodies differ from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...character.body_size import BodySize
from ...character.character import Character


@dataclass(frozen=True)
class TrainedBody:
    """What controllers know of the character `humanoid`, in their units.

    Source: the body `humanoid`, scaled to the units of controllers;
    `test_other_bodies.test_the_trained_body_is_the_humanoid` compares the two.

    Args:
        height_share: height of the center of mass of the whole body in leg lengths, without unit.
        half_stance_width: half of the distance between the ankles [m].
        sole_middle: place of the middle of the sole ahead of the ankle [m].
        upper_ahead: place of the center of mass of the upper body ahead of that of the whole body
            [m].
        leg_mass: of both legs [kg].
        turn_inertia: sum of the moments of inertia of the upper body [kg m^2].
        head_inertia: sum of those of the head about the neck [kg m^2].
    """

    height_share: float = 1.018591
    half_stance_width: float = 0.1032796
    sole_middle: float = 0.091129
    upper_ahead: float = -0.0009937
    leg_mass: float = 30.7192
    turn_inertia: float = 5.15
    head_inertia: float = 0.48787


TRAINED = TrainedBody()


def measure_size(character: Character) -> float:
    """Return the length of a character by which its motion is scaled [m], see `find_size`."""
    return find_size(BodySize.from_character(character))


def find_size(body: BodySize) -> float:
    """Return the length of a body by which its motion is scaled [m]: its legs' mostly.

    It is the length of legs above which the center of mass of the body of the search would be as
    high. Bodies balance alike where their centers of mass, not their hips, are at the same height:
    they fall over a foot like a pendulum of that length.
    """
    share = body.com_height / (body.leg_length * TRAINED.height_share)
    # Without rounding the trained body itself would differ in its last digit
    return body.leg_length * float(np.round(share, 5))

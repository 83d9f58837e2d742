"""Where a foot can touch the ground in a simulation: the corners of its sole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character, Foot

Array = NDArray[np.float64]

HALF_WIDTH = 0.045  # of the leg's length, of a sole whose foot has no solid that tells it
SOLE_WIDTH_SHARE = 0.9  # of half the width of a foot's solid, at which its sole is borne on
SIDES = (("L", 1.0), ("R", -1.0))


@dataclass(frozen=True)
class SolePoint:
    """A corner of a sole: its name, its place in the link's frame in the neutral pose,
    whether it moves with the toes.
    """

    name: str
    place: Array  # (3,) relative to the foot's joint
    is_on_toe: bool
    is_corner: bool  # of the hull of all: the others bear nothing that these cannot


def measure_sole_half_width(character: Character, foot: Foot) -> float:
    """Half of a sole's width, metres: of the foot's widest solid, else of a foot of usual build."""
    solids = character.links[foot.link].shapes
    return SOLE_WIDTH_SHARE * max(
        (shape.radii[0] for shape in solids), default=HALF_WIDTH * character.leg_length
    )


def find_sole_points(character: Character, foot: Foot) -> tuple[SolePoint, ...]:
    """Corners of a foot's sole at heel, ball and tip, left and right;
    of a round foot the one point that touches.
    """
    if foot.is_point:
        return (SolePoint("point", foot.ball, is_on_toe=False, is_corner=True),)
    half = measure_sole_half_width(character, foot)
    rows = [("heel", foot.heel, False, True), ("ball", foot.ball, False, not foot.has_toe)]
    if foot.has_toe:
        rows.append(("tip", foot.tip, True, True))
    return tuple(
        SolePoint(f"{row}.{side}", place + np.array([0.0, sign * half, 0.0]), is_on_toe, is_corner)
        for row, place, is_on_toe, is_corner in rows
        for side, sign in SIDES
    )

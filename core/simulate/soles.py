"""Points at which soles touch the ground in a simulation, and the properties of these contacts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Character, Foot


@dataclass(frozen=True)
class ContactParameters:
    """Contact properties, as MuJoCo has them (see its documentation of `solref` and `solimp`)."""

    # Time constant [s] and damping ratio. tuned: stiffer or less damped contacts rebound at steps
    # of 1 ms, and the controller then pushes on contacts that are not there
    solref: tuple[float, float] = (0.006, 2.0)
    # Impedance of the contact: least and largest value, width [m], midpoint and power. MuJoCo's
    # defaults are (0.9, 0.95, 0.001, 0.5, 2.0): these contacts are harder.
    solimp: tuple[float, float, float, float, float] = (0.95, 0.99, 0.001, 0.5, 2.0)
    # Coefficients of sliding, torsional [m] and rolling [m] friction: that of the paper (Mordatch
    # et al. 2010, section 5), and MuJoCo's defaults.
    friction: tuple[float, float, float] = (1.0, 0.005, 0.0001)


CONTACT = ContactParameters()


Array = NDArray[np.float64]

# Half width of a sole whose foot has no geometry, as a share of the leg length
HALF_WIDTH = 0.045
# Half width of a sole that carries weight, as a share of that of the foot's geometry
SOLE_WIDTH_SHARE = 0.9
# Names and signs of both sides
SIDES = (("L", 1.0), ("R", -1.0))


@dataclass(frozen=True)
class SolePoint:
    """Contact point of a sole."""

    name: str
    place: Array  # (3,) [m] relative to the foot's joint, in the neutral pose
    is_on_toe: bool  # whether it moves with the toes
    # Whether it is a vertex of the convex hull of all; others are redundant
    is_corner: bool


def measure_sole_half_width(character: Character, foot: Foot) -> float:
    """Return half the width of a sole [m], from the widest shape of the foot if it has any."""
    solids = character.links[foot.link].shapes
    return SOLE_WIDTH_SHARE * max(
        (shape.radii[0] for shape in solids), default=HALF_WIDTH * character.leg_length
    )


def find_sole_points(character: Character, foot: Foot) -> tuple[SolePoint, ...]:
    """Return the points of a sole at heel, ball and tip, left and right.

    A point foot has a single one.
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

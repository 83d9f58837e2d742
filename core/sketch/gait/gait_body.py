"""The quantities of a body that determine its gait: places of the legs, hip height and trunk."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character, is_quadruped_layout
from ...character.reach import compute_leg_reaches, leg_end_point
from ...errors import CharacterError

Array = NDArray[np.float64]

Trunk = Literal["stiff", "firm", "supple"]

# Least hip height over which legs are erect, as a share of their reach
ERECT_HIP_SHARE = 0.7
# Least hip height of sprawling legs, as a share of the reach of a leg
SPRAWL_HIP_SHARE = 0.5


@dataclass(frozen=True)
class LegPlace:
    """Place of a leg in the body.

    Args:
        row: number of its row; the rearmost is 0.
        side: 1 left, -1 right, 0 in the middle.
    """

    row: int
    side: int


@dataclass(frozen=True)
class GaitBody:
    """The quantities of a body that determine its gait.

    Args:
        legs: places of the legs, in the order of the character.
        hip_height: height of the hips of the standing body over the ground [m]; for sprawling legs
            a share of their reach.
        body_length: distance from the rearmost to the foremost row of hips [m].
        trunk: how the body moves when a trot is too slow. A "firm" trunk canters and then gallops.
            A "supple" one gallops at once, since its bending helps the legs. A "stiff" one, which
            cannot gather its legs, canters and then paces.
        leading_side: side, 1 or -1, whose fore foot comes down last in canter and gallop; the right
            one in Kwon et al. 2020, appendix G.

    Raises:
        CharacterError: there are no legs, two legs share a place, a side or row is invalid, or the
            height or length is.
    """

    legs: tuple[LegPlace, ...]
    hip_height: float
    body_length: float = 0.0
    trunk: Trunk = "firm"
    leading_side: int = -1

    def __post_init__(self) -> None:
        if not self.legs:
            raise CharacterError("A body without legs has no gait; give it at least one.")
        for leg in self.legs:
            if leg.side not in (-1, 0, 1) or leg.row < 0:
                raise CharacterError(
                    f"A leg is in row {leg.row} on side {leg.side}; rows count from 0 at the "
                    "rear, sides are 1 for left, -1 for right and 0 for the middle."
                )
        leg, count = Counter(self.legs).most_common(1)[0]
        if count > 1:
            raise CharacterError(
                f"{count} legs are in row {leg.row} on side {leg.side}; each leg needs a different "
                "place."
            )
        if set(range(self.row_count)) != {leg.row for leg in self.legs}:
            raise CharacterError(
                f"The legs are in the rows {sorted({leg.row for leg in self.legs})}; number them "
                "from 0 at the rear without a gap."
            )
        if not (np.isfinite(self.hip_height) and self.hip_height > 0):
            raise CharacterError(
                f"The hips are {self.hip_height:g} m above the ground; they must be higher than 0."
            )
        if not (np.isfinite(self.body_length) and self.body_length >= 0):
            raise CharacterError(
                f"The body is {self.body_length:g} m long between its rows of legs; it must be 0 "
                "or more."
            )
        if self.trunk not in get_args(Trunk):
            raise CharacterError(
                f"The trunk is {self.trunk!r}; it must be one of {', '.join(get_args(Trunk))}."
            )
        if self.leading_side not in (-1, 1):
            raise CharacterError(
                f"The leading side is {self.leading_side}; it must be 1 for left or -1 for right."
            )

    @classmethod
    def from_pairs(
        cls, pair_count: int, hip_height: float, body_length: float = 0.0, trunk: Trunk = "firm"
    ) -> GaitBody:
        """Return a body with pairs of legs, rear to front, the left leg of each pair first."""
        legs = tuple(LegPlace(row, side) for row in range(pair_count) for side in (1, -1))
        return cls(legs, hip_height, body_length, trunk)

    @cached_property
    def row_count(self) -> int:
        """Number of rows of legs."""
        return 1 + max(leg.row for leg in self.legs)

    @cached_property
    def is_quadruped(self) -> bool:
        """Whether the body has two rows of two legs, and therefore the gaits of dogs and horses."""
        return is_quadruped_layout((leg.row, leg.side) for leg in self.legs)

    @cached_property
    def leg_rows(self) -> NDArray[np.int64]:
        """Row of each leg. (legs,)."""
        return np.array([leg.row for leg in self.legs])

    @cached_property
    def on_leading_side(self) -> NDArray[np.bool_]:
        """Whether each leg is on the leading side, whose feet come down second. (legs,)."""
        return np.array([leg.side == self.leading_side for leg in self.legs])

    @cached_property
    def hip_offsets(self) -> Array:
        """Distance of each hip in front of the middle of the body. (legs,) [m]."""
        return self.body_length * (
            self.leg_rows / max(self.row_count - 1, 1) - 0.5 * (self.row_count > 1)
        )

    def unit_speed(self, gravity: float) -> float:
        """Return the speed at Froude number 1 [m/s]."""
        return float(np.sqrt(gravity * self.hip_height))

    def unit_time(self, gravity: float) -> float:
        """Return the time to cover one hip height at that speed [s]."""
        return float(np.sqrt(self.hip_height / gravity))


def build_gait_body(character: Character) -> GaitBody:
    """Return the quantities of a character that determine its gait."""
    height = max(
        character.hip_height, SPRAWL_HIP_SHARE * float(np.mean(compute_leg_reaches(character)))
    )
    return GaitBody(
        tuple(LegPlace(leg.row, leg.side) for leg in character.legs),
        height,
        character.body_length,
        "firm",
    )


def locate_foot_holds(character: Character) -> Array:
    """Return the ends of the legs of the standing character, relative to the root.

    Returns shape (legs, 3) [m].
    """
    return np.array(
        [
            character.neutral_joint_position(foot.link) + leg_end_point(character, limb)
            for limb, foot in zip(character.legs, character.feet, strict=True)
        ]
    )


@dataclass(frozen=True)
class StrideCenters:
    """Where feet rest, in the middle of their contacts.

    Args:
        places: feet of the standing body relative to its center of mass, shape (legs, 3) [m].
        slants: distance of the ends of the legs in front of the hips then, shape (legs,) [m].
        rooms: distance in front of the hips at which the ends are at the end of their reach while
            the hips are as high as in the standing body, shape (legs,) [m]; infinite for sprawling
            legs.
    """

    places: Array
    slants: Array
    rooms: Array

    @classmethod
    def from_character(cls, character: Character, reaches: Array, com: Array) -> StrideCenters:
        """Return the centers of a character.

        Args:
            reaches: distance from hip to end that legs use, shape (legs,) [m].
            com: center of mass relative to the root, shape (3,) [m].
        """
        forward, aside, up = (locate_foot_holds(character) - character.hip_positions).T
        rooms = np.sqrt(np.maximum(reaches**2 - up**2 - aside**2, 0.0))
        is_erect = -up >= ERECT_HIP_SHARE * reaches
        return cls(
            character.neutral_foot_positions - com, forward, np.where(is_erect, rooms, np.inf)
        )

    def locate(self, leg: int, travel: float) -> Array:
        """Return the place of a foot in the middle of a contact, relative to the center of mass.

        It is that of the standing body, (3,) [m]. Where a leg that stands slanted would reach the
        ends of the contact only from lower hips, it is closer to the hip.

        Args:
            leg: number of the leg.
            travel: distance that the body covers during the contact [m].
        """
        place: Array = self.places[leg].copy()
        limit = max(self.rooms[leg] - 0.5 * travel, 0.0)
        place[0] += np.clip(self.slants[leg], -limit, limit) - self.slants[leg]
        return place

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
# Largest distance between the middle of a stride and the hip, as a share of the distance at which
# the leg is straight; standing dogs, horses and foxes come to 0.07 to 0.38
MAX_SLANT_SHARE = 0.4
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


def locate_foot_hold(character: Character, leg: int) -> Array:
    """Return the end of a leg of the standing character, relative to the root. (3,) [m]."""
    limb = character.legs[leg]
    return np.asarray(
        character.neutral_joint_position(character.feet[leg].link) + leg_end_point(character, limb)
    )


def locate_stride_centers(character: Character, leg_reach: Array) -> Array:
    """Return the places of the feet at the middle of their contacts, relative to the root.

    They are those of the standing body, (legs, 3) [m], but closer to the hips for erect legs that
    stand slanted: the ends of their contacts would be beyond the reach of legs as high as at rest.

    Args:
        leg_reach: distance from hip to foot of the straight leg [m], shape (legs,).
    """
    places = character.neutral_foot_positions.copy()
    for k, (limb, reach) in enumerate(zip(character.legs, leg_reach, strict=True)):
        hip = character.neutral_joint_position(limb.links[0])
        forward, aside, down = locate_foot_hold(character, k) - hip
        if -down < ERECT_HIP_SHARE * reach:
            continue
        room = np.sqrt(max(reach**2 - down**2 - aside**2, 0.0))
        limit = MAX_SLANT_SHARE * room
        places[k, 0] += np.clip(forward, -limit, limit) - forward
    return places

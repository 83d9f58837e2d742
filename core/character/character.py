"""What a character is: rigid links joined in a tree, the limbs among them,
and the feet at their ends.

Everything is measured in the neutral pose: as the body naturally stands, soles on the ground, x
forward, y to the left, z up. People stand on straight legs with their arms hanging, a bird, a dog
or a robot on bent ones, a spider on legs that sprawl. Every link's frame is aligned with those axes
there and has its origin at the link's joint; all hinges are at angle 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import CharacterError
from .link import Link, check_links

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Foot:
    """The end of a leg. All points in the frame of the link `link`, metres.

    A sole rests on `heel` and `ball`. `pivot` is where the foot hinges over its toes while the heel
    is up: the toe joint where there is one, which lies above the sole, else the front of the sole.
    `ball` is the point of the sole below it, `tip` the foremost one.

    A hoof, a paw or a robot's rubber ball touches the ground in one point and may be turned any way
    while it does: heel, ball, tip and pivot are then all the point that touches in the neutral pose
    (`Foot.from_contact_point`), and `radius` is that of the ball around `sphere_center`, which
    stays where it is while the foot rests.
    """

    link: int
    heel: Array  # (3,)
    ball: Array  # (3,)
    tip: Array  # (3,)
    pivot: Array  # (3,)
    has_toe: bool
    radius: float = 0.0  # m; of soles 0

    @classmethod
    def from_contact_point(cls, link: int, contact: Array, radius: float) -> Foot:
        """A foot that ends in a ball, or with radius 0 in a point; `contact` (3,) is its lowest
        point in the neutral pose.
        """
        return cls(link, contact, contact, tip=contact, pivot=contact, has_toe=False, radius=radius)

    @property
    def is_point(self) -> bool:
        """Whether the foot touches the ground in one point rather than with a sole."""
        return bool(np.array_equal(self.heel, self.ball))

    @property
    def sole_center(self) -> Array:
        """Point of the sole halfway between heel and ball, (3,):
        what a footstep's position means.
        """
        return 0.5 * (self.heel + self.ball)

    @property
    def sphere_center(self) -> Array:
        """Centre of a round foot's ball, (3,), which is `radius` above the ground while the foot
        rests, however it is turned.
        """
        return self.ball + np.array([0.0, 0.0, self.radius])


@dataclass(frozen=True)
class Hand:
    """The end of an arm that can hold. `grip` is the middle of what the closed hand encloses, in
    the frame of `link`, metres.
    """

    link: int
    grip: Array  # (3,)


@dataclass(frozen=True)
class Limb:
    """A leg or an arm: its links from hip or shoulder outward,
    as many as it has, with any hinges.
    """

    name: str
    kind: Literal["leg", "arm"]
    side: int  # +1 left, -1 right, 0 in the middle
    links: tuple[int, ...]
    foot: Foot | None = None
    hand: Hand | None = None
    row: int = 0  # of a leg: 0 is the rearmost pair, 1 the one before it, ...


@dataclass(frozen=True)
class Character:
    """A body that can be planned for, of any number of legs.

    `trunk` are the links from the first above the pelvis up to the chest, `head` the head's link;
    `neck` those between the two, and `tail` those of a tail, each from the body outward. `legs` are
    in the order of their limbs.

    Raises:
        CharacterError: it has no legs or no mass, or its links do not make a
            tree whose root is free.
    """

    name: str
    links: tuple[Link, ...]
    limbs: tuple[Limb, ...]
    trunk: tuple[int, ...]
    head: int | None
    mass: float  # kg
    notes: tuple[str, ...] = field(default=())
    neck: tuple[int, ...] = ()
    tail: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.legs:
            raise CharacterError(
                f"The character {self.name!r} has no legs; Footfall plans for bodies that stand "
                "on feet."
            )
        if not (np.isfinite(self.mass) and self.mass > 0):
            raise CharacterError(
                f"The mass of {self.name!r} is {self.mass} kg; it must be a positive number."
            )
        check_links(self.name, self.links, self.mass)
        for limb in self.limbs:
            if limb.kind == "leg" and limb.foot is None:
                raise CharacterError(
                    f"The leg {limb.name!r} of {self.name!r} has no foot; every leg must end in "
                    "one."
                )

    @cached_property
    def legs(self) -> tuple[Limb, ...]:
        """The limbs that stand."""
        return tuple(limb for limb in self.limbs if limb.kind == "leg")

    @cached_property
    def arms(self) -> tuple[Limb, ...]:
        """The limbs that swing."""
        return tuple(limb for limb in self.limbs if limb.kind == "arm")

    @cached_property
    def feet(self) -> tuple[Foot, ...]:
        """The feet, in the order of the legs."""
        return tuple(limb.foot for limb in self.legs if limb.foot is not None)

    @cached_property
    def grasping_arms(self) -> tuple[Limb, ...]:
        """The arms with hands that can hold."""
        return tuple(limb for limb in self.arms if limb.hand is not None)

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The hands, in the order of `grasping_arms`."""
        return tuple(limb.hand for limb in self.grasping_arms if limb.hand is not None)

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the legs in each row, the rearmost row first, in each from left to right."""
        rows = sorted({leg.row for leg in self.legs})
        by_side = sorted(range(len(self.legs)), key=lambda k: -self.legs[k].side)
        return tuple(tuple(k for k in by_side if self.legs[k].row == row) for row in rows)

    def neutral_joint_position(self, link: int) -> Array:
        """Place of a link's joint in the neutral pose, relative to the root's. (3,)."""
        position = np.zeros(3)
        while self.links[link].parent >= 0:
            position = position + np.asarray(self.links[link].offset)
            link = self.links[link].parent
        return position

    @cached_property
    def is_quadruped(self) -> bool:
        """Whether it has two rows of two legs, as dogs and horses."""
        return sorted((leg.row, leg.side) for leg in self.legs) == [
            (0, -1),
            (0, 1),
            (1, -1),
            (1, 1),
        ]

    @cached_property
    def hip_positions(self) -> Array:
        """Places of the legs' first joints in the neutral pose,
        relative to the root's. (legs, 3).
        """
        return np.array([self.neutral_joint_position(leg.links[0]) for leg in self.legs])

    @cached_property
    def neutral_foot_positions(self) -> Array:
        """Places where the middles of the feet stand in the neutral pose,
        relative to the root's joint. (legs, 3).
        """
        return np.array(
            [self.neutral_joint_position(foot.link) + foot.sole_center for foot in self.feet]
        )

    @cached_property
    def hip_height(self) -> float:
        """Height of the hip joints above the soles in the neutral pose,
        metres, the mean of all legs.
        """
        return float(
            np.mean(
                [
                    self.neutral_joint_position(limb.links[0])[2]
                    - self.neutral_joint_position(foot.link)[2]
                    - foot.ball[2]
                    for limb, foot in zip(self.legs, self.feet, strict=True)
                ]
            )
        )

    def straight_leg_length(self, leg: Limb, foot: Foot) -> float:
        """Return the height of a leg's hip joint above its foot's joint in the neutral pose, in
        which legs are straight [m].
        """
        return float(
            self.neutral_joint_position(leg.links[0])[2] - self.neutral_joint_position(foot.link)[2]
        )

    @property
    def leg_length(self) -> float:
        """The scale of every gait, metres: the hips' height as the body stands (Froude numbers
        are v^2 / (g times this)).

        How far legs reach when they are stretched is told by `reach.compute_leg_reaches`.
        """
        return self.hip_height

    @cached_property
    def body_length(self) -> float:
        """Distance along x between the hips of the rearmost row and the shoulders of the
        foremost, metres; 0 for one row.
        """
        rear, front = (
            np.mean(self.hip_positions[list(row), 0]) for row in (self.rows[0], self.rows[-1])
        )
        return float(front - rear)

    @cached_property
    def hip_half_width(self) -> float:
        """Half the distance between left and right hip joints, metres."""
        return float(
            np.mean([abs(self.neutral_joint_position(limb.links[0])[1]) for limb in self.legs])
        )

    @cached_property
    def root_height(self) -> float:
        """Height of the root's joint above the soles in the neutral pose, metres."""
        return float(
            np.mean(
                [-self.neutral_joint_position(foot.link)[2] - foot.ball[2] for foot in self.feet]
            )
        )

    def link_names(self) -> tuple[str, ...]:
        """Names of the links, in order."""
        return tuple(link.name for link in self.links)

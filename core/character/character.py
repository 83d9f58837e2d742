"""A character: a tree of rigid links, its limbs and its feet.

All quantities are measured in the neutral pose, in which the body stands naturally with its soles
on the ground: x forward, y to the left, z up. Humans stand on straight legs with hanging arms;
birds, dogs and robots on bent legs; spiders on sprawled legs. In the neutral pose the frame of
every link is aligned with these axes, with its origin at the link's joint, and all hinge angles
are 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import CharacterError
from .link import Link, check_links

Array = NDArray[np.float64]

# Longest foot that can roll from heel to toe [leg length]: for a longer foot the leg cannot raise
# the heel far enough
MAX_FOOT_LENGTH_RATIO = 0.8


@dataclass(frozen=True)
class Foot:
    """The end of a leg.

    A sole rests on `heel` and `ball`. While the heel is raised, the foot rotates about `pivot`.

    A point foot, such as a hoof, a paw or the rubber ball of a robot, touches the ground in one
    point with any orientation: heel, ball, tip and pivot are then the contact point in the neutral
    pose (see `from_contact_point`). The foot is a sphere about `sphere_center`, which stays in
    place while the foot rests.

    Args:
        link: index of the link whose frame all points are in.
        heel: (3,) rear of the sole [m].
        ball: (3,) point of the sole below `pivot` [m].
        tip: (3,) foremost point of the sole [m].
        pivot: (3,) toe joint, which lies above the sole; without one, the front of the sole [m].
        has_toe: whether there is a toe joint.
        radius: of the sphere of a point foot; 0 for a sole [m].
        half_width: distance from the ankle to the nearer side of the sole; 0 where no skin
            shows it [m].
    """

    link: int
    heel: Array
    ball: Array
    tip: Array
    pivot: Array
    has_toe: bool
    radius: float = 0.0
    half_width: float = 0.0

    @classmethod
    def from_contact_point(cls, link: int, contact: Array, radius: float) -> Foot:
        """Return a point foot.

        Args:
            contact: (3,) lowest point in the neutral pose, in the frame of the link [m].
            radius: of the sphere; 0 for a point [m].
        """
        return cls(link, contact, contact, tip=contact, pivot=contact, has_toe=False, radius=radius)

    @property
    def is_point(self) -> bool:
        """Whether the foot touches the ground in one point rather than with a sole."""
        return bool(np.array_equal(self.heel, self.ball))

    @property
    def sole_center(self) -> Array:
        """Middle between heel and ball, which is at the position of a footstep (3,) [m]."""
        return 0.5 * (self.heel + self.ball)

    @property
    def sphere_center(self) -> Array:
        """Center of the sphere of a point foot (3,) [m].

        It is `radius` above the ground while the foot rests, in any orientation.
        """
        return self.ball + np.array([0.0, 0.0, self.radius])


@dataclass(frozen=True)
class Hand:
    """The end of an arm that can hold on to something.

    Args:
        link: index of the link whose frame `grip` is in.
        grip: (3,) center of the space that the closed hand encloses [m].
    """

    link: int
    grip: Array


@dataclass(frozen=True)
class Limb:
    """A leg or an arm: a chain of any number of links.

    Args:
        side: +1 left, -1 right, 0 in the middle.
        links: indices of the links, from hip or shoulder outward.
        foot: of a leg.
        hand: of an arm that can hold on to something.
        row: of a leg: 0 for the rearmost pair, 1 for the pair in front of it, and so on.
    """

    name: str
    kind: Literal["leg", "arm"]
    side: int
    links: tuple[int, ...]
    foot: Foot | None = None
    hand: Hand | None = None
    row: int = 0

    @property
    def lower_link(self) -> int | None:
        """Link below the knee or the elbow; None for a limb of a single link."""
        return self.links[1] if len(self.links) > 1 else None


def is_quadruped_layout(places: Iterable[tuple[int, int]]) -> bool:
    """Return whether legs, each given by its row and side, are in two rows of two."""
    return sorted(places) == [(0, -1), (0, 1), (1, -1), (1, 1)]


@dataclass(frozen=True)
class Character:
    """A body with any number of legs for which motions can be planned.

    Args:
        links: parents before children; the first is the root.
        trunk: links from the first above the pelvis to the chest.
        head: link of the head; None without one.
        mass: of the whole body [kg].
        notes: for the user, on how the character was made.
        neck: links between chest and head, outward.
        tail: links of the tail, outward.

    Raises:
        CharacterError: there are no legs, the mass is not positive, a leg has no foot, or the
            links are not a tree with a free root.
    """

    name: str
    links: tuple[Link, ...]
    limbs: tuple[Limb, ...]
    trunk: tuple[int, ...]
    head: int | None
    mass: float
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
        """The legs, in the order of the limbs."""
        return tuple(limb for limb in self.limbs if limb.kind == "leg")

    @cached_property
    def arms(self) -> tuple[Limb, ...]:
        """The arms, in the order of the limbs."""
        return tuple(limb for limb in self.limbs if limb.kind == "arm")

    @cached_property
    def feet(self) -> tuple[Foot, ...]:
        """The feet, in the order of the legs."""
        return tuple(limb.foot for limb in self.legs if limb.foot is not None)

    @cached_property
    def grasping_arms(self) -> tuple[Limb, ...]:
        """The arms with a hand."""
        return tuple(limb for limb in self.arms if limb.hand is not None)

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The hands, in the order of `grasping_arms`."""
        return tuple(limb.hand for limb in self.grasping_arms if limb.hand is not None)

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Indices of the legs by row, the rearmost row first, each row from left to right."""
        rows = sorted({leg.row for leg in self.legs})
        by_side = sorted(range(len(self.legs)), key=lambda k: -self.legs[k].side)
        return tuple(tuple(k for k in by_side if self.legs[k].row == row) for row in rows)

    def neutral_joint_position(self, link: int) -> Array:
        """Return the position of a joint from the root's joint in the neutral pose (3,) [m]."""
        position = np.zeros(3)
        while self.links[link].parent >= 0:
            position = position + np.asarray(self.links[link].offset)
            link = self.links[link].parent
        return position

    @cached_property
    def is_quadruped(self) -> bool:
        """Whether the body has two rows of two legs, like dogs and horses."""
        return is_quadruped_layout((leg.row, leg.side) for leg in self.legs)

    @cached_property
    def hip_positions(self) -> Array:
        """Positions of the hip joints from the root's joint in the neutral pose (legs, 3) [m]."""
        return np.array([self.neutral_joint_position(leg.links[0]) for leg in self.legs])

    @cached_property
    def neutral_foot_positions(self) -> Array:
        """Positions of `sole_center` of all feet from the root's joint in the neutral pose.

        Shape (legs, 3) [m].
        """
        return np.array(
            [self.neutral_joint_position(foot.link) + foot.sole_center for foot in self.feet]
        )

    @cached_property
    def hip_height(self) -> float:
        """Mean height of the hip joints above the soles in the neutral pose [m]."""
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
        """Return the height of a hip joint above the joint of the foot in the neutral pose [m].

        This is the length of the leg where legs are straight in the neutral pose.
        """
        return float(
            self.neutral_joint_position(leg.links[0])[2] - self.neutral_joint_position(foot.link)[2]
        )

    @property
    def leg_length(self) -> float:
        """Length scale of gaits: the hip height in the neutral pose [m].

        The Froude number of a speed v is v^2 / (g * leg_length). The length of stretched legs is
        `reach.compute_leg_reaches`.
        """
        return self.hip_height

    @cached_property
    def body_length(self) -> float:
        """Distance along x between the hips of the rearmost and of the foremost row [m].

        0 for a single row.
        """
        rear, front = (
            np.mean(self.hip_positions[list(row), 0]) for row in (self.rows[0], self.rows[-1])
        )
        return float(front - rear)

    @cached_property
    def hip_half_width(self) -> float:
        """Half the distance between left and right hip joints [m]."""
        return float(
            np.mean([abs(self.neutral_joint_position(limb.links[0])[1]) for limb in self.legs])
        )

    @cached_property
    def root_height(self) -> float:
        """Height of the root's joint above the soles in the neutral pose [m]."""
        return float(
            np.mean(
                [-self.neutral_joint_position(foot.link)[2] - foot.ball[2] for foot in self.feet]
            )
        )

    def link_names(self) -> tuple[str, ...]:
        """Return the names of the links in order."""
        return tuple(link.name for link in self.links)


def is_humanoid(character: Character) -> bool:
    """Return whether a body has two human legs of thigh, shin and foot with a sole.

    Styles apply to such bodies only.
    """
    return len(character.legs) == 2 and all(_is_human_leg(character, leg) for leg in character.legs)


def _is_human_leg(character: Character, leg: Limb) -> bool:
    """Return whether a knee folds backward and the foot has a sole that can roll."""
    if len(leg.links) != 3 or leg.foot is None or leg.foot.is_point:
        return False
    hip, knee = (character.links[k].joint for k in leg.links[:2])
    if hip.kind != "ball" or not knee.ranges or knee.ranges[0][1] < -knee.ranges[0][0]:
        return False
    return float(leg.foot.tip[0] - leg.foot.heel[0]) < MAX_FOOT_LENGTH_RATIO * character.leg_length

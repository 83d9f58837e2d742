"""What a character is: rigid links joined in a tree, the limbs among them, and the feet at their ends.

Everything is measured in the neutral pose: upright, legs straight down, arms hanging, soles on the ground, x forward,
y to the left, z up. Every link's frame is aligned with those axes there and has its origin at the link's joint.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import CharacterError

Array = NDArray[np.float64]
JointKind = Literal["free", "ball", "hinges"]


@dataclass(frozen=True)
class Joint:
    """How a link hangs on its parent. `hinges` are one to three hinges in a row, each with its axis and range in radians."""

    name: str
    kind: JointKind
    axes: tuple[tuple[float, float, float], ...] = ()
    ranges: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Shape:
    """A solid of uniform density in a link's frame: capsule, ellipsoid or box from `start` to `end`.

    `radii` are the half extents across, first sideways, then the other way; a capsule uses the first.
    """

    kind: Literal["capsule", "ellipsoid", "box"]
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radii: tuple[float, float]


@dataclass(frozen=True)
class Link:
    """A rigid part: its joint's place in the parent's frame, neutral pose, and the solids that give it mass."""

    name: str
    parent: int                               # -1 for the root
    joint: Joint
    offset: tuple[float, float, float]
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Foot:
    """The end of a leg. All points in the frame of the link `link`, metres.

    `pivot` is where the foot hinges over its toes while the heel is up: the toe joint where there is one, which lies above
    the sole, else the front of the sole. `ball` is the point of the sole below it, `tip` the foremost one.
    """

    link: int
    heel: Array                               # (3,)
    ball: Array                               # (3,)
    tip: Array                                # (3,)
    pivot: Array                              # (3,)
    has_toe: bool

    @property
    def centre(self) -> Array:
        """Point of the sole halfway between heel and ball, (3,): what a footstep's position means."""
        return 0.5 * (self.heel + self.ball)


@dataclass(frozen=True)
class Hand:
    """The end of an arm that can hold. `grip` is the middle of what the closed hand encloses, in the frame of `link`, metres."""

    link: int
    grip: Array                               # (3,)


@dataclass(frozen=True)
class Limb:
    """A leg or an arm: its links from hip or shoulder outward."""

    name: str
    kind: Literal["leg", "arm"]
    side: int                                 # +1 left, -1 right
    links: tuple[int, ...]
    foot: Foot | None = None
    hand: Hand | None = None


@dataclass(frozen=True)
class Character:
    """A body that can be planned for.

    `trunk` are the links from the first above the pelvis up to the chest, `head` the head's link.
    `legs` are in the order of their limbs.
    """

    name: str
    links: tuple[Link, ...]
    limbs: tuple[Limb, ...]
    trunk: tuple[int, ...]
    head: int | None
    mass: float                               # kg
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if not self.legs:
            raise CharacterError(f"The character {self.name!r} has no legs; Footfall plans for bodies that stand on feet.")
        if not (np.isfinite(self.mass) and self.mass > 0):
            raise CharacterError(f"The mass of {self.name!r} is {self.mass} kg; it must be a positive number.")

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
    def holders(self) -> tuple[Limb, ...]:
        """The arms with hands that can hold."""
        return tuple(limb for limb in self.arms if limb.hand is not None)

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The hands, in the order of `holders`."""
        return tuple(limb.hand for limb in self.holders if limb.hand is not None)

    def origin(self, link: int) -> Array:
        """Place of a link's joint in the neutral pose, relative to the root's. (3,)."""
        at = np.zeros(3)
        while self.links[link].parent >= 0:
            at = at + np.asarray(self.links[link].offset)
            link = self.links[link].parent
        return at

    @cached_property
    def leg_length(self) -> float:
        """Height of the hip joints above the soles in the neutral pose, metres; the scale of every gait."""
        return float(np.mean([self.origin(limb.links[0])[2] - self.origin(foot.link)[2] - foot.ball[2]
                              for limb, foot in zip(self.legs, self.feet, strict=True)]))

    @cached_property
    def hip_half_width(self) -> float:
        """Half the distance between left and right hip joints, metres."""
        return float(np.mean([abs(self.origin(limb.links[0])[1]) for limb in self.legs]))

    @cached_property
    def root_height(self) -> float:
        """Height of the root's joint above the soles in the neutral pose, metres."""
        return float(np.mean([-self.origin(foot.link)[2] - foot.ball[2] for foot in self.feet]))

    def link_names(self) -> tuple[str, ...]:
        """Names of the links, in order."""
        return tuple(link.name for link in self.links)

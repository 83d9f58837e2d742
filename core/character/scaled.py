"""Scaling of the size and mass of a character."""

from __future__ import annotations

from dataclasses import replace

from .character import Character, Foot, Hand, Limb
from .link import Inertial, Link, LinkShape, Point


def scale_character(
    character: Character, length_factor: float, mass_factor: float = 1.0
) -> Character:
    """Return a character with all lengths and all masses multiplied by a factor each."""

    def scale_point(v: Point) -> Point:
        return length_factor * v[0], length_factor * v[1], length_factor * v[2]

    def scale_shape(s: LinkShape) -> LinkShape:
        return LinkShape(
            s.kind,
            scale_point(s.start),
            scale_point(s.end),
            (length_factor * s.radii[0], length_factor * s.radii[1]),
        )

    def scale_inertial(i: Inertial) -> Inertial:
        return Inertial(
            i.mass * mass_factor,
            i.center_of_mass * length_factor,
            i.inertia * (mass_factor * length_factor**2),
        )

    def scale_hand(h: Hand) -> Hand:
        return Hand(h.link, h.grip * length_factor)

    def scale_link(x: Link) -> Link:
        return replace(
            x,
            offset=scale_point(x.offset),
            shapes=tuple(scale_shape(s) for s in x.shapes),
            inertial=x.inertial and scale_inertial(x.inertial),
            mass=x.mass and x.mass * mass_factor,
        )

    def scale_limb(x: Limb) -> Limb:
        return replace(
            x,
            foot=x.foot and _scale_foot(x.foot, length_factor),
            hand=x.hand and scale_hand(x.hand),
        )

    return replace(
        character,
        links=tuple(scale_link(x) for x in character.links),
        limbs=tuple(scale_limb(x) for x in character.limbs),
        mass=character.mass * mass_factor,
    )


def _scale_foot(foot: Foot, length_factor: float) -> Foot:
    return Foot(
        foot.link,
        foot.heel * length_factor,
        foot.ball * length_factor,
        tip=foot.tip * length_factor,
        pivot=foot.pivot * length_factor,
        has_toe=foot.has_toe,
        radius=foot.radius * length_factor,
        half_width=foot.half_width * length_factor,
    )

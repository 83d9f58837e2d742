"""The same body larger or smaller, heavier or lighter."""
from __future__ import annotations

from dataclasses import replace

from .character import Character, Foot, Hand, Limb
from .link import Inertial, Link, Shape

Point = tuple[float, float, float]


def scaled(character: Character, length: float, mass: float = 1.0) -> Character:
    """A character with all lengths and all masses times a factor; angles stay."""
    def times(v: Point) -> Point:
        return length * v[0], length * v[1], length * v[2]

    def shape(s: Shape) -> Shape:
        return Shape(s.kind, times(s.start), times(s.end), (length * s.radii[0], length * s.radii[1]))

    def inertial(i: Inertial) -> Inertial:
        return Inertial(i.mass * mass, i.centre * length, i.inertia * (mass * length**2))

    def foot(f: Foot) -> Foot:
        return Foot(f.link, f.heel * length, f.ball * length, f.tip * length, f.pivot * length, f.has_toe, f.radius * length)

    def hand(h: Hand) -> Hand:
        return Hand(h.link, h.grip * length)

    def link(x: Link) -> Link:
        return replace(x, offset=times(x.offset), shapes=tuple(shape(s) for s in x.shapes),
                       inertial=x.inertial and inertial(x.inertial), mass=x.mass and x.mass * mass)

    def limb(x: Limb) -> Limb:
        return replace(x, foot=x.foot and foot(x.foot), hand=x.hand and hand(x.hand))

    return replace(character, links=tuple(link(x) for x in character.links), limbs=tuple(limb(x) for x in character.limbs),
                   mass=character.mass * mass)

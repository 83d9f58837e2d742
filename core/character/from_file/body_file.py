"""A body written down in a file: where its joints are as it stands, and what it weighs.

All points are in one frame: x forward, y to the left, z up, the ground at z = 0, metres. So a body is measured as it stands,
from a photograph or a skeleton, and what is written is what is seen. A limb that is written once is there twice, left and right,
unless it is in the middle. `docs/extending.md` lists the tables; the shelf `bodies` is full of examples.
"""
from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ..character import Character, Foot, Hand, Limb
from ..link import Inertial, Joint, Link, Shape
from ..scaled import scaled
from .checked_table import Entry

Array = NDArray[np.float64]

DIGITS = 9            # of a metre that are kept: differences of written numbers are then as if they had been written themselves
NAMED_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
PARTS = ("trunk", "neck", "head", "tail")


def load_body(path: Path) -> Character:
    """Read a body's file.

    Raises:
        CharacterError: there is no such file, it is not TOML, or a table lacks something or holds what means nothing.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CharacterError(f"{path} is not a body's file: {error}.") from error
    entry = Entry(data, path.name)
    if entry.has("like"):
        return _grown(path, entry)
    return _Body(entry).character(path.stem)


def _grown(path: Path, entry: Entry) -> Character:
    """A body beside it, larger or smaller at the same density: lengths go with the cube root of the mass."""
    like, mass = entry.text("like"), entry.number("mass")
    entry.done()
    if like == path.stem:
        raise CharacterError(f"{path.name} cannot be `like` itself.")
    body = load_body(path.with_name(f"{like}.toml"))
    times = mass / body.mass
    return replace(scaled(body, float(np.cbrt(times)), times), name=path.stem)


class _Body:
    """A body's tables on their way to links and limbs."""

    def __init__(self, entry: Entry) -> None:
        self.links: list[Link] = []
        self.at: dict[str, Array] = {}                          # joints in the body's frame, by link
        self.parts: dict[str, list[int]] = {part: [] for part in PARTS}
        self.mass = entry.number("mass")
        for link in entry.tables("link"):
            part = link.text("part") if self.links else None
            if part is not None and part not in PARTS:
                raise CharacterError(f"`part` of {link.where} is {part!r}; it must be one of: {', '.join(PARTS)}.")
            parent = link.text("parent") if self.links else None
            number = self._link(link, "", parent, mirror=False)
            if part is not None:
                self.parts[part].append(number)
        self.limbs = [self._limb(*one) for limb in entry.tables("limb") for one in _both(limb)]
        entry.done()

    def character(self, name: str) -> Character:
        """The body as a character."""
        if len(self.parts["head"]) > 1:
            raise CharacterError(f"The body {name!r} has {len(self.parts['head'])} heads; it can have one.")
        trunk, neck, head, tail = (tuple(self.parts[part]) for part in PARTS)
        return Character(name, tuple(self.links), tuple(self.limbs), trunk, head[0] if head else None, self.mass, neck=neck,
                         tail=tail)

    def _limb(self, entry: Entry, side: int) -> Limb:
        name, parent, mirror = entry.text("name"), entry.text("parent"), side < 0
        kind, row = entry.text("kind", "leg"), entry.whole("row", 0)
        end = {1: ".L", -1: ".R", 0: ""}[side]
        numbers = []
        for link in entry.tables("link"):
            numbers.append(self._link(link, end, parent, mirror))
            parent = self.links[numbers[-1]].name
        if kind not in ("leg", "arm") or not numbers:
            raise CharacterError(f"{entry.where} must be of the kind leg or arm and have links; it is {kind!r} with "
                                 f"{len(numbers)} links.")
        foot = hand = None
        if kind == "leg":
            foot = self._foot(Entry(entry.any("foot"), f"the foot of {entry.where}"), numbers[-1], mirror)
        elif entry.has("hand"):
            held = Entry(entry.any("hand"), f"the hand of {entry.where}")
            hand = Hand(numbers[-1], self._from(parent, held.point("grip"), mirror))
            held.done()
        entry.done()
        return Limb(name + end, "leg" if kind == "leg" else "arm", side, tuple(numbers), foot, hand, row)

    def _link(self, entry: Entry, end: str, parent: str | None, mirror: bool) -> int:
        """Append a link; returns its number."""
        name, at = entry.text("name") + end, _mirrored(entry.point("at"), mirror)
        if parent is not None and parent not in self.at:
            raise CharacterError(f"`parent` of {entry.where} is {parent!r}; the links before it are: {', '.join(self.at)}.")
        self.at[name] = at
        joint = Joint("root", "free") if parent is None else _joint(entry, end, mirror)
        offset = (0.0, 0.0, 0.0) if parent is None else _triple(at - self.at[parent])
        solids = tuple(self._solid(solid, name, mirror) for solid in entry.tables("solids"))
        inertial = None
        if entry.has("inertial"):
            inertial = self._inertial(Entry(entry.any("inertial"), f"the inertial of {entry.where}"), name, mirror)
        mass = entry.number("mass") if entry.has("mass") else None
        number = -1 if parent is None else next(k for k, link in enumerate(self.links) if link.name == parent)
        self.links.append(Link(name, number, joint, offset, solids, inertial, mass))
        entry.done()
        return len(self.links) - 1

    def _from(self, link: str, point: Array, mirror: bool) -> Array:
        """A point of the body's frame in a link's. (3,)."""
        return np.array(_triple(_mirrored(point, mirror) - self.at[link]))

    def _solid(self, entry: Entry, link: str, mirror: bool) -> Shape:
        kind = entry.text("kind", "capsule")
        if kind not in ("capsule", "ellipsoid", "box"):
            raise CharacterError(f"`kind` of {entry.where} is {kind!r}; it must be capsule, ellipsoid or box.")
        start, end = (self._from(link, entry.point(key), mirror) for key in ("from", "to"))
        if np.linalg.norm(end - start) < 1e-6:
            raise CharacterError(f"`from` and `to` of {entry.where} are the same place; a solid must have a length.")
        if entry.has("radius"):
            sideways = across = entry.number("radius")
        else:
            sideways, across = (float(v) for v in entry.numbers("radii", 2))
        if min(sideways, across) <= 0:
            raise CharacterError(f"The radii of {entry.where} must be greater than 0.")
        entry.done()
        return Shape(kind, _triple(start), _triple(end), (sideways, across))     # type: ignore[arg-type]

    def _inertial(self, entry: Entry, link: str, mirror: bool) -> Inertial:
        mass, centre = entry.number("mass"), self._from(link, entry.point("centre"), mirror)
        xx, yy, zz, xy, xz, yz = entry.numbers("inertia", 6) * np.array([1, 1, 1, 1 - 2 * mirror, 1, 1 - 2 * mirror])
        entry.done()
        return Inertial(mass, centre, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))

    def _foot(self, entry: Entry, number: int, mirror: bool) -> Foot:
        link = self.links[number].name
        if entry.has("contact"):
            contact, radius = self._from(link, entry.point("contact"), mirror), entry.number("radius", 0.0)
            entry.done()
            if radius < 0:
                raise CharacterError(f"`radius` of {entry.where} is {radius:g} m; it must not be negative.")
            return Foot.round(number, contact, radius)
        heel, ball, tip, pivot = (self._from(link, entry.point(key), mirror) for key in ("heel", "ball", "tip", "pivot"))
        foot = Foot(number, heel, ball, tip, pivot, entry.flag("toe", False))
        entry.done()
        return foot


def _both(entry: Entry) -> list[tuple[Entry, int]]:
    """A limb's table with the side that it is for: twice unless the limb is in the middle."""
    if entry.flag("middle", False):
        return [(entry, 0)]
    return [(entry.copy(), 1), (entry.copy(), -1)]


def _joint(entry: Entry, end: str, mirror: bool) -> Joint:
    """A ball, unless hinges are told.

    A mirrored hinge turns about the mirrored axis. About x and z that is the other way round: axis and angle are turned over,
    so that both sides have the same axis.
    """
    name = entry.text("joint") + end
    if not entry.has("hinges"):
        return Joint(name, "ball")
    axes, ranges = [], []
    for hinge in entry.tables("hinges"):
        given = hinge.any("axis") if hinge.has("axis") else "y"
        axis = NAMED_AXES.get(given) if isinstance(given, str) else _axis(given)
        if axis is None:
            raise CharacterError(f"`axis` of {hinge.where} must be x, y, z or a list of three numbers, not {given!r}.")
        low, high = (float(v) for v in np.radians(hinge.numbers("range", 2)))
        hinge.done()
        if mirror and axis[1] == 0:
            low, high = 0.0 - high, 0.0 - low
        elif mirror:
            axis = _triple(np.array([-axis[0], axis[1], -axis[2]]))
        axes.append(axis)
        ranges.append((low, high))
    return Joint(name, "hinges", tuple(axes), tuple(ranges))


def _axis(given: object) -> tuple[float, float, float] | None:
    if not (isinstance(given, list) and len(given) == 3 and all(isinstance(v, int | float) for v in given) and any(given)):
        return None
    return float(given[0]), float(given[1]), float(given[2])


def _mirrored(point: Array, mirror: bool) -> Array:
    return point * [1.0, -1.0, 1.0] if mirror else point


def _triple(v: Array) -> tuple[float, float, float]:
    x, y, z = (round(float(c), DIGITS) + 0.0 for c in v)        # + 0: no negative zeros
    return x, y, z

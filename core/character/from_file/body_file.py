"""Body files: a character in TOML, by the positions of its joints in the neutral pose.

All points are in one frame: x forward, y to the left, z up, ground at z = 0 [m]. They can be
measured on a photograph or a skeleton of a standing body. A limb in the file stands for a left and
a right limb, unless it is marked as in the middle. `docs/extending.md` lists the tables; the folder
`bodies` has examples.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...files.source import FileKind, read_toml, show_path
from ...files.values import is_number, is_plain_name, show_names, show_value
from ..character import Character, Foot, Hand, Limb
from ..joint_ranges import HingeRanges, change_joint_ranges
from ..link import Inertial, Joint, Link, LinkShape
from ..scaled import scale_character
from .checked_table import ANGLE, INERTIA, LENGTH, MASS, CheckedTable

Array = NDArray[np.float64]

# Decimal places of lengths in meters; differences of numbers in the file are rounded to these, so
# that a file is read as it was written
ROUNDING_DIGITS = 9
# Hinge axes by name, and parts of the body to which links outside of limbs may belong
NAMED_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
BODY_FILE = FileKind("body", 1_000_000, CharacterError)
# Largest numbers of links and of rows of legs: a centipede is within, and planning it ends.
MAX_LINKS = 500
MAX_ROWS = 100
MAX_TEMPLATES = 8  # bodies that are `like` another one, in a chain
PARTS = ("trunk", "neck", "head", "tail")


def load_body(path: Path) -> Character:
    """Return the character of a body file.

    Raises:
        CharacterError: there is no such file, it is not TOML, or a table has missing, unknown or
            invalid entries.
    """
    return _load_like(path, ())


def _load_like(path: Path, dependents: tuple[str, ...]) -> Character:
    """Return the body of a file.

    Args:
        dependents: names of the bodies that are `like` it.
    """
    entry = CheckedTable(read_toml(path, BODY_FILE), path.name)
    try:
        if entry.has_key("like"):
            return _load_changed(path, entry, dependents)
        return _BodyReader(entry).to_character(path.stem)
    except CharacterError as error:
        if path.name in str(error):
            raise
        raise CharacterError(f"{show_path(path)}: {error}") from error


def _load_changed(path: Path, entry: CheckedTable, dependents: tuple[str, ...]) -> Character:
    """Return a body of the same folder with another mass or other ranges of its joints.

    The density stays: lengths scale with the cube root of the mass.
    """
    template = entry.pop_text("like")
    mass = entry.pop_number("mass", allowed=MASS) if entry.has_key("mass") else None
    ranges = {joint.pop_name("name"): _read_ranges(joint) for joint in entry.pop_tables("joint")}
    entry.check_empty()
    if not is_plain_name(template):
        raise CharacterError(
            f"`like` of {path.name} must be the name of a body in the same folder, not "
            f"{show_value(template)}."
        )
    if template in (path.stem, *dependents) or len(dependents) >= MAX_TEMPLATES:
        raise CharacterError(f"{path.name} cannot be `like` itself.")
    body = _load_like(path.with_name(f"{template}.toml"), (path.stem, *dependents))
    mass_factor = 1.0 if mass is None else mass / body.mass
    scaled = scale_character(body, float(np.cbrt(mass_factor)), mass_factor)
    return replace(change_joint_ranges(scaled, ranges), name=path.stem)


def _read_ranges(joint: CheckedTable) -> HingeRanges:
    """Return the ranges of the hinges of a joint that another body has, too [rad]."""
    ranges = []
    for hinge in joint.pop_tables("hinges"):
        ranges.append(_pop_range(hinge))
        hinge.check_empty()
    joint.check_empty()
    return tuple(ranges)


def _pop_range(hinge: CheckedTable) -> tuple[float, float]:
    """Return the range of a hinge [rad]."""
    low, high = (float(v) for v in np.radians(hinge.pop_numbers("range", 2, ANGLE)))
    return low, high


class _BodyReader:
    """Builds links and limbs from the tables of a body file."""

    def __init__(self, entry: CheckedTable) -> None:
        self.links: list[Link] = []
        self.joint_positions: dict[str, Array] = {}  # (3,) by link, in the frame of the file [m]
        self.parts: dict[str, list[int]] = {part: [] for part in PARTS}
        self.mass = entry.pop_number("mass")
        for link in entry.pop_tables("link"):
            part = link.pop_text("part") if self.links else None
            if part is not None and part not in PARTS:
                raise CharacterError(
                    f"`part` of {link.location} is {show_value(part)}; it must be one of: "
                    f"{', '.join(PARTS)}."
                )
            parent = link.pop_text("parent") if self.links else None
            number = self._add_link(link, "", parent, mirror=False)
            if part is not None:
                self.parts[part].append(number)
        self.limbs = [
            self._read_limb(limb.copy(), side)
            for limb in entry.pop_tables("limb")
            for side in _pop_sides(limb)
        ]
        entry.check_empty()

    def to_character(self, name: str) -> Character:
        """Return the character."""
        if len(self.parts["head"]) > 1:
            raise CharacterError(
                f"The body {name!r} has {len(self.parts['head'])} heads; it can have one."
            )
        trunk, neck, head, tail = (tuple(self.parts[part]) for part in PARTS)
        return Character(
            name,
            tuple(self.links),
            tuple(self.limbs),
            trunk=trunk,
            head=head[0] if head else None,
            mass=self.mass,
            neck=neck,
            tail=tail,
        )

    def _read_limb(self, entry: CheckedTable, side: int) -> Limb:
        name = entry.pop_name("name")
        parent = entry.pop_text("parent")
        mirror = side < 0
        kind = entry.pop_text("kind", "leg")
        row = entry.pop_int("row", 0, MAX_ROWS)
        suffix = {1: ".L", -1: ".R", 0: ""}[side]
        link_numbers = []
        for link in entry.pop_tables("link"):
            link_numbers.append(self._add_link(link, suffix, parent, mirror))
            parent = self.links[link_numbers[-1]].name
        if kind not in ("leg", "arm") or not link_numbers:
            raise CharacterError(
                f"{entry.location} must be of the kind leg or arm and have links; it is "
                f"{show_value(kind)} with {len(link_numbers)} links."
            )
        foot = hand = None
        if kind == "leg":
            foot = self._read_foot(
                CheckedTable(entry.pop_value("foot"), f"the foot of {entry.location}"),
                link_numbers[-1],
                mirror,
            )
        elif entry.has_key("hand"):
            hand_entry = CheckedTable(entry.pop_value("hand"), f"the hand of {entry.location}")
            hand = Hand(
                link_numbers[-1], self._to_link_frame(parent, hand_entry.pop_point("grip"), mirror)
            )
            hand_entry.check_empty()
        entry.check_empty()
        return Limb(
            name + suffix,
            "leg" if kind == "leg" else "arm",
            side,
            links=tuple(link_numbers),
            foot=foot,
            hand=hand,
            row=row,
        )

    def _add_link(self, entry: CheckedTable, suffix: str, parent: str | None, mirror: bool) -> int:
        """Append a link and return its index."""
        if len(self.links) >= MAX_LINKS:
            raise CharacterError(f"{entry.location} is one of more than {MAX_LINKS} links.")
        name = entry.pop_name("name") + suffix
        position = _mirror_point(entry.pop_point("at"), mirror)
        if parent is not None and parent not in self.joint_positions:
            raise CharacterError(
                f"`parent` of {entry.location} is {show_value(parent)}; the links before it "
                f"are: {show_names(self.joint_positions)}."
            )
        self.joint_positions[name] = position
        joint = Joint("root", "free") if parent is None else _read_joint(entry, suffix, mirror)
        offset = (
            (0.0, 0.0, 0.0)
            if parent is None
            else _round_triple(position - self.joint_positions[parent])
        )
        solids = tuple(
            self._read_solid(solid, name, mirror) for solid in entry.pop_tables("solids")
        )
        inertial = self._read_inertial(entry, name, mirror) if entry.has_key("inertial") else None
        mass = entry.pop_number("mass") if entry.has_key("mass") else None
        parent_number = -1 if parent is None else [x.name for x in self.links].index(parent)
        self.links.append(
            Link(
                name,
                parent_number,
                joint,
                offset=offset,
                shapes=solids,
                inertial=inertial,
                mass=mass,
            )
        )
        entry.check_empty()
        return len(self.links) - 1

    def _to_link_frame(self, link: str, point: Array, mirror: bool) -> Array:
        """Return a point (3,) of the file in the frame of a link (3,) [m]."""
        return np.array(_round_triple(_mirror_point(point, mirror) - self.joint_positions[link]))

    def _read_solid(self, entry: CheckedTable, link: str, mirror: bool) -> LinkShape:
        kind = entry.pop_text("kind", "capsule")
        if kind not in ("capsule", "ellipsoid", "box"):
            raise CharacterError(
                f"`kind` of {entry.location} is {show_value(kind)}; it must be capsule, ellipsoid "
                "or box."
            )
        start, end = (
            self._to_link_frame(link, entry.pop_point(key), mirror) for key in ("from", "to")
        )
        if np.linalg.norm(end - start) < 1e-6:
            raise CharacterError(
                f"`from` and `to` of {entry.location} are the same place; a solid must have a "
                "length greater than 0."
            )
        if entry.has_key("radius"):
            half_width = half_depth = entry.pop_number("radius", allowed=LENGTH)
        else:
            half_width, half_depth = (float(v) for v in entry.pop_numbers("radii", 2, LENGTH))
        if min(half_width, half_depth) <= 0:
            raise CharacterError(f"The radii of {entry.location} must be greater than 0.")
        entry.check_empty()
        return LinkShape(kind, _round_triple(start), _round_triple(end), (half_width, half_depth))  # type: ignore[arg-type]

    def _read_inertial(self, parent: CheckedTable, link: str, mirror: bool) -> Inertial:
        entry = CheckedTable(parent.pop_value("inertial"), f"the inertial of {parent.location}")
        mass = entry.pop_number("mass")
        center = self._to_link_frame(link, entry.pop_point("centre"), mirror)
        xx, yy, zz, xy, xz, yz = entry.pop_numbers("inertia", 6, INERTIA) * np.array(
            [1, 1, 1, 1 - 2 * mirror, 1, 1 - 2 * mirror]
        )
        entry.check_empty()
        return Inertial(mass, center, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))

    def _read_foot(self, entry: CheckedTable, number: int, mirror: bool) -> Foot:
        link = self.links[number].name
        if entry.has_key("contact"):
            contact = self._to_link_frame(link, entry.pop_point("contact"), mirror)
            radius = entry.pop_number("radius", 0.0, LENGTH)
            entry.check_empty()
            if radius < 0:
                raise CharacterError(
                    f"`radius` of {entry.location} is {radius:g} m; it must not be negative."
                )
            return Foot.from_contact_point(number, contact, radius)
        heel, ball, tip, pivot = (
            self._to_link_frame(link, entry.pop_point(key), mirror)
            for key in ("heel", "ball", "tip", "pivot")
        )
        foot = Foot(number, heel, ball, tip=tip, pivot=pivot, has_toe=entry.pop_flag("toe", False))
        entry.check_empty()
        return foot


def _pop_sides(entry: CheckedTable) -> tuple[int, ...]:
    """Return the sides of a limb: +1 left and -1 right, or 0 in the middle."""
    return (0,) if entry.pop_flag("middle", False) else (1, -1)


def _read_joint(entry: CheckedTable, suffix: str, mirror: bool) -> Joint:
    """Return the joint of a link: a ball joint unless the table has hinges.

    Mirrored rotations about x and z have the opposite sign. The range of such a hinge is negated,
    or its axis is mirrored if it has a y component, which leaves y unchanged.
    """
    name = entry.pop_name("joint") + suffix
    if not entry.has_key("hinges"):
        return Joint(name, "ball")
    axes = []
    ranges = []
    for hinge in entry.pop_tables("hinges"):
        axis_entry = hinge.pop_value("axis") if hinge.has_key("axis") else "y"
        axis = (
            NAMED_AXES.get(axis_entry) if isinstance(axis_entry, str) else _parse_axis(axis_entry)
        )
        if axis is None:
            raise CharacterError(
                f"`axis` of {hinge.location} must be x, y, z or a list of three numbers, not "
                f"{show_value(axis_entry)}."
            )
        low, high = _pop_range(hinge)
        hinge.check_empty()
        if mirror and axis[1] == 0:
            low, high = 0.0 - high, 0.0 - low
        elif mirror:
            axis = _round_triple(np.array([-axis[0], axis[1], -axis[2]]))
        axes.append(axis)
        ranges.append((low, high))
    return Joint(name, "hinges", tuple(axes), tuple(ranges))


def _parse_axis(value: object) -> tuple[float, float, float] | None:
    if not (
        isinstance(value, list)
        and len(value) == 3
        and all(is_number(v) for v in value)
        and any(value)
    ):
        return None
    return float(value[0]), float(value[1]), float(value[2])


def _mirror_point(point: Array, mirror: bool) -> Array:
    return point * [1.0, -1.0, 1.0] if mirror else point


def _round_triple(v: Array) -> tuple[float, float, float]:
    x, y, z = (round(float(c), ROUNDING_DIGITS) + 0.0 for c in v)  # adding 0.0 turns -0.0 into 0.0
    return x, y, z

"""The XML of a robot file: included files put in place, and limits before MuJoCo reads it.

MuJoCo gets a text without references to other files. Sections that do not describe the rigid body
are left out.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from ...errors import CharacterError
from ...files.source import FileKind, read_file, show_path
from ...files.values import show_error, show_value

Element = ElementTree.Element

ROBOT_FILE = FileKind("robot", 8_000_000, CharacterError)
MAX_ELEMENTS = 20_000  # of a robot, with every copy that `replicate` makes
MAX_DEPTH = 100  # of elements in each other; MuJoCo reads them recursively
MAX_INCLUDED_FILES = 50  # in a chain or side by side; robots have a few
# Sections that do not change links, joints, masses and key poses
IGNORED_SECTIONS = (
    "actuator",
    "asset",
    "contact",
    "custom",
    "deformable",
    "equality",
    "extension",
    "sensor",
    "size",
    "statistic",
    "tendon",
    "visual",
)
LOOP_TAGS = ("connect", "weld")  # equality constraints that hold two bodies together
IGNORED_KEY_ATTRIBUTES = ("act", "ctrl")  # of key poses, for actuators
REFUSED_ELEMENTS = ("attach", "composite", "flexcomp")


def read_robot_xml(path: Path) -> Element:
    """Return the root element of a robot file, with its included files in place.

    Raises:
        CharacterError: a file cannot be read, is no XML or too large, or an included file is
            outside of the robot's folder.
    """
    root = _RobotReader(path).read(path)
    _remove_rods(root)
    for section in [root, *root.findall("mujoco")]:
        for name in IGNORED_SECTIONS:
            for element in section.findall(name):
                section.remove(element)
    for parent in list(root.iter()):
        for element in parent.findall("plugin"):
            parent.remove(element)
    for key in root.iter("key"):
        for attribute in IGNORED_KEY_ATTRIBUTES:
            key.attrib.pop(attribute, None)
    refused = next((e.tag for e in root.iter() if e.tag in REFUSED_ELEMENTS), None)
    if refused is not None:
        raise CharacterError(
            f"{path.name} has an element <{refused}>; only rigid bodies of the file itself are "
            "read."
        )
    _check_numbers(root, path)
    count = _count_elements(root, path)
    if count > MAX_ELEMENTS:
        raise CharacterError(
            f"{path.name} describes more than {MAX_ELEMENTS} elements; leave only the robot in it."
        )
    return root


def _remove_rods(root: Element) -> None:
    """Remove bodies without children that only close a loop, such as the push rods of a leg.

    An equality constraint holds their other end, which a tree of links cannot have; alone they
    would be legs. Key poses have numbers for their joints and are removed as well.
    """
    parent_of = {child: parent for parent in root.iter() for child in parent}
    bodies = {body.get("name"): body for body in root.iter("body")}
    for loop in (e for section in root.iter("equality") for e in section):
        ends = [bodies.get(loop.get(side)) for side in ("body1", "body2")]
        rod = next((e for e in ends if e is not None and e.find("body") is None), None)
        if loop.tag not in LOOP_TAGS or rod is None or None in ends or rod not in parent_of:
            continue
        parent_of.pop(rod).remove(rod)
        for section in root.findall("keyframe"):
            root.remove(section)


class _RobotReader:
    """Reads a robot file and those that it includes, each of them once."""

    def __init__(self, path: Path) -> None:
        self.folder = path.parent
        self.read_paths: set[Path] = set()

    def read(self, path: Path) -> Element:
        """Return the root element of a file after including other files."""
        root = _parse_xml(read_file(path, ROBOT_FILE), path)
        self.read_paths.add(path.resolve())
        if len(self.read_paths) > MAX_INCLUDED_FILES:
            raise CharacterError(f"{path.name} is one of more than {MAX_INCLUDED_FILES} files.")
        for parent in list(root.iter()):
            for k in reversed(range(len(parent))):
                if parent[k].tag == "include":
                    included = self.read(self._find_included(parent[k].get("file"), path))
                    parent[k : k + 1] = list(included)
        return root

    def _find_included(self, name: str | None, path: Path) -> Path:
        """Return the path of an included file, which is relative to the robot's folder."""
        try:
            included = (self.folder / (name or "")).resolve()
        except (OSError, ValueError, RuntimeError):  # a NUL character, or a circle of links
            included = Path()
        if not name or not included.is_relative_to(self.folder.resolve()):
            raise CharacterError(
                f"{path.name} includes {show_value(name)}; only files in the robot's folder are "
                "read."
            )
        if included in self.read_paths:
            raise CharacterError(f"{path.name} includes {show_value(name)} a second time.")
        return included


def _parse_xml(data: bytes, path: Path) -> Element:
    """Return the root element of an XML document without a document type.

    Raises:
        CharacterError: it is no such document, or its elements are too many or too deep.
    """
    depth = count = 0

    def open_element(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth += 1
        count += 1
        if depth > MAX_DEPTH or count > MAX_ELEMENTS:
            raise ValueError(
                f"it has more than {MAX_ELEMENTS} elements, or more than {MAX_DEPTH} in each other"
            )

    def close_element(name: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse_document_type(*declaration: object) -> None:
        raise ValueError("document types are not read")

    parser = expat.ParserCreate()
    parser.StartElementHandler = open_element
    parser.EndElementHandler = close_element
    parser.StartDoctypeDeclHandler = refuse_document_type
    try:
        parser.Parse(data, True)
        return ElementTree.fromstring(data)
    except (expat.ExpatError, ElementTree.ParseError, ValueError, LookupError) as error:
        raise CharacterError(
            f"{show_path(path)} is neither an MJCF nor a URDF file: {show_error(error)}."
        ) from error


def _check_numbers(root: Element, path: Path) -> None:
    """Check that no value is nan, of which MuJoCo warns only."""
    for element in root.iter():
        for key, value in element.attrib.items():
            if "nan" in value.lower().split():
                raise CharacterError(f"`{key}` in {path.name} is {show_value(value)}, no number.")


def _count_elements(element: Element, path: Path) -> int:
    """Return the number of elements with every copy that `replicate` makes."""
    inner = sum(_count_elements(child, path) for child in element)
    if element.tag != "replicate":
        return 1 + inner
    count = element.get("count", "")
    if not (count.isascii() and count.isdecimal() and 0 < len(count) < 10):
        raise CharacterError(
            f"`count` of <replicate> in {path.name} must be a whole number, not "
            f"{show_value(count)}."
        )
    return 1 + int(count) * inner

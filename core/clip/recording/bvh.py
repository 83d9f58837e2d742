"""Recorded motions from BVH files.

The reader is our own: of the packages that read BVH the one that is kept well (pybvh) brings matplotlib into Blender and
14 000 lines with it, the others rest since years; none bounds what a broken file may make it allocate.
"""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...character.recognition.anatomy import Anatomy
from ...errors import ClipError
from ...geometry import so3

Array = NDArray[np.float64]

MOST_BYTES = 64_000_000
MOST_JOINTS = 2000
MOST_DEPTH = 256
MOST_PLACES = 4_000_000       # frames times joints: some minutes of a body with fingers, 400 MB at work
CHANNELS = {f"{axis}{kind}".lower(): (axis.lower(), kind) for axis in "XYZ" for kind in ("position", "rotation")}


@dataclass(frozen=True)
class Known:
    """What is known of a recording that was made of a rig: z is up.

    Args:
        metres: in one of its units.
        anatomy: which joint is what; None where the rig at rest does not tell.
        skin: by joint points at rest of the skin that follows it, from the joint on, (m, 3).
    """

    metres: float
    anatomy: Anatomy | None
    skin: dict[int, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class Recording:
    """What a body did, as it was recorded: in the file's own unit and axes.

    Args:
        known: what is known of it besides; otherwise its poses tell.
        fps: frames per second.
        joints: their names, parents before children.
        parents: index of each joint's parent, -1 for none.
        offsets: (j, 3) of each joint from its parent, in the parent's axes, at rest.
        tips: by joint what the file says of its far end, (3,) in its own axes; only of joints that have no others below.
        positions: (n, j, 3) of the joints in the world.
        rotations: (n, j, 3, 3) of the joints' axes in the world.
    """

    name: str
    fps: float
    joints: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Array
    positions: Array
    rotations: Array
    tips: dict[int, Array] = field(default_factory=dict)
    known: Known | None = None

    @property
    def frames(self) -> int:
        """How many there are."""
        return len(self.positions)


@dataclass
class _Hierarchy:
    """What the first half of a file says, as far as it is read."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[Array] = field(default_factory=list)
    channels: list[list[tuple[str, str]]] = field(default_factory=list)
    tips: dict[int, Array] = field(default_factory=dict)


def read_bvh(path: Path) -> Recording:
    """Read a BVH file.

    Raises:
        ClipError: it cannot be opened, is no BVH file, too large, cut off, or holds numbers that are none. Nothing is read by
            halves: where the header and the frames disagree, the file is refused.
    """
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ClipError(f"The clip {path.name} has {path.stat().st_size / 1e6:.0f} MB; at most {MOST_BYTES / 1e6:.0f} MB are "
                            "read. Cut it to the part that matters.")
        raw = path.read_bytes()
    except OSError as error:
        raise ClipError(f"The clip {path} cannot be opened: {error.strerror or error}.") from error
    except ValueError as error:
        raise ClipError(f"The clip {str(path)!r} cannot be opened: {error}.") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")          # names from old exporters; numbers are the same in both
    return parse_bvh(text, path.stem)


def parse_bvh(text: str, name: str = "clip") -> Recording:
    """The recording in the text of a BVH file.

    Raises:
        ClipError: as `read_bvh`.
    """
    parts = re.split(r"^[ \t]*MOTION[ \t]*\r?$", text, maxsplit=1, flags=re.MULTILINE)
    if not parts[0].lstrip().startswith("HIERARCHY"):
        raise ClipError(f"The clip {name} is not a BVH file: it should begin with HIERARCHY.")
    if len(parts) < 2:
        raise ClipError(f"The clip {name} is cut off: it has no MOTION part.")
    found = _hierarchy(parts[0], name)
    fps, values = _motion(parts[1], sum(map(len, found.channels)), len(found.names), name)
    positions, rotations = _places(found, values)
    return Recording(name, fps, tuple(found.names), tuple(found.parents), np.array(found.offsets), positions, rotations,
                     found.tips)


def _hierarchy(text: str, name: str) -> _Hierarchy:
    """Joints, offsets and channels. Goes through the words once with a stack of its own, so depth costs nothing."""
    words = iter(re.findall(r"[{}]|[^\s{}]+", text)[1:])
    found = _Hierarchy()
    stack: list[int | None] = []              # joints that are open, None for an end site
    joint: int | None = None                  # that the next brace opens
    try:
        for word in words:
            if word in ("ROOT", "JOINT"):
                joint = _named(found, stack, words, name)
                stack.append(joint)
            elif word == "End":
                if next(words) != "Site" or next(words) != "{" or not stack or stack[-1] is None:
                    raise ClipError(f"The clip {name} has an End that is no End Site of a joint.")
                stack.append(None)
            elif word == "OFFSET" and stack:
                _set_offset(found, stack, np.array([float(next(words)) for _ in range(3)]))
            elif word == "CHANNELS" and stack and stack[-1] is not None:
                found.channels[stack[-1]] = _channels(words, int(next(words)), f"The joint {found.names[stack[-1]]!r} of {name}")
            elif word == "}" and stack:
                stack.pop()
            else:
                raise ClipError(f"The clip {name} has {word[:40]!r} where a joint, its offset or its channels should be.")
    except (ValueError, StopIteration) as error:
        raise ClipError(f"The clip {name} is broken in its list of joints: {error or 'it ends too early'}.") from error
    if stack or not found.names:
        raise ClipError(f"The clip {name} is cut off in its list of joints." if stack else f"The clip {name} has no joints.")
    if not all(np.isfinite(offset).all() and np.abs(offset).max() < 1e9 for offset in (*found.offsets, *found.tips.values())):
        raise ClipError(f"The clip {name} has an offset of a joint that is not a finite number.")
    return found


def _named(found: _Hierarchy, stack: list[int | None], words: Iterator[str], name: str) -> int:
    """Begin a joint; its name is all up to the brace, for names with blanks."""
    told = []
    while (word := next(words)) != "{":
        told.append(word)
        if word == "}" or len(told) > 20:
            raise ClipError(f"The clip {name} has a joint without a brace after its name: {' '.join(told)[:40]!r}.")
    if stack and stack[-1] is None:
        raise ClipError(f"The clip {name} has the joint {' '.join(told)!r} inside an end site.")
    if len(found.names) >= MOST_JOINTS or len(stack) >= MOST_DEPTH:
        raise ClipError(f"The clip {name} has more than {MOST_JOINTS} joints, or more than {MOST_DEPTH} one below the other.")
    found.names.append(" ".join(told))
    found.parents.append(-1 if not stack or stack[-1] is None else stack[-1])
    found.offsets.append(np.zeros(3))
    found.channels.append([])
    return len(found.names) - 1


def _set_offset(found: _Hierarchy, stack: list[int | None], offset: Array) -> None:
    joint = stack[-1]
    if joint is not None:
        found.offsets[joint] = offset
    elif stack[-2] is not None:
        found.tips[stack[-2]] = offset


def _channels(words: Iterator[str], count: int, whose: str) -> list[tuple[str, str]]:
    if not 0 <= count <= 6:
        raise ClipError(f"{whose} has {count} channels; it may have at most 6.")
    told = [next(words) for _ in range(count)]
    strange = [word for word in told if word.lower() not in CHANNELS]
    if strange:
        raise ClipError(f"{whose} has a channel {strange[0][:40]!r}; channels are called Xposition, Zrotation and so on.")
    return [CHANNELS[word.lower()] for word in told]


def _motion(text: str, channels: int, joints: int, name: str) -> tuple[float, Array]:
    """Frames per second and the channels' values. -> (n, channels)."""
    head = re.match(r"\s*Frames:\s*(\d+)\s+Frame\s+Time:\s*(\S+)[ \t]*\r?\n?", text, flags=re.IGNORECASE)
    if head is None:
        raise ClipError(f"The clip {name} does not say how many frames it has and how long one takes.")
    claimed = head[1] if len(head[1]) < 12 else "more than a million million"
    lines = [line for line in text[head.end():].splitlines() if line.strip()]
    if str(len(lines)) != head[1].lstrip("0"):
        raise ClipError(f"The clip {name} says that it has {claimed} frames and holds {len(lines)}; it is cut off or was put "
                        "together wrongly. Export it again.")
    try:
        seconds = float(head[2])
    except ValueError:
        seconds = 0.0
    if not 1e-3 <= seconds <= 1.0:
        raise ClipError(f"The clip {name} has a frame time of {head[2][:20]!r}; it must be a number of seconds from 0.001 to 1.")
    if len(lines) * joints > MOST_PLACES:
        raise ClipError(f"The clip {name} has {len(lines)} frames of {joints} joints; at most {MOST_PLACES // joints} frames "
                        "of them are read. Cut it to the part that matters.")
    return 1 / seconds, np.array([_row(line, channels, k, name) for k, line in enumerate(lines)]).reshape(len(lines), channels)


def _row(line: str, channels: int, frame: int, name: str) -> Array:
    words = line.split()
    if len(words) != channels:
        raise ClipError(f"Frame {frame + 1} of the clip {name} has {len(words)} numbers; its joints have {channels} channels.")
    try:
        row = np.array(words, dtype=float)
    except ValueError as error:
        raise ClipError(f"Frame {frame + 1} of the clip {name} has something that is not a number.") from error
    if not (np.abs(row) < 1e9).all():
        raise ClipError(f"Frame {frame + 1} of the clip {name} has a number that is not finite.")
    return row


def _places(found: _Hierarchy, values: Array) -> tuple[Array, Array]:
    """Where all joints are. (n, channels) -> (n, j, 3), (n, j, 3, 3)."""
    n, j = len(values), len(found.names)
    positions, rotations = np.zeros((n, j, 3)), np.zeros((n, j, 3, 3))
    column = 0
    for k, parent in enumerate(found.parents):
        local, turn = np.tile(found.offsets[k], (n, 1)), np.tile(np.eye(3), (n, 1, 1))
        for axis, kind in found.channels[k]:
            if kind == "position":
                local[:, "xyz".index(axis)] = values[:, column]       # it takes the place of the offset
            else:
                turn = turn @ so3.about(axis, np.radians(values[:, column]))
            column += 1
        if parent < 0:
            positions[:, k], rotations[:, k] = local, turn
        else:
            positions[:, k] = positions[:, parent] + (rotations[:, parent] @ local[..., None])[..., 0]
            rotations[:, k] = rotations[:, parent] @ turn
    return positions, rotations

"""Recorded motions from BVH files.

The reader is our own: of the packages that read BVH the one that is kept well (pybvh) brings
matplotlib into Blender and 14 000 lines with it, the others rest since years; none bounds what a
broken file may make it allocate.
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
from ...files.source import FileKind, read_file
from ...geometry import so3

Array = NDArray[np.float64]

MAX_BYTES = 64_000_000
MAX_JOINTS = 2000
MAX_DEPTH = 256
# frames times joints: some minutes of a body with fingers, 400 MB at work
MAX_JOINT_SAMPLES = 4_000_000
CHANNELS = {
    f"{axis}{kind}".lower(): (axis.lower(), kind)
    for axis in "XYZ"
    for kind in ("position", "rotation")
}


@dataclass(frozen=True)
class RigInfo:
    """What is known of a recording that was made of a rig: z is up.

    Args:
        meters_per_unit: in one of its units.
        anatomy: which joint is what; None where the rig at rest does not tell.
        skin_points: by joint points at rest of the skin that follows it, from the joint on, (m, 3).
    """

    meters_per_unit: float
    anatomy: Anatomy | None
    skin_points: dict[int, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class Recording:
    """What a body did, as it was recorded: in the file's own unit and axes.

    Args:
        rig: what is known of it besides; otherwise its poses tell.
        fps: frames per second.
        joints: their names, parents before children.
        parents: index of each joint's parent, -1 for none.
        offsets: (j, 3) of each joint from its parent, in the parent's axes, at rest.
        tips: by joint what the file says of its far end, (3,) in its own axes;
            only of joints that have no others below.
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
    rig: RigInfo | None = None

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
        ClipError: it cannot be opened, is no BVH file, too large, cut off, or holds numbers that
            are none. Nothing is read by halves: where the header and the frames disagree, the file
            is refused.
    """
    path = Path(path)
    raw = read_file(path, FileKind("clip", MAX_BYTES, ClipError))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # names from old exporters; numbers are the same in both
    return parse_bvh(text, path.stem)


def parse_bvh(text: str, name: str = "clip") -> Recording:
    """The recording in the text of a BVH file.

    Raises:
        ClipError: as `read_bvh`.
    """
    sections = re.split(r"^[ \t]*MOTION[ \t]*\r?$", text, maxsplit=1, flags=re.MULTILINE)
    if not sections[0].lstrip().startswith("HIERARCHY"):
        raise ClipError(f"The clip {name} is not a BVH file: it should begin with HIERARCHY.")
    if len(sections) < 2:
        raise ClipError(f"The clip {name} is cut off: it has no MOTION part.")
    hierarchy = _parse_hierarchy(sections[0], name)
    fps, values = _parse_motion(
        sections[1], sum(map(len, hierarchy.channels)), len(hierarchy.names), name
    )
    positions, rotations = _compute_joint_poses(hierarchy, values)
    return Recording(
        name,
        fps,
        tuple(hierarchy.names),
        parents=tuple(hierarchy.parents),
        offsets=np.array(hierarchy.offsets),
        positions=positions,
        rotations=rotations,
        tips=hierarchy.tips,
    )


def _parse_hierarchy(text: str, name: str) -> _Hierarchy:
    """Joints, offsets and channels. Goes through the words once with a stack of its own,
    so depth costs nothing.
    """
    words = iter(re.findall(r"[{}]|[^\s{}]+", text)[1:])
    hierarchy = _Hierarchy()
    stack: list[int | None] = []  # joints that are open, None for an end site
    joint: int | None = None  # that the next brace opens
    try:
        for word in words:
            if word in ("ROOT", "JOINT"):
                joint = _begin_joint(hierarchy, stack, words, name)
                stack.append(joint)
            elif word == "End":
                if next(words) != "Site" or next(words) != "{" or not stack or stack[-1] is None:
                    raise ClipError(f"The clip {name} has an End that is no End Site of a joint.")
                stack.append(None)
            elif word == "OFFSET" and stack:
                _set_offset(hierarchy, stack, np.array([float(next(words)) for _ in range(3)]))
            elif word == "CHANNELS" and stack and stack[-1] is not None:
                hierarchy.channels[stack[-1]] = _parse_channels(
                    words, int(next(words)), f"The joint {hierarchy.names[stack[-1]]!r} of {name}"
                )
            elif word == "}" and stack:
                stack.pop()
            else:
                raise ClipError(
                    f"The clip {name} has {word[:40]!r} where a joint, its offset or its channels "
                    "should be."
                )
    except (ValueError, StopIteration) as error:
        raise ClipError(
            f"The clip {name} is broken in its list of joints: {error or 'it ends too early'}."
        ) from error
    if stack or not hierarchy.names:
        raise ClipError(
            f"The clip {name} is cut off in its list of joints."
            if stack
            else f"The clip {name} has no joints."
        )
    if not all(
        np.isfinite(offset).all() and np.abs(offset).max() < 1e9
        for offset in (*hierarchy.offsets, *hierarchy.tips.values())
    ):
        raise ClipError(f"The clip {name} has an offset of a joint that is not a finite number.")
    return hierarchy


def _begin_joint(
    hierarchy: _Hierarchy, stack: list[int | None], words: Iterator[str], name: str
) -> int:
    """Begin a joint; its name is all up to the brace, for names with blanks."""
    name_words = []
    while (word := next(words)) != "{":
        name_words.append(word)
        if word == "}" or len(name_words) > 20:
            raise ClipError(
                f"The clip {name} has a joint without a brace after its name: "
                f"{' '.join(name_words)[:40]!r}."
            )
    if stack and stack[-1] is None:
        raise ClipError(
            f"The clip {name} has the joint {' '.join(name_words)!r} inside an end site."
        )
    if len(hierarchy.names) >= MAX_JOINTS or len(stack) >= MAX_DEPTH:
        raise ClipError(
            f"The clip {name} has more than {MAX_JOINTS} joints, or more than {MAX_DEPTH} one "
            "below the other."
        )
    hierarchy.names.append(" ".join(name_words))
    hierarchy.parents.append(-1 if not stack or stack[-1] is None else stack[-1])
    hierarchy.offsets.append(np.zeros(3))
    hierarchy.channels.append([])
    return len(hierarchy.names) - 1


def _set_offset(hierarchy: _Hierarchy, stack: list[int | None], offset: Array) -> None:
    joint = stack[-1]
    if joint is not None:
        hierarchy.offsets[joint] = offset
    elif stack[-2] is not None:
        hierarchy.tips[stack[-2]] = offset


def _parse_channels(words: Iterator[str], count: int, owner: str) -> list[tuple[str, str]]:
    if not 0 <= count <= 6:
        raise ClipError(f"{owner} has {count} channels; it may have at most 6.")
    names = [next(words) for _ in range(count)]
    unknown = [word for word in names if word.lower() not in CHANNELS]
    if unknown:
        raise ClipError(
            f"{owner} has a channel {unknown[0][:40]!r}; channels are called Xposition, Zrotation "
            "and so on."
        )
    return [CHANNELS[word.lower()] for word in names]


def _parse_motion(
    text: str, channel_count: int, joint_count: int, name: str
) -> tuple[float, Array]:
    """Frames per second and the channels' values. -> (n, channels)."""
    header = re.match(
        r"\s*Frames:\s*(\d+)\s+Frame\s+Time:\s*(\S+)[ \t]*\r?\n?", text, flags=re.IGNORECASE
    )
    if header is None:
        raise ClipError(
            f"The clip {name} does not say how many frames it has and how long one takes."
        )
    stated_count = header[1] if len(header[1]) < 12 else "more than a million million"
    lines = [line for line in text[header.end() :].splitlines() if line.strip()]
    if str(len(lines)) != header[1].lstrip("0"):
        raise ClipError(
            f"The clip {name} says that it has {stated_count} frames and holds {len(lines)}; it "
            "is cut off or was put together wrongly. Export it again."
        )
    try:
        frame_time = float(header[2])
    except ValueError:
        frame_time = 0.0
    if not 1e-3 <= frame_time <= 1.0:
        raise ClipError(
            f"The clip {name} has a frame time of {header[2][:20]!r}; it must be a number of "
            "seconds from 0.001 to 1."
        )
    if len(lines) * joint_count > MAX_JOINT_SAMPLES:
        raise ClipError(
            f"The clip {name} has {len(lines)} frames of {joint_count} joints; at most "
            f"{MAX_JOINT_SAMPLES // joint_count} frames of them are read. Cut it to the part that "
            "matters."
        )
    return 1 / frame_time, np.array(
        [_parse_row(line, channel_count, k, name) for k, line in enumerate(lines)]
    ).reshape(len(lines), channel_count)


def _parse_row(line: str, channel_count: int, frame: int, name: str) -> Array:
    words = line.split()
    if len(words) != channel_count:
        raise ClipError(
            f"Frame {frame + 1} of the clip {name} has {len(words)} numbers; its joints have "
            f"{channel_count} channels."
        )
    try:
        row = np.array(words, dtype=float)
    except ValueError as error:
        raise ClipError(
            f"Frame {frame + 1} of the clip {name} has something that is not a number."
        ) from error
    if not (np.abs(row) < 1e9).all():
        raise ClipError(f"Frame {frame + 1} of the clip {name} has a number that is not finite.")
    return row


def _compute_joint_poses(hierarchy: _Hierarchy, values: Array) -> tuple[Array, Array]:
    """Where all joints are. (n, channels) -> (n, j, 3), (n, j, 3, 3)."""
    n = len(values)
    j = len(hierarchy.names)
    positions = np.zeros((n, j, 3))
    rotations = np.zeros((n, j, 3, 3))
    column = 0
    for k, parent in enumerate(hierarchy.parents):
        local_position = np.tile(hierarchy.offsets[k], (n, 1))
        local_rotation = np.tile(np.eye(3), (n, 1, 1))
        for axis, kind in hierarchy.channels[k]:
            if kind == "position":
                # it takes the place of the offset
                local_position[:, "xyz".index(axis)] = values[:, column]
            else:
                local_rotation = local_rotation @ so3.rotation_about(
                    axis, np.radians(values[:, column])
                )
            column += 1
        if parent < 0:
            positions[:, k] = local_position
            rotations[:, k] = local_rotation
        else:
            positions[:, k] = (
                positions[:, parent] + (rotations[:, parent] @ local_position[..., None])[..., 0]
            )
            rotations[:, k] = rotations[:, parent] @ local_rotation
    return positions, rotations

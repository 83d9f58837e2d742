"""Recorded motions from BVH files.

No package is used. The only maintained reader of BVH, pybvh, depends on matplotlib and has 14 000
lines, and none limits the memory that a broken file can make it allocate.
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
from ...files.values import show_error
from ...geometry import so3

Array = NDArray[np.float64]

MAX_BYTES = 64_000_000  # Largest size of a file [B]
MAX_JOINTS = 2000  # Largest number of joints
MAX_DEPTH = 256  # Largest depth of the hierarchy
# Largest product of frames and joints, which is some minutes of a body with fingers and takes
# 400 MB of memory.
MAX_JOINT_SAMPLES = 4_000_000
# Axis and kind of a channel, by its name in lower case.
CHANNELS = {
    f"{axis}{kind}".lower(): (axis.lower(), kind)
    for axis in "XYZ"
    for kind in ("position", "rotation")
}


@dataclass(frozen=True)
class RigInfo:
    """The rig that a recording was made of, with z up.

    Args:
        meters_per_unit: length of one unit of the rig [m].
        anatomy: role of each joint; None if the rest pose of the rig does not reveal it.
        skin_points: (m, 3) points of the skin that follows a joint, relative to the joint in the
            rest pose, by joint.
    """

    meters_per_unit: float
    anatomy: Anatomy | None
    skin_points: dict[int, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class Recording:
    """Motion of j joints over n frames, in the unit and axes of the file.

    Args:
        name: name of the file without its suffix.
        fps: frame rate [Hz].
        joints: names of the joints, parents before children.
        parents: index of the parent of each joint, -1 for none.
        offsets: (j, 3) position of each joint relative to its parent in the rest pose, in the axes
            of the parent.
        positions: (n, j, 3) positions of the joints in the world.
        rotations: (n, j, 3, 3) axes of the joints in the world.
        tips: (3,) end of a joint without children, in the axes of that joint, by joint.
        rig: rig that the recording was made of; None for a file, whose unit, axes and anatomy are
            inferred from the poses.
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
        """Number of frames."""
        return len(self.positions)


@dataclass(frozen=True)
class JointPoses:
    """Poses of j joints over n frames.

    Args:
        positions: (n, j, 3) positions.
        rotations: (n, j, 3, 3) axes.
    """

    positions: Array
    rotations: Array


@dataclass(frozen=True)
class _MotionTable:
    """The second half of a file.

    Args:
        fps: frame rate [Hz].
        values: (n, channels) values of the channels.
    """

    fps: float
    values: Array


@dataclass
class _Hierarchy:
    """The first half of a file, while it is read.

    Args:
        names: names of the joints.
        parents: index of the parent of each joint, -1 for none.
        offsets: (3,) position of each joint relative to its parent.
        channels: axis and kind of each channel of each joint.
        tips: (3,) end site of a joint, by joint.
    """

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[Array] = field(default_factory=list)
    channels: list[list[tuple[str, str]]] = field(default_factory=list)
    tips: dict[int, Array] = field(default_factory=dict)


def read_bvh(path: Path) -> Recording:
    """Return the recording in a BVH file.

    A file is read as a whole or refused: where the header and the frames disagree, an error is
    raised.

    Raises:
        ClipError: the file cannot be opened, is not a BVH file, is too large or cut off, or holds
            something that is not a finite number.
    """
    path = Path(path)
    raw = read_file(path, FileKind("clip", MAX_BYTES, ClipError))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Old exporters write names in Latin-1; numbers are the same in both encodings.
        text = raw.decode("latin-1")
    return parse_bvh(text, path.stem)


def parse_bvh(text: str, name: str = "clip") -> Recording:
    """Return the recording in the text of a BVH file.

    Raises:
        ClipError: as `read_bvh`.
    """
    sections = re.split(r"^[ \t]*MOTION[ \t]*\r?$", text, maxsplit=1, flags=re.MULTILINE)
    if not sections[0].lstrip().startswith("HIERARCHY"):
        raise ClipError(f"The clip {name} is not a BVH file: it should begin with HIERARCHY.")
    if len(sections) < 2:
        raise ClipError(f"The clip {name} is cut off: it has no MOTION part.")
    hierarchy = _parse_hierarchy(sections[0], name)
    motion = _parse_motion(
        sections[1],
        channel_count=sum(map(len, hierarchy.channels)),
        joint_count=len(hierarchy.names),
        name=name,
    )
    poses = _compute_joint_poses(hierarchy, motion.values)
    return Recording(
        name,
        motion.fps,
        tuple(hierarchy.names),
        parents=tuple(hierarchy.parents),
        offsets=np.array(hierarchy.offsets),
        positions=poses.positions,
        rotations=poses.rotations,
        tips=hierarchy.tips,
    )


def _parse_hierarchy(text: str, name: str) -> _Hierarchy:
    """Return the joints, offsets and channels of a file.

    The words are read in one pass with an explicit stack, so a deep hierarchy cannot exhaust the
    recursion limit.
    """
    words = iter(re.findall(r"[{}]|[^\s{}]+", text)[1:])
    hierarchy = _Hierarchy()
    stack: list[int | None] = []  # Open joints, None for an end site
    try:
        for word in words:
            _parse_entry(hierarchy, stack, word, words=words, name=name)
    except (ValueError, StopIteration) as error:
        raise ClipError(
            f"The clip {name} is broken in its list of joints: "
            f"{show_error(error) or 'it ends too early'}."
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


def _parse_entry(
    hierarchy: _Hierarchy, stack: list[int | None], word: str, words: Iterator[str], name: str
) -> None:
    """Read one entry of the hierarchy, which begins with `word`."""
    if word in ("ROOT", "JOINT"):
        stack.append(_begin_joint(hierarchy, stack, words, name))
    elif word == "End":
        if next(words) != "Site" or next(words) != "{" or not stack or stack[-1] is None:
            raise ClipError(f"The clip {name} has an End that is not an End Site of a joint.")
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


def _begin_joint(
    hierarchy: _Hierarchy, stack: list[int | None], words: Iterator[str], name: str
) -> int:
    """Add a joint and return its index.

    Its name extends to the next brace, since names may contain blanks.
    """
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
            f"The clip {name} has more than {MAX_JOINTS} joints, or more than {MAX_DEPTH} levels "
            "of joints."
        )
    hierarchy.names.append(" ".join(name_words))
    hierarchy.parents.append(-1 if not stack or stack[-1] is None else stack[-1])
    hierarchy.offsets.append(np.zeros(3))
    hierarchy.channels.append([])
    return len(hierarchy.names) - 1


def _set_offset(hierarchy: _Hierarchy, stack: list[int | None], offset: Array) -> None:
    """Set the offset of the open joint, or the tip of its parent if an end site is open."""
    joint = stack[-1]
    if joint is not None:
        hierarchy.offsets[joint] = offset
    elif stack[-2] is not None:
        hierarchy.tips[stack[-2]] = offset


def _parse_channels(words: Iterator[str], count: int, owner: str) -> list[tuple[str, str]]:
    """Return axis and kind of each channel of a joint."""
    if not 0 <= count <= 6:
        raise ClipError(f"{owner} has {count} channels; it may have at most 6.")
    names = [next(words) for _ in range(count)]
    unknown = [word for word in names if word.lower() not in CHANNELS]
    if unknown:
        raise ClipError(
            f"{owner} has a channel {unknown[0][:40]!r}; channels are named Xposition, Zrotation "
            "and so on."
        )
    return [CHANNELS[word.lower()] for word in names]


def _parse_motion(text: str, channel_count: int, joint_count: int, name: str) -> _MotionTable:
    """Return the frame rate and the values of the channels."""
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
    values = np.array(
        [_parse_row(line, channel_count, frame=k, name=name) for k, line in enumerate(lines)]
    )
    return _MotionTable(1 / frame_time, values.reshape(len(lines), channel_count))


def _parse_row(line: str, channel_count: int, frame: int, name: str) -> Array:
    """Return the values of one frame, (channels,)."""
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


def _compute_joint_poses(hierarchy: _Hierarchy, values: Array) -> JointPoses:
    """Return the poses of all joints in the world.

    Args:
        values: (n, channels) values of the channels.
    """
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
                # A position channel replaces the offset.
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
    return JointPoses(positions, rotations)

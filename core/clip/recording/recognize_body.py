"""Recognition of the body in a recording: its vertical axis and the role of each joint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.recognition.anatomy import Anatomy
from ...character.recognition.names import is_part_name
from ...character.recognition.recognize import recognize
from ...character.recognition.skeleton import Skeleton
from ...errors import CharacterError, ClipError
from .bvh import Recording
from .joint_groups import list_bodies, select_joints

Array = NDArray[np.float64]

UP_AXES = ("y", "z", "x")  # Order in which axes are tried if the extents do not decide
MIN_FRAMES = 8  # Smallest number of frames of a clip


@dataclass(frozen=True)
class RecognitionParameters:
    """Recognition of a body in a clip."""

    # Largest number of frames in which a body is looked for, the tallest pose first. Numerical: it
    # bounds the time that a file without a body takes.
    max_poses_tried: int = 25
    # Extent along the vertical axis below which a body lies, as a share of its largest extent. A
    # human T-pose is as wide as it is high, a body that lies has 0.2.
    min_upright_extent: float = 0.6


RECOGNITION = RecognitionParameters()


@dataclass(frozen=True)
class RecordedBody:
    """The body in a recording.

    Args:
        up_axis: vertical axis of the file.
        to_upright: (3, 3) rotation that turns that axis to z.
        anatomy: role of each joint.
        body_count: number of bodies in the file, of which this is the first one of its kind.
    """

    up_axis: str
    to_upright: Array
    anatomy: Anatomy
    body_count: int = 1


@dataclass(frozen=True)
class BodyKind:
    """A kind of body that is looked for in a clip.

    Args:
        is_match: returns whether an anatomy is of that kind.
        missing_text: end of a message that the clip shows no such body.
        requirement_text: part of the message that states what is needed.
        minimum_text: shortest clip, for a message.
        is_tall: whether the body is about as tall as it is long.
    """

    is_match: Callable[[Anatomy], bool]
    missing_text: str
    requirement_text: str
    minimum_text: str
    is_tall: bool


def recognize_body(
    recording: Recording,
    kind: BodyKind,
    up_axis: str | None = None,
    feet: tuple[int, int] | None = None,
) -> RecordedBody:
    """Return the body of a kind in a recording.

    The rest pose of a BVH file may have any shape, so the poses of the clip itself are examined.

    Args:
        up_axis: vertical axis of the file; None to recognize it.
        feet: joints at the ankles of a body on two legs; None to recognize them.

    Raises:
        ClipError: the clip is too short, or shows no body of the kind.
    """
    if recording.frames < MIN_FRAMES:
        raise ClipError(
            f"The clip {recording.name} has {recording.frames} "
            f"frame{'s'[: recording.frames != 1]}; a gait needs {kind.minimum_text} at least."
        )
    rig = recording.rig
    anatomy = None if rig is None else rig.anatomy
    if feet is None and anatomy is not None and kind.is_match(anatomy):
        return RecordedBody("z", np.eye(3), anatomy)
    failures = []
    bodies = list_bodies(recording) if rig is None else [tuple(range(len(recording.joints)))]
    if feet is not None:
        bodies = [joints for joints in bodies if set(feet) <= set(joints)] or bodies[:1]
    for joints in bodies:
        recognized = _recognize_one_body(
            select_joints(recording, joints), kind, up_axis, _select_feet(feet, joints)
        )
        if isinstance(recognized, RecordedBody):
            return replace(
                recognized,
                anatomy=recognized.anatomy.reindex(joints),
                body_count=len(bodies),
            )
        failures.append(recognized)
    raise ClipError(
        f"The clip {recording.name} shows {kind.missing_text} ({failures[0].rstrip('.')}); "
        f"{kind.requirement_text}."
    )


def _select_feet(feet: tuple[int, int] | None, joints: tuple[int, ...]) -> tuple[int, int] | None:
    """Return feet as indices of the joints of one body.

    Raises:
        ClipError: a foot is not among these joints.
    """
    if feet is None:
        return None
    if not set(feet) <= set(joints):
        raise ClipError("The two joints that are to be the feet belong to no single body.")
    return joints.index(feet[0]), joints.index(feet[1])


def _recognize_one_body(
    recording: Recording, kind: BodyKind, up_axis: str | None, feet: tuple[int, int] | None
) -> RecordedBody | str:
    """Return the body whose joints a recording consists of, or why it is not of a kind."""
    failure = "no pose in it stands upright"
    axes = [up_axis] if up_axis and recording.rig is None else _list_up_axes(recording, kind)
    for axis in axes:
        to_upright = _find_upright_rotation(recording, axis) if recording.rig is None else np.eye(3)
        heights = np.ptp(recording.positions @ to_upright[2], axis=1)
        if not heights.max() > 0:
            continue
        for pose in _select_poses(recording, heights):
            try:
                anatomy = recognize(_make_skeleton(recording, to_upright, pose), feet)
            except CharacterError as error:
                failure = str(error)
                continue
            mismatch = _describe_mismatch(recording, anatomy, kind, feet is not None)
            if mismatch is None:
                return RecordedBody(axis, to_upright, anatomy)
            failure = mismatch
    return failure


def _list_up_axes(recording: Recording, kind: BodyKind) -> list[str]:
    """Return the axes that may be vertical, the most likely one first.

    The axis from the feet to the head comes first where joints have names of such parts, since a
    body with its arms out may be as wide as it is tall.
    """
    if recording.rig is not None:
        return ["z"]
    if not kind.is_tall:
        return list(UP_AXES)
    extents = np.median(np.ptp(recording.positions, axis=1), axis=0)
    rise = np.abs(_measure_rise(recording))
    return [
        axis
        for axis in sorted(
            UP_AXES,
            key=lambda a: (-float(rise["xyz".index(a)]), -float(extents["xyz".index(a)])),
        )
        if not extents["xyz".index(axis)] < RECOGNITION.min_upright_extent * extents.max()
    ]


def _measure_rise(recording: Recording) -> Array:
    """Return the vector from the feet to the head, (3,), relative to its largest component.

    Joints are selected by their names, and the vector is 0 without such joints. Components below
    half of the largest one are 0, so that they decide nothing.
    """
    feet, heads = (
        [k for k, name in enumerate(recording.joints) if any(is_part_name(name, p) for p in parts)]
        for parts in (("foot", "toe"), ("head", "neck"))
    )
    if not feet or not heads:
        return np.zeros(3)
    rise = np.median(
        recording.positions[:, heads].mean(1) - recording.positions[:, feet].mean(1), axis=0
    )
    largest = np.abs(rise).max()
    return np.asarray(np.where(np.abs(rise) > 0.5 * largest, rise, 0.0) / max(largest, 1e-9))


def _describe_mismatch(
    recording: Recording, anatomy: Anatomy, kind: BodyKind, are_feet_given: bool
) -> str | None:
    """Return why a body is not of a kind, None if it is.

    Legs with names of arms are arms on the ground, except in animals, whose fore legs may have
    such names.
    """
    arm_names = [
        recording.joints[k]
        for leg in anatomy.legs
        for k in leg.segments
        if any(is_part_name(recording.joints[k], part) for part in ("upper_arm", "forearm", "hand"))
    ]
    if arm_names and kind.is_tall and not are_feet_given:
        return f"what reaches the ground is {arm_names[0]!r}"
    if kind.is_match(anatomy):
        return None
    return (
        "its legs do not consist of thigh and shin"
        if len(anatomy.legs) == 2 and kind.is_tall
        else f"it stands on {len(anatomy.legs)} legs"
    )


def _select_poses(recording: Recording, heights: Array) -> list[Array]:
    """Return the poses that are examined, (j, 3) each, the tallest first and their mean last.

    The mean is needed since the legs may never be straight.
    """
    frames = np.unique(
        np.linspace(0, recording.frames - 1, RECOGNITION.max_poses_tried).astype(int)
    )
    poses = [recording.positions[k] for k in frames[np.argsort(-heights[frames])]]
    return [*poses, (recording.positions - recording.positions.mean(1, keepdims=True)).mean(0)]


def is_biped(anatomy: Anatomy) -> bool:
    """Return whether a body stands on two legs of thigh and shin."""
    return (
        anatomy.is_upright
        and len(anatomy.legs) == 2
        and all(leg.hip != leg.knee != leg.ankle for leg in anatomy.legs)
    )


HUMAN = BodyKind(
    is_biped,
    "no body with two legs of thigh and shin",
    requirement_text="styles of people are learned from walks and runs of people",
    minimum_text="a second of motion",
    is_tall=True,
)


def _find_upright_rotation(recording: Recording, axis: str) -> Array:
    """Return the rotation that turns an axis up, (3, 3).

    The axis is turned down if the feet would be above the heads.
    """
    order = {"z": [0, 1, 2], "y": [2, 0, 1], "x": [1, 2, 0]}[axis]
    rotation = np.eye(3)[order]
    if _measure_rise(recording) @ rotation[2] < 0:
        rotation = rotation * np.array([[-1.0], [1.0], [-1.0]])
    return rotation


def _make_skeleton(recording: Recording, to_upright: Array, pose: Array) -> Skeleton:
    """Return the skeleton of a rig whose rest pose is `pose`, (j, 3)."""
    heads = pose @ to_upright.T
    axes = to_upright @ recording.rotations[len(recording.rotations) // 2]
    tails = heads.copy()
    for k in range(len(heads)):
        children = [j for j, parent in enumerate(recording.parents) if parent == k]
        if children:
            tails[k] = heads[children].mean(0)
        elif k in recording.tips and recording.parents[k] >= 0:
            direction = heads[k] - heads[recording.parents[k]]
            tails[k] = heads[k] + direction / max(
                float(np.linalg.norm(direction)), 1e-9
            ) * np.linalg.norm(recording.tips[k])
    # Recognition has no unit; its tolerances suit bodies of about one meter.
    size = max(float(np.ptp(heads[:, 2])), 1e-9)
    return Skeleton(
        recording.joints, recording.parents, heads / size, tails=tails / size, axes=axes
    )

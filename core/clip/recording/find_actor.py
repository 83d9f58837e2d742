"""Who acts in a recording: its limbs, found as a rig's are, in metres,
upright, at one frame rate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ...character.recognition.anatomy import Anatomy
from ...character.recognition.names import is_part_name
from ...character.recognition.recognize import recognize
from ...character.recognition.skeleton import Skeleton
from ...errors import CharacterError, ClipError
from .actor import FPS, Actor
from .bvh import Recording
from .units import METERS_PER_UNIT, LengthRange, infer_unit

Array = NDArray[np.float64]

MIN_FRAMES = 8
HUMAN_UNITS = METERS_PER_UNIT | {"CMU units": 0.05644}
# of people, of children and giants too
HUMAN_LEG_LENGTHS = LengthRange((0.6, 1.1), (0.15, 4.0), 0.9)
# of thigh and shin together: how high ankles are over the sole; joints say too little of that
ANKLE_HEIGHT_RANGE = (0.085, 0.15)
MAX_FRAME_JUMP = 0.15  # leg lengths between two frames that no body goes
MAX_STANDING_TILT = np.radians(12)  # of thighs and shins from the vertical in a pose that stands
LEAN_RANGE = np.radians([-10, 6])  # that are believed of an upright stand
# of people's lines from hips to shoulders, where no pose is told in which they stand
DEFAULT_LEAN = np.radians(-4)
MAX_POSES_TRIED = 25  # frames that recognition looks at at most, the most upright one first
UP_AXES = ("y", "z", "x")  # in this order where a clip lies about


def find_actor(recording: Recording) -> Actor:
    """The body in a recording.

    Raises:
        ClipError: too short, or nothing in it that walks on two legs.
    """
    up_axis, to_upright, anatomy = recognize_body(recording, HUMAN)
    bone_lengths = [
        np.linalg.norm(recording.positions[:, a] - recording.positions[:, b], axis=-1)
        for leg in anatomy.legs
        for a, b in ((leg.hip, leg.knee), (leg.knee, leg.ankle))
    ]
    leg_bone_length = 0.5 * sum(float(np.median(part)) for part in bone_lengths)
    first_frame = _find_first_frame(recording, leg_bone_length)
    positions = recording.positions[first_frame:] @ to_upright.T
    ankle_heights = [
        np.quantile(positions[:, leg.ankle, 2], 0.1)
        - np.quantile(_compute_foot_heights(recording, to_upright, leg.ankle)[first_frame:], 0.1)
        for leg in anatomy.legs
    ]
    leg_length = leg_bone_length + float(
        np.clip(
            np.mean(ankle_heights),
            ANKLE_HEIGHT_RANGE[0] * leg_bone_length,
            ANKLE_HEIGHT_RANGE[1] * leg_bone_length,
        )
    )
    unit, scale = infer_unit(leg_length, HUMAN_LEG_LENGTHS, recording.rig, HUMAN_UNITS)
    return _build_actor(
        recording,
        anatomy,
        to_upright,
        first_frame=first_frame,
        scale=scale,
        size_info=(leg_length * scale, unit, up_axis),
    )


def _build_actor(
    recording: Recording,
    anatomy: Anatomy,
    to_upright: Array,
    first_frame: int,
    scale: float,
    size_info: tuple[float, str, str],
) -> Actor:
    def sample_positions(*joints: int) -> Array:
        return np.asarray(
            _resample(
                recording.positions[first_frame:, list(joints)] @ to_upright.T * scale,
                recording.fps,
            )
        )

    def sample_axes(*joints: int) -> Array:
        return orthogonalize(
            _resample(to_upright @ recording.rotations[first_frame:, list(joints)], recording.fps)
        )

    legs = anatomy.legs
    arms = anatomy.arms if len(anatomy.arms) == 2 else ()
    chest = anatomy.trunk[-1] if anatomy.trunk else anatomy.root
    limbs = {
        name: sample_positions(*(getattr(arm, bone) for arm in arms)) if arms else None
        for name, bone in (("shoulders", "shoulder"), ("elbows", "elbow"), ("wrists", "wrist"))
    }
    balls = np.stack(
        [
            _resample(
                _locate_ball(recording, leg.ankle, leg.toe)[first_frame:] @ to_upright.T * scale,
                recording.fps,
            )
            for leg in legs
        ],
        1,
    )
    neck = (
        sample_positions(anatomy.neck)[:, 0]
        if anatomy.neck is not None
        else sample_positions(chest)[:, 0]
    )
    head = sample_positions(anatomy.head)[:, 0] if anatomy.head is not None else None
    return Actor(
        recording.name,
        sample_positions(*(leg.hip for leg in legs)),
        sample_positions(*(leg.knee for leg in legs)),
        ankles=sample_positions(*(leg.ankle for leg in legs)),
        balls=balls,
        **limbs,
        neck=neck,
        head=head,
        pelvis=sample_axes(anatomy.root)[:, 0],
        chest=sample_axes(chest)[:, 0],
        feet=sample_axes(*(leg.ankle for leg in legs)),
        lean=_estimate_upright_lean(recording, anatomy, to_upright, first_frame),
        leg_length=size_info[0],
        unit=size_info[1],
        up_axis=size_info[2],
        skipped_time=first_frame / recording.fps,
        skull=None if anatomy.head is None else sample_axes(anatomy.head)[:, 0],
    )


@dataclass(frozen=True)
class BodyKind:
    """A kind of body that is looked for.

    Args:
        is_match: whether a body is of that kind.
        missing_text, requirement_text: how users are told that none is
            there, and what would be one.
        minimum_text: how they are told what a clip needs.
        is_tall: whether it is about as high as it is long.
    """

    is_match: Callable[[Anatomy], bool]
    missing_text: str
    requirement_text: str
    minimum_text: str
    is_tall: bool


def recognize_body(recording: Recording, kind: BodyKind) -> tuple[str, Array, Anatomy]:
    """Which axis is up, the rotation that brings it to z, and what the joints are.

    The rest pose of a BVH may be anything, even a heap, so poses of the clip itself are looked at.

    Raises:
        ClipError: too short, or no body of the kind is there.
    """
    if recording.frames < MIN_FRAMES:
        raise ClipError(
            f"The clip {recording.name} has {recording.frames} "
            f"frame{'s'[: recording.frames != 1]}; a gait needs {kind.minimum_text} at least."
        )
    rig = recording.rig
    if rig is not None and rig.anatomy is not None and kind.is_match(rig.anatomy):
        return "z", np.eye(3), rig.anatomy
    extents = np.median(np.ptp(recording.positions, axis=1), axis=0)
    failure = "nothing in it stands"
    axes = (
        sorted(UP_AXES, key=lambda a: -float(extents["xyz".index(a)])) if kind.is_tall else UP_AXES
    )
    for axis in axes if rig is None else ("z",):
        to_upright = _find_upright_rotation(recording, axis) if rig is None else np.eye(3)
        heights = np.ptp(recording.positions @ to_upright[2], axis=1)
        is_lying = kind.is_tall and rig is None and extents["xyz".index(axis)] < 0.6 * extents.max()
        if is_lying or not heights.max() > 0:
            continue
        for pose in _select_poses(recording, heights):
            try:
                anatomy = recognize(_make_skeleton(recording, to_upright, pose))
            except CharacterError as error:
                failure = str(error)
                continue
            arm_names = [
                recording.joints[k]
                for leg in anatomy.legs
                for k in leg.segments
                if any(
                    is_part_name(recording.joints[k], part)
                    for part in ("upper_arm", "forearm", "hand")
                )
            ]
            # animals' fore legs may have names of arms
            if kind.is_match(anatomy) and (not arm_names or not kind.is_tall):
                return axis, to_upright, anatomy
            failure = (
                f"what reaches the ground is {arm_names[0]!r}"
                if arm_names and kind.is_tall
                else _describe_legs(anatomy)
            )
    raise ClipError(
        f"The clip {recording.name} shows {kind.missing_text} ({failure.rstrip('.')}); "
        f"{kind.requirement_text}."
    )


def _select_poses(recording: Recording, heights: Array) -> list[Array]:
    """Poses that recognition looks at, the tallest first, and their mean at last:
    legs may never be straight.
    """
    frames = np.unique(np.linspace(0, recording.frames - 1, MAX_POSES_TRIED).astype(int))
    poses = [recording.positions[k] for k in frames[np.argsort(-heights[frames])]]
    return [*poses, (recording.positions - recording.positions.mean(1, keepdims=True)).mean(0)]


def _describe_legs(anatomy: Anatomy) -> str:
    return (
        "legs that bend both ways"
        if len(anatomy.legs) == 2
        else f"it goes on {len(anatomy.legs)} legs"
    )


def is_biped(anatomy: Anatomy) -> bool:
    """Whether a body stands on two legs of thigh and shin."""
    return (
        anatomy.is_upright
        and len(anatomy.legs) == 2
        and all(leg.hip != leg.knee != leg.ankle for leg in anatomy.legs)
    )


HUMAN = BodyKind(
    is_biped,
    "nobody with two legs of thigh and shin",
    "styles of people are learned from people's walks and runs",
    "a second of motion",
    is_tall=True,
)


def _find_upright_rotation(recording: Recording, axis: str) -> Array:
    """The rotation that brings an axis up, or down where feet would be above heads. (3, 3)."""
    order = {"z": [0, 1, 2], "y": [2, 0, 1], "x": [1, 2, 0]}[axis]
    rotation = np.eye(3)[order]
    height = (recording.positions @ rotation[2]).mean(0)
    feet = [
        k
        for k, name in enumerate(recording.joints)
        if is_part_name(name, "foot") or is_part_name(name, "toe")
    ]
    heads = [
        k
        for k, name in enumerate(recording.joints)
        if is_part_name(name, "head") or is_part_name(name, "neck")
    ]
    if feet and heads and np.mean(height[feet]) > np.mean(height[heads]):
        rotation = rotation * np.array([[-1.0], [1.0], [-1.0]])
    return rotation


def _make_skeleton(recording: Recording, to_upright: Array, pose: Array) -> Skeleton:
    """Joints at places (j, 3) as a rig at rest."""
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
    # recognition knows no unit, its tolerances like one metre
    size = max(float(np.ptp(heads[:, 2])), 1e-9)
    return Skeleton(
        recording.joints, recording.parents, heads / size, tails=tails / size, axes=axes
    )


def _estimate_upright_lean(
    recording: Recording, anatomy: Anatomy, to_upright: Array, first_frame: int
) -> float:
    """Lean of an upright stand: of the pose that was left out at the begin,
    or of the rest pose where it stands.
    """
    rest_positions = np.zeros_like(recording.offsets)
    for k, parent in enumerate(recording.parents):
        rest_positions[k] = recording.offsets[k] + (rest_positions[parent] if parent >= 0 else 0.0)
    for pose in ([recording.positions[0]] if first_frame else []) + [rest_positions]:
        joints = pose @ to_upright.T
        hips, knees, ankles = (
            np.mean([joints[getattr(leg, part)] for leg in anatomy.legs], axis=0)
            for part in ("hip", "knee", "ankle")
        )
        top_joints = [arm.shoulder for arm in anatomy.arms] or (
            [anatomy.neck] if anatomy.neck is not None else []
        )
        lateral = joints[anatomy.legs[0].hip] - joints[anatomy.legs[1].hip]
        forward = np.cross(lateral, [0.0, 0.0, 1.0])
        if not top_joints or np.linalg.norm(forward) < 1e-9:
            continue
        forward /= np.linalg.norm(forward)
        lines = ((hips, knees), (knees, ankles), (joints[top_joints].mean(0), hips))
        thigh, shin, trunk = (float(np.arctan2((a - b) @ forward, (a - b)[2])) for a, b in lines)
        if max(abs(thigh), abs(shin)) < MAX_STANDING_TILT and abs(trunk) < 2 * MAX_STANDING_TILT:
            return float(np.clip(trunk, *LEAN_RANGE))
    return float(DEFAULT_LEAN)


def _compute_foot_heights(recording: Recording, to_upright: Array, ankle: int) -> Array:
    """Height of the lowest point of a foot in every frame, file's unit. (n,)."""
    foot_joints = [ankle]
    for j, parent in enumerate(recording.parents):
        if parent in foot_joints:
            foot_joints.append(j)
    points = [recording.positions[:, foot_joints] @ to_upright[2]]
    for k in foot_joints:
        if k in recording.tips:
            tip = recording.positions[:, k] + recording.rotations[:, k] @ recording.tips[k]
            points.append((tip @ to_upright[2])[:, None])
    return np.asarray(np.concatenate(points, 1).min(1))


def _locate_ball(recording: Recording, ankle: int, toe: int | None) -> Array:
    """What a foot rolls over: its toes' joint, or its tip where it has none. (n, 3)."""
    if toe is not None:
        return recording.positions[:, toe]
    tip = recording.tips.get(ankle)
    return recording.positions[:, ankle] + (
        recording.rotations[:, ankle] @ tip if tip is not None else 0.0
    )


def _find_first_frame(recording: Recording, leg_length: float) -> int:
    """The first frame after leaps that nobody does: a T-pose before the motion, or two."""
    frame_jumps = np.linalg.norm(np.diff(recording.positions, axis=0), axis=-1).max(1)
    early_jumps = frame_jumps[: max(MIN_FRAMES, int(0.1 * recording.fps))]
    typical_jump = np.quantile(frame_jumps, 0.95)
    leaps = np.flatnonzero(
        (early_jumps > MAX_FRAME_JUMP * leg_length) & (early_jumps > 2.5 * typical_jump)
    )
    return int(leaps[-1]) + 1 if len(leaps) and recording.frames - leaps[-1] > MIN_FRAMES else 0


def _resample(values: Array, fps: float) -> Array:
    """Values at `FPS`, by cubic splines. (n, ...) -> (m, ...)."""
    n = len(values)
    if abs(fps / FPS - 1) < 1e-3:
        return np.asarray(values)
    times = np.arange(int((n - 1) / fps * FPS + 1e-6) + 1) / FPS
    return np.asarray(CubicSpline(np.arange(n) / fps, values, axis=0)(times))


def orthogonalize(axes: Array) -> Array:
    """The rotations nearest to matrices that are nearly ones. (..., 3, 3)."""
    u, _, v = np.linalg.svd(axes)
    return np.asarray(u @ v)

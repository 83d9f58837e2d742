"""Who goes on four legs in a recording: poses at an even rate, in metres,
and how the body goes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ....character.recognition.anatomy import Anatomy
from ..bvh import Recording
from ..find_actor import MIN_FRAMES, BodyKind, orthogonalize, recognize_body
from ..units import HipHeightUnits, LengthRange, infer_unit
from .poses import ROTATION_FIELDS, QuadrupedBody, QuadrupedPoses

Array = NDArray[np.float64]

MIN_FPS = 120.0  # frames a second at least, that a recording is brought to
# how high those of animals are, of mice and giants too
HIP_HEIGHTS = LengthRange((0.12, 1.8), (0.02, 6.0), 0.6)
LOOP_TOLERANCE = 0.08  # hip heights within which the last pose is the first one again


@dataclass(frozen=True)
class QuadrupedActor(HipHeightUnits):
    """A body on four legs over time.

    Args:
        dt: s between two frames.
        poses: what it does, m.
        rest: how it stands. (1, ...).
        forward_speed, lateral_speed: how fast it goes forward and to the left by itself, m/s; 0 of
            a clip that stays in place. (n,).
        facing: rad. (n,).
        hip_height: of hips and shoulders over the soles as it stands, m.
        loop_frames: frames after which all repeats, which is here three times
            over; 0 of what is no loop.
        notes: what was assumed, for users.
    """

    name: str
    dt: float
    poses: QuadrupedPoses
    rest: QuadrupedPoses
    forward_speed: Array
    lateral_speed: Array
    facing: Array
    hip_height: float
    loop_frames: int
    notes: tuple[str, ...]


def is_quadruped(anatomy: Anatomy) -> bool:
    """Whether a body has two pairs of legs, one before the other, and no arms."""
    return len(anatomy.legs) == 4 and anatomy.row_count == 2 and not anatomy.arms


QUADRUPED = BodyKind(
    is_quadruped,
    "nobody on four legs",
    "styles of bodies on four legs are learned from such bodies' walks, trots and gallops",
    "a whole stride",
    is_tall=False,
)


def find_quadruped(recording: Recording) -> QuadrupedActor:
    """The body on four legs in a recording.

    Raises:
        ClipError: too short, or nothing in it that goes on four legs.
    """
    up_axis, to_upright, anatomy = recognize_body(recording, QUADRUPED)
    body = QuadrupedBody(recording, anatomy, to_upright)
    positions = recording.positions @ to_upright.T
    rotations = to_upright @ recording.rotations @ to_upright.T
    rest_positions, rest_rotations = body.rest_pose
    notes = []
    if not body.is_standing(rest_positions[0]):
        rest_positions = positions.mean(0, keepdims=True)
        mean_rotation = orthogonalize(rotations.mean(0, keepdims=True))
        rotations = rotations @ np.swapaxes(mean_rotation, -1, -2)
        notes.append(
            "its rest pose does not stand, so its carriage is told against the mean of the clip"
        )
    soles = body.find_soles(rest_positions[0])
    rest, _ = body.compute_poses(rest_positions, rest_rotations, soles, recording.fps)
    hip_height = float((rest.leg_roots[0, :, 2] - rest.sole_heights[0]).mean())
    unit, scale = infer_unit(hip_height, HIP_HEIGHTS, recording.rig)
    clip_poses, trajectory = body.compute_poses(positions, rotations, soles, recording.fps)
    return _build_actor(
        recording,
        (clip_poses.scaled(scale), rest.scaled(scale)),
        trajectory * [scale, scale, 1.0],
        hip_height=hip_height * scale,
        notes=(f"lengths in {unit}, {up_axis} up", *notes),
    )


def _build_actor(
    recording: Recording,
    poses: tuple[QuadrupedPoses, QuadrupedPoses],
    trajectory: Array,
    hip_height: float,
    notes: tuple[str, ...],
) -> QuadrupedActor:
    """At an even rate, a loop three times over; `trajectory` tells where the body is
    and how it faces, (n, 3).
    """
    clip_poses, rest = poses
    seconds = (recording.frames - 1) / recording.fps
    count = max(int(np.ceil(seconds * MIN_FPS - 1e-6)), MIN_FRAMES)
    dt = seconds / count
    times = np.linspace(0, 1, recording.frames)
    fine_times = np.arange(count + 1) / count
    closure_error = np.concatenate([v[-1] - v[0] for v in (clip_poses.leg_roots, clip_poses.feet)])
    is_loop = bool(np.sqrt((closure_error**2).sum(1).mean()) < LOOP_TOLERANCE * hip_height)

    def resample(name: str, values: Array) -> Array:
        if not values.size:
            return np.zeros(((3 * is_loop or 1) * count + 1, *values.shape[1:]))
        if is_loop:
            cycle = CubicSpline(
                times, np.concatenate([values[:-1], values[:1]]), axis=0, bc_type="periodic"
            )(fine_times)
            resampled_values = np.concatenate([cycle[:-1], cycle[:-1], cycle])
        else:
            resampled_values = CubicSpline(times, values, axis=0)(fine_times)
        return orthogonalize(resampled_values) if name in ROTATION_FIELDS else resampled_values

    resampled = clip_poses.map_arrays(resample)
    if is_loop:  # it goes on evenly from one time to the next, so its own way is a straight one
        frames = len(resampled.leg_roots)
        speed = np.tile((trajectory[-1] - trajectory[0])[:2] / seconds, (frames, 1))
        facing = np.full(frames, trajectory[:, 2].mean())
    else:
        fine_trajectory = CubicSpline(times, trajectory, axis=0)(fine_times)
        speed = np.gradient(fine_trajectory[:, :2], dt, axis=0)
        facing = fine_trajectory[:, 2]
    c = np.cos(facing)
    s = np.sin(facing)
    return QuadrupedActor(
        recording.name,
        dt,
        resampled,
        rest=rest,
        forward_speed=c * speed[:, 0] + s * speed[:, 1],
        lateral_speed=c * speed[:, 1] - s * speed[:, 0],
        facing=facing,
        hip_height=hip_height,
        loop_frames=count if is_loop else 0,
        notes=notes,
    )

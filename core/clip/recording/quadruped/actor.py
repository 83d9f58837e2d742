"""Recognition of a four-legged body in a recording, and its poses at an even rate in meters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ....character.recognition.anatomy import Anatomy
from ..bvh import JointPoses, Recording
from ..find_actor import orthogonalize
from ..recognize_body import MIN_FRAMES, BodyKind, recognize_body
from ..units import HipHeightUnits, LengthRange, infer_unit
from .poses import ROTATION_FIELDS, BodyMotion, QuadrupedBody, QuadrupedPoses

Array = NDArray[np.float64]

# Lowest frame rate to which a recording is resampled [Hz], that of people (`recording.actor.FPS`)
MIN_FPS = 120.0
# Hip heights of animals, with a possible range that includes mice and giants.
HIP_HEIGHTS = LengthRange(typical=(0.12, 1.8), possible=(0.02, 6.0), fallback=0.6)
LOOP_TOLERANCE = 0.08  # RMS distance of the first and the last pose of a loop [hip heights]


@dataclass(frozen=True)
class QuadrupedActor(HipHeightUnits):
    """A body on four legs over n frames.

    Args:
        name: name of the recording.
        dt: time between two frames [s].
        poses: poses over time [m].
        rest: rest pose, with one frame.
        forward_speed: (n,) forward speed of the body in the clip [m/s]; 0 in a clip in place.
        lateral_speed: (n,) speed to the left [m/s].
        facing: (n,) facing [rad].
        hip_height: height of hips and shoulders over the soles in the rest pose [m].
        loop_frames: frames of one period of a loop, which is repeated three times; 0 if it is not a
            loop.
        notes: assumptions, for users.
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
    """Return whether a body has two pairs of legs, one in front of the other, and no arms."""
    return len(anatomy.legs) == 4 and anatomy.row_count == 2 and not anatomy.arms


QUADRUPED = BodyKind(
    is_quadruped,
    "no body on four legs",
    requirement_text=(
        "styles of bodies on four legs are learned from such bodies' walks, trots and gallops"
    ),
    minimum_text="a whole stride",
    is_tall=False,
)


def find_quadruped(recording: Recording) -> QuadrupedActor:
    """Return the four-legged body in a recording.

    Raises:
        ClipError: the clip is too short, or shows no body on four legs.
    """
    recorded = recognize_body(recording, QUADRUPED)
    to_upright = recorded.to_upright
    body = QuadrupedBody(recording, recorded.anatomy, to_upright)
    positions = recording.positions @ to_upright.T
    rotations = to_upright @ recording.rotations @ to_upright.T
    rest_positions = body.rest_pose.positions
    notes = []
    if not body.is_standing(rest_positions[0]):
        rest_positions = positions.mean(0, keepdims=True)
        mean_rotation = orthogonalize(rotations.mean(0, keepdims=True))
        rotations = rotations @ np.swapaxes(mean_rotation, -1, -2)
        notes.append(
            "its rest pose does not stand, so its carriage is relative to the mean of the clip"
        )
    soles = body.find_soles(rest_positions[0])
    rest = body.compute_motion(
        JointPoses(rest_positions, body.rest_pose.rotations), soles, recording.fps
    ).poses
    hip_height = float((rest.leg_roots[0, :, 2] - rest.sole_heights[0]).mean())
    unit = infer_unit(hip_height, HIP_HEIGHTS, recording.rig)
    motion = body.compute_motion(JointPoses(positions, rotations), soles, recording.fps)
    return _build_actor(
        recording,
        motion.scaled(unit.meters),
        rest.scaled(unit.meters),
        hip_height=hip_height * unit.meters,
        notes=(f"lengths in {unit.name}, {recorded.up_axis} up", *notes),
    )


@dataclass(frozen=True)
class _Resampler:
    """Resampling of a recording by cubic splines.

    Args:
        seconds: duration of the recording [s].
        frames: number of frames of the recording.
        count: number of intervals after resampling.
        is_loop: whether the recording is a loop, which is repeated three times.
    """

    seconds: float
    frames: int
    count: int
    is_loop: bool

    @property
    def dt(self) -> float:
        """Time between two frames after resampling [s]."""
        return self.seconds / self.count

    @property
    def _times(self) -> Array:
        """(frames,) times of the recording, from 0 to 1."""
        return np.linspace(0, 1, self.frames)

    @property
    def _new_times(self) -> Array:
        """(count + 1,) times after resampling, from 0 to 1."""
        return np.arange(self.count + 1) / self.count

    def resample(self, values: Array) -> Array:
        """Return values at the new times, once."""
        return np.asarray(CubicSpline(self._times, values, axis=0)(self._new_times))

    def resample_field(self, name: str, values: Array) -> Array:
        """Return a field of poses at the new times, of a loop three times."""
        if not values.size:
            return np.zeros(((3 * self.is_loop or 1) * self.count + 1, *values.shape[1:]))
        if self.is_loop:
            closed = np.concatenate([values[:-1], values[:1]])
            spline = CubicSpline(self._times, closed, axis=0, bc_type="periodic")
            cycle = spline(self._new_times)
            resampled = np.concatenate([cycle[:-1], cycle[:-1], cycle])
        else:
            resampled = self.resample(values)
        return orthogonalize(resampled) if name in ROTATION_FIELDS else resampled


def _build_actor(
    recording: Recording,
    motion: BodyMotion,
    rest: QuadrupedPoses,
    hip_height: float,
    notes: tuple[str, ...],
) -> QuadrupedActor:
    """Return an actor at an even rate, whose motion is repeated three times if it is a loop."""
    seconds = (recording.frames - 1) / recording.fps
    closure_error = np.concatenate(
        [v[-1] - v[0] for v in (motion.poses.leg_roots, motion.poses.feet)]
    )
    resampler = _Resampler(
        seconds,
        recording.frames,
        count=max(int(np.ceil(seconds * MIN_FPS - 1e-6)), MIN_FRAMES),
        is_loop=bool(np.sqrt((closure_error**2).sum(1).mean()) < LOOP_TOLERANCE * hip_height),
    )
    resampled = motion.poses.map_arrays(resampler.resample_field)
    trajectory = motion.trajectory
    if resampler.is_loop:
        # A loop continues evenly from one period to the next, so the body travels straight.
        frames = len(resampled.leg_roots)
        speed = np.tile((trajectory[-1] - trajectory[0])[:2] / seconds, (frames, 1))
        facing = np.full(frames, trajectory[:, 2].mean())
    else:
        fine_trajectory = resampler.resample(trajectory)
        speed = np.gradient(fine_trajectory[:, :2], resampler.dt, axis=0)
        facing = fine_trajectory[:, 2]
    c = np.cos(facing)
    s = np.sin(facing)
    return QuadrupedActor(
        recording.name,
        resampler.dt,
        resampled,
        rest=rest,
        forward_speed=c * speed[:, 0] + s * speed[:, 1],
        lateral_speed=c * speed[:, 1] - s * speed[:, 0],
        facing=facing,
        hip_height=hip_height,
        loop_frames=resampler.count if resampler.is_loop else 0,
        notes=notes,
    )

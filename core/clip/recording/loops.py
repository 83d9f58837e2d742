"""Clips that hold one cycle, repeated so that they show whole strides.

The clips of games are loops: the pose after the last frame is the first one. Some of them have it
as their last frame, others do not. Recordings may be cut at any two frames of a cycle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from .actor import FPS, POSITION_FIELDS, Actor
from .find_actor import orthogonalize
from .strides import STRIDE, compute_facing, express_in_hip_frames

Array = NDArray[np.float64]

AXIS_FIELDS = ("pelvis", "chest", "feet", "skull")


@dataclass(frozen=True)
class ClipLoopParameters:
    """Search for the cycle that a clip repeats."""

    # Number of cycles of a repeated clip, so that one of them is not at an end
    repetitions: int = 3
    # Distance between the poses at both ends of a cycle up to which they are equal [leg lengths].
    max_closure_error: float = 0.06
    # Largest difference of the velocities at both ends, relative to the largest velocity. It is 1
    # in loops of few frames, and 2 if a body sways through the same pose in opposite directions.
    max_velocity_error: float = 1.3
    # Longest part of a cycle that a clip may lack, relative to the clip: a frame in twelve. One
    # frame may be missing in any case.
    max_missing_share: float = 0.08
    # Longest part at either end that may be left out, relative to the clip, so that the rest is
    # more than half of it where both are.
    max_trimmed_share: float = 0.3
    # Closure error that the use of a whole clip outweighs, per share that is left out: with 0.3 of
    # the clip half of `max_closure_error`. It ranks the parts, and rejects none.
    trim_penalty: float = 0.1
    # Smallest RMS distance of a pose in the cycle from the first one [leg lengths], above
    # `max_closure_error`. A body that stands does not move in cycles.
    min_motion: float = 0.08
    # Largest turn of the hips in a cycle [rad], so that the sway of a walk is none; a loop that
    # turns does not repeat itself
    max_turn: float = float(np.radians(20))


CLIP_LOOP = ClipLoopParameters()


@dataclass(frozen=True)
class Loop:
    """A cycle of a clip that is repeated.

    Args:
        begin: first frame.
        end: last frame that is used.
        missing: frames between the last one that is used and the first one of the next cycle; 0
            if these are the same pose.
    """

    begin: int
    end: int
    missing: int

    @property
    def period(self) -> int:
        """Number of frames of a cycle."""
        return self.end - self.begin + self.missing


@dataclass(frozen=True)
class _LimbMotion:
    """Motion of the limbs over n frames.

    Args:
        poses: (n, joints, 3) joints relative to the hips and their facing [leg lengths].
        velocities: (n, joints, 3) their rates [leg lengths/frame].
        facing: (n,) facing of the hips [rad].
    """

    poses: Array
    velocities: Array
    facing: Array

    @staticmethod
    def from_actor(actor: Actor) -> _LimbMotion:
        """Return the motion of the limbs of an actor."""
        facing = compute_facing(actor)
        poses = express_in_hip_frames(actor, facing, range(actor.frames)) / actor.leg_length
        return _LimbMotion(poses, np.gradient(poses, axis=0), facing)

    def compute_closure_error(self, loop: Loop) -> float:
        """Return the difference of the poses at both ends of a cycle [leg lengths]."""
        begin = loop.begin
        end = loop.end
        mean_velocity = 0.5 * (self.velocities[begin] + self.velocities[end])
        return _compute_rms(self.poses[begin] - self.poses[end] - loop.missing * mean_velocity)

    def is_cycle(self, loop: Loop) -> bool:
        """Return whether the limbs move, without a turn of the body, and come back."""
        begin = loop.begin
        end = loop.end
        cycle = slice(begin, end + 1)
        motion = max(_compute_rms(pose - self.poses[begin]) for pose in self.poses[cycle])
        speed = max(_compute_rms(velocity) for velocity in self.velocities[cycle])
        velocity_error = _compute_rms(self.velocities[begin] - self.velocities[end])
        return (
            motion > CLIP_LOOP.min_motion
            and abs(float(self.facing[end] - self.facing[begin])) < CLIP_LOOP.max_turn
            and velocity_error < CLIP_LOOP.max_velocity_error * speed
        )


def _compute_rms(offsets: Array) -> float:
    """Return the RMS length of vectors, (joints, 3)."""
    return float(np.sqrt((offsets**2).sum(-1).mean()))


def find_loop(actor: Actor) -> Loop | None:
    """Return the cycle that a clip repeats, None if there is none.

    Of all parts that begin near the start of the clip and end near its end, or shortly after it,
    the one whose ends fit best is returned.
    """
    min_frames = int(STRIDE.min_time * FPS)
    if not min_frames <= actor.frames <= 2 * STRIDE.max_time * FPS:
        return None
    motion = _LimbMotion.from_actor(actor)
    best: Loop | None = None
    best_cost = np.inf
    for loop in _list_loops(actor, min_frames):
        error = motion.compute_closure_error(loop)
        left_out = 1 - (loop.end - loop.begin) / (actor.frames - 1)
        cost = error + CLIP_LOOP.trim_penalty * left_out
        if error < CLIP_LOOP.max_closure_error and cost < best_cost and motion.is_cycle(loop):
            best = loop
            best_cost = cost
    return best


def _list_loops(actor: Actor, min_frames: int) -> list[Loop]:
    """Return the parts of a clip that may be a cycle."""
    last = actor.frames - 1
    sample_frames = actor.sample_time * FPS
    max_missing = round(max(CLIP_LOOP.max_missing_share * last, sample_frames))
    loops = [Loop(0, last, missing) for missing in range(max_missing + 1)]
    step = max(round(sample_frames), 2)
    trimmed = range(0, int(CLIP_LOOP.max_trimmed_share * last), step)
    loops += [
        Loop(begin, last - cut, 0)
        for begin in trimmed
        for cut in trimmed
        if begin + cut and last - cut - begin >= min_frames
    ]
    return loops


def repeat_loop(actor: Actor, loop: Loop) -> Actor:
    """Return an actor whose motion is a repeated cycle."""
    step = _compute_step(actor, loop)
    repeated: dict[str, Any] = {
        name: _repeat(getattr(actor, name), loop, step if name in POSITION_FIELDS else np.zeros(3))
        for name in (*POSITION_FIELDS, *AXIS_FIELDS)
    }
    for name in AXIS_FIELDS:
        if repeated[name] is not None:
            repeated[name] = orthogonalize(repeated[name])
    return replace(actor, **repeated)


def _compute_step(actor: Actor, loop: Loop) -> Array:
    """Return the horizontal displacement of the body in a cycle, (3,) [m]."""
    hips = actor.hips.mean(1)
    velocity = np.gradient(hips, axis=0)
    displacement = hips[loop.end] - hips[loop.begin]
    displacement += 0.5 * loop.missing * (velocity[loop.begin] + velocity[loop.end])
    return np.asarray(displacement * [1.0, 1.0, 0.0])


def _repeat(values: Array | None, loop: Loop, step: Array) -> Array | None:
    """Return the values of repeated cycles, (n, ...) -> (repetitions * period, ...).

    What the values lack to be periodic is distributed over the cycle; frames that are missing are
    interpolated.

    Args:
        step: (3,) change of the values per cycle.
    """
    if values is None:
        return None
    cycle = values[loop.begin : loop.end + 1]
    frames = np.arange(loop.end - loop.begin + 1) / loop.period
    shape = (-1, *[1] * (values.ndim - 1))
    if loop.missing == 0:
        trend = cycle[-1] - cycle[0]
        periodic = cycle[:-1] - frames[:-1].reshape(shape) * trend
    else:
        closed = np.concatenate([cycle - frames.reshape(shape) * step, cycle[:1]])
        spline = CubicSpline(np.append(frames, 1.0), closed, axis=0, bc_type="periodic")
        periodic = spline(np.arange(loop.period) / loop.period)
    phases = (np.arange(CLIP_LOOP.repetitions * loop.period) / loop.period).reshape(shape)
    return np.asarray(
        np.tile(periodic, (CLIP_LOOP.repetitions, *[1] * (values.ndim - 1))) + phases * step
    )

"""Poses of the input walk by the phase: what the whole body takes from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ...character.kinematic_model import KinematicModel
from ...character.pose_from_links import poses_from_links
from ...geometry import so3
from ...motion import Motion
from .biped import CENTER, PlanarBiped
from .flat_body import flatten_poses, is_flat, measure_hip_depths
from .input_walk import StepSamples

Array = NDArray[np.float64]

# Shares of the duration of a step at which the offset of the center of mass is measured.
OFFSET_SHARES = np.linspace(0.0, 1.0, 61)


@dataclass(frozen=True)
class FootPlace:
    """Heading of a resting foot relative to the path, and its distance to the left of it.

    Args:
        yaw: [rad].
        lateral: [m].
    """

    yaw: float
    lateral: float


@dataclass(frozen=True)
class InputCycle:
    """Poses of the input walk over two steps.

    Args:
        times: of the frames of the motion [s], shape (n,).
        poses: in the frame of the path, shape (n, nq).
        begins: times of the landings at which the steps on the left and on the right foot begin
            [s].
        durations: of these steps [s].
        yaw: headings of the resting feet relative to the path [rad].
        lateral: distances of the resting feet to the left of the path [m].
        offsets: from the center of mass of the planar biped to that of the body, forward and up
            [m], over the shares `OFFSET_SHARES` of the duration of each step, shape (2, k, 2).
    """

    times: Array
    poses: Array
    begins: tuple[float, float]
    durations: tuple[float, float]
    yaw: Array
    lateral: Array
    offsets: Array

    @staticmethod
    def from_motion(
        motion: Motion, model: KinematicModel, biped: PlanarBiped, steps: tuple[StepSamples, ...]
    ) -> InputCycle:
        """Return the cycle of a motion along x that begins at the origin."""
        poses = poses_from_links(
            model, motion.link_origin[:, 0], so3.quat_to_matrix(motion.link_orientation)
        )
        yaw = np.zeros(2)
        lateral = np.zeros(2)
        for leg in (0, 1):
            footsteps = [f for f in motion.footsteps if f.leg == leg]
            yaw[leg] = np.mean([f.yaw for f in footsteps])
            lateral[leg] = np.mean([f.position[1] for f in footsteps])
        if is_flat(model):
            poses = flatten_poses(model, poses)
            yaw = np.zeros(2)
            lateral = measure_hip_depths(model)
        return InputCycle(
            np.arange(motion.frames) / motion.fps,
            poses,
            (steps[0].begin, steps[1].begin),
            (steps[0].duration, steps[1].duration),
            yaw,
            lateral,
            offsets=np.stack([measure_offset(motion, biped, step) for step in steps]),
        )

    def sample(self, model: KinematicModel, cycle: Array, first_leg: int) -> Array:
        """Return poses (n, nq) at numbers of steps done (n,), the first one on `first_leg`."""
        step = _find_step(cycle, first_leg)
        time = np.array(self.begins)[step.leg] + step.share * np.array(self.durations)[step.leg]
        return sample_poses(model, self.times, self.poses, time)

    def sample_offset(self, cycle: Array, first_leg: int) -> Array:
        """Return `offsets` at numbers of steps done (n,), the first one on `first_leg`, (n, 2)."""
        step = _find_step(cycle, first_leg)
        by_leg = [
            np.stack([np.interp(step.share, OFFSET_SHARES, column) for column in offset.T], -1)
            for offset in self.offsets
        ]
        return np.where(step.leg[:, None] == 0, *by_leg)

    def place_foot(self, number: int, leg: int) -> FootPlace:
        """Return the place of a foot that lands as a step begins, which is that of its leg."""
        return FootPlace(float(self.yaw[leg]), float(self.lateral[leg]))


def sample_poses(model: KinematicModel, frame_times: Array, poses: Array, times: Array) -> Array:
    """Return poses between frames at times [s]. (n,), (n, nq), (m,) -> (m, nq)."""
    last = len(frame_times) - 1.001
    place = np.clip(np.interp(times, frame_times, np.arange(len(frame_times))), 0, last)
    low = place.astype(int)
    change = model.difference(poses[low], poses[low + 1])
    return model.integrate(poses[low], (place - low)[:, None] * change)


@dataclass(frozen=True)
class _CycleStep:
    """Legs of steps, shape (n,), and shares of their durations that are over, shape (n,)."""

    leg: NDArray[np.int64]
    share: Array


def _find_step(cycle: Array, first_leg: int) -> _CycleStep:
    number = np.floor(cycle).astype(int)
    return _CycleStep((number + first_leg) % 2, cycle - number)


def measure_offset(
    motion: Motion, biped: PlanarBiped, step: StepSamples, true_time: float = np.inf
) -> Array:
    """Return the offset of the center of mass of a motion from that of the biped, (k, 2) [m].

    The biped has its legs in one plane and its trunk without arms, list and turn, so its center of
    mass is another one in the same pose.

    Args:
        motion: motion.
        biped: body.
        step: a step of it.
        true_time: time of the step up to which its samples are those of the motion [s].
    """
    time = np.minimum(step.duration * OFFSET_SHARES, true_time)
    coordinates = CubicSpline(step.time, step.coordinates)(time)
    planar = biped.locate(coordinates, biped.points[[CENTER]])[:, 0] + step.origin
    body = CubicSpline(np.arange(motion.frames) / motion.fps, motion.com)(step.begin + time)
    return np.stack([body[:, 0] - planar.real, body[:, 2] - planar.imag], -1)

"""Poses of the whole body in the steps of a walk that is followed once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....character.pose_from_links import poses_from_links
from ....geometry import so3
from ....motion import Motion
from ..biped import PlanarBiped
from ..flat_body import flatten_poses, is_flat, measure_hip_depths
from ..input_cycle import OFFSET_SHARES, FootPlace, measure_offset, sample_poses
from .steps import StandStep

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StepPoses:
    """Poses of a walk by its steps, for `DrivenCycle`.

    Args:
        times: of the frames of the walk [s], shape (n,).
        poses: in the frame of the path, shape (n, nq).
        begins: times at which its k steps begin [s], shape (k,).
        durations: of the steps [s], shape (k,).
        offsets: as those of `InputCycle`, shape (k, 61, 2).
        places: of foot 2 before the first step, of foot 1 in each step, and of foot 2 after the
            last one.
        first: number of the first of these steps in the walk of the walker.
    """

    times: Array
    poses: Array
    begins: Array
    durations: Array
    offsets: Array
    places: tuple[FootPlace, ...]
    first: int = 0

    @staticmethod
    def from_motion(
        motion: Motion, model: KinematicModel, biped: PlanarBiped, steps: tuple[StandStep, ...]
    ) -> StepPoses:
        """Return the poses of the steps of a motion along x that begins at the origin."""
        poses = poses_from_links(
            model, motion.link_origin[:, 0], so3.quat_to_matrix(motion.link_orientation)
        )
        contacts = [steps[0].rear, *(s.front for s in steps), steps[-1].next_contact]
        places = [FootPlace(float(c.yaw), float(c.position[1])) for c in contacts]
        if is_flat(model):
            poses = flatten_poses(model, poses)
            depths = measure_hip_depths(model)
            places = [FootPlace(0.0, float(depths[c.leg])) for c in contacts]
        return StepPoses(
            np.arange(motion.frames) / motion.fps,
            poses,
            np.array([s.samples.begin for s in steps]),
            np.array([s.samples.duration for s in steps]),
            offsets=np.stack(
                [measure_offset(motion, biped, s.samples, s.true_time) for s in steps]
            ),
            places=tuple(places),
        )

    def sample(self, model: KinematicModel, cycle: Array, first_leg: int) -> Array:
        """Return poses (n, nq) at numbers of steps done (n,)."""
        step, share = self._split(cycle)
        return sample_poses(
            model, self.times, self.poses, self.begins[step] + share * self.durations[step]
        )

    def sample_offset(self, cycle: Array, first_leg: int) -> Array:
        """Return `offsets` at numbers of steps done (n,), shape (n, 2)."""
        step, share = self._split(cycle)
        out = np.empty((len(cycle), 2))
        for number in np.unique(step):
            on = step == number
            for axis in (0, 1):
                out[on, axis] = np.interp(share[on], OFFSET_SHARES, self.offsets[number, :, axis])
        return out

    def place_foot(self, number: int, leg: int) -> FootPlace:
        """Return the place of the foot that lands as step `number` begins."""
        return self.places[int(np.clip(number - self.first + 1, 0, len(self.places) - 1))]

    def _split(self, cycle: Array) -> tuple[NDArray[np.int64], Array]:
        """Return steps and the shares of their times, each (n,)."""
        inside = np.clip(cycle - self.first, 0.0, len(self.begins))
        step = np.minimum(inside.astype(int), len(self.begins) - 1)
        return step, inside - step

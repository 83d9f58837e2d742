"""Arms, head and feet of a style that jumps, by the share of a jump."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....character.pose_from_links import poses_from_links
from ....errors import TaskError
from ....geometry import so3
from ....motion import Footstep, Motion
from ..flat_body import flatten_poses, is_flat, measure_hip_depths
from ..input_cycle import FootPlace

Array = NDArray[np.float64]

# Share of a jump at which the feet lift; a jump begins with a landing.
TAKEOFF_SHARE = 0.5


@dataclass(frozen=True)
class InputJump:
    """Poses of a style over a jump, from a landing to the next one.

    Args:
        times: of the frames [s], shape (n,).
        poses: in the frame of the path, shape (n, nq).
        landing, takeoff, next_landing: times of the jump [s].
        yaw: headings of the resting feet relative to the path [rad], shape (2,).
        lateral: distances of the resting feet to the left of the path [m], shape (2,).
    """

    times: Array
    poses: Array
    landing: float
    takeoff: float
    next_landing: float
    yaw: Array
    lateral: Array

    @staticmethod
    def from_motion(motion: Motion, model: KinematicModel) -> InputJump:
        """Return the last whole jump in a motion along x, whose feet land together.

        Raises:
            TaskError: there is none.
        """
        poses = poses_from_links(
            model, motion.link_origin[:, 0], so3.quat_to_matrix(motion.link_orientation)
        )
        left, right = (_list_steps(motion, leg) for leg in (0, 1))
        yaw = np.array([np.mean([f.yaw for f in steps]) for steps in (left, right)])
        lateral = np.array([np.mean([f.position[1] for f in steps]) for steps in (left, right)])
        if is_flat(model):
            poses = flatten_poses(model, poses)
            yaw = np.zeros(2)
            lateral = measure_hip_depths(model)
        times = np.arange(motion.frames) / motion.fps
        whole = [
            (one, after)
            for one, after in pairwise(left)
            if one.strike >= 0 and one.lift < after.strike <= times[-1]
        ]
        if not whole:
            raise TaskError(
                "The style has no whole jump at this speed. Choose another speed or style."
            )
        jump, following = whole[-1]
        return InputJump(
            times,
            poses,
            jump.strike,
            jump.lift,
            next_landing=following.strike,
            yaw=yaw,
            lateral=lateral,
        )

    def place_foot(self, number: int, leg: int) -> FootPlace:
        """Return the place of the foot of a leg in any jump."""
        return FootPlace(float(self.yaw[leg]), float(self.lateral[leg]))

    def sample(self, model: KinematicModel, cycle: Array) -> Array:
        """Return poses (n, nq) at numbers of jumps done (n,), with the share of the present one."""
        share = cycle - np.floor(cycle)
        shares = [0.0, TAKEOFF_SHARE, 1.0]
        time = np.interp(share, shares, [self.landing, self.takeoff, self.next_landing])
        frame = np.interp(time, self.times, np.arange(len(self.times)))
        low = np.clip(frame.astype(int), 0, len(self.times) - 2)
        change = model.difference(self.poses[low], self.poses[low + 1])
        return model.integrate(self.poses[low], (frame - low)[:, None] * change)


def _list_steps(motion: Motion, leg: int) -> list[Footstep]:
    return sorted((f for f in motion.footsteps if f.leg == leg), key=lambda f: f.strike)

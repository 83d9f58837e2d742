"""A smooth ground under each point of the soles: a plane of its own for each,
that goes along with it.

MuJoCo's height fields are made of thin prisms. A point that comes down fast enters one by more than
its radius, and is then pushed out of it sideways or downward, so that feet stick in the ground.
From a plane it is always pushed upward.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..terrain import Ground

Array = NDArray[np.float64]

PREFIX = "under "  # of the names of planes and the bodies that carry them
SLOPE_SAMPLE_DISTANCE = 0.005  # m to each side over which the ground's slope is told
SLOPE_SAMPLE_OFFSETS = SLOPE_SAMPLE_DISTANCE * np.array(
    [[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
)
MAX_SLOPE = 1.2  # rise over run, above which it is an edge
UNUSED_DEPTH = 1e3  # m below, where there is no ground
# m below the ground beside it, where a point ran into the side of something: its plane stays
MAX_PENETRATION = 0.04


def add_planes(
    spec: mujoco.MjSpec,
    points: list[str],
    friction: tuple[float, float, float],
    solref: tuple[float, float],
    solimp: tuple[float, ...],
) -> None:
    """One for each geom of the soles, which touches this plane and nothing else."""
    for name in points:
        plane = spec.worldbody.add_body(name=PREFIX + name, mocap=True, pos=[0, 0, -UNUSED_DEPTH])
        plane.add_geom(
            name=PREFIX + name,
            type=mujoco.mjtGeom.mjGEOM_PLANE,
            size=[0, 0, 1],
            contype=0,
            conaffinity=0,
        )
        spec.add_pair(
            name=PREFIX + name,
            geomname1=PREFIX + name,
            geomname2=name,
            condim=3,
            solref=solref,
            solimp=solimp,
            friction=[friction[0], friction[0], friction[1], friction[2], friction[2]],
        )


class GroundPlanes:
    """Moves the planes of a model.

    Args:
        model: that `add_planes` was used on, or not.
        ground: that they follow.
    """

    def __init__(self, model: mujoco.MjModel, ground: Ground) -> None:
        self._ground = ground
        names = [
            model.body(k).name for k in range(model.nbody) if model.body(k).name.startswith(PREFIX)
        ]
        self._geoms = np.array(
            [model.geom(name.removeprefix(PREFIX)).id for name in names], np.int64
        )
        self._mocap = np.array(
            [model.body_mocapid[model.body(name).id] for name in names], np.int64
        )

    def update(self, data: mujoco.MjData) -> None:
        """Put every plane below its point."""
        if not len(self._geoms):
            return
        place = data.geom_xpos[self._geoms]  # (p, 3)
        # (p, 5)
        sample_heights = self._ground.sample_heights(place[:, None, :2] + SLOPE_SAMPLE_OFFSETS)
        height = sample_heights[:, 0]
        slope = np.stack(
            [
                sample_heights[:, 1] - sample_heights[:, 2],
                sample_heights[:, 3] - sample_heights[:, 4],
            ],
            1,
        ) / (2 * SLOPE_SAMPLE_DISTANCE)
        # an edge: the plane along it would be a wall without end
        slope[np.abs(slope).max(1) > MAX_SLOPE] = 0.0
        is_placed = np.isfinite(sample_heights).all(1) & (place[:, 2] > height - MAX_PENETRATION)
        is_off_ground = np.isnan(height)
        # from the vertical to the normal
        quaternion = np.stack(
            [
                1 + np.sqrt(1 + (slope * slope).sum(1)),
                slope[:, 1],
                -slope[:, 0],
                np.zeros(len(slope)),
            ],
            1,
        )
        placed_mocap = self._mocap[is_placed]
        data.mocap_pos[placed_mocap] = np.column_stack([place[is_placed, :2], height[is_placed]])
        data.mocap_quat[placed_mocap] = quaternion[is_placed] / np.linalg.norm(
            quaternion[is_placed], axis=1, keepdims=True
        )
        data.mocap_pos[self._mocap[is_off_ground], 2] = -UNUSED_DEPTH

"""A smooth ground under each point of the soles: a plane of its own for each, that goes along with it.

MuJoCo's height fields are made of thin prisms. A point that comes down fast enters one by more than its radius, and is then
pushed out of it sideways or downward, so that feet stick in the ground. From a plane it is always pushed upward.
"""
from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..terrain import Ground

Array = NDArray[np.float64]

PREFIX = "under "     # of the names of planes and the bodies that carry them
REACH = 0.005         # m to each side over which the ground's slope is told
AROUND = REACH * np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
STEEPEST = 1.2        # rise over run, above which it is an edge
AWAY = 1e3            # m below, where there is no ground
DEEPEST = 0.04        # m below the ground beside it, where a point ran into the side of something: its plane stays


def add_planes(spec: mujoco.MjSpec, points: list[str], friction: tuple[float, float, float], solref: tuple[float, float],
               solimp: tuple[float, ...]) -> None:
    """One for each geom of the soles, which touches this plane and nothing else."""
    for name in points:
        plane = spec.worldbody.add_body(name=PREFIX + name, mocap=True, pos=[0, 0, -AWAY])
        plane.add_geom(name=PREFIX + name, type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], contype=0, conaffinity=0)
        spec.add_pair(name=PREFIX + name, geomname1=PREFIX + name, geomname2=name, condim=3, solref=solref, solimp=solimp,
                      friction=[friction[0], friction[0], friction[1], friction[2], friction[2]])


class GroundPlanes:
    """Moves the planes of a model.

    Args:
        model: that `add_planes` was used on, or not.
        ground: that they follow.
    """

    def __init__(self, model: mujoco.MjModel, ground: Ground) -> None:
        self._ground = ground
        names = [model.body(k).name for k in range(model.nbody) if model.body(k).name.startswith(PREFIX)]
        self._geoms = np.array([model.geom(name.removeprefix(PREFIX)).id for name in names], np.int64)
        self._mocap = np.array([model.body_mocapid[model.body(name).id] for name in names], np.int64)

    def follow(self, data: mujoco.MjData) -> None:
        """Put every plane below its point."""
        if not len(self._geoms):
            return
        place = data.geom_xpos[self._geoms]                                                 # (p, 3)
        around = self._ground.height(place[:, None, :2] + AROUND)                           # (p, 5)
        height = around[:, 0]
        slope = np.stack([around[:, 1] - around[:, 2], around[:, 3] - around[:, 4]], 1) / (2 * REACH)
        slope[np.abs(slope).max(1) > STEEPEST] = 0.0         # an edge: the plane along it would be a wall without end
        there = np.isfinite(around).all(1) & (place[:, 2] > height - DEEPEST)
        nowhere = np.isnan(height)
        # from the vertical to the normal
        turn = np.stack([1 + np.sqrt(1 + (slope * slope).sum(1)), slope[:, 1], -slope[:, 0], np.zeros(len(slope))], 1)
        which = self._mocap[there]
        data.mocap_pos[which] = np.column_stack([place[there, :2], height[there]])
        data.mocap_quat[which] = turn[there] / np.linalg.norm(turn[there], axis=1, keepdims=True)
        data.mocap_pos[self._mocap[nowhere], 2] = -AWAY

"""Slopes of a smooth ground, and its tangent planes, one under each point of the soles.

MuJoCo's height fields are made of thin prisms. A point that comes down fast enters one by more than
its radius and is pushed out sideways or downward, so feet stick in the ground. A plane always
pushes it upward.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..terrain import Ground
from .soles import ContactParameters

Array = NDArray[np.float64]


def make_sample_offsets(distance: float) -> Array:
    """Return the offsets of a place and its neighbors along x and y. (5, 2) [m].

    Args:
        distance: [m] from the place to its neighbors.
    """
    return distance * np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


def compute_slopes(heights: Array, distance: float) -> Array:
    """Return the slopes along x and y, rise over run. (n, 5) -> (n, 2).

    Args:
        heights: [m] of the ground at the offsets of `make_sample_offsets`.
        distance: [m] from each place to its neighbors.
    """
    differences = [heights[:, 1] - heights[:, 2], heights[:, 3] - heights[:, 4]]
    return np.stack(differences, 1) / (2 * distance)


PREFIX = "under "  # Prefix of the names of planes and of their bodies
SLOPE_SAMPLE_DISTANCE = 0.005  # Distance over which the slope of the ground is measured [m]
SLOPE_SAMPLE_OFFSETS = make_sample_offsets(SLOPE_SAMPLE_DISTANCE)
MAX_SLOPE = 1.2  # Slope of the ground, rise over run, above which it is an edge
UNUSED_DEPTH = 1e3  # Depth at which planes are kept where there is no ground [m], out of reach
# Depth of a point below the ground from which on it is in the side of an obstacle [m]. Its plane is
# not moved then.
MAX_PENETRATION = 0.04


def add_planes(spec: mujoco.MjSpec, points: list[str], contact: ContactParameters) -> None:
    """Add a plane to a model for each geom of the soles. The geom touches nothing else.

    Args:
        spec: model. Changed.
        points: names of the geoms.
        contact: properties of the contacts.
    """
    friction = contact.friction
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
            solref=contact.solref,
            solimp=contact.solimp,
            friction=[friction[0], friction[0], friction[1], friction[2], friction[2]],
        )


class GroundPlanes:
    """Planes of a model that follow its sole points.

    Args:
        model: with the planes of `add_planes`, or without any.
        ground: to which the planes are tangent.
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
        """Move every plane below its sole point."""
        if not len(self._geoms):
            return
        place = data.geom_xpos[self._geoms]  # (p, 3)
        # (p, 5) [m]
        sample_heights = self._ground.sample_heights(place[:, None, :2] + SLOPE_SAMPLE_OFFSETS)
        height = sample_heights[:, 0]
        slope = compute_slopes(sample_heights, SLOPE_SAMPLE_DISTANCE)
        # A plane along the side of an edge would be an infinite wall.
        slope[np.abs(slope).max(1) > MAX_SLOPE] = 0.0
        is_placed = np.isfinite(sample_heights).all(1) & (place[:, 2] > height - MAX_PENETRATION)
        is_off_ground = np.isnan(height)
        # Rotation from the vertical to the normal
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

"""Positions of the soles of a simulated body in given poses."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....simulate.model import SimulatedModel
from ...shared.motion_builder import SOLE_POINT_NAMES

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SolePoints:
    """Soles of all feet in n poses.

    Attributes:
        corners: (n, points, 3) contact points of all soles, one sole after the other [m].
        middles: (n, legs, 3, 3) heel, ball and tip on the middle line of each sole [m].
        toe_rotations: (n, legs, 3, 3) rotation matrices of the toes.
    """

    corners: Array
    middles: Array
    toe_rotations: Array

    def select(self, poses: slice) -> SolePoints:
        """Return the soles in some of the poses."""
        return SolePoints(self.corners[poses], self.middles[poses], self.toe_rotations[poses])


@dataclass(frozen=True)
class PosedFoot:
    """One foot in one pose.

    Attributes:
        center: (3,) middle of the sole [m].
        rotation: (3, 3) rotation matrix of the foot.
    """

    center: Array
    rotation: Array


class SoleLocator:
    """Forward kinematics of the feet of a simulated model."""

    def __init__(self, model: SimulatedModel) -> None:
        self.model = model
        self._data = mujoco.MjData(model.mujoco)
        self._corner_points = [point for sole in model.soles for point in sole]
        self._corner_bodies = np.array([point.body for point in self._corner_points])
        self._corner_offsets = np.array([point.place for point in self._corner_points])
        self._foot_bodies = model.links[[foot.link for foot in model.character.feet]]
        toes = [
            model.mujoco.dof_bodyid[toe] if toe is not None else foot
            for toe, foot in zip(model.toes, self._foot_bodies, strict=True)
        ]
        self._toe_bodies = np.array(toes)
        first = np.cumsum([0, *(len(sole) for sole in model.soles)])
        # Indices of the corners in each row (heel, ball, tip) of each sole. A row is empty where
        # the model has no toes.
        self._row_corners = [
            [
                [first[leg] + k for k, point in enumerate(sole) if point.name.startswith(row)]
                for row in SOLE_POINT_NAMES
            ]
            for leg, sole in enumerate(model.soles)
        ]

    def locate(self, poses: Array) -> SolePoints:
        """Return the soles in poses (n, nq)."""
        n = len(poses)
        legs = len(self._foot_bodies)
        corners = np.empty((n, len(self._corner_points), 3))
        middles = np.empty((n, legs, 3, 3))
        toes = np.empty((n, legs, 3, 3))
        data = self._data
        for k, pose in enumerate(poses):
            self._set_pose(pose)
            rotations = data.xmat.reshape(-1, 3, 3)
            corners[k] = (
                data.xpos[self._corner_bodies]
                + (rotations[self._corner_bodies] @ self._corner_offsets[..., None])[..., 0]
            )
            toes[k] = rotations[self._toe_bodies]
            for leg in range(legs):
                middles[k, leg] = self._locate_middles(leg, corners[k])
        return SolePoints(corners, middles, toes)

    def locate_foot(self, pose: Array, leg: int) -> PosedFoot:
        """Return a foot in a pose (nq,)."""
        self._set_pose(pose)
        body = self._foot_bodies[leg]
        foot = self.model.character.feet[leg]
        rotation = self._data.xmat[body].reshape(3, 3).copy()
        return PosedFoot(self._data.xpos[body] + rotation @ foot.sole_center, rotation)

    def _locate_middles(self, leg: int, corners: Array) -> Array:
        """Return heel, ball and tip of a sole in the current pose, (3, 3).

        Args:
            corners: (points, 3) contact points of all soles in this pose.
        """
        foot = self.model.character.feet[leg]
        body = self._foot_bodies[leg]
        rotation = self._data.xmat[body].reshape(3, 3)
        return np.array(
            [
                corners[row_corners].mean(0)
                if row_corners
                else self._data.xpos[body] + rotation @ offset
                for offset, row_corners in zip(
                    (foot.heel, foot.ball, foot.tip), self._row_corners[leg], strict=True
                )
            ]
        )

    def _set_pose(self, pose: Array) -> None:
        self._data.qpos[:] = pose
        mujoco.mj_kinematics(self.model.mujoco, self._data)

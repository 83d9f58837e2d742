"""Where the soles of a simulated body are in given poses."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....simulate.model import SimulatedModel
from ...shared.motion_builder import SOLE_POINT_NAMES

Array = NDArray[np.float64]


class SoleLocator:
    """Answers about the feet of a simulated model."""

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
        # both corners of each row of a sole; toes that are no part of the model
        # have theirs on the foot
        self._row_corners = [
            [
                [first[leg] + k for k, point in enumerate(sole) if point.name.startswith(row)]
                for row in SOLE_POINT_NAMES
            ]
            for leg, sole in enumerate(model.soles)
        ]

    def locate(self, poses: Array) -> tuple[Array, Array, Array]:
        """Corners (n, points, 3); heel, ball and tip (n, legs, 3, 3) on the soles' middle lines;
        the toes' rotations likewise.
        """
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
            for leg, rows in enumerate(self._row_corners):
                foot = self.model.character.feet[leg]
                body = self._foot_bodies[leg]
                for i, (row, row_corners) in enumerate(
                    zip((foot.heel, foot.ball, foot.tip), rows, strict=True)
                ):
                    middles[k, leg, i] = (
                        corners[k, row_corners].mean(0)
                        if row_corners
                        else data.xpos[body] + rotations[body] @ row
                    )
        return corners, middles, toes

    def locate_foot(self, pose: Array, leg: int) -> tuple[Array, Array]:
        """Middle of a sole, (3,), and the foot's rotation, (3, 3)."""
        self._set_pose(pose)
        body = self._foot_bodies[leg]
        foot = self.model.character.feet[leg]
        rotation = self._data.xmat[body].reshape(3, 3).copy()
        return self._data.xpos[body] + rotation @ foot.sole_center, rotation

    def _set_pose(self, pose: Array) -> None:
        self._data.qpos[:] = pose
        mujoco.mj_kinematics(self.model.mujoco, self._data)

"""Where the soles of a simulated body are in given poses."""
from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....simulate.model import SimulatedModel
from ...shared.motion_writer import POINTS

Array = NDArray[np.float64]


class Soles:
    """Answers about the feet of a simulated model."""

    def __init__(self, model: SimulatedModel) -> None:
        self.model, self._data = model, mujoco.MjData(model.mujoco)
        self._corners = [point for sole in model.soles for point in sole]
        self._bodies = np.array([point.body for point in self._corners])
        self._places = np.array([point.place for point in self._corners])
        self._feet = model.links[[foot.link for foot in model.character.feet]]
        toes = [model.mujoco.dof_bodyid[toe] if toe is not None else foot for toe, foot in zip(model.toes, self._feet, strict=True)]
        self._toes = np.array(toes)
        first = np.cumsum([0, *(len(sole) for sole in model.soles)])
        # both corners of each row of a sole; toes that are no part of the model have theirs on the foot
        self._rows = [[[first[leg] + k for k, point in enumerate(sole) if point.name.startswith(row)] for row in POINTS]
                      for leg, sole in enumerate(model.soles)]

    def at(self, poses: Array) -> tuple[Array, Array, Array]:
        """Corners (n, points, 3); heel, ball and tip (n, legs, 3, 3) on the soles' middle lines; the toes' rotations likewise."""
        n, legs = len(poses), len(self._feet)
        corners, middles = np.empty((n, len(self._corners), 3)), np.empty((n, legs, 3, 3))
        toes = np.empty((n, legs, 3, 3))
        data = self._data
        for k, pose in enumerate(poses):
            self._place(pose)
            turned = data.xmat.reshape(-1, 3, 3)
            corners[k] = data.xpos[self._bodies] + (turned[self._bodies] @ self._places[..., None])[..., 0]
            toes[k] = turned[self._toes]
            for leg, rows in enumerate(self._rows):
                foot, body = self.model.character.feet[leg], self._feet[leg]
                for i, (row, own) in enumerate(zip((foot.heel, foot.ball, foot.tip), rows, strict=True)):
                    middles[k, leg, i] = corners[k, own].mean(0) if own else data.xpos[body] + turned[body] @ row
        return corners, middles, toes

    def foot(self, pose: Array, leg: int) -> tuple[Array, Array]:
        """Middle of a sole, (3,), and the foot's rotation, (3, 3)."""
        self._place(pose)
        body, foot = self._feet[leg], self.model.character.feet[leg]
        turned = self._data.xmat[body].reshape(3, 3).copy()
        return self._data.xpos[body] + turned @ foot.centre, turned

    def _place(self, pose: Array) -> None:
        self._data.qpos[:] = pose
        mujoco.mj_kinematics(self.model.mujoco, self._data)

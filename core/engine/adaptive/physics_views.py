"""Arrays of the physics engine that a walker reads."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from .biped_model import BipedModel

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PhysicsViews:
    """Arrays of the physics that change with its state.

    Args:
        body_position, body_rotation: (3,), (3, 3) of the upper body.
        foot_position, foot_rotation: (2, 3), (2, 3, 3) of the ankles and feet.
        hip_position: (2, 3).
        pose: (nq,).
        velocity: (nv,).
        foot_axes: (2, 3, 3) world to feet.
        jacobian: (2, 2, 3, nv) workspace.
        twists: (2, 2, 3, nv) workspace.
        knee_coordinates: (2,) indices into the pose.
        rest_angles: of the springs of arms and head [rad].
    """

    body_position: Array
    body_rotation: Array
    foot_position: Array
    foot_rotation: Array
    hip_position: Array
    pose: Array
    velocity: Array
    foot_axes: Array
    jacobian: Array
    twists: Array
    knee_coordinates: NDArray[np.int64]
    rest_angles: Array

    @staticmethod
    def from_model(model: BipedModel, data: mujoco.MjData) -> PhysicsViews:
        """Return the views of the data of a model, whose parts are numbered from 1."""
        rotation = data.xmat.reshape(-1, 3, 3)
        mj_model = model.mujoco
        knee_joints = mj_model.dof_jntid[model.knees]
        return PhysicsViews(
            data.xpos[1],
            rotation[1],
            data.xpos[5:9:3],
            rotation[5:9:3],
            hip_position=data.xpos[3:7:3],
            pose=data.qpos,
            velocity=data.qvel,
            foot_axes=np.swapaxes(rotation[5:9:3], 1, 2),
            jacobian=np.zeros((2, 2, 3, mj_model.nv)),
            twists=np.zeros((2, 2, 3, mj_model.nv)),
            knee_coordinates=mj_model.jnt_qposadr[knee_joints],
            rest_angles=data.ctrl,
        )

"""Reflected motor inertia and joint damping for a physics engine without them."""

from __future__ import annotations

import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

from .model import SUBSTEP
from .physics import BodyForce

Array = NDArray[np.float64]

# Share of a motor's reflected inertia below which a link's inertia counts as negligible
LIGHT_LINK_SHARE = 0.02
# Time in which a ball joint stops at the end of its range [s], the default of MuJoCo's limits
BALL_STOP_TIME = 0.02


def remove_rotors(model: mujoco.MjModel) -> mujoco.MjModel:
    """Return a copy of a model without reflected inertia and damping.

    Links of negligible inertia, such as toes, receive the reflected inertia, since contacts need
    some inertia to act on.
    """
    bare = copy.copy(model)
    for joint in range(1, model.njnt):
        body = model.jnt_bodyid[joint]
        armature = model.dof_armature[model.jnt_dofadr[joint]]
        if model.body_inertia[body].max() < LIGHT_LINK_SHARE * armature:
            bare.body_inertia[body] += armature
    bare.dof_armature[:] = 0.0
    bare.dof_damping[:] = 0.0
    mujoco.mj_setConst(bare, mujoco.MjData(bare))
    return bare


class Rotors:
    """Converter of motor torques to the torques that accelerate the links.

    The accelerations of links and rotors together follow from all forces, including the ground's;
    inverse dynamics of the bare model gives the forces that produce the same accelerations. Forces
    of contacts are those of the last step.

    Args:
        model: with reflected inertia and damping.
        bare: without them.
    """

    def __init__(self, model: mujoco.MjModel, bare: mujoco.MjModel) -> None:
        self._model = copy.copy(model)
        self._bare = bare
        # Implicit damping: by the velocity at the end of a step
        self._model.dof_armature += SUBSTEP * model.dof_damping
        self.data = mujoco.MjData(self._model)
        self._bare_data = mujoco.MjData(bare)
        self._balls = [
            j
            for j in range(model.njnt)
            if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL and model.jnt_limited[j]
        ]

    def set_state(self, pose: Array, velocity: Array) -> None:
        """Set generalized coordinates (nq,) and velocities (nv,)."""
        self.data.qpos[:] = pose
        self.data.qvel[:] = velocity
        mujoco.mj_kinematics(self._model, self.data)

    def compute_link_forces(self, torques: Array, other_forces: list[BodyForce]) -> Array:
        """Return the generalized forces that move the bare model as `torques` move the full one.

        Args:
            torques: (nv - 6,) [Nm] of the motors.
            other_forces: pushes and contacts, at points in world coordinates.

        Returns:
            (nv,).
        """
        model = self._model
        data = self.data
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_factorM(model, data)
        mujoco.mj_fwdVelocity(model, data)
        applied = np.zeros(model.nv)
        total = data.qfrc_passive - data.qfrc_bias
        for f in other_forces:
            mujoco.mj_applyFT(model, data, f.force, np.zeros(3), f.point, f.body, applied)
        total[6:] += torques
        self._stop_balls(total)
        total += applied
        bare_data = self._bare_data
        needed = np.zeros(model.nv)
        mujoco.mj_solveM(model, data, bare_data.qacc[None], total[None])
        bare_data.qpos[:] = data.qpos
        bare_data.qvel[:] = data.qvel
        mujoco.mj_kinematics(self._bare, bare_data)
        mujoco.mj_comPos(self._bare, bare_data)
        mujoco.mj_comVel(self._bare, bare_data)
        mujoco.mj_rne(self._bare, bare_data, 1, needed)
        return needed - applied

    def _stop_balls(self, forces: Array) -> None:
        """Add the torques that stop ball joints at the end of their range, in place."""
        model = self._model
        data = self.data
        for joint in self._balls:
            coordinate = model.jnt_qposadr[joint]
            first_dof = model.jnt_dofadr[joint]
            turn = np.zeros(3)
            mujoco.mju_quat2Vel(turn, data.qpos[coordinate : coordinate + 4], 1.0)
            angle = float(np.linalg.norm(turn))
            excess = angle - model.jnt_range[joint, 1]
            if excess > 0:
                axis = turn / angle
                ball_dofs = slice(first_dof, first_dof + 3)
                inertia = model.dof_M0[ball_dofs].max()
                rate = float(data.qvel[ball_dofs] @ axis)
                forces[ball_dofs] -= (
                    inertia
                    * max(excess / BALL_STOP_TIME**2 + 2 * rate / BALL_STOP_TIME, 0.0)
                    * axis
                )

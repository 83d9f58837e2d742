"""Reflected inertia of motors for a physics engine that knows none."""

from __future__ import annotations

import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

from .model import SUBSTEP

Array = NDArray[np.float64]
Force = tuple[int, Array, Array]  # body, (3,) N and where (3,), world axes

# of a motor's reflected inertia; links with less of their own have it in the link
LIGHT_LINK_SHARE = 0.02
# s in which a ball's turning stops at the end of its range, as MuJoCo's limits have it by default
BALL_STOP_TIME = 0.02


def remove_rotors(model: mujoco.MjModel) -> mujoco.MjModel:
    """The model's links alone: no reflected inertia, no damping.

    Links that weigh next to nothing, such as toes, get that inertia as their own, so that contacts
    find something to push on.
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
    """What motors leave of their torques for the links, once their own inertia and
    damping have had their share.

    The links get what inverse dynamics says that they need for the accelerations of links and
    rotors together. Those follow from all forces, the ground's among them; its are those of the
    last step.

    Args:
        model: with reflected inertia and damping.
        bare: without.
    """

    def __init__(self, model: mujoco.MjModel, bare: mujoco.MjModel) -> None:
        self._model = copy.copy(model)
        self._bare = bare
        # damping of the step's end, not of its beginning
        self._model.dof_armature += SUBSTEP * model.dof_damping
        self.data = mujoco.MjData(self._model)
        self._bare_data = mujoco.MjData(bare)
        self._balls = [
            j
            for j in range(model.njnt)
            if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL and model.jnt_limited[j]
        ]

    def set_state(self, pose: Array, velocity: Array) -> None:
        """Where everything is. (nq,) and (nv,)."""
        self.data.qpos[:] = pose
        self.data.qvel[:] = velocity
        mujoco.mj_kinematics(self._model, self.data)

    def compute_link_forces(self, torques: Array, other_forces: list[Force]) -> Array:
        """Generalized forces (nv,) that move the links alone as torques
        (nv - 6,) move links and rotors.

        Args:
            other_forces: that act on the body beside the motors, as far as they are known.
        """
        model = self._model
        data = self.data
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_factorM(model, data)
        mujoco.mj_fwdVelocity(model, data)
        applied = np.zeros(model.nv)
        total = data.qfrc_passive - data.qfrc_bias
        for body, force, place in other_forces:
            mujoco.mj_applyFT(model, data, force, np.zeros(3), place, body, applied)
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
        """Add what keeps balls inside their range."""
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

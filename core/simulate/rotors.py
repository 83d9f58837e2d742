"""Reflected inertia of motors for a physics engine that knows none."""
from __future__ import annotations

import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

from .model import SUBSTEP

Array = NDArray[np.float64]
Force = tuple[int, Array, Array]      # body, (3,) N and where (3,), world axes

LIGHT = 0.02          # of a motor's reflected inertia; links with less of their own have it in the link
STOP = 0.02           # s in which a ball's turning stops at the end of its range, as MuJoCo's limits have it by default


def without_rotors(model: mujoco.MjModel) -> mujoco.MjModel:
    """The model's links alone: no reflected inertia, no damping.

    Links that weigh next to nothing, such as toes, get that inertia as their own, so that contacts find something to push on.
    """
    bare = copy.copy(model)
    for joint in range(1, model.njnt):
        body, armature = model.jnt_bodyid[joint], model.dof_armature[model.jnt_dofadr[joint]]
        if model.body_inertia[body].max() < LIGHT * armature:
            bare.body_inertia[body] += armature
    bare.dof_armature[:] = 0.0
    bare.dof_damping[:] = 0.0
    mujoco.mj_setConst(bare, mujoco.MjData(bare))
    return bare


class Rotors:
    """What motors leave of their torques for the links, once their own inertia and damping have had their share.

    The links get what inverse dynamics says that they need for the accelerations of links and rotors together. Those follow from
    all forces, the ground's among them; its are those of the last step.

    Args:
        model: with reflected inertia and damping.
        bare: without.
    """

    def __init__(self, model: mujoco.MjModel, bare: mujoco.MjModel) -> None:
        self._model, self._bare = copy.copy(model), bare
        self._model.dof_armature += SUBSTEP * model.dof_damping              # damping of the step's end, not of its beginning
        self.data, self._bare_data = mujoco.MjData(self._model), mujoco.MjData(bare)
        self._balls = [j for j in range(model.njnt) if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL and model.jnt_limited[j]]

    def place(self, pose: Array, velocity: Array) -> None:
        """Where everything is. (nq,) and (nv,)."""
        self.data.qpos[:], self.data.qvel[:] = pose, velocity
        mujoco.mj_kinematics(self._model, self.data)

    def forces(self, torques: Array, others: list[Force]) -> Array:
        """Generalized forces (nv,) that move the links alone as torques (nv - 6,) move links and rotors.

        Args:
            others: that act on the body beside the motors, as far as they are known.
        """
        m, data = self._model, self.data
        mujoco.mj_comPos(m, data)
        mujoco.mj_makeM(m, data)
        mujoco.mj_factorM(m, data)
        mujoco.mj_fwdVelocity(m, data)
        acting, total = np.zeros(m.nv), data.qfrc_passive - data.qfrc_bias
        for body, force, place in others:
            mujoco.mj_applyFT(m, data, force, np.zeros(3), place, body, acting)
        total[6:] += torques
        self._stop_balls(total)
        total += acting
        bare, needed = self._bare_data, np.zeros(m.nv)
        mujoco.mj_solveM(m, data, bare.qacc[None], total[None])
        bare.qpos[:], bare.qvel[:] = data.qpos, data.qvel
        mujoco.mj_kinematics(self._bare, bare)
        mujoco.mj_comPos(self._bare, bare)
        mujoco.mj_comVel(self._bare, bare)
        mujoco.mj_rne(self._bare, bare, 1, needed)
        return needed - acting

    def _stop_balls(self, forces: Array) -> None:
        """Add what keeps balls inside their range."""
        m, data = self._model, self.data
        for joint in self._balls:
            at, first = m.jnt_qposadr[joint], m.jnt_dofadr[joint]
            turn = np.zeros(3)
            mujoco.mju_quat2Vel(turn, data.qpos[at:at + 4], 1.0)
            angle = float(np.linalg.norm(turn))
            over = angle - m.jnt_range[joint, 1]
            if over > 0:
                axis, own = turn / angle, slice(first, first + 3)
                inertia = m.dof_M0[own].max()
                rate = float(data.qvel[own] @ axis)
                forces[own] -= inertia * max(over / STOP**2 + 2 * rate / STOP, 0.0) * axis

"""Limbs that give way where they are pushed, and swing back.

In place of the velocity threshold of Kwon et al. 2020, equation 23, fourth term: joints between the place that is pushed and
the pelvis are springs with dampers, and the style's pose is turned by what they give.
"""
from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from ...character.kinematic_model import KinematicModel
from ...task import Push
from ..shared.disturbances import link_at

Array = NDArray[np.float64]

STIFF = {"trunk": 260.0, "head": 30.0, "arm": 45.0, "leg": 140.0}       # N m/rad of a body of 75 kg
PACE, DAMPING = 11.0, 0.7         # rad/s, share of the critical
FURTHEST = 0.7                    # rad that a joint gives at most
LASTS = 1.2                       # s after a push


def yielding(model: KinematicModel, poses: Array, times: Array, pushes: tuple[Push, ...]) -> Array:
    """Poses whose joints give way to pushes on parts of the body. (n, nq), (n,) -> (n, nq)."""
    out = poses
    for push in pushes:
        link = link_at(model.character, push.at)
        on = np.flatnonzero((times >= push.time) & (times < push.end + LASTS))
        if link is None or link == 0 or not len(on):
            continue
        give = _given(model, out[on], link, np.array([*push.force, *push.moment]))         # (m, nv)
        out = out.copy()
        out[on] = model.integrate(out[on], FURTHEST * np.tanh(give / FURTHEST) * _response(times[on], push)[:, None])
    return out


def _given(model: KinematicModel, poses: Array, link: int, wrench: Array) -> Array:
    """Angles that the joints from a link to the pelvis give under a lasting force and moment (6,). (m, nq) -> (m, nv)."""
    character, data = model.character, mujoco.MjData(model.mujoco)
    compliance = np.zeros(model.nv)
    at = link
    while at > 0:
        dofs = model.joint_dofs(character.links[at].joint.name)
        compliance[dofs] = 75.0 / character.mass / STIFF[_part(model, at)]
        at = character.links[at].parent
    body = model.mujoco.body(character.links[link].name).id
    jacobian, out = np.zeros((6, model.nv)), np.empty((len(poses), model.nv))
    for k, pose in enumerate(poses):
        data.qpos[:] = pose
        mujoco.mj_kinematics(model.mujoco, data)
        mujoco.mj_comPos(model.mujoco, data)
        mujoco.mj_jacBodyCom(model.mujoco, data, jacobian[:3], jacobian[3:], body)
        out[k] = compliance * (jacobian.T @ wrench)
    return out


def _part(model: KinematicModel, link: int) -> str:
    character = model.character
    if link == character.head:
        return "head"
    if link in character.trunk:
        return "trunk"
    return "arm" if any(link in arm.links for arm in character.arms) else "leg"


def _response(times: Array, push: Push) -> Array:
    """How far a damped spring goes under a force that rises to 1 and falls during the push. (m,)."""
    dt = times[1] - times[0] if len(times) > 1 else 1e-3
    u = np.clip((times - push.time) / push.seconds, 0, 1)
    force = np.clip(4 * np.minimum(u, 1 - u), 0, 1)
    # x'' + 2 d w x' + w^2 x = w^2 f, stepped implicitly
    w, a = PACE * dt, 2 * DAMPING * PACE * dt
    return lfilter([w * w], [1 + a + w * w, -2 - a, 1.0], force)

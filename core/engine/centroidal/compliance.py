"""Limbs that give way where they are pushed, and swing back.

In place of the velocity threshold of Kwon et al. 2020, equation 23, fourth term: joints between the
place that is pushed and the pelvis are springs with dampers, and the style's pose is turned by what
they give.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from ...character.kinematic_model import KinematicModel
from ...task import Push
from ..shared.disturbances import find_pushed_link

Array = NDArray[np.float64]

# N m/rad of a body of 75 kg
JOINT_STIFFNESS = {"trunk": 260.0, "head": 30.0, "arm": 45.0, "leg": 140.0}
NATURAL_FREQUENCY = 11.0  # rad/s
DAMPING_RATIO = 0.7  # share of the critical
MAX_DEFLECTION = 0.7  # rad that a joint gives at most
RESPONSE_TIME = 1.2  # s after a push


def apply_push_compliance(
    model: KinematicModel, poses: Array, times: Array, pushes: tuple[Push, ...]
) -> Array:
    """Poses whose joints give way to pushes on parts of the body. (n, nq), (n,) -> (n, nq)."""
    out = poses
    for push in pushes:
        link = find_pushed_link(model.character, push.body_part)
        affected = np.flatnonzero((times >= push.time) & (times < push.end + RESPONSE_TIME))
        if link is None or link == 0 or not len(affected):
            continue
        # (m, nv)
        deflection = _compute_deflection(
            model, out[affected], link, np.array([*push.force, *push.moment])
        )
        out = out.copy()
        out[affected] = model.integrate(
            out[affected],
            MAX_DEFLECTION
            * np.tanh(deflection / MAX_DEFLECTION)
            * _compute_response(times[affected], push)[:, None],
        )
    return out


def _compute_deflection(model: KinematicModel, poses: Array, link: int, wrench: Array) -> Array:
    """Angles that the joints from a link to the pelvis give under a lasting force and moment
    (6,). (m, nq) -> (m, nv).
    """
    character = model.character
    data = mujoco.MjData(model.mj_model)
    compliance = np.zeros(model.nv)
    current_link = link
    while current_link > 0:
        dofs = model.joint_dofs(character.links[current_link].joint.name)
        compliance[dofs] = (
            75.0 / character.mass / JOINT_STIFFNESS[_find_body_part(model, current_link)]
        )
        current_link = character.links[current_link].parent
    body = model.mj_model.body(character.links[link].name).id
    jacobian = np.zeros((6, model.nv))
    out = np.empty((len(poses), model.nv))
    for k, pose in enumerate(poses):
        data.qpos[:] = pose
        mujoco.mj_kinematics(model.mj_model, data)
        mujoco.mj_comPos(model.mj_model, data)
        mujoco.mj_jacBodyCom(model.mj_model, data, jacobian[:3], jacobian[3:], body)
        out[k] = compliance * (jacobian.T @ wrench)
    return out


def _find_body_part(model: KinematicModel, link: int) -> str:
    character = model.character
    if link == character.head:
        return "head"
    if link in character.trunk:
        return "trunk"
    return "arm" if any(link in arm.links for arm in character.arms) else "leg"


def _compute_response(times: Array, push: Push) -> Array:
    """How far a damped spring goes under a force that rises to 1 and
    falls during the push. (m,).
    """
    dt = times[1] - times[0] if len(times) > 1 else 1e-3
    u = np.clip((times - push.time) / push.seconds, 0, 1)
    force = np.clip(4 * np.minimum(u, 1 - u), 0, 1)
    # x'' + 2 d w x' + w^2 x = w^2 f, stepped implicitly
    w = NATURAL_FREQUENCY * dt
    a = 2 * DAMPING_RATIO * NATURAL_FREQUENCY * dt
    return lfilter([w * w], [1 + a + w * w, -2 - a, 1.0], force)

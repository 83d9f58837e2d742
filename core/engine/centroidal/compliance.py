"""Compliance of limbs to pushes: joints deflect under a push and swing back.

This replaces the velocity threshold of Kwon et al. 2020, equation 23, fourth term. The joints
between the pushed link and the pelvis are damped springs, and their deflection is added to the
style pose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from ...character.kinematic_model import KinematicModel
from ...task import Push
from ..shared.disturbances import find_pushed_link

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ComplianceParameters:
    """Tuned numbers of joints that deflect under pushes.

    Effects of half and twice, with a push on a hand: docs/dev/parameters.csv.
    """

    # Stiffness of joints by part of the body [N m/rad], for a body of `reference_mass`
    joint_stiffness: Mapping[str, float] = field(
        default_factory=lambda: {"trunk": 260.0, "head": 30.0, "arm": 45.0, "leg": 140.0}
    )
    # Mass of the body to which the stiffness applies [kg]
    reference_mass: float = 75.0
    # Natural frequency of the springs [rad/s]. tuned: doubled, pops of the pushed body are
    # 18 degrees instead of 13
    natural_frequency: float = 11.0
    # Damping as a share of the critical one
    damping_ratio: float = 0.7
    # Largest deflection of a joint [rad]
    max_deflection: float = 0.7
    # Time after a push in which joints still move [s]
    response_time: float = 1.2


COMPLIANCE = ComplianceParameters()


def apply_push_compliance(
    model: KinematicModel, poses: Array, times: Array, pushes: tuple[Push, ...]
) -> Array:
    """Return poses whose joints deflect under pushes on links, shape (n, nq).

    Args:
        model: the body.
        poses: poses without deflection, shape (n, nq).
        times: times of the poses [s], shape (n,).
        pushes: pushes; those on the center of mass or the pelvis deflect no joint.
    """
    out = poses
    for push in pushes:
        link = find_pushed_link(model.character, push.body_part)
        affected = np.flatnonzero(
            (times >= push.time) & (times < push.end + COMPLIANCE.response_time)
        )
        if link is None or link == 0 or not len(affected):
            continue
        deflection = _compute_deflection(
            model, out[affected], link, np.array([*push.force, *push.moment])
        )
        out = out.copy()
        out[affected] = model.integrate(
            out[affected],
            COMPLIANCE.max_deflection
            * np.tanh(deflection / COMPLIANCE.max_deflection)
            * _compute_response(times[affected], push)[:, None],
        )
    return out


def _compute_deflection(model: KinematicModel, poses: Array, link: int, wrench: Array) -> Array:
    """Return the static deflection of the joints from a link to the pelvis, shape (m, nv).

    Args:
        model: the body.
        poses: poses, shape (m, nq).
        link: index of the pushed link.
        wrench: constant force [N] and moment [N m] on the link, shape (6,).
    """
    character = model.character
    data = mujoco.MjData(model.mj_model)
    compliance = np.zeros(model.nv)
    current_link = link
    while current_link > 0:
        dofs = model.joint_dofs(character.links[current_link].joint.name)
        compliance[dofs] = (
            COMPLIANCE.reference_mass
            / character.mass
            / COMPLIANCE.joint_stiffness[_find_body_part(model, current_link)]
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
    """Return the part of the body that a link belongs to, as in `joint_stiffness`."""
    character = model.character
    if link == character.head:
        return "head"
    if link in character.trunk:
        return "trunk"
    return "arm" if any(link in arm.links for arm in character.arms) else "leg"


def _compute_response(times: Array, push: Push) -> Array:
    """Return the deflection over time relative to the static one, shape (m,).

    It is that of a damped spring under a force that rises to 1 and falls during the push.
    """
    dt = times[1] - times[0] if len(times) > 1 else 1e-3
    u = np.clip((times - push.time) / push.seconds, 0, 1)
    force = np.clip(4 * np.minimum(u, 1 - u), 0, 1)
    # x'' + 2 d w x' + w^2 x = w^2 f, integrated implicitly
    w = COMPLIANCE.natural_frequency * dt
    a = 2 * COMPLIANCE.damping_ratio * COMPLIANCE.natural_frequency * dt
    return lfilter([w * w], [1 + a + w * w, -2 - a, 1.0], force)

"""How a body stands when it is about to move: on legs that are not quite straight."""
from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from .. import so3
from ..character.reach import reaches
from .model import SimulatedModel

Array = NDArray[np.float64]

STRETCHED = 0.945     # of their reach, that legs are long at most while the body rests
BENT = 0.35           # rad that a hinge of a leg is bent by to begin the search
CALM = 0.05           # weight of angles against places in metres, about the neutral pose


def resting_pose(model: SimulatedModel) -> Array:
    """The neutral pose with its pelvis lowered until no leg is longer than `STRETCHED`; feet stay where they are. (nq,).

    The soles stand on the plane z = 0, the pelvis above the origin.
    """
    character, m = model.character, model.mujoco
    pose, data = m.qpos0.copy(), mujoco.MjData(m)
    pose[2] = character.root_height
    data.qpos[:] = pose
    mujoco.mj_kinematics(m, data)
    bodies = model.links[[foot.link for foot in character.feet]]
    place, turned = data.xpos[bodies].copy(), data.xmat[bodies].copy()
    hips = data.xpos[model.links[[leg.links[0] for leg in character.legs]]]
    ends = place + np.array([foot.middle if foot.is_point else np.zeros(3) for foot in character.feet])
    pose[2] -= max(float(_lowering(hips, ends, STRETCHED * np.array(reaches(character)))), 0.0)
    free = _leg_freedoms(model)
    spans = [m.jnt_range[m.dof_jntid[v]] if m.jnt_type[m.dof_jntid[v]] == mujoco.mjtJoint.mjJNT_HINGE else (-np.pi, np.pi)
             for v in free]
    low, high = np.array(spans).T
    points = np.array([foot.is_point for foot in character.feet])

    def posed(change: Array) -> Array:
        step, out = np.zeros(m.nv), pose.copy()
        step[free] = change
        mujoco.mj_integratePos(m, out, step, 1.0)
        return out

    def off(change: Array) -> Array:
        data.qpos[:] = posed(change)
        mujoco.mj_kinematics(m, data)
        tilt = so3.log(turned.reshape(-1, 3, 3) @ np.swapaxes(data.xmat[bodies].reshape(-1, 3, 3), 1, 2))
        tilt[points] = 0.0
        return np.concatenate([(data.xpos[bodies] - place).ravel(), 0.3 * tilt.ravel(), CALM * 1e-2 * change])

    start = np.clip(np.where(high > -low, BENT, -BENT), 0.9 * low, 0.9 * high)
    return posed(least_squares(off, start, bounds=(low - 1e-6, high + 1e-6)).x)


def _lowering(hips: Array, ends: Array, longest: Array) -> float:
    """How far hips (k, 3) must come down to be no further than `longest` (k,) from ends (k, 3)."""
    across = ((hips - ends)[:, :2] ** 2).sum(1)
    return float((hips[:, 2] - ends[:, 2] - np.sqrt(np.maximum(longest**2 - across, 0.0))).max())


def _leg_freedoms(model: SimulatedModel) -> NDArray[np.int64]:
    """Degrees of freedom of all legs, without toes."""
    bodies = model.links[[link for leg in model.character.legs for link in leg.links]]
    return np.flatnonzero(np.isin(model.mujoco.dof_bodyid, bodies))

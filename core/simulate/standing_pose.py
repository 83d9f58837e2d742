"""How a body stands when it is about to move: on legs that are not quite straight."""
from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from ..character.reach import reaches
from ..errors import TerrainError
from ..geometry import so3
from ..terrain import Ground
from ..terrain.ground import normal
from .foot_on_ground import laid
from .model import SimulatedModel

Array = NDArray[np.float64]

STRETCHED = 0.945     # of their reach, that legs are long at most while the body rests
BENT = 0.35           # rad that a hinge of a leg is bent by to begin the search
CALM = 5e-4           # weight of angles in rad against places in metres
TILT = 0.3            # m/rad, weight of a sole's rotation against its place
ELBOW, RUN_ELBOW = 0.17, 0.6      # of its range, that an arm's hinge is bent, and an elbow in a run


def standing_pose(model: SimulatedModel, ground: Ground, xy: Array, heading: float) -> Array:
    """The neutral pose at a place and heading, its soles on the ground, its pelvis as low as its legs need. (nq,).

    Args:
        xy: (2,) m, of the root's joint.
        heading: rad.

    Raises:
        TerrainError: there is no ground below one of its feet.
    """
    character, m = model.character, model.mujoco
    data, facing = mujoco.MjData(m), so3.about("z", heading)
    prints = np.array([xy[0], xy[1], 0.0]) + character.footprints @ facing.T                # (legs, 3)
    prints[:, 2] = ground.height(prints[:, :2])
    lying = np.array([laid(heading, normal(ground, p[:2])) for p in prints])                # (legs, 3, 3)
    pose = _arms_bent(model)
    if not np.isfinite(prints).all():
        raise TerrainError(f"There is no ground for the feet at ({xy[0]:.2f}, {xy[1]:.2f}) m; a body must begin on ground.")
    pose[:2], pose[3:7] = xy, so3.quat_from_matrix(facing)
    holds = np.array([foot.middle if foot.is_point else np.zeros(3) for foot in character.feet])
    rests = np.array([foot.ball if foot.is_point else foot.centre for foot in character.feet])
    ends = prints + (lying @ (holds - rests)[..., None])[..., 0]                            # (legs, 3) of what a leg reaches
    pose[2] = prints[:, 2].mean() + character.root_height
    hips = pose[:3] + character.hips @ facing.T
    pose[2] -= max(_lowering(hips, ends, STRETCHED * np.array(reaches(character))), 0.0)
    bodies = model.links[[foot.link for foot in character.feet]]
    soles = np.array([not foot.is_point for foot in character.feet])[:, None]
    free = np.flatnonzero(np.isin(m.dof_bodyid, model.links[[link for leg in character.legs for link in leg.links]]))

    def posed(change: Array) -> Array:
        step, out = np.zeros(m.nv), pose.copy()
        step[free] = change
        mujoco.mj_integratePos(m, out, step, 1.0)
        return out

    def off(change: Array) -> Array:
        data.qpos[:] = posed(change)
        mujoco.mj_kinematics(m, data)
        turned = data.xmat[bodies].reshape(-1, 3, 3)
        tilt = so3.log(lying @ np.swapaxes(turned, 1, 2)) * soles
        reached = data.xpos[bodies] + (turned @ holds[..., None])[..., 0] - ends
        return np.concatenate([reached.ravel(), TILT * tilt.ravel(), CALM * change])

    low, high = _ranges(model, free)
    start = np.clip(np.where(high > -low, BENT, -BENT), 0.9 * low, 0.9 * high)
    return posed(least_squares(off, start, bounds=(low - 1e-6, high + 1e-6)).x)


def _arms_bent(model: SimulatedModel) -> Array:
    """The neutral pose with its arms a little bent. (nq,)."""
    arms = model.character.arms
    return _bent(model, model.mujoco.qpos0, [link for arm in arms for link in arm.links[1:]], ELBOW)


def with_elbows_bent(model: SimulatedModel, pose: Array) -> Array:
    """A pose (nq,) with its elbows as runners have them: arms that hang swing too slowly for a run."""
    return _bent(model, pose, [link for arm in model.character.arms for link in arm.links[1:2]], RUN_ELBOW)


def _bent(model: SimulatedModel, pose: Array, links: list[int], share: float) -> Array:
    """A pose (nq,) with the first hinge of some links bent by a share of its range, to its longer side."""
    out = pose.copy()
    for link in links:
        joint = model.character.links[link].joint
        for k, (low, high) in enumerate(joint.ranges[:1]):
            coordinate = model.mujoco.jnt_qposadr[model.mujoco.joint(f"{joint.name}.{k}").id]
            out[coordinate] = share * (low if -low > high else high)
    return out


def _lowering(hips: Array, ends: Array, longest: Array) -> float:
    """How far hips (k, 3) must come down to be no further than `longest` (k,) from ends (k, 3)."""
    across = ((hips - ends)[:, :2] ** 2).sum(1)
    return float((hips[:, 2] - ends[:, 2] - np.sqrt(np.maximum(longest**2 - across, 0.0))).max())


def _ranges(model: SimulatedModel, free: NDArray[np.int64]) -> tuple[Array, Array]:
    """Of degrees of freedom: hinges have their own, balls half a turn. Each (k,)."""
    m = model.mujoco
    spans = [m.jnt_range[m.dof_jntid[v]] if m.jnt_type[m.dof_jntid[v]] == mujoco.mjtJoint.mjJNT_HINGE else (-np.pi, np.pi)
             for v in free]
    low, high = np.array(spans).T
    return low, high

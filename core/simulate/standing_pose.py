"""How a body stands when it is about to move: on legs that are not quite straight."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from ..character.reach import compute_leg_reaches
from ..errors import TerrainError
from ..geometry import so3
from ..terrain import Ground
from ..terrain.ground import sample_normals
from .foot_on_ground import align_foot
from .model import SimulatedModel

Array = NDArray[np.float64]

MAX_LEG_STRETCH = 0.945  # of their reach, that legs are long at most while the body rests
START_BEND = 0.35  # rad that a hinge of a leg is bent by to begin the search
ANGLE_WEIGHT = 5e-4  # weight of angles in rad against places in metres
TILT_WEIGHT = 0.3  # m/rad, weight of a sole's rotation against its place

# of its range, that an arm's hinge is bent, and an elbow in a run
ELBOW_BEND = 0.17
RUNNING_ELBOW_BEND = 0.6


def solve_standing_pose(model: SimulatedModel, ground: Ground, xy: Array, heading: float) -> Array:
    """The neutral pose at a place and heading, its soles on the ground,
    its pelvis as low as its legs need. (nq,).

    Args:
        xy: (2,) m, of the root's joint.
        heading: rad.

    Raises:
        TerrainError: there is no ground below one of its feet.
    """
    character = model.character
    mujoco_model = model.mujoco
    data = mujoco.MjData(mujoco_model)
    facing = so3.rotation_about("z", heading)
    # (legs, 3)
    footprints = np.array([xy[0], xy[1], 0.0]) + character.neutral_foot_positions @ facing.T
    footprints[:, 2] = ground.sample_heights(footprints[:, :2])
    # (legs, 3, 3)
    sole_rotations = np.array(
        [align_foot(heading, sample_normals(ground, p[:2])) for p in footprints]
    )
    pose = _bend_arms(model)
    if not np.isfinite(footprints).all():
        raise TerrainError(
            f"There is no ground for the feet at ({xy[0]:.2f}, {xy[1]:.2f}) m; a body must begin "
            "on ground."
        )
    pose[:2], pose[3:7] = xy, so3.quat_from_matrix(facing)
    reach_points = np.array(
        [foot.sphere_center if foot.is_point else np.zeros(3) for foot in character.feet]
    )
    support_points = np.array(
        [foot.ball if foot.is_point else foot.sole_center for foot in character.feet]
    )
    # (legs, 3) of what a leg reaches
    reach_targets = (
        footprints + (sole_rotations @ (reach_points - support_points)[..., None])[..., 0]
    )
    pose[2] = footprints[:, 2].mean() + character.root_height
    hips = pose[:3] + character.hip_positions @ facing.T
    pose[2] -= max(
        _compute_lowering(
            hips, reach_targets, MAX_LEG_STRETCH * np.array(compute_leg_reaches(character))
        ),
        0.0,
    )
    bodies = model.links[[foot.link for foot in character.feet]]
    has_sole = np.array([not foot.is_point for foot in character.feet])[:, None]
    leg_dofs = np.flatnonzero(
        np.isin(
            mujoco_model.dof_bodyid,
            model.links[[link for leg in character.legs for link in leg.links]],
        )
    )

    def apply_change(change: Array) -> Array:
        step = np.zeros(mujoco_model.nv)
        changed = pose.copy()
        step[leg_dofs] = change
        mujoco.mj_integratePos(mujoco_model, changed, step, 1.0)
        return changed

    def compute_residuals(change: Array) -> Array:
        data.qpos[:] = apply_change(change)
        mujoco.mj_kinematics(mujoco_model, data)
        rotation = data.xmat[bodies].reshape(-1, 3, 3)
        tilt = so3.log(sole_rotations @ np.swapaxes(rotation, 1, 2)) * has_sole
        place_error = (
            data.xpos[bodies] + (rotation @ reach_points[..., None])[..., 0] - reach_targets
        )
        return np.concatenate(
            [place_error.ravel(), TILT_WEIGHT * tilt.ravel(), ANGLE_WEIGHT * change]
        )

    lower, upper = _read_ranges(model, leg_dofs)
    start = np.clip(np.where(upper > -lower, START_BEND, -START_BEND), 0.9 * lower, 0.9 * upper)
    return apply_change(
        least_squares(compute_residuals, start, bounds=(lower - 1e-6, upper + 1e-6)).x
    )


def _bend_arms(model: SimulatedModel) -> Array:
    """The neutral pose with its arms a little bent. (nq,)."""
    arms = model.character.arms
    return _bend_hinges(
        model, model.mujoco.qpos0, [link for arm in arms for link in arm.links[1:]], ELBOW_BEND
    )


def bend_elbows(model: SimulatedModel, pose: Array) -> Array:
    """A pose (nq,) with its elbows as runners have them:
    arms that hang swing too slowly for a run.
    """
    return _bend_hinges(
        model,
        pose,
        [link for arm in model.character.arms for link in arm.links[1:2]],
        RUNNING_ELBOW_BEND,
    )


def _bend_hinges(model: SimulatedModel, pose: Array, links: list[int], share: float) -> Array:
    """A pose (nq,) with the first hinge of some links bent by a share of its
    range, to its longer side.
    """
    bent_pose = pose.copy()
    for link in links:
        joint = model.character.links[link].joint
        for k, (low, high) in enumerate(joint.ranges[:1]):
            coordinate = model.mujoco.jnt_qposadr[model.mujoco.joint(f"{joint.name}.{k}").id]
            bent_pose[coordinate] = share * (low if -low > high else high)
    return bent_pose


def _compute_lowering(hips: Array, targets: Array, max_length: Array) -> float:
    """How far hips (k, 3) must come down to be no further than
    `max_length` (k,) from ends (k, 3).
    """
    squared_horizontal = ((hips - targets)[:, :2] ** 2).sum(1)
    return float(
        (
            hips[:, 2]
            - targets[:, 2]
            - np.sqrt(np.maximum(max_length**2 - squared_horizontal, 0.0))
        ).max()
    )


def _read_ranges(model: SimulatedModel, dofs: NDArray[np.int64]) -> tuple[Array, Array]:
    """Of degrees of freedom: hinges have their own, balls half a turn. Each (k,)."""
    m = model.mujoco
    spans = [
        m.jnt_range[m.dof_jntid[v]]
        if m.jnt_type[m.dof_jntid[v]] == mujoco.mjtJoint.mjJNT_HINGE
        else (-np.pi, np.pi)
        for v in dofs
    ]
    lower, upper = np.array(spans).T
    return lower, upper

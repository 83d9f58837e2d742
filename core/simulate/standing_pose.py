"""Pose of a body that stands, on legs that are not quite straight."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class StandingPoseParameters:
    """Posture of a body that stands, and weights of the search for it."""

    # Largest length of a leg, as a share of its reach: knees bent by 38 degrees, which can still
    # lift and lower the body
    max_leg_stretch: float = 0.945
    # [rad] angle of the hinges of a leg at the start of the search, about that of the result
    start_bend: float = 0.35
    # Share of a hinge's limits, within which the search starts. Numerical: at a bound it has no
    # slope
    range_share: float = 0.9
    # [rad] by which the search may exceed the limits. Numerical: it begins within its bounds where
    # a range is a single angle
    range_tolerance: float = 1e-6
    # [m/rad] weight of joint angles relative to positions. Numerical: it decides where hinges are
    # more than the soles need, and moves these by less than a millimeter
    angle_weight: float = 5e-4
    # [m/rad] weight of the rotation of a sole relative to its position: an angle counts as the
    # height by which it lifts the tip of a sole of 0.3 m
    tilt_weight: float = 0.3
    # Share of its range, by which the first hinge of each joint of an arm is bent, as hanging human
    # arms are
    arm_bend: float = 0.17
    # Share of its range that an elbow is bent in a run, since arms that hang swing too slowly
    running_elbow_bend: float = 0.6


STANDING = StandingPoseParameters()


def solve_standing_pose(model: SimulatedModel, ground: Ground, xy: Array, heading: float) -> Array:
    """Return a pose with the soles on the ground and the pelvis as low as the legs need. (nq,).

    Apart from legs and arms it is the neutral pose.

    Args:
        model: of the body.
        ground: to stand on.
        xy: (2,) [m] position of the root.
        heading: [rad].

    Raises:
        TerrainError: there is no ground below one of the feet.
    """
    character = model.character
    footing = _Footing.from_ground(model, ground, xy, heading)
    facing = so3.rotation_about("z", heading)
    pose = _bend_arms(model)
    pose[:2] = xy
    pose[3:7] = so3.quat_from_matrix(facing)
    pose[2] = footing.ground_height + character.root_height
    hips = pose[:3] + character.hip_positions @ facing.T
    leg_lengths = STANDING.max_leg_stretch * np.array(compute_leg_reaches(character))
    pose[2] -= max(_compute_lowering(hips, footing.targets, leg_lengths), 0.0)
    return _bend_legs(model, pose, footing)


@dataclass(frozen=True)
class _Footing:
    """Places of the feet of a body that stands."""

    ground_height: float  # [m] mean height of the ground below the feet
    points: Array  # (legs, 3) [m] ankle or center of a round foot, in the frame of its link
    targets: Array  # (legs, 3) [m] where these points stand
    rotations: Array  # (legs, 3, 3) of the soles

    @staticmethod
    def from_ground(model: SimulatedModel, ground: Ground, xy: Array, heading: float) -> _Footing:
        """Return the places below a body at `xy` (2,) [m] with a heading [rad].

        Raises:
            TerrainError: there is no ground below one of the feet.
        """
        character = model.character
        facing = so3.rotation_about("z", heading)
        # (legs, 3)
        footprints = np.array([xy[0], xy[1], 0.0]) + character.neutral_foot_positions @ facing.T
        footprints[:, 2] = ground.sample_heights(footprints[:, :2])
        if not np.isfinite(footprints).all():
            raise TerrainError(
                f"There is no ground for the feet at ({xy[0]:.2f}, {xy[1]:.2f}) m; a body must "
                "begin on ground."
            )
        rotations = np.array(
            [align_foot(heading, sample_normals(ground, p[:2])) for p in footprints]
        )
        points = np.array(
            [foot.sphere_center if foot.is_point else np.zeros(3) for foot in character.feet]
        )
        support_points = np.array(
            [foot.ball if foot.is_point else foot.sole_center for foot in character.feet]
        )
        targets = footprints + (rotations @ (points - support_points)[..., None])[..., 0]
        return _Footing(footprints[:, 2].mean(), points, targets, rotations)


def _bend_legs(model: SimulatedModel, pose: Array, footing: _Footing) -> Array:
    """Return a pose (nq,) whose legs are bent so that the feet are in their places."""
    character = model.character
    mujoco_model = model.mujoco
    data = mujoco.MjData(mujoco_model)
    bodies = model.links[[foot.link for foot in character.feet]]
    has_sole = np.array([not foot.is_point for foot in character.feet])[:, None]
    leg_bodies = model.links[[link for leg in character.legs for link in leg.links]]
    leg_dofs = np.flatnonzero(np.isin(mujoco_model.dof_bodyid, leg_bodies))

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
        tilt = so3.log(footing.rotations @ np.swapaxes(rotation, 1, 2)) * has_sole
        place_error = (
            data.xpos[bodies] + (rotation @ footing.points[..., None])[..., 0] - footing.targets
        )
        weighted_tilt = STANDING.tilt_weight * tilt.ravel()
        return np.concatenate([place_error.ravel(), weighted_tilt, STANDING.angle_weight * change])

    limits = _read_limits(model, leg_dofs)
    bend = np.where(limits.upper > -limits.lower, STANDING.start_bend, -STANDING.start_bend)
    start = np.clip(bend, STANDING.range_share * limits.lower, STANDING.range_share * limits.upper)
    tolerance = STANDING.range_tolerance
    bounds = (limits.lower - tolerance, limits.upper + tolerance)
    return apply_change(least_squares(compute_residuals, start, bounds=bounds).x)


def _bend_arms(model: SimulatedModel) -> Array:
    """Return the neutral pose with slightly bent arms. (nq,)."""
    arms = model.character.arms
    links = [link for arm in arms for link in arm.links[1:]]
    return _bend_hinges(model, model.mujoco.qpos0, links, STANDING.arm_bend)


def bend_elbows(model: SimulatedModel, pose: Array) -> Array:
    """Return a pose (nq,) with elbows bent as in a run."""
    links = [link for arm in model.character.arms for link in arm.links[1:2]]
    return _bend_hinges(model, pose, links, STANDING.running_elbow_bend)


def _bend_hinges(model: SimulatedModel, pose: Array, links: list[int], share: float) -> Array:
    """Return a pose with the first hinge of some links bent toward its larger limit. (nq,).

    Args:
        model: of the body.
        pose: (nq,).
        links: indices of the links.
        share: of the limit.
    """
    bent_pose = pose.copy()
    for link in links:
        joint = model.character.links[link].joint
        for k, (low, high) in enumerate(joint.ranges[:1]):
            coordinate = model.mujoco.jnt_qposadr[model.mujoco.joint(f"{joint.name}.{k}").id]
            bent_pose[coordinate] = share * (low if -low > high else high)
    return bent_pose


def _compute_lowering(hips: Array, targets: Array, max_length: Array) -> float:
    """Return how far hips must be lowered so that legs reach their ends [m].

    Args:
        hips: (k, 3) [m].
        targets: (k, 3) [m] ends of the legs.
        max_length: (k,) [m] of the legs.
    """
    squared_horizontal = ((hips - targets)[:, :2] ** 2).sum(1)
    return float(
        (
            hips[:, 2]
            - targets[:, 2]
            - np.sqrt(np.maximum(max_length**2 - squared_horizontal, 0.0))
        ).max()
    )


@dataclass(frozen=True)
class _JointLimits:
    """Limits of k degrees of freedom."""

    lower: Array  # (k,) [rad]
    upper: Array  # (k,) [rad]


def _read_limits(model: SimulatedModel, dofs: NDArray[np.int64]) -> _JointLimits:
    """Return the limits of hinges in the model, and half a turn for balls."""
    m = model.mujoco
    spans = [
        m.jnt_range[m.dof_jntid[v]]
        if m.jnt_type[m.dof_jntid[v]] == mujoco.mjtJoint.mjJNT_HINGE
        else (-np.pi, np.pi)
        for v in dofs
    ]
    lower, upper = np.array(spans).T
    return _JointLimits(lower, upper)

"""Poses of a hanging body: arms to the grips, hands from rung to rung."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .....character.kinematic_model import KinematicModel, LinkPoses
from .....clip.pose.hanging import measure_arm_length, reach_with_arms
from .....fullbody.hand_path import HandPath, build_hand_path
from .....geometry import so3
from .handholds import Handholds

Array = NDArray[np.float64]

# Iterations of arms and center of mass. Arms move the center of mass, and the shoulders with it.
PLACEMENT_ITERATIONS = 2


def place_hanging_poses(
    model: KinematicModel, hanging_poses: Array, rotation: Array, com: Array, grips: Array
) -> Array:
    """Return poses rotated and placed in the world, with the arms at the grips, shape (n, nq).

    Args:
        model: the body.
        hanging_poses: poses in the frame of the plan, shape (n, nq).
        rotation: rotation of that frame, shape (n, 3, 3).
        com: center of mass [m], shape (n, 3).
        grips: places of the h hands that can hold [m], shape (n, h, 3).
    """
    poses = hanging_poses.copy()
    poses[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), poses[:, 3:7])
    poses[:, :3] += com - model.compute_link_poses(poses).com
    for _ in range(PLACEMENT_ITERATIONS):
        poses = reach_with_arms(model, poses, grips)
        poses[:, :3] += com - model.compute_link_poses(poses).com
    return reach_with_arms(model, poses, grips)


def plan_hand_paths(model: KinematicModel, holds: Handholds, times: Array) -> tuple[HandPath, ...]:
    """Return the paths of the hands that can hold at n times [s]."""
    legs = len(model.character.legs)
    arm_reach = measure_arm_length(model)
    return tuple(
        build_hand_path(times, [g for g in holds.grips if g.leg == legs + k], limb.side, arm_reach)
        for k, limb in enumerate(model.character.grasping_arms)
    )


def compute_shoulder_offsets(model: KinematicModel, placed: LinkPoses) -> Array:
    """Return shoulders of the h arms that hold, relative to the center of mass [m], (n, h, 3)."""
    return np.stack(
        [placed.origin[:, limb.links[0]] - placed.com for limb in model.character.grasping_arms], 1
    )

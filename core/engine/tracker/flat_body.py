"""Flat characters, such as cut-out figures: all joints in one plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...character.pose_from_links import poses_from_links
from ...geometry import so3

Array = NDArray[np.float64]

# Largest distance of a joint from the plane [leg length]; layers of a drawing lie so close.
MAX_DEPTH = 0.03


def is_flat(model: KinematicModel) -> bool:
    """Return whether all joints are in the plane that the body faces along."""
    origin = model.compute_link_poses(model.neutral[None]).origin[0]
    return bool(np.abs(origin[:, 1]).max() < MAX_DEPTH * model.character.leg_length)


def flatten_poses(model: KinematicModel, poses: Array) -> Array:
    """Return poses (n, nq) of a body along x whose links only pitch, each by its upright axis."""
    up = model.compute_link_poses(poses).rotation[..., 2]
    pitch = so3.atan2(up[..., 0], up[..., 2])
    rotation = so3.rotation_about("y", pitch)
    root = poses[:, :3] * [1.0, 0.0, 1.0]
    return poses_from_links(model, root, rotation)


def measure_hip_depths(model: KinematicModel) -> Array:
    """Return the distances of the hips to the left of the root [m], shape (legs,)."""
    placed = model.compute_link_poses(model.neutral[None])
    hips = [leg.links[0] for leg in model.character.legs]
    return np.asarray(placed.origin[0, hips, 1] - placed.origin[0, 0, 1])

"""Initial poses of the full body, with legs bent so that the feet are on their paths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..character.character import Limb
from ..character.kinematic_model import KinematicModel, LinkPoses
from ..geometry import so3
from .foot_path import FootPath
from .targets import BodyTargets

Array = NDArray[np.float64]

ROUND_COUNT = 2  # Number of iterations, since legs that move shift the center of mass
MAX_STRETCH = 0.9995  # Largest length of a leg, in lengths of the straight leg


def compute_initial_poses(
    model: KinematicModel, targets: BodyTargets, offset: Array | None = None
) -> Array:
    """Return the reference poses (n, nq) with center of mass and feet at their targets.

    Args:
        model: body. Its legs have a hip, a knee and an ankle.
        targets: targets of n frames.
        offset: difference of the poses of a previous pass from its reference, shape (n, nv).
    """
    poses = (
        targets.reference.copy() if offset is None else model.integrate(targets.reference, offset)
    )
    for _ in range(ROUND_COUNT):
        placed = model.compute_link_poses(poses)
        shift = targets.com - placed.com
        poses[:, :3] += shift
        for leg, path in zip(model.character.legs, targets.feet, strict=True):
            _bend_leg(model, poses, placed, shift=shift, leg=leg, path=path)
    return poses


def _bend_leg(
    model: KinematicModel, poses: Array, placed: LinkPoses, shift: Array, leg: Limb, path: FootPath
) -> None:
    """Bend a leg at knee, hip and ankle so that its foot is on its path, as far as it reaches.

    Args:
        model: body.
        poses: poses, shape (n, nq). Written.
        placed: link poses before the shift.
        shift: shift of the body [m], shape (n, 3).
        leg: leg.
        path: path of its foot.
    """
    links = model.character.links
    hip, knee, ankle = leg.links
    upper = np.asarray(links[knee].offset, float)
    lower = np.asarray(links[ankle].offset, float)
    axis = np.asarray(links[knee].joint.axes[0], float)
    knee_coordinate = model.joint_coordinates(links[knee].joint.name)[0]
    ankle_offset = path.origin - (placed.origin[:, hip] + shift)  # (n, 3)
    poses[:, knee_coordinate] = _solve_knee_angle(
        np.linalg.norm(ankle_offset, axis=1),
        upper,
        lower,
        axis=axis,
        current=poses[:, knee_coordinate],
    )
    knee_rotation = so3.exp(poses[:, knee_coordinate, None] * axis)  # (n, 3, 3)
    thigh = placed.rotation[:, hip]
    thigh = (
        so3.rotations_between(_multiply(thigh, upper + knee_rotation @ lower), ankle_offset) @ thigh
    )
    parent_rotation = placed.rotation[:, links[hip].parent]
    poses[:, model.joint_coordinates(links[hip].joint.name)] = so3.quat_from_matrix(
        np.swapaxes(parent_rotation, 1, 2) @ thigh
    )
    ankle_angles = so3.log(np.swapaxes(thigh @ knee_rotation, 1, 2) @ path.rotation)
    for k, hinge in zip(
        model.joint_coordinates(links[ankle].joint.name), links[ankle].joint.axes, strict=True
    ):
        poses[:, k] = ankle_angles @ np.asarray(hinge, float)


def _solve_knee_angle(
    length: Array, upper: Array, lower: Array, axis: Array, current: Array
) -> Array:
    """Return the angle of a knee at which the leg has a length [rad], shape (n,).

    Of the two solutions it is the one closer to the current angle. The squared length is a constant
    plus a cosine of the angle: upper · (turned lower) = along + across cos(angle - straight).

    Args:
        length: distance from hip to ankle [m], shape (n,).
        upper, lower: thigh and shin [m], shape (3,).
        axis: axis of the knee, shape (3,).
        current: current angle of the knee [rad], shape (n,).
    """
    along = (upper @ axis) * (axis @ lower)
    cosine = upper @ lower - along
    sine = upper @ np.cross(axis, lower)
    across = float(np.hypot(cosine, sine))
    straight = float(np.arctan2(sine, cosine))
    longest = np.sqrt(upper @ upper + lower @ lower + 2 * (along + across))
    target_length = np.minimum(length, MAX_STRETCH * longest)
    half = np.arccos(
        np.clip((0.5 * (target_length**2 - upper @ upper - lower @ lower) - along) / across, -1, 1)
    )
    current = current - straight
    return straight + np.where(np.abs(current - half) < np.abs(current + half), half, -half)


def _multiply(matrices: Array, vectors: Array) -> Array:
    return (matrices @ vectors[..., None])[..., 0]

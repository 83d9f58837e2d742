"""Poses whose legs are bent so that their feet are on their ways: from there the full body has not far to go."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..character.character import Limb
from ..character.kinematic_model import KinematicModel, Placed
from ..geometry import so3
from .foot_path import FootPath
from .targets import Wish

Array = NDArray[np.float64]

ROUNDS = 2            # legs moved move the centre of mass
STRAIGHT = 0.9995     # of the leg's length that is used at most


def stepped_in(model: KinematicModel, wish: Wish, away: Array | None = None) -> Array:
    """The wish's reference with its centre of mass and its feet in place. (n, nq).

    Args:
        away: (n, nv) how far off its own reference another pass was.
    """
    pose = wish.reference.copy() if away is None else model.integrate(wish.reference, away)
    for _ in range(ROUNDS):
        placed = model.place(pose)
        shift = wish.com - placed.com
        pose[:, :3] += shift
        for leg, path in zip(model.character.legs, wish.feet, strict=True):
            _bend(model, pose, placed, shift, leg, path)
    return pose


def _bend(model: KinematicModel, pose: Array, placed: Placed, shift: Array, leg: Limb, path: FootPath) -> None:
    """Bend a leg at knee, hip and ankle, in this order, so that its foot is where its path has it; as far as it reaches.

    Args:
        shift: (n, 3) by which the body was moved since it was placed.
    """
    links = model.character.links
    hip, knee, ankle = leg.links
    upper, lower = np.asarray(links[knee].offset, float), np.asarray(links[ankle].offset, float)
    axis = np.asarray(links[knee].joint.axes[0], float)
    bent = model.joint_coordinates(links[knee].joint.name)[0]
    away = path.origin - (placed.origin[:, hip] + shift)                                    # (n, 3)
    pose[:, bent] = _bent_for(np.linalg.norm(away, axis=1), upper, lower, axis, pose[:, bent])
    folded = so3.exp(pose[:, bent, None] * axis)                                            # (n, 3, 3)
    thigh = placed.rotation[:, hip]
    thigh = _turn(_times(thigh, upper + folded @ lower), away) @ thigh
    above = placed.rotation[:, links[hip].parent]
    pose[:, model.joint_coordinates(links[hip].joint.name)] = so3.quat_from_matrix(np.swapaxes(above, 1, 2) @ thigh)
    foot = so3.log(np.swapaxes(thigh @ folded, 1, 2) @ path.rotation)
    for k, hinge in zip(model.joint_coordinates(links[ankle].joint.name), links[ankle].joint.axes, strict=True):
        pose[:, k] = foot @ np.asarray(hinge, float)


def _bent_for(length: Array, upper: Array, lower: Array, axis: Array, near: Array) -> Array:
    """Angle of a knee at which the leg has a length; of the two the one nearer to a given one. (n,), (n,) -> (n,).

    The squared length is a constant and twice a cosine of the angle: upper · (turned lower) = along + across cos(angle - least).
    """
    along = (upper @ axis) * (axis @ lower)
    cosine, sine = upper @ lower - along, upper @ np.cross(axis, lower)
    across, straight = float(np.hypot(cosine, sine)), float(np.arctan2(sine, cosine))
    longest = np.sqrt(upper @ upper + lower @ lower + 2 * (along + across))
    wanted = np.minimum(length, STRAIGHT * longest)
    half = np.arccos(np.clip((0.5 * (wanted**2 - upper @ upper - lower @ lower) - along) / across, -1, 1))
    near = near - straight
    return straight + np.where(np.abs(near - half) < np.abs(near + half), half, -half)


def _turn(a: Array, b: Array) -> Array:
    """The smallest rotations that turn directions a into directions b. (n, 3), (n, 3) -> (n, 3, 3)."""
    axis = np.cross(a, b)
    sine = np.linalg.norm(axis, axis=1)
    angle = np.arctan2(sine, (a * b).sum(1))
    return so3.exp(axis * (angle / np.maximum(sine, 1e-12))[:, None])


def _times(matrices: Array, vectors: Array) -> Array:
    return (matrices @ vectors[..., None])[..., 0]

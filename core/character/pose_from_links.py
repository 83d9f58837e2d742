"""Inverse kinematics from the orientations of all links."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .kinematic_model import KinematicModel

Array = NDArray[np.float64]

# Newton steps for the angles of several hinges in series. Numerical: each doubles the right digits.
HINGE_ROUNDS = 4


def poses_from_links(model: KinematicModel, root: Array, rotation: Array) -> Array:
    """Return the poses (n, nq) with given orientations of the links.

    The orientations are reached exactly where the joints allow it.

    Args:
        root: (n, 3) origin of the root link [m].
        rotation: (n, l, 3, 3) of all links, link to world.
    """
    out = np.tile(model.neutral, (len(root), 1))
    for k, link in enumerate(model.character.links):
        coordinates = model.joint_coordinates(link.joint.name)
        if link.joint.kind == "free":
            out[:, coordinates[:3]] = root
            out[:, coordinates[3:]] = so3.quat_from_matrix(rotation[:, k])
            continue
        relative = np.swapaxes(rotation[:, link.parent], 1, 2) @ rotation[:, k]
        out[:, coordinates] = (
            so3.quat_from_matrix(relative)
            if link.joint.kind == "ball"
            else _solve_hinge_angles(relative, np.array(link.joint.axes))
        )
    return out


def _solve_hinge_angles(turn: Array, axes: Array) -> Array:
    """Return the angles (n, h) of hinges in series that together make a rotation [rad].

    Args:
        turn: (n, 3, 3) rotations from parent to link.
        axes: (h, 3) of the hinges.
    """
    angles = so3.log(turn) @ np.linalg.pinv(axes)
    for _ in range(HINGE_ROUNDS if len(axes) > 1 else 0):
        partial_rotation = np.broadcast_to(np.eye(3), turn.shape)
        columns = []
        for k, axis in enumerate(axes):
            columns.append(partial_rotation @ axis)
            partial_rotation = partial_rotation @ so3.exp(angles[:, k, None] * axis)
        residual = so3.log(turn @ np.swapaxes(partial_rotation, 1, 2))
        angles = angles + (np.linalg.pinv(np.stack(columns, -1)) @ residual[..., None])[..., 0]
    return np.asarray(angles)

"""From how links lie to the joints' angles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .kinematic_model import KinematicModel

Array = NDArray[np.float64]

HINGE_ROUNDS = 4  # linear steps towards the angles of several hinges in a row


def poses_from_links(model: KinematicModel, root: Array, rotation: Array) -> Array:
    """Poses whose root and links lie as given: exactly, where the joints allow it. (n, nq).

    Args:
        root: (n, 3) origin of the root.
        rotation: (n, l, 3, 3) of all links.
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
    """Angles of hinges in a row that turn as given. (n, 3, 3), (h, 3) -> (n, h)."""
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

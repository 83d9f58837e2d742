"""From how links lie to the joints' angles."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .kinematic_model import KinematicModel

Array = NDArray[np.float64]

ROUNDS = 4            # linear steps towards the angles of several hinges in a row


def poses_from(model: KinematicModel, root: Array, rotation: Array) -> Array:
    """Poses whose root and links lie as given: exactly, where the joints allow it. (n, nq).

    Args:
        root: (n, 3) origin of the root.
        rotation: (n, l, 3, 3) of all links.
    """
    out = np.tile(model.neutral, (len(root), 1))
    for k, link in enumerate(model.character.links):
        at = model.joint_coordinates(link.joint.name)
        if link.joint.kind == "free":
            out[:, at[:3]], out[:, at[3:]] = root, so3.quat_from_matrix(rotation[:, k])
            continue
        turn = np.swapaxes(rotation[:, link.parent], 1, 2) @ rotation[:, k]
        out[:, at] = so3.quat_from_matrix(turn) if link.joint.kind == "ball" else _angles(turn, np.array(link.joint.axes))
    return out


def _angles(turn: Array, axes: Array) -> Array:
    """Angles of hinges in a row that turn as given. (n, 3, 3), (h, 3) -> (n, h)."""
    angles = so3.log(turn) @ np.linalg.pinv(axes)
    for _ in range(ROUNDS if len(axes) > 1 else 0):
        so_far = np.broadcast_to(np.eye(3), turn.shape)
        columns = []
        for k, axis in enumerate(axes):
            columns.append(so_far @ axis)
            so_far = so_far @ so3.exp(angles[:, k, None] * axis)
        off = so3.log(turn @ np.swapaxes(so_far, 1, 2))
        angles = angles + (np.linalg.pinv(np.stack(columns, -1)) @ off[..., None])[..., 0]
    return np.asarray(angles)

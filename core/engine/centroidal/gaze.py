"""Heads that turn to what is looked at, as far as necks let them."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from ...task import Look

Array = NDArray[np.float64]

ASIDE = np.radians(75)                   # of the way the body faces, that a head turns to either side
UP, DOWN = np.radians((-35, 40))         # of the level
BEHIND = np.radians((105, 160))          # aside, from which on it is let go, and from which on the head goes as it would
NEAR = (0.3, 0.6)                        # m, the same when it comes close
FOLLOWS = 0.12                           # s over which its turning is smoothed


def looking(model: KinematicModel, poses: Array, times: Array, look: Look) -> Array:
    """Poses with heads turned to a place; bodies without a head stay as they are. (n, nq) -> (n, nq).

    Args:
        times: (n,) equally spaced, s.
    """
    head = model.character.head
    if head is None:
        return poses
    placed = model.place(poses)
    facing = np.unwrap(so3.yaw_of(placed.rotation[:, 0]))
    aside, down, share = _aim(look.at(times) - placed.origin[:, head], facing, float(times[1] - times[0]))
    wished = so3.about("z", facing + aside) @ so3.about("y", down)
    own = placed.rotation[:, head]
    turned = own @ so3.exp(share[:, None] * so3.log(np.swapaxes(own, 1, 2) @ wished))
    above = placed.rotation[:, model.character.links[head].parent]
    out = poses.copy()
    joint = model.joint_coordinates(model.character.links[head].joint.name)
    out[:, joint] = so3.quat_from_matrix(np.swapaxes(above, 1, 2) @ turned)
    return out


def _aim(away: Array, facing: Array, dt: float) -> tuple[Array, Array, Array]:
    """Angles to the left of the facing and downward, rad, and how much they count, of places (n, 3) seen from the head."""
    flat = np.linalg.norm(away[:, :2], axis=1)
    aside = so3.wrapped(so3.angle(away[:, 1], away[:, 0]) - facing)
    down = np.clip(so3.angle(-away[:, 2], flat), UP, DOWN)
    share = np.clip((BEHIND[1] - np.abs(aside)) / (BEHIND[1] - BEHIND[0]), 0, 1)
    share *= np.clip((np.linalg.norm(away, axis=1) - NEAR[0]) / (NEAR[1] - NEAR[0]), 0, 1)
    smooth = FOLLOWS / dt
    # a place that passes behind changes sides while it does not count
    return (gaussian_filter1d(np.clip(aside, -ASIDE, ASIDE), smooth, mode="nearest"),
            gaussian_filter1d(down, smooth, mode="nearest"), gaussian_filter1d(share, smooth, mode="nearest"))

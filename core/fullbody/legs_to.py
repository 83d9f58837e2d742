"""Poses whose legs, of any joints, are led to where their feet are to be: damped least squares for all frames at once."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import so3
from ..character.model import KinematicModel
from .foot_path import FootPath, Hold
from .stride_path import held_point

Array = NDArray[np.float64]

ROUNDS = 6
DAMPED = 0.03         # of a leg's length: less, and a stretched leg swings about
FARTHEST = 0.5        # rad a joint turns by in a round
TURN = 0.3            # leg lengths, what a rad of a sole counts against a length


def legs_to(model: KinematicModel, poses: Array, com: Array, feet: tuple[FootPath, ...], rounds: int = ROUNDS) -> Array:
    """Poses moved so that the centre of mass is in its place, with legs that end where the feet's ways are. (n, nq).

    Args:
        com: (n, 3).
    """
    character, poses = model.character, poses.copy()
    dofs = [np.concatenate([model.joint_dofs(character.links[k].joint.name) for k in leg.links]) for leg in character.legs]
    for _ in range(rounds):
        c = model.centroidal(poses)
        shift = com - c.com
        change = np.zeros((len(poses), model.nv))
        change[:, :3] = shift
        for k, (foot, path, own) in enumerate(zip(character.feet, feet, dofs, strict=True)):
            arm = (c.foot_rotation[:, k] @ held_point(foot)[:, None])[..., 0]                    # (n, 3)
            rows = c.foot_jacobian[:, k][:, :, own]                                             # (n, 6, d)
            linear = rows[:, :3] - so3.hat(arm) @ rows[:, 3:]
            off = path.origin - c.foot_origin[:, k] - arm - shift
            if not foot.is_point:
                scale = TURN * character.leg_length
                turned = so3.log(path.rotation @ np.swapaxes(c.foot_rotation[:, k], 1, 2))
                linear, off = np.concatenate([linear, scale * rows[:, 3:]], 1), np.concatenate([off, scale * turned], 1)
            off[path.hold == Hold.FREE] = 0.0
            square = linear @ np.swapaxes(linear, 1, 2)
            square += (DAMPED * character.leg_length) ** 2 * np.eye(square.shape[1])
            step = (np.swapaxes(linear, 1, 2) @ np.linalg.solve(square, off[..., None]))[..., 0]
            change[:, own] = np.clip(step, -FARTHEST, FARTHEST)
        poses = _within_ranges(model, model.integrate(poses, change))
    return poses


def _within_ranges(model: KinematicModel, poses: Array) -> Array:
    for leg in model.character.legs:
        for link in leg.links:
            joint = model.character.links[link].joint
            if joint.kind == "hinges" and joint.ranges:
                at = model.joint_coordinates(joint.name)
                low, high = np.array(joint.ranges).T
                poses[:, at] = np.clip(poses[:, at], low, high)
    return poses

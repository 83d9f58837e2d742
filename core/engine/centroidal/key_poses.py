"""Poses that bodies strike on their way, led into the pose that the style has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...character.kinematic_model import KinematicModel
from ...clip.pose.key_pose import KeyPosePassage
from ...errors import TaskError
from ...geometry import so3
from ...task import KeyPose


def build_key_pose_passages(
    model: KinematicModel, poses: Sequence[KeyPose]
) -> tuple[KeyPosePassage, ...]:
    """Passages through poses of chest, arms and head.

    Raises:
        TaskError: a link that the character does not have, or of which nothing is led.
    """
    character = model.character
    names = character.link_names()
    controllable = {
        *character.trunk,
        *character.neck,
        *(link for arm in character.arms for link in arm.links),
    }
    controllable |= {character.head} if character.head is not None else set()
    # what is not told turns for no other link's sake
    upright = {link: np.eye(3) for link in (0, *character.trunk)}
    out = []
    for pose in poses:
        subject = f"The pose struck at {pose.time:g} s"
        if unknown := [name for name in pose.orientations if name not in names]:
            raise TaskError(
                f"{subject} turns the link {unknown[0]!r}; {character.name} has: "
                f"{', '.join(names)}."
            )
        if unknown := [name for name in pose.orientations if names.index(name) not in controllable]:
            raise TaskError(
                f"{subject} turns the link {unknown[0]!r}; legs and pelvis go as the steps have "
                f"them, led are: {', '.join(names[k] for k in sorted(controllable))}."
            )
        rotations = {
            names.index(name): so3.quat_to_matrix(np.asarray(turn, float) / np.linalg.norm(turn))
            for name, turn in pose.orientations.items()
        }
        joints = np.zeros(model.nv, bool)
        for link in rotations:
            joints[model.joint_dofs(character.links[link].joint.name)] = True
        half_duration = 0.5 * pose.hold_time + pose.blend_time
        out.append(
            KeyPosePassage(
                pose.time - half_duration,
                pose.time + half_duration,
                model.solve_pose(np.zeros(3), upright | rotations),
                peak_weight=1.0,
                dof_mask=joints,
                hold_time=pose.hold_time,
            )
        )
    return tuple(out)

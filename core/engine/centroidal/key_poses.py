"""Passages of a walk through the key poses of a task."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...character.character import Character
from ...character.kinematic_model import KinematicModel
from ...clip.pose.key_pose import KeyPosePassage
from ...errors import TaskError
from ...geometry import so3
from ...task import KeyPose


def build_key_pose_passages(
    model: KinematicModel, poses: Sequence[KeyPose]
) -> tuple[KeyPosePassage, ...]:
    """Return passages through key poses of chest, arms and head.

    Raises:
        TaskError: A pose rotates a link that the character does not have, or one whose motion
            follows from the footsteps.
    """
    return tuple(_build_passage(model, pose) for pose in poses)


def _build_passage(model: KinematicModel, pose: KeyPose) -> KeyPosePassage:
    character = model.character
    names = character.link_names()
    _check_links(character, pose)
    rotations = {
        names.index(name): so3.quat_to_matrix(np.asarray(turn, float) / np.linalg.norm(turn))
        for name, turn in pose.orientations.items()
    }
    joints = np.zeros(model.nv, bool)
    for link in rotations:
        joints[model.joint_dofs(character.links[link].joint.name)] = True
    # The trunk stays upright unless the pose rotates it, so that no other link bends it.
    upright = {link: np.eye(3) for link in (0, *character.trunk)}
    half_duration = 0.5 * pose.hold_time + pose.blend_time
    return KeyPosePassage(
        pose.time - half_duration,
        pose.time + half_duration,
        model.solve_pose(np.zeros(3), upright | rotations),
        peak_weight=1.0,
        dof_mask=joints,
        hold_time=pose.hold_time,
    )


def _check_links(character: Character, pose: KeyPose) -> None:
    """Refuse a pose that rotates links other than those of trunk, neck, head and arms.

    Raises:
        TaskError: It does.
    """
    names = character.link_names()
    controllable = {
        *character.trunk,
        *character.neck,
        *(link for arm in character.arms for link in arm.links),
        *(() if character.head is None else (character.head,)),
    }
    subject = f"The key pose at {pose.time:g} s"
    if unknown := [name for name in pose.orientations if name not in names]:
        raise TaskError(
            f"{subject} rotates the link {unknown[0]!r}; {character.name} has: {', '.join(names)}."
        )
    if fixed := [name for name in pose.orientations if names.index(name) not in controllable]:
        raise TaskError(
            f"{subject} rotates the link {fixed[0]!r}; legs and pelvis follow the footsteps. A key "
            f"pose can rotate: {', '.join(names[k] for k in sorted(controllable))}."
        )

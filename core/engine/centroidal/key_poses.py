"""Poses that bodies strike on their way, led into the pose that the style has."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...character.kinematic_model import KinematicModel
from ...clip.pose.key_pose import Passage
from ...errors import TaskError
from ...geometry import so3
from ...task import StruckPose


def struck(model: KinematicModel, poses: Sequence[StruckPose]) -> list[Passage]:
    """Passages through poses of chest, arms and head.

    Raises:
        TaskError: a link that the character does not have, or of which nothing is led.
    """
    character = model.character
    names = character.link_names()
    led = {*character.trunk, *character.neck, *(link for arm in character.arms for link in arm.links)}
    led |= {character.head} if character.head is not None else set()
    upright = {link: np.eye(3) for link in (0, *character.trunk)}           # what is not told turns for no other link's sake
    out = []
    for pose in poses:
        told = f"The pose struck at {pose.time:g} s"
        if strange := [name for name in pose.turns if name not in names]:
            raise TaskError(f"{told} turns the link {strange[0]!r}; {character.name} has: {', '.join(names)}.")
        if strange := [name for name in pose.turns if names.index(name) not in led]:
            raise TaskError(f"{told} turns the link {strange[0]!r}; legs and pelvis go as the steps have them, led are: "
                            f"{', '.join(names[k] for k in sorted(led))}.")
        wanted = {names.index(name): so3.quat_to_matrix(np.asarray(turn, float) / np.linalg.norm(turn))
                  for name, turn in pose.turns.items()}
        joints = np.zeros(model.nv, bool)
        for link in wanted:
            joints[model.joint_dofs(character.links[link].joint.name)] = True
        whole = 0.5 * pose.hold + pose.blend
        out.append(Passage(pose.time - whole, pose.time + whole, model.pose_of(np.zeros(3), upright | wanted), 1.0, joints,
                           pose.hold))
    return out

"""Key poses of chest, arms and head: captured from the rig, stored in the scene and read into the
task.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.character import Character
from ...core.character.from_rig.rig import Rig
from ...core.errors import TaskError
from ...core.geometry import so3
from ...core.task import KeyPose
from ..rigs.armature import read_placement
from ..settings.key_poses import FootfallKeyPose, format_part_label

Array = NDArray[np.float64]


def read_link_orientations(
    armature: bpy.types.Object, rig: Rig, scene: bpy.types.Scene
) -> dict[str, tuple[float, ...]]:
    """Return the current orientations of a rig's chest, arms and head relative to the heading of
    its pelvis.

    Returns quaternions (w, x, y, z) by the name of their link.
    """
    armature_rotation = read_placement(armature, scene)[:3, :3]
    armature_rotation = armature_rotation / np.cbrt(np.linalg.det(armature_rotation))
    character = rig.character
    binding = rig.binding
    orientations: dict[int, Array] = {}
    for name, link, binding_rotation in zip(
        binding.bones, binding.link_index, binding.rotation, strict=True
    ):
        bone_rotation = np.array(armature.pose.bones[name].matrix)[:3, :3]
        bone_rotation = bone_rotation / np.linalg.norm(bone_rotation, axis=0)
        orientations.setdefault(int(link), armature_rotation @ bone_rotation @ binding_rotation.T)
    upright = so3.rotation_about("z", -float(so3.yaw_from_matrix(orientations[0])))
    names = character.link_names()
    return {
        names[link]: tuple(float(v) for v in so3.quat_from_matrix(upright @ orientations[link]))
        for link in sorted(orientations)
        if link in _find_part_links(character, "UPPER")
    }


def read_key_poses(
    poses: Iterable[FootfallKeyPose], scene: bpy.types.Scene, fps: float, character: Character
) -> tuple[KeyPose, ...]:
    """Return the key poses of a character.

    Raises:
        TaskError: a key pose lies outside the frames of the scene, or was captured from a character
            of another build.
    """
    key_poses = []
    names = character.link_names()
    for pose in poses:
        if not scene.frame_start <= pose.frame <= scene.frame_end:
            raise TaskError(
                f"There is a key pose at frame {pose.frame}; it must lie between the scene's "
                f"first frame, {scene.frame_start}, and its last, {scene.frame_end}."
            )
        orientations = {
            name: tuple(quaternion)
            for name, quaternion in json.loads(pose.turns or "{}").items()
            if name not in names or names.index(name) in _find_part_links(character, pose.part)
        }
        if not orientations:
            raise TaskError(
                f"The key pose at frame {pose.frame} holds no rotation for the "
                f"{format_part_label(pose)} of this character. Capture it again from this rig, or "
                "remove it."
            )
        key_poses.append(
            KeyPose(
                (pose.frame - scene.frame_start) / fps,
                orientations,
                pose.hold / fps,
                pose.blend / fps,
            )
        )
    return tuple(key_poses)


def _find_part_links(character: Character, part: str) -> set[int]:
    """Return the links of a part of the upper body."""
    arms = {
        side: {link for arm in character.arms if arm.side == side for link in arm.links}
        for side in (1, -1)
    }
    head = {*character.neck, *([] if character.head is None else [character.head])}
    return {
        "LEFT": arms[1],
        "RIGHT": arms[-1],
        "ARMS": arms[1] | arms[-1],
        "HEAD": head,
        "UPPER": {*character.trunk, *head, *arms[1], *arms[-1]},
    }[part]

"""Poses that the character strikes on its way: taken from the rig as it is posed, kept in the scene, and read into the task."""
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
from ...core.task import StruckPose
from ..rigs.armature import placement
from ..settings.key_poses import FootfallStruck, _spoken

Array = NDArray[np.float64]


def posed_links(armature: bpy.types.Object, rig: Rig, scene: bpy.types.Scene) -> dict[str, tuple[float, ...]]:
    """How a rig's chest, arms and head are turned now against the way its hips face: quaternions, w x y z, by link."""
    turn = placement(armature, scene)[:3, :3]
    turn = turn / np.cbrt(np.linalg.det(turn))
    character, binding = rig.character, rig.binding
    found: dict[int, Array] = {}
    for name, link, own in zip(binding.bones, binding.link, binding.rotation, strict=True):
        bone = np.array(armature.pose.bones[name].matrix)[:3, :3]
        bone = bone / np.linalg.norm(bone, axis=0)
        found.setdefault(int(link), turn @ bone @ own.T)
    upright = so3.about("z", -float(so3.yaw_of(found[0])))
    names = character.link_names()
    return {names[link]: tuple(float(v) for v in so3.quat_from_matrix(upright @ found[link]))
            for link in sorted(found) if link in _links(character, "UPPER")}


def read_struck(poses: Iterable[FootfallStruck], scene: bpy.types.Scene, fps: float,
                character: Character) -> tuple[StruckPose, ...]:
    """The poses that a character strikes.

    Raises:
        TaskError: one of them lies outside of the scene's frames, or was taken from a body of another build.
    """
    out, names = [], character.link_names()
    for pose in poses:
        if not scene.frame_start <= pose.frame <= scene.frame_end:
            raise TaskError(f"There is a key pose at frame {pose.frame}; it must lie between the scene's first frame, "
                            f"{scene.frame_start}, and its last, {scene.frame_end}.")
        turns = {name: tuple(turn) for name, turn in json.loads(pose.turns or "{}").items()
                 if name not in names or names.index(name) in _links(character, pose.part)}
        if not turns:
            raise TaskError(f"The key pose at frame {pose.frame} tells nothing of the {_spoken(pose)} of this character. Take it "
                            "anew from this rig, or remove it.")
        out.append(StruckPose((pose.frame - scene.frame_start) / fps, turns, pose.hold / fps, pose.blend / fps))
    return tuple(out)


def _links(character: Character, part: str) -> set[int]:
    """Links of a part of the upper body."""
    arms = {side: {link for arm in character.arms if arm.side == side for link in arm.links} for side in (1, -1)}
    head = {*character.neck, *([] if character.head is None else [character.head])}
    return {"LEFT": arms[1], "RIGHT": arms[-1], "ARMS": arms[1] | arms[-1], "HEAD": head,
            "UPPER": {*character.trunk, *head, *arms[1], *arms[-1]}}[part]

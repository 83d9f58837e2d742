"""How far bones of a baked armature are from the motion that was planned for them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.scene.rig import read_rig
from footfall.core.character.from_rig.binding import pose_bones
from footfall.core.geometry import so3
from footfall.core.motion import load_motion


@dataclass(frozen=True)
class BoneErrors:
    """Largest errors of bones over the frames of a motion.

    Args:
        distance: of heads of bones from planned joints [m].
        angle: between axes of bones and planned axes [deg].
    """

    distance: float
    angle: float


def measure_bones(
    armature: bpy.types.Object,
    folder: Path,
    meters_per_unit: float = 1.0,
    spread: Collection[str] = (),
) -> BoneErrors:
    """Return how far bones are from a motion, and leave the scene at its first frame.

    Args:
        armature: object onto which the motion was baked.
        folder: folder with `motion.npz`.
        meters_per_unit: length of a unit of the scene [m].
        spread: names of bones along which the rig distributes a twist, so that only their direction
            is planned.
    """
    scene = bpy.context.scene
    motion = load_motion(folder / "motion.npz")
    rig = read_rig(armature, read_skeleton(armature, scene))
    poses = pose_bones(
        rig.binding, motion.link_origin, motion.link_orientation, motion.toe_orientation
    )
    distance = 0.0
    angle = 0.0
    for k in range(0, motion.frames, 5):
        scene.frame_set(scene.frame_start + k)
        joints = motion.link_origin[k, rig.binding.link_index]
        joints[0] = poses.root_position[k]
        for b, name in enumerate(poses.names):
            matrix = np.array(armature.matrix_world @ armature.pose.bones[name].matrix)
            axes = matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)
            planned = so3.quat_to_matrix(poses.orientation[k, b])
            if name in spread:
                turned = np.arccos(np.clip(axes[:, 1] @ planned[:, 1], -1, 1))
            else:
                turned = np.linalg.norm(so3.log(axes @ planned.T))
            angle = max(angle, float(np.degrees(turned)))
            if rig.binding.toe_leg[b] < 0:
                away = np.linalg.norm(matrix[:3, 3] * meters_per_unit - joints[b])
                distance = max(distance, float(away))
    scene.frame_set(scene.frame_start)
    return BoneErrors(distance, angle)

"""Poses of the bones of an armature that plays keys, in a temporary scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..animation.action_builder import PendingKeys
from ..animation.duplicate import ArmatureDuplicate
from .dependencies import collect_evaluated_bones

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlayedBones:
    """Poses of b bones at n frames.

    Args:
        armature: (n, 4, 4) transforms from the armature to the world.
        bones: (n, b, 4, 4) matrices of the bones in the armature.
    """

    armature: Array
    bones: Array


def play_bones(
    armature: bpy.types.Object, names: Sequence[str], frames: Array, pending_keys: PendingKeys
) -> PlayedBones:
    """Return the poses of bones at frames of the scene while a duplicate plays keys."""
    duplicate = ArmatureDuplicate(armature, collect_evaluated_bones(armature, names))
    try:
        duplicate.play(pending_keys)
        world = np.empty((len(frames), 4, 4))
        matrices = np.empty((len(frames), len(names), 4, 4))
        for k, frame in enumerate(frames):
            duplicate.scene.frame_current = int(frame)
            duplicate.view_layer.update()
            pose_bones = duplicate.armature.pose.bones
            world[k] = np.array(duplicate.armature.matrix_world)
            matrices[k] = np.array([pose_bones[name].matrix for name in names])
    finally:
        duplicate.remove()
    return PlayedBones(world, matrices)

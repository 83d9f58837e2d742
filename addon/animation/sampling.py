"""Playback of an action by its armature outside the user's scene."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from .actions import ActionPart

Array = NDArray[np.float64]


@dataclass(frozen=True)
class IsolatedPlayback:
    """A temporary scene, and the duplicate of an armature that plays an action in it."""

    scene: bpy.types.Scene
    armature: bpy.types.Object


@dataclass(frozen=True)
class SampledPoses:
    """Poses of an armature in the world.

    Args:
        bone_matrices: transforms of the bones (n, j, 4, 4).
        first_armature_matrix: transform of the armature in the first frame (4, 4).
    """

    bone_matrices: Array
    first_armature_matrix: Array


@contextmanager
def isolated_playback(
    action: bpy.types.Action, armature: bpy.types.Object, part: ActionPart
) -> Iterator[IsolatedPlayback]:
    """Yield a temporary scene in which a duplicate of the armature plays a copy of the action.

    Duplicates are needed because playing an action in a slot marks that slot, and because the
    armature may be shown at rest or be in edit mode.
    """
    with ExitStack() as cleanup:
        temp_scene = bpy.data.scenes.new("Footfall")
        cleanup.callback(lambda: bpy.data.scenes.remove(temp_scene))
        armature_data = armature.data.copy()
        cleanup.callback(lambda: bpy.data.armatures.remove(armature_data))
        duplicate = armature.copy()
        cleanup.callback(lambda: bpy.data.objects.remove(duplicate))
        action_copy = action.copy()
        cleanup.callback(lambda: bpy.data.actions.remove(action_copy))
        armature_data.pose_position = "POSE"
        duplicate.data = armature_data
        duplicate.hide_viewport = False
        temp_scene.collection.objects.link(duplicate)
        animation_data = duplicate.animation_data or duplicate.animation_data_create()
        animation_data.use_tweak_mode = animation_data.use_nla = False
        animation_data.action = action_copy
        if part.slot >= 0:
            animation_data.action_slot = action_copy.slots[part.slot]
        animation_data.action_influence = 1.0
        animation_data.action_blend_type = "REPLACE"
        animation_data.action_extrapolation = "HOLD"
        for bone in duplicate.pose.bones:  # bones without curves stay at rest
            bone.matrix_basis.identity()
        yield IsolatedPlayback(temp_scene, duplicate)


def sample_poses(playback: IsolatedPlayback, names: list[str], frames: Array) -> SampledPoses:
    """Return the poses of bones at frames (n,).

    The frame is set without Blender's handlers of frame changes, which belong to the user's scene.
    """
    temp_scene = playback.scene
    duplicate = playback.armature
    layer = temp_scene.view_layers[0]
    bone_indices = [list(duplicate.pose.bones.keys()).index(name) for name in names]
    matrix_buffer = np.empty(16 * len(duplicate.pose.bones), np.float32)
    poses = np.empty((len(frames), len(names), 4, 4))
    first_matrix = np.eye(4)
    for k, frame in enumerate(frames):
        temp_scene.frame_current = int(np.floor(frame))
        temp_scene.frame_subframe = float(frame - np.floor(frame))
        layer.update()
        evaluated = duplicate.evaluated_get(layer.depsgraph)
        evaluated.pose.bones.foreach_get("matrix", matrix_buffer)
        world_matrix = np.array(evaluated.matrix_world)
        poses[k] = world_matrix @ np.swapaxes(matrix_buffer.reshape(-1, 4, 4)[bone_indices], -1, -2)
        first_matrix = world_matrix if k == 0 else first_matrix
    return SampledPoses(poses, first_matrix)

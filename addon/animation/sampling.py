"""An action played by its armature, apart from the user's scene, as a recording."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import bpy
import numpy as np
from numpy.typing import NDArray

from .actions import ActionPart

Array = NDArray[np.float64]


@contextmanager
def isolated_playback(
    action: bpy.types.Action, armature: bpy.types.Object, part: ActionPart
) -> Iterator[tuple[bpy.types.Scene, bpy.types.Object]]:
    """A scene of its own with a double of the armature that plays a double of the action;
    all of it is gone afterwards.

    Doubles, since to play an action in a slot marks that slot,
    and since an armature may be shown at rest or be edited.
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
        for bone in duplicate.pose.bones:  # what the action leaves alone is as the armature rests
            bone.matrix_basis.identity()
        yield temp_scene, duplicate


def sample_poses(
    temp_scene: bpy.types.Scene, duplicate: bpy.types.Object, names: list[str], frames: Array
) -> tuple[Array, Array]:
    """Bones in the world, frame by frame, and where the armature is in the
    first. (n, j, 4, 4), (4, 4).

    The frame is set without Blender's handlers of frame changes, which belong to the user's scene.
    """
    layer = temp_scene.view_layers[0]
    bone_indices = [list(duplicate.pose.bones.keys()).index(name) for name in names]
    matrix_buffer = np.empty(16 * len(duplicate.pose.bones), np.float32)
    poses = np.empty((len(frames), len(names), 4, 4))
    first_matrix = np.eye(4)
    for k, frame in enumerate(frames):
        temp_scene.frame_current, temp_scene.frame_subframe = (
            int(np.floor(frame)),
            float(frame - np.floor(frame)),
        )
        layer.update()
        evaluated = duplicate.evaluated_get(layer.depsgraph)
        evaluated.pose.bones.foreach_get("matrix", matrix_buffer)
        world_matrix = np.array(evaluated.matrix_world)
        poses[k] = world_matrix @ np.swapaxes(matrix_buffer.reshape(-1, 4, 4)[bone_indices], -1, -2)
        first_matrix = world_matrix if k == 0 else first_matrix
    return poses, first_matrix

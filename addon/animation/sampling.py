"""An action played by its armature, apart from the user's scene, as a recording."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import bpy
import numpy as np
from numpy.typing import NDArray

from .actions import Part

Array = NDArray[np.float64]


@contextmanager
def played_apart(action: bpy.types.Action, armature: bpy.types.Object,
            part: Part) -> Iterator[tuple[bpy.types.Scene, bpy.types.Object]]:
    """A scene of its own with a double of the armature that plays a double of the action; all of it is gone afterwards.

    Doubles, since to play an action in a slot marks that slot, and since an armature may be shown at rest or be edited.
    """
    with ExitStack() as after:
        stage = bpy.data.scenes.new("Footfall")
        after.callback(lambda: bpy.data.scenes.remove(stage))
        bones = armature.data.copy()
        after.callback(lambda: bpy.data.armatures.remove(bones))
        double = armature.copy()
        after.callback(lambda: bpy.data.objects.remove(double))
        played = action.copy()
        after.callback(lambda: bpy.data.actions.remove(played))
        bones.pose_position = "POSE"
        double.data = bones
        double.hide_viewport = False
        stage.collection.objects.link(double)
        data = double.animation_data or double.animation_data_create()
        data.use_tweak_mode = data.use_nla = False
        data.action = played
        if part.slot >= 0:
            data.action_slot = played.slots[part.slot]
        data.action_influence, data.action_blend_type, data.action_extrapolation = 1.0, "REPLACE", "HOLD"
        for bone in double.pose.bones:              # what the action leaves alone is as the armature rests
            bone.matrix_basis.identity()
        yield stage, double


def poses_of(stage: bpy.types.Scene, double: bpy.types.Object, names: list[str],
           frames: Array) -> tuple[Array, Array]:
    """Bones in the world, frame by frame, and where the armature is in the first. (n, j, 4, 4), (4, 4).

    The frame is set without Blender's handlers of frame changes, which belong to the user's scene.
    """
    layer = stage.view_layers[0]
    order = [list(double.pose.bones.keys()).index(name) for name in names]
    flat = np.empty(16 * len(double.pose.bones), np.float32)
    out, there = np.empty((len(frames), len(names), 4, 4)), np.eye(4)
    for k, frame in enumerate(frames):
        stage.frame_current, stage.frame_subframe = int(np.floor(frame)), float(frame - np.floor(frame))
        layer.update()
        seen = double.evaluated_get(layer.depsgraph)
        seen.pose.bones.foreach_get("matrix", flat)
        world = np.array(seen.matrix_world)
        out[k] = world @ np.swapaxes(flat.reshape(-1, 4, 4)[order], -1, -2)
        there = world if k == 0 else there
    return out, there

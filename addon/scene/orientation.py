"""Where a character faces and looks."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.task import FacingOffset, GazeTarget
from ..animation.channels import curves_of
from ..settings.motion import MotionSettings
from ..units import read_unit_scale

SAMPLE_FRAMES = 4  # frames from one sampled position of an object to the next


def read_facing_offset(
    settings: MotionSettings, scene: bpy.types.Scene, fps: float
) -> FacingOffset:
    """Return the facing of a character relative to its path, from its keyframes or its constant
    value.

    Raises:
        TaskError: the facing turns faster than feet can follow.
    """
    data_path = settings.path_from_id("facing")
    curves = [
        curve for curve in curves_of(scene) if curve.data_path == data_path and not curve.mute
    ]
    if not curves:
        return FacingOffset(float(np.degrees(settings.facing)))
    frames = np.arange(scene.frame_start, scene.frame_end + 1)
    return FacingOffset(
        np.degrees([curves[0].evaluate(float(frame)) for frame in frames]),
        (frames - scene.frame_start) / fps,
    )


def read_gaze_target(
    obj: bpy.types.Object | None, scene: bpy.types.Scene, fps: float
) -> GazeTarget | None:
    """Return the position of an object over the frames of the scene; None for no object.

    The scene is played for an animated object and then set back to its frame.
    """
    if obj is None:
        return None
    meters_per_unit = read_unit_scale(scene)
    if not is_animated(obj):
        return GazeTarget(meters_per_unit * np.array(obj.matrix_world.translation))
    saved_frame = (scene.frame_current, scene.frame_subframe)
    frames = np.unique([*range(scene.frame_start, scene.frame_end, SAMPLE_FRAMES), scene.frame_end])
    positions = []
    try:
        for frame in frames:
            scene.frame_set(int(frame))
            positions.append(meters_per_unit * np.array(obj.matrix_world.translation))
    finally:
        scene.frame_set(saved_frame[0], subframe=saved_frame[1])
    return GazeTarget(positions, (frames - scene.frame_start) / fps)


def is_animated(obj: bpy.types.Object) -> bool:
    """Return whether animation, constraints or physics could move an object or a parent of it."""
    ancestor: bpy.types.Object | None = obj
    while ancestor is not None:
        if (
            ancestor.animation_data is not None
            or ancestor.constraints
            or ancestor.rigid_body is not None
            or ancestor.parent_bone
        ):
            return True
        ancestor = ancestor.parent
    return False

"""Where a character faces and looks."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.task import FacingOffset, GazeTarget
from ..animation.channels import curves_of
from ..settings.motion import MotionSettings
from ..units import read_unit_scale

SAMPLE_FRAMES = 4  # frames between which what moves is taken to go straight


def read_facing_offset(
    settings: MotionSettings, scene: bpy.types.Scene, fps: float
) -> FacingOffset:
    """A character's facing over its frames: as its keyframes have it, or as it stands.

    Raises:
        TaskError: it turns faster than feet can follow.
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
    """Where an object is over the scene's frames, which is played for it and put
    back; None for no object.
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
    """Whether anything could move it: animation, constraints or physics,
    its own or of what it hangs on.
    """
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

"""Which way the body is to face against its path, keyframed or not."""
from __future__ import annotations

import bpy
import numpy as np

from ..core.task import Turned
from .kept import curves_of

FACING = "footfall.facing"


def read_turned(scene: bpy.types.Scene, fps: float) -> Turned:
    """The scene's facing over its frames: as its keyframes have it, or as it stands.

    Raises:
        TaskError: it turns faster than feet can follow.
    """
    keyed = [curve for curve in curves_of(scene) if curve.data_path == FACING and not curve.mute]
    if not keyed:
        return Turned(float(np.degrees(scene.footfall.facing)))
    frames = np.arange(scene.frame_start, scene.frame_end + 1)
    return Turned(np.degrees([keyed[0].evaluate(float(frame)) for frame in frames]), (frames - scene.frame_start) / fps)

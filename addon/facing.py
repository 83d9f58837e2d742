"""Which way the body is to face against its path, keyframed or not."""
from __future__ import annotations

import bpy
import numpy as np

from ..core.task import Turned
from .kept import curves_of
from .wish_properties import Wish


def read_turned(wish: Wish, scene: bpy.types.Scene, fps: float) -> Turned:
    """A character's facing over its frames: as its keyframes have it, or as it stands.

    Raises:
        TaskError: it turns faster than feet can follow.
    """
    keyed_path = wish.path_from_id("facing")
    keyed = [curve for curve in curves_of(scene) if curve.data_path == keyed_path and not curve.mute]
    if not keyed:
        return Turned(float(np.degrees(wish.facing)))
    frames = np.arange(scene.frame_start, scene.frame_end + 1)
    return Turned(np.degrees([keyed[0].evaluate(float(frame)) for frame in frames]), (frames - scene.frame_start) / fps)

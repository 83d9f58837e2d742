"""What the scene has happen at certain frames: pushes and jumps."""
from __future__ import annotations

import bpy
import numpy as np

from ..core.errors import TaskError
from ..core.task import Jump, Push
from .reading import unit_scale
from .wish_properties import Wish


def read_pushes(wish: Wish, scene: bpy.types.Scene, fps: float) -> tuple[Push, ...]:
    """The pushes of a character.

    Raises:
        TaskError: one of them lies outside of the scene's frames.
    """
    out = []
    for push in wish.pushes:
        if not scene.frame_start <= push.frame < scene.frame_end:
            raise TaskError(f"There is a push at frame {push.frame}; it must begin between the scene's first frame, "
                            f"{scene.frame_start}, and the one before its last, {scene.frame_end - 1}.")
        x, y = push.strength * np.cos(push.direction), push.strength * np.sin(push.direction)
        out.append(Push((push.frame - scene.frame_start) / fps, (x, y, 0.0), push.seconds, push.at))
    return tuple(out)


def read_jumps(wish: Wish, scene: bpy.types.Scene, fps: float) -> tuple[Jump, ...]:
    """The jumps of a character.

    Raises:
        TaskError: one of them takes off outside of the scene's frames, or none can do it.
    """
    out, scale = [], unit_scale(scene)
    for jump in wish.jumps:
        if not scene.frame_start <= jump.frame < scene.frame_end:
            raise TaskError(f"There is a jump at frame {jump.frame}; it must take off between the scene's first frame, "
                            f"{scene.frame_start}, and the one before its last, {scene.frame_end - 1}.")
        out.append(Jump((jump.frame - scene.frame_start) / fps, scale * jump.height, scale * jump.distance, jump.turn, jump.flips))
    return tuple(out)

"""What the scene has happen at certain frames: pushes and jumps."""
from __future__ import annotations

import bpy
import numpy as np

from ...core.errors import TaskError
from ...core.task import Jump, Push
from ..settings.events import FootfallPush
from ..settings.motion import Wish
from ..units import unit_scale
from .orientation import moves


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
        along = _direction(push, scene)
        about = (0.0, 0.0, 1.0) if push.arrow is None else along
        x, y, z = (push.strength * v for v in along)
        a, b, c = (push.moment * v for v in about)
        out.append(Push((push.frame - scene.frame_start) / fps, (x, y, z), push.seconds, push.at, (a, b, c)))
    return tuple(out)


def _direction(push: FootfallPush, scene: bpy.types.Scene) -> tuple[float, float, float]:
    """Where a push pushes to, a unit vector; along an arrow as it stands at the push's frame."""
    if push.arrow is None:
        return float(np.cos(push.direction)), float(np.sin(push.direction)), 0.0
    if not moves(push.arrow):
        axis = push.arrow.matrix_world.col[2]
    else:
        now = (scene.frame_current, scene.frame_subframe)
        try:
            scene.frame_set(push.frame)
            axis = push.arrow.matrix_world.col[2].copy()
        finally:
            scene.frame_set(now[0], subframe=now[1])
    x, y, z = axis.to_3d().normalized()
    return x, y, z


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

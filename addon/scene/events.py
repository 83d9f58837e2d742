"""Events at certain frames of the scene: pushes and jumps."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.errors import TaskError
from ...core.task import Jump, Push
from ..settings.events import FootfallPush
from ..settings.motion import MotionSettings
from ..units import read_unit_scale
from .orientation import is_animated
from .path import read_path_and_facing


def read_pushes(settings: MotionSettings, scene: bpy.types.Scene, fps: float) -> tuple[Push, ...]:
    """Return the pushes of a character.

    Raises:
        TaskError: a push lies outside the frames of the scene.
    """
    pushes = []
    for push in settings.pushes:
        if not scene.frame_start <= push.frame < scene.frame_end:
            raise TaskError(
                f"There is a push at frame {push.frame}; it must begin between the scene's first "
                f"frame, {scene.frame_start}, and the one before its last, {scene.frame_end - 1}."
            )
        direction = _find_push_direction(push, scene)
        axis = (0.0, 0.0, 1.0) if push.arrow is None else direction
        x, y, z = (push.strength * v for v in direction)
        a, b, c = (push.moment * v for v in axis)
        pushes.append(
            Push(
                (push.frame - scene.frame_start) / fps,
                (x, y, z),
                push.seconds,
                body_part=push.at,
                moment=(a, b, c),
            )
        )
    return tuple(pushes)


def find_path_direction(settings: MotionSettings, scene: bpy.types.Scene) -> float | None:
    """Return the direction from the first to the last point of a path [rad]; None without one."""
    try:
        points = read_path_and_facing(settings, scene).path.points
    except TaskError:
        return None
    x, y = points[-1] - points[0]
    return float(np.arctan2(y, x))


def _find_push_direction(push: FootfallPush, scene: bpy.types.Scene) -> tuple[float, float, float]:
    """Return the direction of a push as a unit vector: that of its arrow at its frame, if it has
    one.
    """
    if push.arrow is None:
        return float(np.cos(push.direction)), float(np.sin(push.direction)), 0.0
    if not is_animated(push.arrow):
        axis = push.arrow.matrix_world.col[2]
    else:
        saved_frame = (scene.frame_current, scene.frame_subframe)
        try:
            scene.frame_set(push.frame)
            axis = push.arrow.matrix_world.col[2].copy()
        finally:
            scene.frame_set(saved_frame[0], subframe=saved_frame[1])
    x, y, z = axis.to_3d().normalized()
    return x, y, z


def read_jumps(settings: MotionSettings, scene: bpy.types.Scene, fps: float) -> tuple[Jump, ...]:
    """Return the jumps of a character.

    Raises:
        TaskError: a jump takes off outside the frames of the scene, or is not possible.
    """
    jumps = []
    scale = read_unit_scale(scene)
    for jump in settings.jumps:
        if not scene.frame_start <= jump.frame < scene.frame_end:
            raise TaskError(
                f"There is a jump at frame {jump.frame}; it must take off between the scene's "
                f"first frame, {scene.frame_start}, and the one before its last, "
                f"{scene.frame_end - 1}."
            )
        jumps.append(
            Jump(
                (jump.frame - scene.frame_start) / fps,
                scale * jump.height,
                scale * jump.distance,
                turn=jump.turn,
                flips=jump.flips,
            )
        )
    return tuple(jumps)

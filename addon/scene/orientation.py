"""Where a character faces and looks."""
from __future__ import annotations

import bpy
import numpy as np

from ...core.task import Look, Turned
from ..animation.channels import curves_of
from ..settings.motion import Wish
from ..units import unit_scale


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

EVERY = 4             # frames between which what moves is taken to go straight


def read_look(thing: bpy.types.Object | None, scene: bpy.types.Scene, fps: float) -> Look | None:
    """Where an object is over the scene's frames, which is played for it and put back; None for no object."""
    if thing is None:
        return None
    scale = unit_scale(scene)
    if not moves(thing):
        return Look(scale * np.array(thing.matrix_world.translation))
    now = (scene.frame_current, scene.frame_subframe)
    frames = np.unique([*range(scene.frame_start, scene.frame_end, EVERY), scene.frame_end])
    places = []
    try:
        for frame in frames:
            scene.frame_set(int(frame))
            places.append(scale * np.array(thing.matrix_world.translation))
    finally:
        scene.frame_set(now[0], subframe=now[1])
    return Look(places, (frames - scene.frame_start) / fps)


def moves(thing: bpy.types.Object) -> bool:
    """Whether anything could move it: animation, constraints or physics, its own or of what it hangs on."""
    above: bpy.types.Object | None = thing
    while above is not None:
        if above.animation_data is not None or above.constraints or above.rigid_body is not None or above.parent_bone:
            return True
        above = above.parent
    return False

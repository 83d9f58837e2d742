"""A footstep that the user adds where the 3D cursor is."""
from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.errors import TaskError
from ..bake.stored_plan import Planned
from .objects import look_in_view, shown_steps
from .sole_mesh import sole_mesh, soles_of

Array = NDArray[np.float64]


def add_step(armature: bpy.types.Object, planned: Planned, scene: bpy.types.Scene, foot: str) -> bpy.types.Object:
    """A pinned footstep at the 3D cursor and the current frame, turned as those around it are.

    Args:
        foot: "LEFT", "RIGHT", or "NEAR" for the one on whose side of the way the cursor is.

    Raises:
        TaskError: the current frame lies outside of the motion.
    """
    time, length = planned.time_at(scene.frame_current), (planned.motion.frames - 1) / planned.motion.fps
    if not 0 <= time <= length:
        raise TaskError(f"The motion is from frame {planned.first_frame} to {planned.frame_at(length):.0f}, and the current frame "
                        f"is {scene.frame_current}. Go to the frame at which the foot shall stand there.")
    matrix = np.array(armature.footfall_steps.matrix).reshape(4, 4)
    place = np.linalg.inv(matrix) @ np.append(np.array(scene.cursor.location), 1.0)
    yaw, beside = _way(planned, time, place[:2])
    soles = soles_of(planned.motion)
    side = {"LEFT": 1, "RIGHT": -1}.get(foot) or (1 if beside >= 0 else -1)
    leg = next(k for k, sole in enumerate(soles) if sole.side == side)
    thing = bpy.data.objects.new(f"New {soles[leg].letter} f{scene.frame_current}", sole_mesh(soles[leg], filled=True))
    armature.footfall_steps.collection.objects.link(thing)
    look_in_view(thing, scene)
    turn = np.eye(4)
    turn[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    turn[:3, 3] = place[:3]
    at = matrix @ turn
    thing.matrix_world = Matrix(at.tolist())
    told = thing.footfall_step
    told.number, told.leg, told.label, told.planned_place = -1, leg, thing.name, at.ravel().tolist()
    told.frame, told.kept = float(scene.frame_current), True
    return thing


def _way(planned: Planned, time: float, place: Array) -> tuple[float, float]:
    """Heading of the feet at a time, rad, and how far to the left of the middle between them a place (2,) is, m."""
    steps = shown_steps(planned.motion)
    times = [s.time for s in steps]
    yaw = float(np.interp(time, times, np.unwrap([s.yaw for s in steps])))
    sides = []
    for leg in {s.leg for s in steps}:
        own = [s for s in steps if s.leg == leg]
        sides.append([np.interp(time, [s.time for s in own], [s.position[axis] for s in own]) for axis in (0, 1)])
    x, y = place - np.mean(sides, 0)
    return yaw, float(np.cos(yaw) * y - np.sin(yaw) * x)

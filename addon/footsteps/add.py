"""A footstep that the user adds where the 3D cursor is."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.errors import TaskError
from ..bake.stored_plan import StoredPlan
from .objects import list_shown_steps, set_viewport_display
from .sole_mesh import get_sole_mesh, measure_soles

Array = NDArray[np.float64]


def add_step(
    armature: bpy.types.Object, plan: StoredPlan, scene: bpy.types.Scene, which_foot: str
) -> bpy.types.Object:
    """A pinned footstep at the 3D cursor and the current frame, turned as those around it are.

    Args:
        which_foot: "LEFT", "RIGHT", or "NEAR" for the one on whose side of the way the cursor is.

    Raises:
        TaskError: the current frame lies outside of the motion.
    """
    time = plan.time_at(scene.frame_current)
    clip_length = (plan.motion.frames - 1) / plan.motion.fps
    if not 0 <= time <= clip_length:
        raise TaskError(
            f"The motion is from frame {plan.first_frame} to {plan.frame_at(clip_length):.0f}, "
            f"and the current frame is {scene.frame_current}. Go to the frame at which the foot "
            "shall stand there."
        )
    matrix = np.array(armature.footfall_steps.matrix).reshape(4, 4)
    position = np.linalg.inv(matrix) @ np.append(np.array(scene.cursor.location), 1.0)
    yaw, lateral_offset = _locate_between_feet(plan, time, position[:2])
    soles = measure_soles(plan.motion)
    side = {"LEFT": 1, "RIGHT": -1}.get(which_foot) or (1 if lateral_offset >= 0 else -1)
    leg = next(k for k, sole in enumerate(soles) if sole.side == side)
    obj = bpy.data.objects.new(
        f"New {soles[leg].side_letter} f{scene.frame_current}",
        get_sole_mesh(soles[leg], filled=True),
    )
    armature.footfall_steps.collection.objects.link(obj)
    set_viewport_display(obj, scene)
    local_matrix = np.eye(4)
    local_matrix[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    local_matrix[:3, 3] = position[:3]
    world_matrix = matrix @ local_matrix
    obj.matrix_world = Matrix(world_matrix.tolist())
    step_settings = obj.footfall_step
    step_settings.number, step_settings.leg, step_settings.label, step_settings.planned_place = (
        -1,
        leg,
        obj.name,
        world_matrix.ravel().tolist(),
    )
    step_settings.frame = float(scene.frame_current)
    step_settings.kept = True
    return obj


def _locate_between_feet(plan: StoredPlan, time: float, position: Array) -> tuple[float, float]:
    """Heading of the feet at a time, rad, and how far to the left of the middle between
    them a place (2,) is, m.
    """
    steps = list_shown_steps(plan.motion)
    times = [s.time for s in steps]
    yaw = float(np.interp(time, times, np.unwrap([s.yaw for s in steps])))
    foot_positions = []
    for leg in {s.leg for s in steps}:
        leg_steps = [s for s in steps if s.leg == leg]
        foot_positions.append(
            [
                np.interp(time, [s.time for s in leg_steps], [s.position[axis] for s in leg_steps])
                for axis in (0, 1)
            ]
        )
    x, y = position - np.mean(foot_positions, 0)
    return yaw, float(np.cos(yaw) * y - np.sin(yaw) * x)

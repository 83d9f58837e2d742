"""Addition of a footstep at the 3D cursor."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.errors import TaskError
from ..bake.stored_plan import StoredPlan
from .objects import list_shown_steps, set_viewport_display
from .sole_mesh import get_sole_mesh, measure_soles

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _RelativePlace:
    """A place relative to both feet at a time."""

    yaw: float  # mean heading of the feet [rad]
    lateral_offset: float  # distance to the left of the midpoint between the feet [m]


def add_step(
    armature: bpy.types.Object, plan: StoredPlan, scene: bpy.types.Scene, which_foot: str
) -> bpy.types.Object:
    """Add a pinned footstep at the 3D cursor and the current frame.

    Its heading is interpolated between the footsteps before and after it.

    Args:
        armature: armature that plays the plan.
        plan: plan of the motion.
        scene: scene with the 3D cursor.
        which_foot: "LEFT", "RIGHT", or "NEAR" for the foot on the cursor's side of the path.

    Returns:
        The object of the footstep.

    Raises:
        TaskError: the current frame is outside the motion.
    """
    time = plan.time_at(scene.frame_current)
    _check_time(plan, time, scene)
    matrix = np.array(armature.footfall_steps.matrix).reshape(4, 4)
    position = np.linalg.inv(matrix) @ np.append(np.array(scene.cursor.location), 1.0)
    place = _locate_between_feet(plan, time, position[:2])
    soles = measure_soles(plan.motion)
    side = {"LEFT": 1, "RIGHT": -1}.get(which_foot) or (1 if place.lateral_offset >= 0 else -1)
    leg = next(k for k, sole in enumerate(soles) if sole.side == side)
    obj = bpy.data.objects.new(
        f"New {soles[leg].side_letter} f{scene.frame_current}",
        get_sole_mesh(soles[leg], filled=True),
    )
    armature.footfall_steps.collection.objects.link(obj)
    set_viewport_display(obj, scene)
    world_matrix = matrix @ _make_flat_matrix(position[:3], place.yaw)
    obj.matrix_world = Matrix(world_matrix.tolist())
    step_settings = obj.footfall_step
    step_settings.number = -1
    step_settings.leg = leg
    step_settings.label = obj.name
    step_settings.planned_place = world_matrix.ravel().tolist()
    step_settings.frame = float(scene.frame_current)
    step_settings.kept = True
    return obj


def _check_time(plan: StoredPlan, time: float, scene: bpy.types.Scene) -> None:
    clip_length = (plan.motion.frames - 1) / plan.motion.fps
    if not 0 <= time <= clip_length:
        raise TaskError(
            f"The motion is from frame {plan.first_frame} to {plan.frame_at(clip_length):.0f}, "
            f"and the current frame is {scene.frame_current}. Go to the frame of the footstep."
        )


def _make_flat_matrix(position: Array, yaw: float) -> Array:
    """Return a transform, (4, 4), with a rotation about the vertical axis."""
    matrix = np.eye(4)
    matrix[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    matrix[:3, 3] = position
    return matrix


def _locate_between_feet(plan: StoredPlan, time: float, position: Array) -> _RelativePlace:
    """Return a place relative to the feet.

    Args:
        plan: plan of the motion.
        time: time in the motion [s].
        position: horizontal position of the place, (2,) [m].
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
    return _RelativePlace(yaw, float(np.cos(yaw) * y - np.sin(yaw) * x))

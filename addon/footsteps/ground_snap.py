"""Correction of footsteps that were dragged parallel to the screen instead of along the ground."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from ...core.terrain import Ground
from ..bake.stored_plan import StoredPlan
from ..scene.owners import read_world_matrix
from .objects import list_step_objects

Array = NDArray[np.float64]

# Smallest sine of the angle between line of sight and horizontal plane, 14 degrees. On a flatter
# line a pixel is four times as far on the ground as from the side.
MIN_VIEW_ANGLE_SINE = 0.25
OFF_GROUND_TOLERANCE = 2e-3  # displacement above which a footstep counts as dragged [m]
# Iterations of the intersection of line of sight and ground. Numerical: on level ground the first
# one is exact, and on slopes each leaves a share of the error.
PROJECTION_ITERATIONS = 8


def snap_to_ground(
    armature: bpy.types.Object, stored_plan: StoredPlan, window: bpy.types.Window
) -> int:
    """Move dragged footsteps along the line of sight onto the ground.

    With several 3D views open nothing is moved, because the drag may have been in any of them.

    Returns:
        The number of moved footsteps.
    """
    views = [a for a in window.screen.areas if a.type == "VIEW_3D"]
    if len(views) != 1 or views[0].spaces.active.region_quadviews:
        return 0
    view = views[0].spaces.active.region_3d
    count = 0
    to_scene = np.array(armature.footfall_steps.matrix).reshape(4, 4)
    to_motion = np.linalg.inv(to_scene)
    for obj in list_step_objects(armature):
        matrix = to_motion @ read_world_matrix(obj)
        planned_matrix = to_motion @ np.array(obj.footfall_step.planned_place).reshape(4, 4)
        if (
            obj.parent is not None
            or abs(matrix[2, 3] - planned_matrix[2, 3]) < OFF_GROUND_TOLERANCE
            or np.abs((matrix - planned_matrix)[:2, 3]).max() < OFF_GROUND_TOLERANCE
        ):
            continue
        position = _project_onto_ground(
            stored_plan.task.ground,
            matrix[:3, 3],
            to_motion[:3, :3] @ _compute_view_direction(view, obj.location),
        )
        if position is not None:
            obj.location = Vector((to_scene @ np.append(position, 1.0))[:3].tolist())
            count += 1
    return count


def _compute_view_direction(view: bpy.types.RegionView3D, position: Vector) -> Array:
    """Return the direction of the line of sight to a position, (3,)."""
    camera_matrix = view.view_matrix.inverted()
    direction = (
        position - camera_matrix.translation
        if view.is_perspective
        else -camera_matrix.col[2].to_3d()
    )
    return np.array(direction.normalized())


def _project_onto_ground(ground: Ground, position: Array, direction: Array) -> Array | None:
    """Return the intersection of a line of sight with the ground.

    Args:
        ground: ground of the motion.
        position: position on the line, (3,) [m].
        direction: direction of the line, (3,).

    Returns:
        The position on the ground, (3,) [m]; None if the line is too flat or leaves the ground.
    """
    direction = direction / np.linalg.norm(direction)
    if abs(direction[2]) < MIN_VIEW_ANGLE_SINE:
        return None
    for _ in range(PROJECTION_ITERATIONS):
        height = float(ground.sample_heights(position[None, :2])[0])
        if not np.isfinite(height):
            return None
        position = position + (height - position[2]) / direction[2] * direction
    return position

"""What a task may request of a walker in the plane of its path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...errors import TaskError
from ...task import Push, Task
from ...terrain import FlatGround
from ..shared.disturbances import list_push_parts
from .path_ground import PathGround

Array = NDArray[np.float64]

OTHER_ENGINES = "choose the engine 'centroidal' or 'preview'"
# Largest distance of the path from a straight line [m].
MAX_BEND = 0.02
# Largest force across the path, as a share of the whole force.
MAX_ACROSS = 0.05
# Largest difference in height of the ground [m]. On other ground the walker stubs its toes.
MAX_RISE = 0.005
# Distance of the lines of the feet from the path [m].
FOOT_LINE = 0.12
# Distance between the heights of the ground [m].
GROUND_STEP = 0.02
# Ground before the start and after the reach of the walk that is sampled [m].
GROUND_MARGIN = 2.0
# Parts of the body that belong to the trunk of the planar biped.
TRUNK_PARTS = ("com", "pelvis", "chest", "head")


def check_task(task: Task) -> None:
    """Refuse what the engine cannot do.

    Raises:
        TaskError: the task requests it.
    """
    points = task.path.points
    forward = _find_forward(task)
    across = (points - points[0]) @ np.array([-forward[1], forward[0]])
    along = np.diff((points - points[0]) @ forward)
    if np.abs(across).max() > MAX_BEND or (along < 0).any():
        raise TaskError(
            "The path has bends; the engine 'tracker' walks in the plane of a straight path only. "
            f"Draw a straight path, or {OTHER_ENGINES}."
        )
    if task.start == "standing":
        raise TaskError(
            "The clip begins from standing; the engine 'tracker' is in stride from the first frame "
            f"on. Set the start to 'moving', or {OTHER_ENGINES}."
        )
    speeds = task.speed.values
    speed = float(speeds[0])
    if np.ptp(speeds) > 0 or speed <= 0:
        raise TaskError(
            "The speed changes or is 0; the engine 'tracker' walks at one speed. Give it one speed "
            f"above 0, or {OTHER_ENGINES}."
        )
    if task.stop_at_end and task.path.length < speed * task.seconds:
        units = task.units
        raise TaskError(
            f"The path is {units.to_user_length(task.path.length):.1f} m long and the engine "
            "'tracker' does not stop at its end. Draw a path of at least "
            f"{units.to_user_length(speed * task.seconds):.1f} m, shorten the clip, or switch off "
            "the stop at the end."
        )
    for push in task.pushes:
        _check_push(push, forward)


def _find_forward(task: Task) -> Array:
    points = task.path.points
    forward = points[-1] - points[0]
    return np.asarray(forward / max(float(np.linalg.norm(forward)), 1e-9))


def _check_push(push: Push, forward: Array) -> None:
    force = np.asarray(push.force)
    across = force[:2] @ np.array([-forward[1], forward[0]])
    if abs(across) > MAX_ACROSS * np.linalg.norm(force):
        raise TaskError(
            f"The push at {push.time:g} s acts across the path; the engine 'tracker' feels pushes "
            f"along the path and up or down only. Turn it along the path, or {OTHER_ENGINES}."
        )
    if push.body_part not in TRUNK_PARTS:
        raise TaskError(
            f"The push at {push.time:g} s acts at {push.body_part!r}; the engine 'tracker' feels "
            f"pushes at: {', '.join(TRUNK_PARTS)}. Choose one of these, or {OTHER_ENGINES}."
        )


def sample_path_ground(task: Task, length: float) -> PathGround:
    """Return the ground along the path of a task, level before its start.

    Args:
        length: distance that the walk reaches [m].

    Raises:
        TaskError: the ground ends, or it is not level.
    """
    if isinstance(task.ground, FlatGround):
        return PathGround.level()
    distance = np.arange(0.0, length + GROUND_MARGIN, GROUND_STEP)
    forward = _find_forward(task)
    left = np.array([-forward[1], forward[0]])
    places = task.path.points[0] + distance[:, None] * forward
    lines = np.stack(
        [task.ground.sample_heights(places + side * FOOT_LINE * left) for side in (-1, 0, 1)]
    )
    if not np.isfinite(lines).all():
        first = distance[np.argmin(np.isfinite(lines).all(0))]
        raise TaskError(
            f"The ground ends {task.units.to_user_length(float(first)):.1f} m along the path; the "
            "engine 'tracker' does not step over gaps. Shorten the clip, extend the ground, or "
            "choose the engine 'centroidal' or 'preview'."
        )
    if np.ptp(lines) > MAX_RISE:
        raise TaskError(
            "The ground is not level; the engine 'tracker' walks on level ground only. Lead the "
            f"path over level ground, or {OTHER_ENGINES}."
        )
    return PathGround(0.0, GROUND_STEP, lines[1])


def find_push_place(model: KinematicModel, part: str) -> complex | None:
    """Return the place on the trunk at which a push on a part acts, from the hip [m].

    None for the center of mass of the body.
    """
    if part == "com":
        return None
    link = list_push_parts(model.character)[part]
    placed = model.compute_link_poses(model.neutral[None])
    thighs = [leg.links[0] for leg in model.character.legs]
    offset = placed.link_com[0, link] - placed.origin[0, thighs].mean(0)
    return complex(offset[0], offset[2])

"""What a task may request of a walker in the plane of its path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import trapezoid

from ...character.kinematic_model import KinematicModel
from ...errors import TaskError
from ...task import Push, Task
from ...terrain import FlatGround, YieldingTerrain
from ..shared.disturbances import list_push_parts
from .path_ground import GROUND_STEP, PathGround

Array = NDArray[np.float64]

OTHER_ENGINES = "choose the engine 'centroidal' or 'preview'"
# Largest distance of the path from a straight line [m], which is not seen.
MAX_BEND = 0.02
# Largest force across the path, as a share of the whole force: three degrees, which hardly change
# its part along the path.
MAX_ACROSS = 0.05
# Largest difference in height of the ground between the lines of the feet [m], five degrees, which
# human ankles make up for.
MAX_TILT = 0.02
# Steepest slopes up and down [rad], those of the paper's walk (Abe and Popović 2011), over the
# length of `SLOPE_SPAN` [m], that of a foot.
MAX_UP = np.radians(10.0)
MAX_DOWN = np.radians(18.0)
SLOPE_SPAN = 0.3
# Highest steps of the ground up and down [m], within `STEP_SPAN` [m]; up, for a walker that chooses
# its steps, as it does at one speed, and for one that does not.
MAX_STEP_CHOSEN = 0.15
MAX_STEP = 0.05
STEP_SPAN = 0.04
# Difference of heights that is rounding [m], above that of single precision in meshes.
ROUNDING = 1e-6
# Distance of the lines of the feet from the path [m].
FOOT_LINE = 0.12
# Ground after the reach of the walk that is sampled [m]: the two steps that a walker sees ahead.
GROUND_MARGIN = 2.0
# Parts of the body that belong to the trunk of the planar biped.
TRUNK_PARTS = ("com", "pelvis", "chest", "head")


def check_task(task: Task) -> None:
    """Refuse what the engine cannot do.

    Raises:
        TaskError: the task requests it.
    """
    points = task.path.points
    forward = find_forward(task)
    across = (points - points[0]) @ np.array([-forward[1], forward[0]])
    along = np.diff((points - points[0]) @ forward)
    if np.abs(across).max() > MAX_BEND or (along < 0).any():
        raise TaskError(
            "The path has bends; the engine 'tracker' walks in the plane of a straight path only. "
            f"Draw a straight path, or {OTHER_ENGINES}."
        )
    if task.speed.values.min() <= 0:
        raise TaskError(
            "The speed is 0 at a time; the engine 'tracker' does not stop before the end of the "
            "path. Give it speeds above 0, set the start to 'standing' or switch on the stop at "
            f"the end, or {OTHER_ENGINES}."
        )
    for push in task.pushes:
        _check_push(push, forward)


def measure_distance(task: Task) -> float:
    """Return the distance of a task at its speeds [m]."""
    times = np.linspace(0.0, task.seconds, 200)
    return float(trapezoid(task.speed.value_at(times), times))


def refuse_stands(task: Task) -> None:
    """Refuse a start from a stand and a stop at the end of the path, for bodies that jump.

    Raises:
        TaskError: the task requests one.
    """
    if task.start == "standing":
        raise TaskError(
            "The clip begins from standing; jumps of the engine 'tracker' are in series from the "
            f"first frame on. Set the start to 'moving', or {OTHER_ENGINES}."
        )
    distance = measure_distance(task)
    if task.stop_at_end and task.path.length < distance:
        units = task.units
        raise TaskError(
            f"The path is {units.to_user_length(task.path.length):.1f} m long and jumps of the "
            "engine 'tracker' do not stop at its end. Draw a path of at least "
            f"{units.to_user_length(distance):.1f} m, shorten the clip, or switch off "
            "the stop at the end."
        )


def find_forward(task: Task) -> Array:
    """Return the direction from the first to the last point of the path, shape (2,)."""
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


def sample_path_ground(task: Task, length: float, max_step: float = MAX_STEP) -> PathGround:
    """Return the ground along the path of a task with its gaps, level before its start.

    Args:
        length: distance that the walk reaches [m].
        max_step: highest step up that is walked on [m].

    Raises:
        TaskError: the ground ends, tilts sideways, is too steep, or yields.
    """
    if isinstance(task.ground, YieldingTerrain):
        raise TaskError(
            "The ground yields; the engine 'tracker' walks on it along a path, and needs firm "
            "ground where it jumps or is driven. Take firm ground, or take out the jumps."
        )
    if isinstance(task.ground, FlatGround):
        return PathGround.level()
    distance = np.arange(0.0, length + GROUND_MARGIN, GROUND_STEP)
    forward = find_forward(task)
    left = np.array([-forward[1], forward[0]])
    places = task.path.points[0] + distance[:, None] * forward
    lines = np.stack(
        [task.ground.sample_heights(places + side * FOOT_LINE * left) for side in (-1, 0, 1)]
    )
    is_solid = np.isfinite(lines).all(0)
    if not is_solid[0] or not is_solid[-1]:
        first = distance[np.flatnonzero(is_solid)[-1]] if is_solid.any() else 0.0
        raise TaskError(
            f"The ground ends {task.units.to_user_length(float(first)):.1f} m along the path; the "
            "engine 'tracker' would walk beyond it. Shorten the clip, extend the ground, or "
            f"{OTHER_ENGINES}."
        )
    filled = np.stack([np.interp(distance, distance[is_solid], z[is_solid]) for z in lines])
    _check_heights(task, distance, filled, max_step)
    return PathGround.from_samples(0.0, GROUND_STEP, np.where(is_solid, lines[1], np.nan))


def _check_heights(task: Task, distance: Array, lines: Array, max_step: float) -> None:
    """Refuse ground on which the walker falls.

    Args:
        task: task.
        distance: along the path [m], shape (n,).
        lines: heights to the right of the path, on it, and to the left of it [m], shape (3, n).
        max_step: highest step up [m].
    """

    def name_place(bad: NDArray[np.bool_]) -> str:
        return f"{task.units.to_user_length(float(distance[np.argmax(bad)])):.1f} m along the path"

    tilted = np.ptp(lines, axis=0) > MAX_TILT
    if tilted.any():
        raise TaskError(
            f"The ground tilts sideways {name_place(tilted)}; the engine 'tracker' feels the "
            f"height along its path only. Lead the path straight up or down, or {OTHER_ENGINES}."
        )
    height = lines[1]
    rise = _rise_over(height, STEP_SPAN)
    jump = (rise > max_step + ROUNDING) | (rise < -MAX_STEP - ROUNDING)
    if jump.any():
        up, down = (task.units.to_user_length(step) for step in (max_step, MAX_STEP))
        raise TaskError(
            f"The ground has a step {name_place(jump)} that is higher than the engine 'tracker' "
            f"walks, {up:.2g} m up and {down:.2g} m down. Make the step lower, or {OTHER_ENGINES}."
        )
    grade = _rise_over(_remove_steps(height), SLOPE_SPAN) / SLOPE_SPAN
    steep = (grade > np.tan(MAX_UP) + MAX_STEP) | (grade < -np.tan(MAX_DOWN) - MAX_STEP)
    if steep.any():
        raise TaskError(
            f"The ground is too steep {name_place(steep)}; the engine 'tracker' walks up "
            f"{np.degrees(MAX_UP):.0f} and down {np.degrees(MAX_DOWN):.0f} degrees. Flatten the "
            f"ground, or {OTHER_ENGINES}."
        )


def _remove_steps(height: Array) -> Array:
    """Return heights of a ground without its steps [m], shape (n,)."""
    rise = np.diff(height, prepend=height[0])
    for begin, end in PathGround(0.0, GROUND_STEP, height).steps / GROUND_STEP:
        rise[round(begin) + 1 : round(end) + 1] = 0.0
    return np.asarray(height[0] + np.cumsum(rise))


def _rise_over(height: Array, span: float) -> Array:
    """Return the rise from each height to the one a distance ahead [m]."""
    count = round(span / GROUND_STEP)
    return np.asarray(height[count:] - height[:-count])


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

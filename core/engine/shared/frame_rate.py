"""Frame rates at which motions are solved and judged, and those of their tasks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...motion import Motion
from ...task import Task

# Frame rate at human scale below which motions are solved at a multiple of the rate [1/s]: at 4
# frames a second feet drifted by 20 cm.
MIN_SOLVED_FPS = 12.0


def count_solved_frames(fps: float, time_scale: float) -> int:
    """Return the number of frames that are solved for each frame of a task.

    Poses are solved, and contacts judged, with the velocities between frames. These state nothing
    about a foot that lands and leaves the ground from one frame to the next.

    Args:
        fps: frame rate of the task [1/s].
        time_scale: duration of a movement of the body, as a multiple of that of a human body.
    """
    return max(1, int(np.ceil(MIN_SOLVED_FPS / (fps * time_scale))))


def with_fine_frames(task: Task, count: int) -> Task:
    """Return a task with several frames in place of each, the last one included."""
    if count == 1:
        return task
    return replace(task, fps=count * task.fps, seconds=(task.frames - 1) / task.fps)


def with_task_frames(motion: Motion, count: int) -> Motion:
    """Return a motion with one of several solved frames."""
    if count == 1:
        return motion
    return replace(motion.take_frames(slice(None, None, count)), fps=motion.fps / count)

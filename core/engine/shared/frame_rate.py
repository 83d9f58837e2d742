"""Frame rates that are too low to solve poses at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...motion import Motion
from ...task import Task

# Frame rate at human scale below which poses are solved at a multiple of the rate [1/s]: at 4
# frames a second feet drifted by 20 cm.
MIN_SOLVED_FPS = 12.0


def count_solved_frames(task: Task) -> int:
    """Return the number of frames that are solved for each frame of a task at human scale.

    Poses are solved with the velocities between frames. These state nothing about a foot that
    lands and leaves the ground from one frame to the next.
    """
    return max(1, int(np.ceil(MIN_SOLVED_FPS / task.fps)))


def with_fine_frames(task: Task, oversampling: int) -> Task:
    """Return a task with several frames in place of each, the last one included."""
    if oversampling == 1:
        return task
    return replace(task, fps=oversampling * task.fps, seconds=(task.frames - 1) / task.fps)


def with_task_frames(motion: Motion, oversampling: int) -> Motion:
    """Return a motion with one of several solved frames."""
    if oversampling == 1:
        return motion
    return replace(
        motion.take_frames(slice(None, None, oversampling)), fps=motion.fps / oversampling
    )

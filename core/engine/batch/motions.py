"""Generation of many motions by an executor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...motion import save_motion
from ...motion.measures import measure
from ...task import Task
from .. import generate
from .batch import Batch


def create_motion_batch(
    tasks: Sequence[Task], folder: Path, names: Sequence[str] | None = None
) -> Batch[Task, str]:
    """Return the batch that generates the motions of tasks.

    Each result is a folder of `motion.npz` and `report.json`, and its summary is a line of
    measures.

    Args:
        names: of the folders of the motions; by default 00, 01 and so on.
    """
    if names is None:
        digit_count = max(len(str(len(tasks) - 1)), 2)
        names = [f"{k:0{digit_count}}" for k in range(len(tasks))]
    return Batch(save_generated_motion, tasks, names, folder)


def save_generated_motion(task: Task, folder: Path) -> str:
    """Generate the motion of a task, write it, and return its measures as one line."""
    motion = generate(task)
    measures = measure(motion, task.ground.sample_heights)
    save_motion(motion, folder)
    return (
        f"drift {1000 * measures.drift_m:.2f} mm, momentum {measures.momentum_residual:.4f}, "
        f"angular {measures.angular_residual:.4f}"
    )

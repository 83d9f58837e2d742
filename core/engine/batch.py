"""Generation of many motions in parallel processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from ..motion import save_motion
from ..motion.measures import measure
from ..task import Task
from . import generate


def generate_all(tasks: list[Task], out: Path) -> Iterator[str]:
    """Generate motions of tasks into the folders `out`/00, 01 and so on.

    Yields:
        One line of text for each task, in order, as soon as it is done.

    Raises:
        FootfallError: a task cannot be generated; the motions before it have been written.
    """
    digit_count = max(len(str(len(tasks) - 1)), 2)
    folders = [out / f"{k:0{digit_count}}" for k in range(len(tasks))]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        try:
            yield from pool.map(_generate_one, tasks, folders)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _generate_one(task: Task, folder: Path) -> str:
    motion = generate(task)
    measures = measure(motion, task.ground.sample_heights)
    path = save_motion(motion, folder)
    return (
        f"{path}: drift {1000 * measures.drift_m:.2f} mm, momentum "
        f"{measures.momentum_residual:.4f}, angular {measures.angular_residual:.4f}"
    )

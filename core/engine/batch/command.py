"""The command `footfall batch`, and the options of all commands that run a batch."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import BatchError, TaskError
from ...task import Task, load_task
from .batch import Batch
from .cluster import open_cluster
from .motions import create_motion_batch
from .pool import ProcessPool
from .run import run_batch

Commands = Any  # Type of `ArgumentParser.add_subparsers`, which is private in argparse.


def add_batch_command(commands: Commands) -> None:
    """Add the command `batch` to the commands of a parser.

    Args:
        commands: result of `ArgumentParser.add_subparsers`.
    """
    batch_parser = commands.add_parser(
        "batch", help="generate the motions of many task files or seeds, on all cores or a cluster"
    )
    batch_parser.add_argument("tasks", type=Path, nargs="+", metavar="TASK.toml")
    batch_parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder with one folder for each motion, named after its task file",
    )
    batch_parser.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help="every task with seeds 0 to N - 1, instead of the seed in its file",
    )
    add_executor_options(batch_parser)
    batch_parser.set_defaults(do=_generate_batch)


def add_executor_options(parser: argparse.ArgumentParser) -> None:
    """Add the options by which `open_executor` chooses an executor."""
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--workers", type=int, metavar="N", help="number of processes (that of the cores)"
    )
    place.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="scheduler of a Dask cluster that does the work, such as tcp://host:8786",
    )


def open_executor(options: argparse.Namespace) -> AbstractContextManager[Executor]:
    """Return a context with the executor of the options of `add_executor_options`.

    Raises:
        BatchError: it cannot be started; the errors of a cluster come when the context begins.
    """
    return open_cluster(options.cluster) if options.cluster else ProcessPool(options.workers)


def list_seeds(count: int) -> range:
    """Return the seeds 0 to `count` - 1.

    Raises:
        TaskError: there are none.
    """
    if count < 1:
        raise TaskError(f"The number of seeds is {count}; it must be at least 1.")
    return range(count)


def print_batch(batch: Batch[Task, str], options: argparse.Namespace) -> None:
    """Run a batch and print one line for each motion.

    Args:
        options: those of `add_executor_options`.

    Raises:
        BatchError: some motions could not be generated; the others are there.
    """
    failure_count = 0
    with open_executor(options) as executor:
        for result in run_batch(batch, executor):
            if result.error is None:
                print(f"{result.path}: {result.summary}", flush=True)
            else:
                failure_count += 1
                error = " ".join(result.error.split())
                print(f"footfall: {result.name}: {error}", file=sys.stderr, flush=True)
    if failure_count:
        raise BatchError(
            f"{failure_count} of {len(batch.items)} motions could not be generated; the others "
            f"are in {batch.folder}."
        )


def _generate_batch(options: argparse.Namespace) -> None:
    tasks = [load_task(path) for path in options.tasks]
    names = [path.stem for path in options.tasks]
    if options.seeds is not None:
        seeds = list_seeds(options.seeds)
        names = [f"{name}-{seed:0{len(str(seeds[-1]))}}" for name in names for seed in seeds]
        tasks = [replace(task, seed=seed) for task in tasks for seed in seeds]
    print_batch(create_motion_batch(tasks, options.out, names), options)

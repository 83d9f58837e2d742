"""A task as one text file: TOML, with long arrays packed into words."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

import tomli_w

from ..errors import FootfallError, TaskError, WriteError
from ..files.source import FileKind, read_toml, show_path
from .task import Task

FORMAT_KEY = "footfall_task"  # first entry of a task file
FORMAT_VERSION = 1  # value of `FORMAT_KEY`
TASK_FILE = FileKind("task", 256_000_000, TaskError)  # a terrain may have millions of points


def save_task(task: Task, path: FilePath) -> None:
    """Write a task file.

    Raises:
        WriteError: the file cannot be written.
    """
    data = {FORMAT_KEY: FORMAT_VERSION, **task.to_table()}
    try:
        FilePath(path).write_text(tomli_w.dumps(data), encoding="utf-8")
    except OSError as error:
        raise WriteError(
            f"The task file {path} cannot be written: {error.strerror or error}."
        ) from error


def load_task(path: FilePath) -> Task:
    """Read a task file.

    Raises:
        TaskError: the file cannot be opened, is no task file, is of a newer version, or holds a
            value that a task cannot have.
    """
    path = FilePath(path)
    return task_from_data(read_toml(path, TASK_FILE), show_path(path))


def task_from_data(data: dict[str, Any], source: str = "The file") -> Task:
    """Return the task that the entries of a task file describe.

    Args:
        source: name of the file, for messages.

    Raises:
        TaskError: as `load_task`.
    """
    version = data.get(FORMAT_KEY)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise TaskError(
            f"{source} is not a task file: its first line should be `{FORMAT_KEY} = "
            f"{FORMAT_VERSION}`."
        )
    if version > FORMAT_VERSION:
        raise TaskError(
            f"{source} is a task of version {version}; this Footfall reads up to version "
            f"{FORMAT_VERSION}. Update Footfall."
        )
    try:
        return Task.from_table({key: entry for key, entry in data.items() if key != FORMAT_KEY})
    except FootfallError as error:
        raise TaskError(f"{source}: {error}") from error

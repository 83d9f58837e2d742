"""The latest task that failed, kept to be saved for a bug report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from ...core.clip import QuadrupedStyle, Style, save_style
from ...core.errors import FootfallError
from ...core.task import Task, save_task
from ..temp_folders import open_temp_folder

MAX_LOG_LINES = 200  # lines at the end of a log that a saved failure contains


@dataclass(frozen=True)
class Failure:
    """A task that failed."""

    task: Task
    style: Style | QuadrupedStyle | None  # style that replaced the task's style
    message: str  # error message
    log: str  # log of the planning process


_stored_failures: list[Failure] = []


def set_last_failure(failure: Failure) -> None:
    """Store a failure in place of the previous one."""
    _stored_failures[:] = [failure]


def clear_last_failure() -> None:
    """Remove the stored failure."""
    _stored_failures.clear()


def get_last_failure() -> Failure | None:
    """Return the latest failure of this Blender session; None without one."""
    return _stored_failures[0] if _stored_failures else None


def save_failure(failure: Failure, path: Path) -> None:
    """Write a task file that reproduces a failure.

    Message, log and a style that was read from an action are comments at the top.

    Raises:
        FootfallError: the file exists or cannot be written.
    """
    text = _format_failure(failure)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise FootfallError(f"The file {path} already exists; choose another name.") from error
    except OSError as error:
        raise FootfallError(f"{path} cannot be written: {error.strerror or error}.") from error


def _format_failure(failure: Failure) -> str:
    comments = [failure.message, *failure.log.splitlines()[-MAX_LOG_LINES:]]
    task = failure.task
    with open_temp_folder("failure") as folder:
        if failure.style is not None:
            style_file = save_style(failure.style, folder / "style.toml")
            style_lines = style_file.read_text(encoding="utf-8").splitlines()
            comments += ["The style was read from an action:", *style_lines]
            task = replace(task, style="natural")
        save_task(task, folder / "task.toml")
        task_text = (folder / "task.toml").read_text(encoding="utf-8")
    return "".join(f"# {line}\n" for line in comments) + "\n" + task_text

"""The last task that could not be done, to be saved and sent in."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.clip import QuadrupedStyle, Style, save_style
from ...core.errors import FootfallError
from ...core.task import Task, save_task

MAX_LOG_LINES = 200  # lines of a log that are kept


@dataclass(frozen=True)
class Failure:
    """A task, what was said of it, and what the planning process had to say."""

    task: Task
    style: Style | QuadrupedStyle | None
    message: str
    log: str


_stored_failures: list[Failure] = []


def set_last_failure(
    task: Task, style: Style | QuadrupedStyle | None, message: str, log: str
) -> None:
    """Keep what went wrong, in place of what went wrong before."""
    _stored_failures[:] = [Failure(task, style, message, log)]


def clear_last_failure() -> None:
    """Nothing has gone wrong."""
    _stored_failures.clear()


def get_last_failure() -> Failure | None:
    """What went wrong last, in this session of Blender."""
    return _stored_failures[0] if _stored_failures else None


def save_failure(failure: Failure, path: Path) -> None:
    """Write a task file that holds all that is needed to see the fault again:
    the message and the log as comments on top.

    Raises:
        FootfallError: the file cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix="footfall-") as name:
        folder = Path(name)
        task = failure.task
        style_lines = []
        if failure.style is not None:
            style_lines = (
                save_style(failure.style, folder / "style.toml")
                .read_text(encoding="utf-8")
                .splitlines()
            )
            task = replace(task, style="natural")
        save_task(task, folder / "task.toml")
        comments = [failure.message, *failure.log.splitlines()[-MAX_LOG_LINES:]]
        if style_lines:
            comments += ["The style was that of an action:", *style_lines]
        text = (
            "".join(f"# {line}\n" for line in comments)
            + "\n"
            + (folder / "task.toml").read_text(encoding="utf-8")
        )
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise FootfallError(f"There is a file {path} already; give another name.") from error
    except OSError as error:
        raise FootfallError(f"{path} cannot be written: {error.strerror or error}.") from error

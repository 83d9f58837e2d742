"""Work for tests of batches; a module, so that processes can import it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from footfall.core.errors import TaskError


def write_square(number: int, path: Path) -> int:
    """Write the square of a number to a file and return the number."""
    path.write_text(str(number**2))
    return number


def write_folder(text: str, path: Path) -> None:
    """Write a text to a file in a folder."""
    path.mkdir()
    (path / "text.txt").write_text(text)


def refuse_odd_numbers(number: int, path: Path) -> None:
    """Raise an error for odd numbers, and another one for 2."""
    if number % 2:
        raise TaskError(f"{number} is odd.")
    path.write_text("even")
    if number == 2:
        raise ZeroDivisionError("two")


def sleep_and_write(seconds: float, path: Path) -> int:
    """Write half of a file, wait, write the rest, and return the process."""
    with path.open("w") as file:
        file.write("half ")
        file.flush()
        time.sleep(seconds)
        file.write("whole")
    return os.getpid()


def die_once(marker: str, path: Path) -> None:
    """Kill this process if a file does not exist, which is then created; "always" kills always."""
    if marker == "always":
        os.kill(os.getpid(), signal.SIGKILL)
    if marker != "never" and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    path.write_text("alive")

"""Controllers that Footfall ships."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ...errors import TaskError
from .controller_file import Controller, load_controller

CONTROLLERS_FOLDER = Path(__file__).with_name("controllers")


@cache
def load_shipped_controller(name: str = "forward") -> Controller:
    """Return a controller by the name of its movement.

    Raises:
        TaskError: there is none.
    """
    path = CONTROLLERS_FOLDER / f"{name}.json"
    if not path.exists():
        raise TaskError(
            f"There is no controller {name!r}; `footfall train adaptive {name}` searches one."
        )
    return load_controller(path)

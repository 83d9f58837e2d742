"""Controllers that Footfall ships."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ...errors import TaskError
from .controller_file import TrainedController, load_controller
from .parameters import GaitParameters

CONTROLLERS_FOLDER = Path(__file__).with_name("controllers")


@cache
def load_shipped_gaits() -> dict[str, GaitParameters]:
    """Return the parameters of all controllers by the names of their movements and transitions."""
    return {
        path.stem: load_shipped_controller(path.stem).gait
        for path in sorted(CONTROLLERS_FOLDER.glob("*.json"))
    }


@cache
def load_shipped_controller(name: str = "forward") -> TrainedController:
    """Return a controller by the name of its movement or transition.

    Raises:
        TaskError: there is none.
    """
    path = CONTROLLERS_FOLDER / f"{name}.json"
    if not path.exists():
        raise TaskError(
            f"There is no controller {name!r}; `footfall train adaptive {name}` searches one."
        )
    return load_controller(path)

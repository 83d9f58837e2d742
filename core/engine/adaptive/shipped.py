"""Controllers that Footfall ships."""

from __future__ import annotations

from functools import cache

from ...errors import TaskError
from .controller_file import TrainedController, load_controller
from .movement_choice import CONTROLLERS_FOLDER, list_shipped_names
from .parameters import GaitParameters


@cache
def load_shipped_gaits() -> dict[str, GaitParameters]:
    """Return the parameters of all controllers by the names of their movements and transitions."""
    return {name: load_shipped_controller(name).gait for name in sorted(list_shipped_names())}


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

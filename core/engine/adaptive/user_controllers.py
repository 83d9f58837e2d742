"""Controllers that users have trained for their characters."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ...errors import TaskError
from .biped import ScaledBiped
from .body_identity import BodyIdentity
from .controller_file import TrainedController, load_controller
from .movement_choice import USER_FOLDER_VARIABLE
from .movements import MOVEMENTS
from .parameters import GaitParameters
from .shipped import fit_gaits, load_shipped_gaits
from .transitions import TRANSITIONS


@dataclass(frozen=True)
class BodyControllers:
    """The controllers of a body.

    Args:
        gaits: parameters of movements and transitions by their names.
        notes: which of them a user has trained, and which files cannot be used.
    """

    gaits: Mapping[str, GaitParameters]
    notes: tuple[str, ...] = field(default=())


def find_controllers(scaled: ScaledBiped, folder: Path | None = None) -> BodyControllers:
    """Return the controllers of a body: the user's, and those of Footfall for everything else.

    Args:
        scaled: the body in the units of the controllers.
        folder: of the user's controllers; None for that of the environment variable.
    """
    gaits = fit_gaits(load_shipped_gaits(), scaled.biped)
    if folder is None and os.environ.get(USER_FOLDER_VARIABLE):
        folder = Path(os.environ[USER_FOLDER_VARIABLE])
    if folder is None:
        return BodyControllers(gaits)
    identity = BodyIdentity.from_biped(scaled.biped)
    trained: dict[str, GaitParameters] = {}
    notes = []
    for path in _list_newest_first(folder):
        try:
            controller = _load_cached(path, path.stat().st_mtime_ns)
        except (OSError, TaskError) as error:
            notes.append(f"{path.name} in the folder of trained controllers is left out: {error}")
            continue
        if controller.identity is None or not controller.identity.matches(identity):
            continue
        if controller.name in trained:
            continue  # an older one
        trained[controller.name] = controller.gait
        notes.append(
            f"the movement {controller.name!r} has the controller that was trained for "
            f"{controller.body} ({path.name})"
        )
    return BodyControllers(gaits | trained, tuple(notes))


def _list_newest_first(folder: Path) -> list[Path]:
    """Return the files of controllers in a folder, which may not exist."""
    return sorted(folder.glob("*.json"), key=lambda path: (-path.stat().st_mtime_ns, path.name))


@lru_cache(maxsize=64)
def _load_cached(path: Path, changed: int) -> TrainedController:
    """Return the controller of a user's file, which is read once for each time that it changes.

    Raises:
        TaskError: the file cannot be read, or was not trained for a body.
    """
    controller = load_controller(path)
    if controller.identity is None:
        raise TaskError(
            "It was not trained for the body of a user; `footfall train adaptive forward --body "
            "FILE` does that."
        )
    if controller.name not in MOVEMENTS and controller.name not in TRANSITIONS:
        raise TaskError(f"There is no movement {controller.name!r}.")
    return controller


def name_controller_file(name: str, body: str, identity: BodyIdentity) -> str:
    """Return the name of the file for a controller of a body.

    Args:
        name: of the movement.
        body: name of the body.
        identity: of the body.
    """
    words = re.sub(r"[^A-Za-z0-9]+", "-", f"{body}-{name}").strip("-")[:60]
    return f"{words}-{identity.label}.json"

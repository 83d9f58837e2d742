"""Networks that come with Footfall, and those of the user, by body and style."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from ...character.character import Character
from ...errors import FootfallError, TaskError
from ...task import Task
from ..features import check_features
from ..shared.character import load_task_character
from ..shared.scaling import to_human_scale
from .identity import NetworkIdentity, resolve_style
from .info import INFO
from .weights_file import LearnedNetwork, NetworkError, load_network

NETWORKS_FOLDER = Path(__file__).parent / "networks"
# Environment variable with the folder of the user's networks
USER_FOLDER_VARIABLE = "FOOTFALL_NETWORKS"
# Ratio to the fastest trained speed above which a network does not know the motion
MAX_SPEED_RATIO = 1.02


def list_networks(user_folder: Path | None = None) -> list[Path]:
    """Return the files of networks: those of the user first, each part in order of names.

    Args:
        user_folder: folder of the user's networks; None for that of the environment variable.
    """
    if user_folder is None and os.environ.get(USER_FOLDER_VARIABLE):
        user_folder = Path(os.environ[USER_FOLDER_VARIABLE])
    folders = [NETWORKS_FOLDER] if user_folder is None else [user_folder, NETWORKS_FOLDER]
    return [path for folder in folders for path in sorted(folder.glob("*.npz"))]


def find_network(task: Task, character: Character) -> LearnedNetwork:
    """Return the network of the body and the style of a task.

    Raises:
        TaskError: there is none.
    """
    identity = NetworkIdentity.from_task(task, character)
    names = []
    problems = []
    for path in list_networks():
        try:
            network = load_cached_network(path)
        except NetworkError as error:
            problems.append(str(error))
            continue
        if network.about.identity.matches(identity):
            return network
        names.append(f"{network.about.body} in the style {network.about.style!r}")
    broken = "".join(f" {problem}" for problem in problems)
    raise TaskError(
        f"There is no network for {character.name} in the style {describe_style(task)}; there are: "
        f"{', '.join(names)}. "
        "Train one, with *Train for This Character* or `footfall train learned`, or choose the "
        f"engine 'centroidal'.{broken}"
    )


def find_network_file(task: Task, user_folder: Path | None = None) -> Path | None:
    """Return the file of the network for the body and the style of a task; None without one.

    Args:
        task: task; its path and speed do not count.
        user_folder: folder of the user's networks; None for that of the environment variable.

    Raises:
        TaskError: the style does not exist or does not fit the body.
        CharacterError: the body cannot be read.
        ClipError: the clip of the style cannot be read.
    """
    identity = NetworkIdentity.from_task(task, load_task_character(task))
    for path in list_networks(user_folder):
        try:
            network = load_cached_network(path)
        except NetworkError:
            continue
        if network.about.identity.matches(identity):
            return path
    return None


def is_predictable(task: Task, user_folder: Path | None = None) -> bool:
    """Return whether the learned engine can generate a task of another engine as well as that.

    A push is answered better by a plan, which has the body balance within a step.

    Args:
        task: task.
        user_folder: folder of the user's networks; None for that of the environment variable.
    """
    if task.pushes:
        return False
    try:
        check_features(task, INFO)
        path = find_network_file(task, user_folder)
        if path is None:
            return False
        scaled = to_human_scale(task, load_task_character(task)).task
        check_speed(scaled, load_cached_network(path))
    except FootfallError:
        return False
    return True


def check_speed(task: Task, network: LearnedNetwork) -> None:
    """Refuse a speed that a network has not learned.

    Args:
        task: task at human scale.

    Raises:
        TaskError: the task requests it.
    """
    about = network.about
    if task.speed.max_speed > MAX_SPEED_RATIO * about.fastest:
        units = task.units
        raise TaskError(
            f"The speed is {units.to_user_speed(task.speed.max_speed):g} m/s; the network of "
            f"{about.body} has learned speeds up to {units.to_user_speed(about.fastest):.1f} m/s. "
            "Reduce it, or choose the engine 'centroidal'."
        )


def name_network_file(task: Task) -> str:
    """Return the name of the file for a network of the body and the style of a task."""
    character = load_task_character(task)
    identity = NetworkIdentity.from_task(task, character)
    style = resolve_style(task, character).name
    words = re.sub(r"[^A-Za-z0-9]+", "-", f"{character.name}-{style}").strip("-")[:60]
    return f"{words}-{identity.label}.npz"


def describe_style(task: Task) -> str:
    """Return what messages call the style of a task."""
    name = repr(Path(task.style).stem)
    parts = [
        label
        for label, is_used in (
            ("mixed styles", bool(task.mixed_styles)),
            ("another upper body", task.upper_style is not None),
            ("changed knobs", bool(task.knobs.list_changes())),
        )
        if is_used
    ]
    return f"{name} with {' and '.join(parts)}" if parts else name


def load_cached_network(path: Path) -> LearnedNetwork:
    """Return the network of a file, which is read once.

    Raises:
        NetworkError: the file cannot be read.
    """
    try:
        return _load_cached(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise NetworkError(
            f"The network {path} cannot be opened: {error.strerror or error}."
        ) from error


@lru_cache(maxsize=64)
def _load_cached(path: Path, changed: int) -> LearnedNetwork:
    """Return the network of a file, which is read once for each time that it changes."""
    return load_network(path)

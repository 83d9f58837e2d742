"""Networks that come with Footfall, and those of the user, by body and style."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ...character.character import Character
from ...errors import TaskError
from ...task import Task
from .weights_file import LearnedNetwork, load_network

NETWORKS_FOLDER = Path(__file__).parent / "networks"


def list_networks() -> list[Path]:
    """Return the files of the networks, in order of their names."""
    return sorted(NETWORKS_FOLDER.glob("*.npz"))


def find_network(task: Task, character: Character) -> LearnedNetwork:
    """Return the network of the body and the style of a task.

    Raises:
        TaskError: there is none, or the style is mixed or changed.
        NetworkError: its file cannot be read, or is of another body.
    """
    networks = [_load_cached(path, path.stat().st_mtime_ns) for path in list_networks()]
    joints = tuple(link.joint.name for link in character.links)
    for network in networks:
        about = network.about
        if (about.body, about.style, about.joints) == (character.name, task.style, joints):
            return network
    names = ", ".join(f"{n.about.body} in the style {n.about.style!r}" for n in networks)
    raise TaskError(
        f"There is no network for {character.name} in the style {task.style!r}; there are: "
        f"{names}. "
        "Train one with `footfall train`, or choose the engine 'centroidal'."
    )


@lru_cache(maxsize=16)
def _load_cached(path: Path, changed: int) -> LearnedNetwork:
    """Return the network of a file, which is read once for each time that it changes."""
    return load_network(path)

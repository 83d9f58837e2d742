"""Loading of characters: built-in ones by name, from files in `bodies`, others from a file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..errors import CharacterError
from .character import Character
from .from_file.body_file import load_body
from .from_robot.robots import load_robot

BODIES_FOLDER = Path(__file__).with_name("bodies")
# File name suffixes by which MuJoCo distinguishes MJCF and URDF
ROBOT_SUFFIXES = (".xml", ".urdf")


def list_builtins() -> tuple[str, ...]:
    """Return the names of the built-in characters, sorted."""
    return tuple(sorted(path.stem for path in BODIES_FOLDER.glob("*.toml")))


@lru_cache
def load_builtin(name: str) -> Character:
    """Return a built-in character.

    Raises:
        CharacterError: no built-in character has this name.
    """
    if name not in list_builtins():
        raise CharacterError(
            f"There is no built-in character {name!r}; there are: {', '.join(list_builtins())}."
        )
    return load_body(BODIES_FOLDER / f"{name}.toml")


def load_character(name_or_path: str | Path) -> Character:
    """Return a character.

    Args:
        name_or_path: name of a built-in character, or path of a body file (.toml) or of a robot
            file (.xml, .urdf).

    Raises:
        CharacterError: there is no such character, or its file is invalid.
    """
    if str(name_or_path) in list_builtins():
        return load_builtin(str(name_or_path))
    path = Path(name_or_path)
    if path.suffix == ".toml":
        return load_body(path)
    if path.suffix in ROBOT_SUFFIXES:
        return load_robot(path)
    raise CharacterError(
        f"There is no character {str(name_or_path)!r}. Built-in ones are: "
        f"{', '.join(list_builtins())}; names of files end in .toml, {', '.join(ROBOT_SUFFIXES)}."
    )

"""Loading of a character by name or from a file."""

from __future__ import annotations

from pathlib import Path

from ..errors import CharacterError
from .builtin import list_builtins, load_builtin
from .character import Character
from .from_file.body_file import load_body
from .from_robot.robots import load_robot

# File name suffixes by which MuJoCo distinguishes MJCF and URDF
ROBOT_SUFFIXES = (".xml", ".urdf")


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

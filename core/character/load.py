"""Any character by what names it."""

from __future__ import annotations

from pathlib import Path

from ..errors import CharacterError
from .builtin import list_builtins, load_builtin
from .character import Character
from .from_file.body_file import load_body
from .from_robot.robots import load_robot

ROBOT_SUFFIXES = (".xml", ".urdf")  # the endings by which MuJoCo tells its files


def load_character(name_or_path: str | Path) -> Character:
    """A character by the name of a built-in one, or by the path of a body's file (.toml) or
    a robot's (.xml, .urdf).

    Raises:
        CharacterError: there is no such one, or its file says something that cannot be.
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
        f"{', '.join(list_builtins())}; files of others end in .toml, {', '.join(ROBOT_SUFFIXES)}."
    )

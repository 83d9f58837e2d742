"""Any character by what names it."""
from __future__ import annotations

from pathlib import Path

from ..errors import CharacterError
from .builtin import builtin, builtins
from .character import Character
from .from_file.body_file import load_body
from .from_robot.robots import load_robot

ROBOTS = (".xml", ".urdf")         # the endings by which MuJoCo tells its files


def load_character(what: str | Path) -> Character:
    """A character by the name of a built-in one, or by the path of a body's file (.toml) or a robot's (.xml, .urdf).

    Raises:
        CharacterError: there is no such one, or its file says something that cannot be.
    """
    if str(what) in builtins():
        return builtin(str(what))
    path = Path(what)
    if path.suffix == ".toml":
        return load_body(path)
    if path.suffix in ROBOTS:
        return load_robot(path)
    raise CharacterError(f"There is no character {str(what)!r}. Built-in ones are: {', '.join(builtins())}; files of others end in "
                         f".toml, {', '.join(ROBOTS)}.")

"""Built-in characters, one body file each in the folder `bodies`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..errors import CharacterError
from .character import Character
from .from_file.body_file import load_body

BODIES_FOLDER = Path(__file__).with_name("bodies")


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

"""Styles that a user saved: a style file each in the extension's own folder."""
from __future__ import annotations

import re
from pathlib import Path

from ...core.errors import TaskError
from .folders import own_folder


def folder() -> Path:
    """Where they are kept."""
    return own_folder("styles")


def quadrupeds() -> Path:
    """Where those for four legs are offered to be kept: people's list does not show them."""
    return own_folder("styles-four-legs")


def names() -> list[str]:
    """What they are called."""
    return sorted((path.stem for path in folder().glob("*.toml")), key=str.casefold)


def file_of(name: str) -> Path:
    """The file of one, whether it is there or not."""
    return folder() / f"{name}.toml"


def free_file(name: str, among: Path | None = None) -> Path:
    """A file that is not there yet, with a name like the one wished; among people's styles, or in another folder."""
    plain = re.sub(r"[^\w \-.]", "_", name).strip(" .") or "style"
    inside = folder() if among is None else among
    path, count = inside / f"{plain}.toml", 1
    while path.exists():
        count += 1
        path = inside / f"{plain} {count}.toml"
    return path


def remove(name: str) -> Path:
    """Delete one's file.

    Raises:
        TaskError: there is none of this name in the folder, or it cannot be deleted.
    """
    if name not in names():
        raise TaskError(f"You have saved no style {name!r}; there {'are: ' + ', '.join(names()) if names() else 'is none'}.")
    path = file_of(name)
    try:
        path.unlink()
    except OSError as error:
        raise TaskError(f"The style {path} cannot be removed: {error.strerror or error}.") from error
    return path

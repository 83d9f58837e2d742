"""Styles that a user saved: a style file each in the extension's own folder."""

from __future__ import annotations

import re
from pathlib import Path

from ...core.errors import TaskError
from .folders import user_folder


def styles_folder() -> Path:
    """Where they are kept."""
    return user_folder("styles")


def quadruped_styles_folder() -> Path:
    """Where those for four legs are offered to be kept: people's list does not show them."""
    return user_folder("styles-four-legs")


def list_names() -> list[str]:
    """What they are called."""
    return sorted((path.stem for path in styles_folder().glob("*.toml")), key=str.casefold)


def get_style_path(name: str) -> Path:
    """The file of one, whether it is there or not."""
    return styles_folder() / f"{name}.toml"


def find_free_path(name: str, directory: Path | None = None) -> Path:
    """A file that is not there yet, with a name like the one wished;
    among people's styles, or in another folder.
    """
    safe_name = re.sub(r"[^\w \-.]", "_", name).strip(" .") or "style"
    target_folder = styles_folder() if directory is None else directory
    path = target_folder / f"{safe_name}.toml"
    count = 1
    while path.exists():
        count += 1
        path = target_folder / f"{safe_name} {count}.toml"
    return path


def remove_style(name: str) -> Path:
    """Delete one's file.

    Raises:
        TaskError: there is none of this name in the folder, or it cannot be deleted.
    """
    if name not in list_names():
        raise TaskError(
            f"You have saved no style {name!r}; there "
            f"{'are: ' + ', '.join(list_names()) if list_names() else 'is none'}."
        )
    path = get_style_path(name)
    try:
        path.unlink()
    except OSError as error:
        raise TaskError(
            f"The style {path} cannot be removed: {error.strerror or error}."
        ) from error
    return path

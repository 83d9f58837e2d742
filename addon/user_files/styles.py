"""Saved styles, one style file each."""

from __future__ import annotations

import re
from pathlib import Path

from ...core.errors import TaskError
from .folders import get_user_folder


def styles_folder() -> Path:
    """Return the folder of saved styles, whether it exists or not."""
    return get_user_folder("styles")


def quadruped_styles_folder() -> Path:
    """Return the folder of saved quadruped styles, which the list of humanoid styles omits.

    It may not exist.
    """
    return get_user_folder("styles-four-legs")


def list_names() -> list[str]:
    """Return the names of all saved styles, sorted."""
    return sorted((path.stem for path in styles_folder().glob("*.toml")), key=str.casefold)


def get_style_path(name: str) -> Path:
    """Return the file of a style, whether it exists or not."""
    return styles_folder() / f"{name}.toml"


def find_free_path(name: str, directory: Path | None = None) -> Path:
    """Return a file that does not exist.

    Args:
        name: preferred name of the style; invalid characters are replaced and a number is added
            if the file exists.
        directory: folder of the file; None for the folder of saved styles.
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
    """Delete the file of a saved style.

    Returns:
        The deleted file.

    Raises:
        TaskError: there is no saved style of this name, or it cannot be deleted.
    """
    if name not in list_names():
        raise TaskError(
            f"There is no saved style {name!r}; there "
            f"{'are: ' + ', '.join(list_names()) if list_names() else 'are none'}."
        )
    path = get_style_path(name)
    try:
        path.unlink()
    except OSError as error:
        raise TaskError(
            f"The style {path} cannot be removed: {error.strerror or error}."
        ) from error
    return path

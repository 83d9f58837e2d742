"""Folders for files that the user saves."""

from __future__ import annotations

from pathlib import Path

import bpy

from ...core.errors import FootfallError

# Package of the extension, two levels above this one
PACKAGE = __package__.removesuffix(".addon.user_files")


def get_user_folder(name: str) -> Path:
    """Return a folder of the extension, whether it exists or not."""
    if PACKAGE.startswith("bl_ext."):
        return Path(bpy.utils.extension_path_user(PACKAGE, path=name))
    # A plain package, outside of Blender's extension system, has no extension folder.
    return Path(bpy.utils.user_resource("DATAFILES", path=f"footfall/{name}"))


def create_folder(folder: Path) -> None:
    """Create a folder for files of the user if it does not exist.

    Blender's functions return an empty path where they cannot create a folder, which would be the
    current folder.

    Raises:
        FootfallError: the folder cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FootfallError(
            f"The folder {folder} cannot be created: {error.strerror or error}. Make the folder "
            "above it writable, then save again."
        ) from error

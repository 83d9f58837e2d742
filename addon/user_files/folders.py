"""Folders for files that the user saves."""

from __future__ import annotations

from pathlib import Path

import bpy

PACKAGE = __package__.rpartition(".")[0]


def user_folder(name: str) -> Path:
    """Return a folder of the extension; create it if it does not exist."""
    if PACKAGE.startswith("bl_ext."):
        return Path(bpy.utils.extension_path_user(PACKAGE, path=name, create=True))
    # A plain package, outside of Blender's extension system, has no extension folder.
    return Path(bpy.utils.user_resource("DATAFILES", path=f"footfall/{name}", create=True))

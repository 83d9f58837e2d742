"""Folders of the extension's own, in which users keep what they save."""

from __future__ import annotations

from pathlib import Path

import bpy

PACKAGE = __package__.rpartition(".")[0]


def user_folder(name: str) -> Path:
    """A folder by its name; made where it is not there."""
    if PACKAGE.startswith("bl_ext."):
        return Path(bpy.utils.extension_path_user(PACKAGE, path=name, create=True))
    # as a plain package, without Blender's extension system, Footfall has no folder of its own
    return Path(bpy.utils.user_resource("DATAFILES", path=f"footfall/{name}", create=True))

"""Where a character is to go: along a curve, or from marker to marker."""
from __future__ import annotations

import bpy

from ..core.task import Facing, Path
from .markers import read_markers, there
from .reading import read_path
from .wish_properties import Wish


def goes_by_markers(wish: Wish) -> bool:
    """Whether a character goes from marker to marker and not along a curve."""
    return bool(wish.path_from == "MARKERS")


def has_way(wish: Wish, scene: bpy.types.Scene) -> bool:
    """Whether there is anything to go along."""
    return bool(there(wish.markers, scene)) if goes_by_markers(wish) else wish.path is not None


def faces_markers(wish: Wish, scene: bpy.types.Scene) -> bool:
    """Whether markers tell which way the character faces."""
    return goes_by_markers(wish) and any(marker.faces for marker in there(wish.markers, scene))


def read_going(wish: Wish, scene: bpy.types.Scene) -> tuple[Path, Facing | None]:
    """The path, and which way the body faces on it where markers tell.

    Raises:
        TaskError: there is none, or it cannot be one.
    """
    return read_markers(wish.markers, scene) if goes_by_markers(wish) else (read_path(wish.path, scene), None)

"""In which of Blender's modes keys may be made."""
from __future__ import annotations

import bpy

FIT = ("OBJECT", "POSE")             # in the others Blender's undo knows only of what is edited there, and of no keys


def hindering(context: bpy.types.Context) -> str:
    """What to do before keys can be made and undone; empty where nothing is."""
    return "" if context.mode in FIT else f"Leave {context.mode.partition('_')[0].title()} Mode first"

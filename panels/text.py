"""Text that is longer than a panel is wide."""
from __future__ import annotations

import textwrap

import bpy

LETTER = 6.0              # pixels that a letter takes on the whole; labels do not wrap by themselves
MARGIN = 70               # pixels of a panel's line that hold no text


def letters_of(context: bpy.types.Context) -> int:
    """How many letters a line of the sidebar holds."""
    scale = context.preferences.system.ui_scale
    width = context.region.width if context.region is not None else 300
    return max(int((width / scale - MARGIN) / LETTER), 20)


def wrapped(layout: bpy.types.UILayout, text: str, letters: int, icon: str = "NONE") -> None:
    """Text in as many labels as it takes; lines of its own stay lines."""
    for k, line in enumerate(part for told in text.splitlines() for part in textwrap.wrap(told, letters, replace_whitespace=False)):
        layout.label(text=line, icon=icon if k == 0 else "BLANK1" if icon != "NONE" else "NONE")

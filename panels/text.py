"""Wrapping of text in panels."""

from __future__ import annotations

from functools import lru_cache

import blf
import bpy

# Widths at an interface scale of 1 [pixels], those of Blender's sidebar and of its icons.
PANEL_MARGIN = 60.0  # part of the sidebar without text: margins and tabs
ICON_WIDTH = 20.0  # icon in front of a text
MIN_WIDTH = 100.0  # narrowest line, about two words: a narrower sidebar would be a column of them
DEFAULT_WIDTH = 240.0  # line without a region

FONT_ID = 0  # Blender's number of the font of the user interface


def compute_text_width(context: bpy.types.Context) -> float:
    """Return the width of a line of text in the sidebar at an interface scale of 1 [pixels].

    Blender does not wrap labels.
    """
    if context.region is None:
        return DEFAULT_WIDTH
    return max(
        context.region.width / (context.preferences.system.ui_scale or 1.0) - PANEL_MARGIN,
        MIN_WIDTH,
    )


def draw_wrapped(layout: bpy.types.UILayout, text: str, width: float, icon: str = "NONE") -> None:
    """Draw a text as wrapped labels; its line breaks are kept.

    Args:
        layout: layout to draw in.
        text: text.
        width: width of a line [pixels].
        icon: icon of the first line.
    """
    max_width = width - (ICON_WIDTH if icon != "NONE" else 0.0)
    points = float(bpy.context.preferences.ui_styles[0].widget.points)
    for k, line in enumerate(
        part
        for source_line in text.splitlines()
        for part in _wrap_line(source_line, max_width, points)
    ):
        layout.label(text=line, icon=icon if k == 0 else "BLANK1" if icon != "NONE" else "NONE")


@lru_cache(maxsize=256)
def _wrap_line(text: str, max_width: float, points: float) -> tuple[str, ...]:
    """Return a line, broken between words.

    Args:
        text: line.
        max_width: greatest width [pixels].
        points: font size.
    """
    blf.size(FONT_ID, points)
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and blf.dimensions(FONT_ID, longer)[0] <= max_width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def capitalize(text: str) -> str:
    """Return a text with a capital first letter; names of bones in it stay unchanged."""
    return f"{text[:1].upper()}{text[1:]}"

"""Text that is longer than a panel is wide."""

from __future__ import annotations

from functools import lru_cache

import blf
import bpy

PANEL_MARGIN = 60.0  # pixels of the sidebar's width beside a panel's text, its tabs among them
ICON_WIDTH = 20.0  # pixels that an icon takes before the text
MIN_WIDTH = 100.0  # pixels of a line, however narrow the sidebar is
DEFAULT_WIDTH = 240.0  # pixels of a line where there is no region to ask
FONT_ID = 0  # that of the interface


def compute_text_width(context: bpy.types.Context) -> float:
    """Pixels that a line of text has in the sidebar, at an interface scale of 1;
    labels do not wrap by themselves.
    """
    if context.region is None:
        return DEFAULT_WIDTH
    return max(
        context.region.width / (context.preferences.system.ui_scale or 1.0) - PANEL_MARGIN,
        MIN_WIDTH,
    )


def draw_wrapped(layout: bpy.types.UILayout, text: str, width: float, icon: str = "NONE") -> None:
    """Text in as many labels as it takes; lines of its own stay lines."""
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
    """A line in pieces that are no longer than there is room, of whole words."""
    blf.size(FONT_ID, points)
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and blf.dimensions(FONT_ID, longer)[0] <= max_width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)

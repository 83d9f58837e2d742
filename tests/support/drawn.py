"""Panels as text, drawn without a window."""

from __future__ import annotations

from collections.abc import Iterable

import bpy


class RecordedLayout:
    """A stand-in for a layout that records each element that is drawn in it as a line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def panel(self, name: str, default_closed: bool = False) -> tuple[RecordedLayout, ...]:
        """Return the header and the body of an open subpanel."""
        return self, self

    def __getattr__(self, name: str) -> object:
        def draw(*args: object, **values: object) -> RecordedLayout:
            self.lines.append(" ".join(str(v) for v in (name, *args[-1:], *values.values())))
            return self

        return draw


def draw_panels(panels: Iterable[type[bpy.types.Panel]], methods: Iterable[str] = ("draw",)) -> str:
    """Return the elements that panels draw in the current context, one in each line."""
    lines: list[str] = []
    for panel in panels:
        stand_in = type("Drawn", (), {"layout": RecordedLayout(lines)})()
        for method in methods:
            getattr(panel, method)(stand_in, bpy.context)
    return "\n".join(lines)

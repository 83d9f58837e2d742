"""What panels say of jumps, by engine."""

from __future__ import annotations

import bpy
import pytest
from footfall.panels.events import FOOTFALL_PT_jumps


class _Layout:
    """Layout that records the texts of labels."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts

    def label(self, text: str = "", **_: object) -> None:
        """Record a label."""
        self.texts.append(text)

    def __getattr__(self, name: str) -> object:
        def draw(*_: object, **__: object) -> _Layout:
            return self

        return draw


def _draw_jumps_panel() -> list[str]:
    texts: list[str] = []
    FOOTFALL_PT_jumps.draw(type("Panel", (), {"layout": _Layout(texts)})(), bpy.context)
    return texts


@pytest.mark.parametrize(("engine", "expects_note"), [("centroidal", True), ("preview", False)])
def test_only_planned_bodies_stand_between_jumps(
    scene: bpy.types.Scene, engine: str, expects_note: bool
) -> None:
    scene.footfall.engine = engine
    bpy.ops.footfall.add_jump()
    assert ("The body stands between jumps" in _draw_jumps_panel()) == expects_note


@pytest.mark.parametrize(("engine", "expects_conflict"), [("centroidal", True), ("preview", False)])
def test_only_planned_bodies_cannot_be_pushed_and_jump(
    scene: bpy.types.Scene, engine: str, expects_conflict: bool
) -> None:
    scene.footfall.engine = engine
    bpy.ops.footfall.add_jump()
    bpy.ops.footfall.add_push()
    has_conflict = any("cannot be combined" in text for text in _draw_jumps_panel())
    assert has_conflict == expects_conflict

"""Runs in Blender: its window, the 3D view in it, and the sidebar."""

from __future__ import annotations

import importlib
from typing import Any

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

MODULE = "bl_ext.user_default.footfall"
MODIFIERS = {"ctrl": True, "alt": True, "shift": True}
LETTERS = "ABDEHIJKLNOPQRTUVWXYZ"  # with all three modifiers nothing of Blender's own is on them

_keys: dict[str, str] = {}


def area() -> bpy.types.Area:
    """The 3D view of the first window."""
    return next(
        a for a in bpy.context.window_manager.windows[0].screen.areas if a.type == "VIEW_3D"
    )


def region(kind: str = "WINDOW") -> bpy.types.Region:
    """A region of the 3D view."""
    return next(r for r in area().regions if r.type == kind)


def over(kind: str = "WINDOW") -> Any:
    """As if called with the mouse over the 3D view."""
    window = bpy.context.window_manager.windows[0]
    return bpy.context.temp_override(
        window=window, screen=window.screen, area=area(), region=region(kind)
    )


def frame_of(kind: str) -> tuple[int, int, int, int]:
    """Left, top, width and height of a region, from the window's upper left corner."""
    window = bpy.context.window_manager.windows[0]
    here = region(kind)
    return here.x, window.height - here.y - here.height, here.width, here.height


def pixel(place: tuple[float, float, float]) -> tuple[int, int]:
    """Where a place of the world is seen, from the window's upper left corner."""
    x, y = location_3d_to_region_2d(region(), area().spaces.active.region_3d, Vector(place))
    left, top, _, height = frame_of("WINDOW")
    return round(left + x), round(top + height - y)


def key_for(operator: str) -> str:
    """A letter that calls an operator with all three modifiers:
    what it does is then done by an event, as by a button.
    """
    if operator not in _keys:
        _keys[operator] = LETTERS[len(_keys)]
        keymap = bpy.context.window_manager.keyconfigs.addon.keymaps.new(
            name="3D View", space_type="VIEW_3D"
        )
        keymap.keymap_items.new(operator, _keys[operator], "PRESS", **MODIFIERS)
        bpy.context.window_manager.keyconfigs.update()
    return _keys[operator].lower()


def opened() -> bool:
    """Whether the sidebar shows the tab."""
    area().spaces.active.show_region_ui = True
    try:
        region("UI").active_panel_category = "Footfall"
    except (AttributeError, TypeError):  # the sidebar was not drawn yet and has no tabs
        return False
    area().tag_redraw()
    return True


def draw() -> None:
    """Draw the window anew, now."""
    for each in bpy.context.window_manager.windows[0].screen.areas:
        each.tag_redraw()
    with over():
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)


def panels() -> list[type[bpy.types.Panel]]:
    """The panels of the tab, each after the one that it belongs to."""
    there = importlib.import_module(f"{MODULE}.registration").PANELS
    return [
        cls
        for cls in there
        if issubclass(cls, bpy.types.Panel) and getattr(cls, "bl_category", "") == "Footfall"
    ]


def show_only(name: str) -> None:
    """Leave one panel of the tab, open and by itself, from now on."""
    for cls in reversed(panels()):
        if cls.is_registered:
            bpy.utils.unregister_class(cls)
    for cls in panels():
        if cls.__name__ == name:
            # Under a name of its own: Blender remembers of the other one that it was closed.
            cls.bl_idname = f"{name}_alone"
            cls.bl_parent_id = ""
            cls.bl_options = set()
            bpy.utils.register_class(cls)

"""Access to Blender's window, its 3D view and its sidebar. This module runs in Blender."""

from __future__ import annotations

import importlib
from typing import Any

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

MODULE = "bl_ext.user_default.footfall"
MODIFIERS = {"ctrl": True, "alt": True, "shift": True}
# Letters that Blender does not bind with all three modifiers
LETTERS = "ABDEHIJKLNOPQRTUVWXYZ"

_keys: dict[str, str] = {}


def get_view_area() -> bpy.types.Area:
    """Return the 3D view of the first window."""
    return next(
        a for a in bpy.context.window_manager.windows[0].screen.areas if a.type == "VIEW_3D"
    )


def get_region(kind: str = "WINDOW") -> bpy.types.Region:
    """Return a region of the 3D view."""
    return next(r for r in get_view_area().regions if r.type == kind)


def override_context(kind: str = "WINDOW") -> Any:
    """Return a context override, as if the mouse were over a region of the 3D view."""
    window = bpy.context.window_manager.windows[0]
    return bpy.context.temp_override(
        window=window, screen=window.screen, area=get_view_area(), region=get_region(kind)
    )


def get_region_frame(kind: str) -> tuple[int, ...]:
    """Return left, top, width and height of a region, from the window's upper left corner [px]."""
    window = bpy.context.window_manager.windows[0]
    region = get_region(kind)
    top = window.height - region.y - region.height
    return region.x, top, region.width, region.height


def project_point(point: tuple[float, float, float]) -> tuple[int, ...]:
    """Return the pixel of a point in world coordinates, from the window's upper left corner."""
    x, y = location_3d_to_region_2d(
        get_region(), get_view_area().spaces.active.region_3d, Vector(point)
    )
    left, top, _, height = get_region_frame("WINDOW")
    return round(left + x), round(top + height - y)


def bind_key(operator: str) -> str:
    """Bind an operator to a letter with all three modifiers and return the letter.

    An event then calls the operator, as a click on its button would.
    """
    if operator not in _keys:
        _keys[operator] = LETTERS[len(_keys)]
        keymap = bpy.context.window_manager.keyconfigs.addon.keymaps.new(
            name="3D View", space_type="VIEW_3D"
        )
        keymap.keymap_items.new(operator, _keys[operator], "PRESS", **MODIFIERS)
        bpy.context.window_manager.keyconfigs.update()
    return _keys[operator].lower()


def open_sidebar() -> bool:
    """Show the tab in the sidebar and return whether that was possible."""
    get_view_area().spaces.active.show_region_ui = True
    try:
        get_region("UI").active_panel_category = "Footfall"
    except (AttributeError, TypeError):  # the sidebar has no tabs before it is drawn
        return False
    get_view_area().tag_redraw()
    return True


def redraw() -> None:
    """Redraw the window immediately."""
    for area in bpy.context.window_manager.windows[0].screen.areas:
        area.tag_redraw()
    with override_context():
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)


def list_panels() -> list[type[bpy.types.Panel]]:
    """Return the panels of the tab, parents before their children."""
    classes = importlib.import_module(f"{MODULE}.registration").PANELS
    return [
        cls
        for cls in classes
        if issubclass(cls, bpy.types.Panel) and getattr(cls, "bl_category", "") == "Footfall"
    ]


def show_only(name: str) -> None:
    """Unregister all panels of the tab but one, and open that one."""
    for cls in reversed(list_panels()):
        if cls.is_registered:
            bpy.utils.unregister_class(cls)
    for cls in list_panels():
        if cls.__name__ == name:
            # Another name, since Blender remembers that the panel was closed under the first one
            cls.bl_idname = f"{name}_alone"
            cls.bl_parent_id = ""
            cls.bl_options = set()
            bpy.utils.register_class(cls)
